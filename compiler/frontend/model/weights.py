"""Values of the tensors that a model carries: separated from the structure, so that work on that is quick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from nnc.compiler.frontend.domains import graphs_of, inner_graphs, with_inner
from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.model.element_types import (
    as_computed,
    known_dims,
    onnx_numpy,
    type_name,
)
from nnc.compiler.frontend.model.large_values import SMALL, Values
from nnc.compiler.frontend.model.structure import normalise_structure
from nnc.compiler.frontend.model.subgraphs import all_defined, defined, rename

Array = NDArray[Any]

_NUMBERS = {
    "value_float": AttributeProto.FLOAT,
    "value_floats": AttributeProto.FLOATS,
    "value_int": AttributeProto.INT,
    "value_ints": AttributeProto.INTS,
}
"""Attributes of Constant that are numbers, with their types."""


@dataclass(frozen=True)
class Skeleton:
    """A model without its large weights, which stand among its inputs there, and all constant tensors.

    `inputs` are the names of the true inputs, in order; `values` the bytes of weights that do not hold them.
    `model` may be changed in place; it shares nothing with the user's model.
    """

    model: ModelProto
    weights: dict[str, TensorProto]
    inputs: list[str]
    values: Values


def separate(source: ModelProto, values: Values | None = None) -> Skeleton:
    """Copy the structure of a model, normalised; Constant nodes and initialisers become the weights.

    Those of sub-graphs do, too: so they are there once, however often a graph is run.

    Args:
        values: bytes of initialisers that the model does not hold (see `parse_apart`).

    Raises:
        ModelInvalidError: an initialiser is defined twice or contradicts its declaration as an input.
        UnsupportedError: the model has sparse initialisers.
    """
    for holder in (source.graph, *inner_graphs(source.graph.node)):
        if holder.sparse_initializer:
            raise UnsupportedError(
                "sparse initialisers are not supported",
                where=holder.sparse_initializer[0].values.name,
                remedy="export the model with dense weights",
            )
    weights: dict[str, TensorProto] = {}
    for tensor in source.graph.initializer:
        if tensor.name in weights:
            raise ModelInvalidError(
                f"initialiser {tensor.name} is defined twice", remedy="re-export the model"
            )
        weights[tensor.name] = tensor
    model = ModelProto(ir_version=max(source.ir_version, 4))  # below 4 initialisers would have to be inputs
    model.opset_import.extend(source.opset_import or [helper.make_opsetid("", 1)])  # the first formats
    model.functions.extend(source.functions)
    graph = model.graph
    graph.name = source.graph.name or "model"
    graph.output.extend(source.graph.output)
    for declared in source.graph.input:
        if declared.name in weights:
            _check_declared(declared.name, known_dims(declared.type), weights[declared.name])
        else:
            graph.input.append(declared)
    inputs = [declared.name for declared in graph.input]
    _place(graph, weights)
    skeleton = Skeleton(model, weights, inputs, values or {})
    _move_nodes(source.graph, skeleton)
    normalise_structure(model)
    return skeleton


def hoist_constants(skeleton: Skeleton) -> None:
    """Turn Constant nodes of the skeleton (from inlined functions) into weights."""
    graph = skeleton.model.graph
    if any(node.op_type == "Constant" for node in with_inner(graph.node)):
        old = GraphProto()
        old.node.extend(graph.node)
        del graph.node[:]
        _move_nodes(old, skeleton)


def add_value(skeleton: Skeleton, name: str, tensor: TensorProto) -> None:
    """Make a tensor a constant of the model."""
    skeleton.weights[name] = tensor
    _place(skeleton.model.graph, {name: tensor})


def _place(graph: GraphProto, weights: dict[str, TensorProto]) -> None:
    """Small tensors stay as initialisers, of the others only the type."""
    for name, tensor in weights.items():
        if prod(tensor.dims) <= SMALL:
            graph.initializer.append(tensor)
        else:
            graph.input.append(helper.make_tensor_value_info(name, tensor.data_type, tensor.dims))


def _move_nodes(source: GraphProto, skeleton: Skeleton) -> None:
    for node in source.node:
        tensor = _constant_value(node)
        if tensor is None:
            skeleton.model.graph.node.append(node)
        elif node.output[0] in skeleton.weights:
            raise ModelInvalidError(f"tensor {node.output[0]} is defined twice", remedy="re-export the model")
        else:
            add_value(skeleton, node.output[0], tensor)
    graph = skeleton.model.graph
    if any(True for _ in inner_graphs(graph.node)):
        definitions = Counter(all_defined(graph))
        definitions.update(skeleton.weights.keys() - {*defined(graph)})
        _move_inner(graph.node, skeleton, definitions)


def _move_inner(nodes: Iterable[NodeProto], skeleton: Skeleton, definitions: Counter[str]) -> None:
    """Move constants out of the sub-graphs of nodes, under names that the model has once.

    Args:
        definitions: how often the model defines a name.
    """
    for graph in (graph for node in nodes for graph in graphs_of(node)):
        constants = {tensor.name: tensor for tensor in graph.initializer}
        others = list[NodeProto]()
        for node in graph.node:
            tensor = _constant_value(node)
            if tensor is None:
                others.append(node)
            else:
                constants[tensor.name] = tensor
        names: dict[str, str] = {}
        outputs = {info.name for info in graph.output}
        for name in sorted(constants.keys() - {info.name for info in graph.input}):
            is_shared = definitions[name] > 1 or name in outputs
            names[name] = _free_name(name, definitions) if is_shared else name
            moved = TensorProto()
            moved.CopyFrom(constants[name])
            moved.name = names[name]
            add_value(skeleton, moved.name, moved)
        del graph.initializer[:]
        if len(others) < len(graph.node):
            copies = GraphProto(node=others)
            del graph.node[:]
            graph.node.extend(copies.node)
        for node in graph.node:
            rename(node, names)
        for name in sorted(outputs.intersection(names)):  # onnx insists that a node makes them
            graph.node.append(helper.make_node("Identity", [names[name]], [name]))
        _move_inner(graph.node, skeleton, definitions)


def _free_name(stem: str, definitions: Counter[str]) -> str:
    name = next(name for name in (f"{stem}.{number}" for number in count(1)) if not definitions[name])
    definitions[name] += 1
    return name


def _constant_value(node: NodeProto) -> TensorProto | None:
    """The tensor of a Constant node, under the name of its output; None for any other node."""
    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx") or len(node.attribute) != 1:
        return None
    if len(node.output) != 1:
        return None
    attribute, (name,) = node.attribute[0], node.output
    if attribute.name == "value" and attribute.type == AttributeProto.TENSOR:
        tensor = TensorProto()
        tensor.CopyFrom(attribute.t)
        tensor.name = name
        return tensor
    if _NUMBERS.get(attribute.name) != attribute.type:
        return None
    is_real = attribute.type in (AttributeProto.FLOAT, AttributeProto.FLOATS)
    value = np.array(helper.get_attribute_value(attribute), "f4" if is_real else "i8")
    return numpy_helper.from_array(value, name)


def _check_declared(name: str, dims: tuple[int | None, ...] | None, tensor: TensorProto) -> None:
    if dims is None:
        return
    own = tuple(tensor.dims)
    if len(dims) != len(own) or any(d not in (None, o) for d, o in zip(dims, own, strict=True)):
        raise ModelInvalidError(
            f"initialiser {name} contradicts its declaration as an input",
            found=str(list(own)),
            expected=str(list(dims)),
            remedy="re-export the model",
        )


def to_array(tensor: TensorProto, values: NDArray[np.uint8] | None = None) -> Array:
    """Value of a tensor, in the byte order of the chip, and in the type computed where that is another.

    Args:
        values: its bytes, if the tensor does not hold them.

    Raises:
        ModelInvalidError: the data is shorter or longer than its shape says.
    """
    dtype = onnx_numpy(tensor.data_type)
    if dtype is not None and (values is not None or tensor.HasField("raw_data")):
        raw = tensor.raw_data if values is None else values
        expected = prod(tensor.dims) * dtype.itemsize
        if len(raw) != expected:
            raise _wrong_size(tensor, f"{len(raw)} bytes", f"{expected} bytes")
        return as_computed(np.frombuffer(raw, dtype).reshape(tensor.dims))
    try:
        return as_computed(np.asarray(numpy_helper.to_array(tensor)))
    except (ValueError, TypeError) as error:
        raise _wrong_size(tensor, str(error), "as many values as the shape says") from error


def _wrong_size(tensor: TensorProto, actual: str, expected: str) -> ModelInvalidError:
    what = f"{tensor.name} {type_name(tensor.data_type)}{list(tensor.dims)}"
    return ModelInvalidError(
        "the data of a tensor has a wrong size",
        where=what,
        found=actual,
        expected=expected,
        remedy="re-export the model",
    )
