"""Names under import: which tensors exist, their types, constants and aliases, and the graph being built."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, TypeProto

from nnc.compiler.frontend.block_matrix import BlockMatrix
from nnc.compiler.frontend.dequantised import Dequantised
from nnc.compiler.frontend.domains import name_of
from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.fold import is_spread
from nnc.compiler.frontend.fold_account import FoldAccount
from nnc.compiler.frontend.model.check import InferredTypes
from nnc.compiler.frontend.model.element_types import as_computed, computed_type, range_of, type_code
from nnc.compiler.frontend.model.sizes import check_folded, check_rank, check_tensor
from nnc.compiler.frontend.model.weights import Skeleton, to_array
from nnc.compiler.frontend.names import ambiguous_names
from nnc.compiler.frontend.states import StateTable
from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.isa.errors import InternalError
from nnc.isa.types import DType

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class TensorSequence:
    """A sequence under import: which tensors it holds is known.

    Attributes:
        tensors: in their order.
        code: ONNX's number of their element type.
    """

    tensors: tuple[str, ...]
    code: int


class Scope:
    """The state of one import.

    Constants enter the graph when a layer first reads them, so that folded and dead ones never do.

    Attributes:
        graph: as far as it is imported; folded: what constants were computed of.
        states: of the network.
        optionals: names that the model has for optionals that hold something.
    """

    def __init__(
        self,
        name: str,
        skeleton: Skeleton,
        inferred: InferredTypes,
        used: frozenset[str],
        names: frozenset[str],
        nodes: Sequence[NodeProto] = (),
    ) -> None:
        """`inferred`: element type number and dimensions by tensor as onnx sees them, unknown ones None;
        `used`: tensors that some node or the network's output reads; `names`: all tensors of the model."""
        self.graph = Graph(name)
        self.folded = FoldAccount(skeleton)
        self._weights, self._values = skeleton.weights, skeleton.values
        self._inferred = dict(inferred)
        self._used = set(used)
        self._constants: dict[str, Array] = {}
        self._dequantised: dict[str, Dequantised] = {}
        self._block_matrices: dict[str, BlockMatrix] = {}
        self._positions_in: dict[str, tuple[int, ...]] = {}
        self._aliases: dict[str, str] = {}
        self._tensor_names = dict.fromkeys(names, 0)
        ambiguous = ambiguous_names(names, [name_of(node) for node in nodes])
        self._layer_names = dict.fromkeys(ambiguous, 0)
        self._sequences: dict[str, TensorSequence] = {}
        self._nothing: dict[str, TypeProto] = {}
        self.optionals = set[str]()
        self._unknown: set[str] = set()
        self.states = StateTable()

    # --- asking --------------------------------------------------------------------------------------------

    def resolve(self, tensor: str) -> str:
        """The tensor that a name stands for."""
        while tensor in self._aliases:
            tensor = self._aliases[tensor]
        return tensor

    def is_used(self, tensor: str) -> bool:
        """Whether a node or the network's output reads the tensor."""
        return tensor in self._used

    def is_constant(self, tensor: str) -> bool:
        """Whether the tensor's value is known at compile time."""
        return tensor in self._constants or tensor in self._weights

    def is_known(self, tensor: str) -> bool:
        """The same, also if the value is stored as integers that a layer makes real numbers again."""
        return tensor in self._dequantised or self.is_constant(tensor)

    def is_unknown(self, tensor: str) -> bool:
        """Whether the tensor comes from an unsupported node and nothing is known about it."""
        return self.resolve(tensor) in self._unknown

    def sequence(self, name: str) -> TensorSequence | None:
        """The sequence that a name stands for, None if it is none."""
        return self._sequences.get(self.resolve(name))

    def nothing(self, name: str) -> TypeProto | None:
        """The type of an optional that holds nothing, else None: others are names of what they hold."""
        return self._nothing.get(self.resolve(name))

    def is_tensor(self, name: str) -> bool:
        """Whether the name is that of a tensor of a known type."""
        return not self.is_list(name) and not self.is_unknown(name)

    def is_list(self, name: str) -> bool:
        """Whether the name is that of a sequence, or of an optional that holds nothing."""
        return self.sequence(name) is not None or self.nothing(name) is not None

    def constant(self, tensor: str) -> Array | None:
        """The value of a constant, None if the tensor is computed at run time."""
        if tensor not in self._constants and tensor in self._weights:
            self._constants[tensor] = to_array(self._weights[tensor], self._values.get(tensor))
        return self._constants.get(tensor)

    def dequantised(self, tensor: str) -> Dequantised | None:
        """The integers that a layer's result stands for, None if it is no such constant."""
        return self._dequantised.get(tensor)

    def block_matrix(self, tensor: str) -> BlockMatrix | None:
        """The matrix of few bits in blocks whose real numbers a constant holds, None if it is none."""
        return self._block_matrices.get(tensor)

    def positions_in(self, tensor: str) -> tuple[int, ...] | None:
        """The shape in which positions count that a MaxPool gave as this tensor, None if it did not."""
        tensor = self.resolve(tensor)
        shapes = self._positions_in.items()
        return next((shape for name, shape in shapes if self.resolve(name) == tensor), None)

    def is_given(self, tensor: str) -> bool:
        """Whether the tensor is an input of the model or a constant: no node computes it."""
        return self.is_constant(tensor) or tensor in self.graph.inputs

    def value(self, tensor: str) -> Array | None:
        """The value of a tensor that is known at compile time, stored as it is or as integers, else None."""
        stored = self._dequantised.get(tensor)
        return self.constant(tensor) if stored is None else stored.value()

    def element_code(self, tensor: str) -> int:
        """ONNX's number of the element type that a tensor has in the model; 0 if that is not known."""
        while tensor not in self._weights and tensor not in self._inferred and tensor in self._aliases:
            tensor = self._aliases[tensor]
        if tensor in self._weights:
            return int(self._weights[tensor].data_type)
        return self._inferred.get(tensor, (None, None))[0] or 0

    def stored_code(self, tensor: str) -> int:
        """The same of a tensor that is defined, also where a layer has made it."""
        return self.element_code(tensor) or type_code(self.type_of(tensor).dtype)

    def packed_range(self, tensor: str) -> tuple[int, int] | None:
        """The least and the greatest value of a tensor of 2 or 4 bits in the model, else None."""
        return range_of(self.element_code(tensor))

    def array(self, proto: TensorProto) -> Array:
        """Value of a tensor in the model."""
        return to_array(proto)

    def type_of(self, tensor: str) -> TensorType:
        """Type of a known tensor.

        Raises:
            UnsupportedError: its element type is not supported.
        """
        if tensor in self.graph.types:
            return self.graph.types[tensor]
        if tensor in self._constants:
            value = self._constants[tensor]
            return TensorType(_dtype_of(value), value.shape)
        if tensor in self._weights:
            proto = self._weights[tensor]
            return TensorType(computed_type(proto.data_type), tuple(proto.dims))
        raise InternalError(f"the type of {tensor} is not known")

    def inferred_type(self, tensor: str) -> TensorType | None:
        """The type of a tensor as onnx infers it; None if that is not known, or not supported."""
        code, dims = self._inferred.get(tensor, (None, None))
        if code is None or dims is None:
            return None
        shape = tuple(extent for extent in dims if extent is not None)
        try:
            return TensorType(computed_type(code), shape) if len(shape) == len(dims) else None
        except UnsupportedError:
            return None

    # --- names ---------------------------------------------------------------------------------------------

    def layer_name(self, stem: str) -> str:
        """A unique layer name derived from `stem`, whose tiles have names that the model does not use."""
        return _unused(stem, self._layer_names)

    def reserve_names(self, nodes: Sequence[NodeProto]) -> None:
        """See to it that no tile is named like nodes that come into the model, or like their tensors."""
        tensors = {name for node in nodes for name in node.output}
        for name in ambiguous_names(tensors, [name_of(node) for node in nodes]):
            self._layer_names.setdefault(name, 0)

    def fresh_tensor(self, stem: str) -> str:
        """A tensor name derived from `stem` that the model does not use."""
        return _unused(stem, self._tensor_names)

    # --- building ------------------------------------------------------------------------------------------

    def add_alias(self, name: str, tensor: str) -> None:
        """Let `name` stand for `tensor`."""
        tensor = self.resolve(tensor)
        if self.is_tensor(tensor):
            self._check_inferred(name, self.type_of(tensor), name)
        self._aliases[name] = tensor

    def add_sequence(self, name: str, sequence: TensorSequence) -> None:
        """Define a sequence of tensors."""
        self._sequences[name] = sequence

    def add_nothing(self, name: str, type_: TypeProto) -> None:
        """Define an optional that holds nothing of a type."""
        self._nothing[name] = type_

    def add_inferred(self, types: InferredTypes) -> None:
        """Note the types of tensors that onnx infers of nodes of a sub-graph."""
        self._inferred.update(types)

    def add_constant(self, tensor: str, value: Array) -> None:
        """Define a tensor whose value is known; what is of a type of storage is computed in another."""
        value = as_computed(value)
        type_ = TensorType(_dtype_of(value), value.shape)
        check_tensor(tensor, type_)
        self._check_inferred(tensor, type_, tensor)
        self._constants[tensor] = value

    def add_empty(self, tensor: str, type_: TensorType) -> None:
        """Define a tensor without elements, whose value is thereby known."""
        self.add_constant(tensor, np.empty(type_.shape, type_.dtype.numpy))

    def add_computed_input(self, name: str, computed: str, code: int) -> None:
        """Let the name of an input stand for its numbers in the type computed.

        Args:
            name: of the input, of a type of storage.
            computed: the tensor with the same numbers.
            code: ONNX's number of the element type.
        """
        self._aliases[name] = computed
        self._inferred[computed] = code, self.type_of(computed).shape

    def add_dequantised(self, tensor: str, stored: Dequantised) -> None:
        """Note that a layer's result is a constant that the model stores as integers."""
        self._dequantised[tensor] = stored

    def add_block_matrix(self, tensor: str, matrix: BlockMatrix) -> None:
        """Note that a constant holds the real numbers of a matrix of few bits in blocks."""
        self._block_matrices[tensor] = matrix

    def add_positions(self, tensor: str, shape: tuple[int, ...]) -> None:
        """Note the shape in which a tensor's elements, positions of maxima, count."""
        self._positions_in[tensor] = shape

    def add_layer(self, layer: Layer, inputs: Sequence[str | None], tensor: str, type_: TensorType) -> None:
        """Add a layer that defines one tensor.  A tensor without elements is a constant: there is no work.

        Raises:
            UnsupportedError: an operand has no elements, though the tensor has; one has too many axes.
            ModelTooLargeError: the tensor cannot exist on any machine.
            ModelInvalidError: onnx infers another type.
        """
        if 0 in type_.shape:
            self.add_empty(tensor, type_)
            return
        check_tensor(tensor, type_)
        check_rank(tensor, type_)
        self._check_inferred(tensor, type_, str(layer.loc))
        if all(operand is None or self.is_known(operand) for operand in inputs):
            check_folded(type_.nbytes)  # a layer computes it, for the same result in each run
        for operand in inputs:
            if operand is not None and operand not in self.graph.types:
                self.enter_constant(operand)
        self.graph.add(layer, inputs, [tensor], [type_])

    def enter_constant(self, tensor: str) -> None:
        """Put a constant into the graph, which a layer reads.

        Raises:
            UnsupportedError: it has no elements, or too many axes.
            ModelTooLargeError: it cannot exist on any machine, or repeats too many elements.
        """
        value = self.constant(tensor)
        if value is None:
            raise InternalError(f"tensor {tensor} is used before it is defined")
        if value.size == 0:
            raise UnsupportedError(f"its operand {tensor} has no elements")
        check_tensor(tensor, self.type_of(tensor))
        check_rank(tensor, self.type_of(tensor))
        if is_spread(value):
            check_folded(value.nbytes)
            self.folded.add_bytes(value.nbytes)
        self.graph.add_constant(tensor, value)

    def use(self, tensors: Iterable[str]) -> None:
        """Note that nodes read tensors, which the model does not have."""
        self._used.update(tensors)

    def skip(self, node: NodeProto) -> None:
        """Give the outputs of an unsupported node the types that onnx infers, so that users are checked."""
        for tensor in filter(None, node.output):
            if tensor in self.graph.types or self.is_constant(tensor):
                continue
            type_ = self.inferred_type(tensor)
            if type_ is None:
                self._unknown.add(tensor)
            else:
                self.graph.declare(tensor, type_)

    def _check_inferred(self, tensor: str, type_: TensorType, where: str) -> None:
        """Raise ModelInvalidError if onnx's own inference contradicts the importer's."""
        code, dims = self._inferred.get(tensor, (None, None))
        same_dims = dims is None or (
            len(dims) == len(type_.shape)
            and all(d is None or d == own for d, own in zip(dims, type_.shape, strict=True))
        )
        if same_dims and (code is None or computed_type(code) == type_.dtype):
            return
        raise ModelInvalidError(
            f"the declared type of {tensor} contradicts its definition",
            where=where,
            found=f"{computed_type(code).value if code else '?'}[{','.join(map(str, dims or ()))}]",
            expected=str(type_),
            remedy="remove the wrong value_info or output declaration, or re-export the model",
        )

    def take_name(self, name: str, tensor: str) -> bool:
        """Let the layer that defines a tensor define it as `name`, which stood for it.

        The old name then stands for the new one.  False if no layer defines it.
        """
        producer = self.graph.producer(tensor)
        if producer is None:
            return False
        self.graph.rename_output(producer.name, name)
        del self._aliases[name]
        self._aliases[tensor] = name
        return True

    def set_aside(self, tensor: str) -> str:
        """Give what a layer defines a new name, which leaves its own to an output; returns the new one."""
        name = self.fresh_tensor(f"{tensor}.whole")
        self.graph.rename_output(required(self.graph.producer(tensor)).name, name)
        self._aliases[tensor] = name
        return name


def _unused(stem: str, names: dict[str, int]) -> str:
    """The stem, or the stem with a number, whichever is no name yet; it joins the names.

    Args:
        stem: what the name begins with.
        names: those that are used, and the last number that was put behind each.
    """
    name, number = stem, names.get(stem, 0)
    while name in names:
        number += 1
        name = f"{stem}.{number}"
    names[name] = 0
    names[stem] = number
    return name


def _dtype_of(value: Array) -> DType:
    try:
        return DType.from_numpy(value.dtype)
    except ValueError:
        raise UnsupportedError(f"element type {np.dtype(value.dtype).name} is not supported") from None
