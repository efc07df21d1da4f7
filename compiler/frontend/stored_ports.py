"""Inputs and outputs of the network that are of types of storage, under import.

An input is converted right after it comes in, an output right before it goes out; in between are the types in
which their numbers are computed.
"""

from __future__ import annotations

from onnx import ValueInfoProto

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.model.element_types import element_type
from nnc.compiler.frontend.model.sizes import check_rank, check_tensor
from nnc.compiler.frontend.positions import denoted_positions
from nnc.compiler.frontend.scope import Scope
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Elementwise, Loc
from nnc.isa.functions import Function
from nnc.isa.types import DType


def define_input(scope: Scope, info: ValueInfoProto) -> None:
    """Add an input of the network of any type, whose extents are all known.

    Raises:
        UnsupportedError: its element type is not supported, or it has too many axes.
        ModelTooLargeError: the tensor cannot exist on any machine.
    """
    name, code = info.name, info.type.tensor_type.elem_type
    dims = tuple(dim.dim_value for dim in info.type.tensor_type.shape.dim)
    try:
        type_ = TensorType(element_type(code), dims)
        check_rank(name, type_)
    except UnsupportedError as error:
        raise UnsupportedError(error.message, where=f"input {name}", expected=error.expected) from None
    check_tensor(name, type_)
    scope.graph.add_input(name, type_)
    if not type_.elements:
        scope.add_empty(name, type_)
    elif type_.dtype.is_stored:
        computed = scope.fresh_tensor(f"{name}.{type_.dtype.computed.value}")
        _convert(scope, name, computed, type_.dtype.computed)
        scope.add_computed_input(name, computed, code)
    if (counted := denoted_positions(info)) is not None:
        scope.add_positions(name, counted)


def stored_type(scope: Scope, output: str) -> DType | None:
    """The type of storage of an output; None if it is of another.

    Raises:
        UnsupportedError: its element type is not supported.
    """
    code = scope.element_code(output)
    dtype = element_type(code) if code else None
    return dtype if dtype is not None and dtype.is_stored else None


def define_stored_output(scope: Scope, name: str, source: str, dtype: DType) -> None:
    """Let a tensor be an output: what its numbers were made of, if they were stored so, else a layer.

    Args:
        source: a tensor of the type computed, in the graph.
    """
    graph = scope.graph
    if source == name:  # which the output needs for itself
        source = scope.set_aside(name)
    producer = graph.producer(source)
    stored = None if producer is None else graph.operand(producer.name, 0)
    if stored is None or graph.types[stored].dtype is not dtype or stored in (*graph.inputs, *graph.outputs):
        stored = scope.fresh_tensor(f"{name}.{dtype.value}")
        _convert(scope, source, stored, dtype)
    graph.add_output(stored, name)


def _convert(scope: Scope, source: str, tensor: str, dtype: DType) -> None:
    cast = Elementwise(
        name=scope.layer_name(f"Cast_{tensor}"), loc=Loc(tensor, "Cast"), function=Function.CAST
    )
    scope.graph.add(cast, [source], [tensor], [TensorType(dtype, scope.type_of(source).shape)])
