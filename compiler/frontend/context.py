"""What an importer function sees: one ONNX node, its inputs, attributes, and the graph being built."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, NodeProto, TypeProto, helper

from nnc.compiler.frontend.block_matrix import BlockMatrix
from nnc.compiler.frontend.dequantised import Dequantised
from nnc.compiler.frontend.domains import label_of, name_of
from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.model.subgraphs import rename
from nnc.compiler.frontend.scope import Scope, TensorSequence
from nnc.compiler.frontend.states import Appended
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.layers import Elementwise, Layer, Loc, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.isa.functions import Function
from nnc.isa.types import DType

Array = NDArray[Any]
T = TypeVar("T")
Kind = type[Layer]


class Walk(Protocol):
    """The pass over the nodes of a model, to which an importer may give further ones."""

    def expand(self, context: OpContext) -> None:
        """Import `nodes` of a node, of the opset of expansions, and forget them there."""

    def count_nodes(self, count: int) -> None:
        """Judge nodes that loops and the like add to the model."""

    def inline(self, nodes: Sequence[NodeProto]) -> None:
        """Import nodes of a sub-graph, all of whose names are the network's."""


class OpContext:
    """One node under import.

    Attributes:
        op: name of the operator.
        label: the same, with its domain unless that is ONNX's own.
        version: the opset version that introduced this form of the operator.
        name: unique name of the node, also that of the layer which it becomes.
        nodes: those that the node stands for (see `expansion`), to be imported in its place.
    """

    def __init__(self, node: NodeProto, version: int, scope: Scope, walk: Walk) -> None:
        self._node = node
        self._scope = scope
        self._walk = walk
        self._attributes = {a.name: a for a in node.attribute}
        self.op: str = node.op_type
        self.label = label_of(node)
        self.version = version
        self.name = name_of(node)
        self.nodes: list[NodeProto] = []
        self._inputs = [scope.resolve(name) if name else "" for name in node.input]

    # --- operands ------------------------------------------------------------------------------------------

    @property
    def input_count(self) -> int:
        """Number of inputs, absent ones in the middle included."""
        return len(self._inputs)

    def has(self, slot: int) -> bool:
        """Whether input `slot` is present."""
        return slot < len(self._inputs) and self._inputs[slot] != ""

    def tensor(self, slot: int) -> str:
        """Name of input `slot`."""
        return self._inputs[slot]

    def optional(self, slot: int) -> str | None:
        """Name of input `slot`, None if absent."""
        return self._inputs[slot] if self.has(slot) else None

    def type(self, slot: int = 0) -> TensorType:
        """Element type and shape of input `slot`."""
        return self._scope.type_of(self._inputs[slot])

    def shape(self, slot: int = 0) -> tuple[int, ...]:
        """Shape of input `slot`."""
        return self.type(slot).shape

    def kind(self, slot: int) -> str:
        """The element type of input `slot`; "seq" of a sequence, "optional" of one that holds nothing."""
        if self._scope.nothing(self._inputs[slot]) is not None:
            return "optional"
        is_sequence = self._scope.sequence(self._inputs[slot]) is not None
        return "seq" if is_sequence else self.type(slot).dtype.value

    def sequence(self, slot: int) -> TensorSequence:
        """The sequence that input `slot` is; its signature has seen to it that it is one."""
        return required(self._scope.sequence(self._inputs[slot]))

    def expect_shape(self, slot: int, *extents: int | None) -> tuple[int, ...]:
        """Shape of input `slot`, which has these extents (None: any).

        Raises:
            ModelInvalidError: it is absent, or has others.
        """
        shape = self.shape(slot) if self.has(slot) else ()
        fits = len(shape) == len(extents)
        if fits and all(extent in (None, own) for own, extent in zip(shape, extents, strict=True)):
            return shape
        expected = ",".join("?" if extent is None else str(extent) for extent in extents)
        actual = str(list(shape)) if self.has(slot) else "none"
        raise self.invalid(f"operand {slot} does not fit", found=actual, expected=f"[{expected}]")

    def constant(self, slot: int) -> Array | None:
        """Value of input `slot` if it is present and known at compile time."""
        return self._scope.constant(self._inputs[slot]) if self.has(slot) else None

    def value(self, slot: int) -> Array | None:
        """The same, also if it is stored as integers that a layer makes real numbers again."""
        return self._scope.value(self._inputs[slot]) if self.has(slot) else None

    def required_constant(self, slot: int, what: str) -> Array:
        """Value of input `slot`, which must be known at compile time.

        Raises:
            UnsupportedError: it is computed at run time.
        """
        value = self.value(slot)
        if value is None:
            raise self.unsupported(
                f"{what} must be known at compile time, but {self._node.input[slot]} is not"
            )
        return value

    # --- attributes ----------------------------------------------------------------------------------------

    def attribute(self, name: str, default: T) -> T:
        """Value of an attribute (int, float, str, or list of them), or the default."""
        if name not in self._attributes:
            return default
        value = helper.get_attribute_value(self._attributes[name])
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")  # type: ignore[return-value]
        return list(value) if isinstance(default, list) else value  # type: ignore[return-value]

    def flag(self, name: str, default: int = 0) -> bool:
        """Value of an attribute that is 0 or 1.

        Raises:
            ModelInvalidError: it is another number.
        """
        value = self.attribute(name, default)
        if value not in (0, 1):
            raise self.invalid(f"attribute {name} is no flag", found=str(value), expected="0 or 1")
        return bool(value)

    def ints(self, name: str, default: Sequence[int] = ()) -> tuple[int, ...]:
        """Value of an attribute that is a list of integers."""
        return tuple(int(v) for v in self.attribute(name, list(default)))

    def strings(self, name: str) -> tuple[str, ...]:
        """Value of an attribute that is a list of strings; empty if it is absent."""
        return tuple(word.decode("utf-8", "replace") for word in self.attribute(name, list[bytes]()))

    def array(self, name: str) -> Array | None:
        """Value of an attribute that is a tensor, None if absent."""
        if name not in self._attributes:
            return None
        return self._scope.array(self._attributes[name].t)

    def has_attribute(self, name: str) -> bool:
        """Whether the node states the attribute."""
        return name in self._attributes

    def attribute_or_input(self, name: str, slot: int) -> tuple[int, ...] | None:
        """Integers that are an attribute in older opsets and an input in newer ones; None if absent."""
        if self.has_attribute(name):
            return self.ints(name)
        if not self.has(slot):
            return None
        return tuple(int(v) for v in self.required_constant(slot, name).reshape(-1))

    def axis(self, axis: int, rank: int) -> int:
        """A possibly negative axis as an index into `rank` axes.

        Raises:
            ModelInvalidError: there is no such axis.
        """
        if not -rank <= axis < rank:
            raise self.invalid("axis out of range", found=str(axis), expected=f"{-rank} … {rank - 1}")
        return axis % rank

    def axes(self, axes: Sequence[int], rank: int) -> tuple[int, ...]:
        """Axes in ascending order, each once."""
        normal = sorted(self.axis(a, rank) for a in axes)
        if len(set(normal)) != len(normal):
            raise self.invalid("an axis is named twice", found=str(list(axes)))
        return tuple(normal)

    # --- results -------------------------------------------------------------------------------------------

    def uses(self, slot: int) -> bool:
        """Whether output `slot` is there and anybody reads it."""
        return slot < len(self._node.output) and self._scope.is_used(self._node.output[slot])

    def output(self, slot: int) -> str:
        """Name of output `slot`; empty if it is absent."""
        return self._node.output[slot] if slot < len(self._node.output) else ""

    @property
    def output_count(self) -> int:
        """Number of outputs that the node states."""
        return len(self._node.output)

    def result(
        self,
        kind: Kind,
        inputs: Sequence[str | None],
        type_: TensorType,
        *,
        slot: int = 0,
        **fields: Any,
    ) -> str:
        """Add the layer that defines output `slot` of the node.  Returns the tensor's name."""
        name = self.name if slot == 0 else f"{self.name}.{slot}"
        return self._add(kind, name, self._node.output[slot], inputs, type_, fields)

    def step(
        self, suffix: str, kind: Kind, inputs: Sequence[str | None], type_: TensorType, **fields: Any
    ) -> str:
        """Add a helper layer, named after the node and `suffix`.  Returns its output tensor."""
        return self._add(kind, f"{self.name}.{suffix}", self.fresh_tensor(suffix), inputs, type_, fields)

    def appends(self, before: int, slot: int) -> bool:
        """Whether output `slot` is a state, and input `before` what it was before the run."""
        return self.has(before) and self._scope.states.is_state(self._inputs[before], self.output(slot))

    def appends_turned(self, before: int, slot: int) -> tuple[int, ...] | None:
        """The same where both have their axes permuted: how, from output `slot` to the state; None if not."""
        tensor, graph = self._inputs[before], self._scope.graph
        layer = graph.producer(tensor)
        perm = identity_order(len(self.shape(before)))
        if isinstance(layer, Transpose):
            tensor, perm = required(graph.inputs_of(layer.name)[0]), layer.perm
        return self._scope.states.turned(tensor, perm, self.output(slot))

    def append(self, slot: int, appended: Appended) -> None:
        """Say of output `slot`, a state, that it is what it was with rows at a position along an axis."""
        self._scope.states.append(self.output(slot), appended)
        self._scope.use([appended.rows, appended.position])

    def rename(self, tensor: str, slot: int = 0) -> None:
        """Let output `slot`, if it is there, be another name of `tensor`: no layer."""
        if self.output(slot):
            self._scope.add_alias(self.output(slot), tensor)

    def define_sequence(self, tensors: Sequence[str], code: int = 0, slot: int = 0) -> None:
        """Let output `slot` be a sequence of tensors; the number of their element type is needed for none."""
        if self.output(slot):
            code = self._scope.stored_code(self._scope.resolve(tensors[0])) if tensors else code
            self._scope.add_sequence(self.output(slot), TensorSequence(tuple(tensors), code))

    def define_optional(self, name: str) -> None:
        """Let the first output be an optional that holds a tensor or a sequence."""
        self.rename(name)
        self._scope.optionals.add(self.output(0))

    def define_nothing(self, type_: TypeProto) -> None:
        """Let the first output be an optional that holds nothing of a type."""
        self._scope.add_nothing(self.output(0), type_)

    def skip(self) -> None:
        """Let the outputs be of an unsupported node, which something inside of this one is."""
        self._scope.skip(self._node)

    def flush(self) -> None:
        """Import `nodes` now, so that the types of their results are known."""
        self._walk.expand(self)

    def fold(self, value: Array, slot: int = 0) -> None:
        """Let output `slot` be a constant."""
        self._scope.add_constant(self._node.output[slot], value)

    def fresh_tensor(self, suffix: str) -> str:
        """The name of a new tensor, made of that of the first output that there is and `suffix`."""
        return self._scope.fresh_tensor(f"{next(filter(None, self._node.output))}.{suffix}")

    def new_constant(self, suffix: str, value: Array) -> str:
        """A new constant tensor, named after the node and `suffix`."""
        tensor = self.fresh_tensor(suffix)
        self._scope.add_constant(tensor, value)
        return tensor

    def rounded(self, what: str, value: Array, dtype: DType) -> Array:
        """Factors that were computed of parameters in double precision, in another type.

        Raises:
            UnsupportedError: the type cannot hold them.
        """
        result = value.astype(dtype.numpy)
        if not np.isfinite(result).all():
            raise self.unsupported(f"its parameters give a {what} that {dtype.value} cannot hold")
        return result

    def type_of(self, tensor: str) -> TensorType:
        """Type of a tensor that a helper layer, or a node of a sub-graph, defined."""
        return self._scope.type_of(self._scope.resolve(tensor))

    def is_tensor(self, name: str) -> bool:
        """Whether a name is that of a tensor: no sequence, and nothing that cannot be compiled."""
        return self._scope.is_tensor(name)

    def is_given(self, tensor: str) -> bool:
        """Whether the tensor is an input of the model or a constant: no node computes it."""
        return self._scope.is_given(tensor)

    def is_unknown(self, tensor: str) -> bool:
        """Whether a tensor comes from a node that cannot be compiled."""
        return self._scope.is_unknown(tensor)

    def constant_of(self, tensor: str) -> Array | None:
        """Value of a tensor by name, None if it is not known at compile time."""
        return self._scope.constant(self._scope.resolve(tensor))

    def value_of(self, tensor: str) -> Array | None:
        """The same, also if it is stored as integers that a layer makes real numbers again."""
        return self._scope.value(tensor)

    def dequantised_of(self, tensor: str) -> Dequantised | None:
        """The integers that a constant is stored as, None if it is no such constant."""
        return self._scope.dequantised(tensor)

    def block_matrix(self, slot: int) -> BlockMatrix | None:
        """The matrix of few bits in blocks whose real numbers input `slot` is, None if it is none."""
        return self._scope.block_matrix(self.tensor(slot))

    def note_block_matrix(self, matrix: BlockMatrix) -> None:
        """Say that the constant that is the first output are the real numbers of a matrix of few bits."""
        self._scope.add_block_matrix(self._node.output[0], matrix)

    def positions_in(self, slot: int) -> tuple[int, ...] | None:
        """The shape in which the positions that input `slot` holds count, None if no MaxPool gave them."""
        return self._scope.positions_in(self.tensor(slot))

    def note_positions(self, slot: int, shape: tuple[int, ...]) -> None:
        """Say that output `slot` holds positions that count in a tensor of this shape."""
        self._scope.add_positions(self._node.output[slot], shape)

    def dequantise(
        self, stored: Dequantised, operands: Sequence[str] = (), *, slot: int = 0, suffix: str = ""
    ) -> str:
        """Let output `slot` be a constant that is stored as integers: a layer, which a pass may take away.

        Args:
            stored: the constant.
            operands: tensors of its integers, scale and zero point, if the model has them.
            slot: the output.
            suffix: what a helper layer is named after, if it is not an output.

        Returns:
            The tensor's name.
        """
        mark = f".{suffix or slot}" if suffix or slot else ""
        parts = {"integers": stored.x, "scale": stored.scale, "zero": stored.zero}
        names = operands or [self.new_constant(f"{name}{mark}", part) for name, part in parts.items()]
        type_ = TensorType(stored.dtype, stored.x.shape)
        if suffix:
            tensor = self.step(suffix, Elementwise, names, type_, function=Function.DEQUANTIZE)
        else:
            tensor = self.result(Elementwise, names, type_, slot=slot, function=Function.DEQUANTIZE)
        self._scope.add_dequantised(tensor, stored)
        return tensor

    def element_code(self, slot: int) -> int:
        """ONNX's number of the element type that input `slot` has in the model; 0 if that is not known."""
        return self._scope.element_code(self._inputs[slot])

    def packed_range(self, slot: int) -> tuple[int, int] | None:
        """The least and the greatest value if the result, or input `slot`, has 2 or 4 bits, else None."""
        like = self._scope.packed_range(self._inputs[slot]) if self.has(slot) else None
        return self._scope.packed_range(self._node.output[0]) or like

    def _add(
        self,
        kind: Kind,
        name: str,
        tensor: str,
        inputs: Sequence[str | None],
        type_: TensorType,
        fields: dict[str, Any],
    ) -> str:
        inputs = [None if tensor is None else self._scope.resolve(tensor) for tensor in inputs]
        layer = kind(name=self._scope.layer_name(name), loc=Loc(self.name, self.label), **fields)
        self._scope.add_layer(layer, inputs, tensor, type_)
        return tensor

    # --- sub-graphs ----------------------------------------------------------------------------------------

    def graph(self, attribute: str) -> GraphProto:
        """The graph that is an attribute."""
        graph: GraphProto = self._attributes[attribute].g
        return graph

    def type_attribute(self, attribute: str) -> TypeProto:
        """The type that is an attribute."""
        if not self.has_attribute(attribute):
            raise self.invalid(f"attribute {attribute} is missing")
        type_: TypeProto = self._attributes[attribute].tp
        return type_

    def count_nodes(self, count: int) -> None:
        """Judge nodes that this one adds to the model, before it does.

        Raises:
            ModelTooLargeError: they are too many.
        """
        self._walk.count_nodes(count)

    def alias(self, stem: str, tensor: str) -> str:
        """A new name for a tensor, made of that of the node and `stem`."""
        name = self._scope.fresh_tensor(f"{self.name}.{stem}")
        self._scope.add_alias(name, tensor)
        return name

    def inline(
        self, nodes: Sequence[NodeProto], names: Mapping[str, str], label: str, read: AbstractSet[str]
    ) -> dict[str, str]:
        """Import copies of the nodes of a sub-graph.

        Args:
            nodes: in their order.
            names: tensors of the network for what they read.
            label: what names of layers and tensors have between that of the node and their own.
            read: which of the tensors anybody reads.

        Returns:
            `names`, and those of what they define.
        """
        prefix = f"{self.name}.{label}." if label else f"{self.name}."
        defined = [name for node in nodes for name in node.output if name]
        names = {**names, **{name: self._scope.fresh_tensor(f"{prefix}{name}") for name in defined}}
        self._scope.use(names.get(name, name) for name in read)
        copies = []
        for node in nodes:
            copy = NodeProto()
            copy.CopyFrom(node)
            copy.name = f"{prefix}{name_of(node)}"
            rename(copy, names)
            copies.append(copy)
        self._walk.inline(copies)
        return names

    # --- errors --------------------------------------------------------------------------------------------

    def unsupported(self, reason: str) -> UnsupportedError:
        """The error for a node that nnc cannot compile; the importer collects them over the whole model."""
        return UnsupportedError(reason)

    def invalid(self, message: str, *, found: str = "", expected: str = "") -> ModelInvalidError:
        """The error for a node that breaks the ONNX specification."""
        where = f"node {self.name} ({self.label})"
        return ModelInvalidError(
            message, where=where, found=found, expected=expected, remedy="re-export the model"
        )


def elements_of(shape: Sequence[int]) -> int:
    """Number of elements of a shape (exact, unlike numpy's product)."""
    count = 1
    for extent in shape:
        count *= int(extent)
    return count


def scalar_of(value: Array) -> Any:
    """The Python number of an array with one element."""
    return np.asarray(value).reshape(-1)[0].item()
