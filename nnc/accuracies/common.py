"""The tensors that a float network and a quantised one have in common, and how the second keeps them.

A quantiser leaves the names of tensors as they are.  Around the tensor `t` it puts `t -> QuantizeLinear ->
integers -> DequantizeLinear`, or it makes the integers `t_quantized` themselves a layer's result.  What the
quantised network has for `t` are then these integers, each times the scale: `t` itself is what it was before
it was rounded, and a Relu that the range of the integers does is no longer in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorProto, numpy_helper

from nnc.check.model_facts import ModelFacts

Array = npt.NDArray[Any]
_INTEGERS = (TensorProto.INT8, TensorProto.UINT8, TensorProto.INT16, TensorProto.UINT16)
_RESULT_SCALE = {
    "QuantizeLinear": 1, "QLinearConv": 6, "QLinearMatMul": 6, "QLinearAdd": 6, "QLinearMul": 6,
    "QLinearConcat": 0, "QLinearAveragePool": 3, "QLinearGlobalAveragePool": 3, "QLinearLeakyRelu": 3,
    "QLinearSigmoid": 3, "QLinearSoftmax": 3, "QLinearReduceMean": 3, "QLinearWhere": 7, "QGemm": 7,
}  # fmt: skip
"""Where the scale of the result stands among the inputs; its zero point is the next."""
_MOVING = frozenset({
    "Concat", "DepthToSpace", "Expand", "Flatten", "Gather", "Identity", "MaxPool", "NhwcMaxPool", "Reshape",
    "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze"
})  # fmt: skip
"""Operators that only move or select elements of their first input."""

_FOLDABLE = frozenset({"Relu", "Clip"})
"""Operators that the range of the integers may do."""


@dataclass(frozen=True)
class Rounding:
    """Scales and zero points of a tensor of integers.

    Attributes:
        scale: f32, one or one for each index of the axis.
        zero: as many integers of the tensor's type.
        scale_name, zero_name: of the constants; the zero point may have none.
    """

    scale: Array
    zero: Array
    axis: int
    scale_name: str
    zero_name: str

    def real(self, integers: Array) -> Array:
        """f32 of the integers' shape: what DequantizeLinear gives."""
        scale, zero = (self._along(values, integers.ndim) for values in (self.scale, self.zero))
        return np.asarray((integers.astype(np.int32) - zero.astype(np.int32)).astype(np.float32) * scale)

    def integers(self, real: Array) -> Array:
        """Integers of the floats' shape: what QuantizeLinear gives."""
        scale, zero = (self._along(values, real.ndim) for values in (self.scale, self.zero))
        ends = np.iinfo(self.zero.dtype)
        rounded = np.rint(real.astype(np.float32) / scale).astype(np.float64) + zero
        return np.asarray(np.clip(rounded, ends.min, ends.max).astype(self.zero.dtype))

    def outside(self, real: Array) -> int:
        """How many elements are more than half a step beyond what the integers hold."""
        scale, zero = (self._along(values, real.ndim) for values in (self.scale, self.zero))
        ends, steps = np.iinfo(self.zero.dtype), real.astype(np.float64) / scale.astype(np.float64) + zero
        return int(((steps < ends.min - 0.5) | (steps > ends.max + 0.5)).sum())

    def _along(self, values: Array, rank: int) -> Array:
        """One value as it is, several along their axis."""
        if values.size == 1:
            return values.reshape(())
        shape = [1] * rank
        shape[self.axis] = values.size
        return values.reshape(shape)


@dataclass(frozen=True)
class Common:
    """A tensor of both networks.

    Attributes:
        tensor: its name in the float network.
        node, op: what computes it there; empty for an input.
        kept: the tensor of the quantised network that has its elements: of integers, or of floats.
        quantised_node, quantised_op: what computes it there, before it is rounded; empty for an input.
        rounding: how its integers are to be read; None: they are floats.
        repeats: the common tensor whose elements it has and whose scale it shares, or None.
    """

    tensor: str
    node: str
    op: str
    kept: str
    quantised_node: str
    quantised_op: str
    rounding: Rounding | None
    repeats: str | None = None

    def real(self, array: Array) -> Array:
        """Elements of the quantised network's tensor as the floats that they stand for."""
        return array if self.rounding is None else self.rounding.real(array)


class QuantisedTensors:
    """How a quantised network keeps tensors."""

    def __init__(self, model: ModelProto) -> None:
        """Take a model whose shapes were inferred."""
        self._facts = ModelFacts(model)
        self._nodes = list(model.graph.node)
        self._inputs = {info.name for info in model.graph.input}
        self._makers = {name: node for node in self._nodes for name in node.output if name}

    def kept(self, name: str) -> str | None:
        """The tensor that has the elements of a float network's tensor; None if there is none."""
        if name not in self._makers and name not in self._inputs:
            quantised = f"{name}_quantized"
            return quantised if quantised in self._makers else None
        maker = self._makers.get(name)
        if maker is not None and maker.op_type == "DequantizeLinear":
            return str(maker.input[0])
        for node in self.readers.get(name, ()):
            if node.op_type == "QuantizeLinear" and node.input[0] == name:
                return str(node.output[0])
        return name

    def rounding(self, name: str) -> Rounding | None:
        """How a tensor of integers is rounded; None if it is none, or by scales that are no constants."""
        maker = self._makers.get(name)
        if maker is not None and maker.op_type in _RESULT_SCALE:
            return self._parameters(maker, _RESULT_SCALE[maker.op_type])
        if maker is not None and maker.op_type in _MOVING and self._is_integer(name):
            return self.rounding(maker.input[0])
        for node in self.readers.get(name, ()):
            if node.op_type == "DequantizeLinear" and node.input[0] == name:
                return self._parameters(node, 1)
        return None

    def computing_node(self, name: str) -> tuple[str, str]:
        """Name and operator of what computes a tensor before it is rounded; empty for an input."""
        maker = self._makers.get(name)
        if maker is not None and maker.op_type == "QuantizeLinear":
            maker = self._makers.get(maker.input[0])
        return ("", "") if maker is None else (maker.name or maker.output[0], maker.op_type)

    def _parameters(self, node: Any, first: int) -> Rounding | None:
        inputs, constants = list(node.input), self._facts.constants
        zero_name = inputs[first + 1] if len(inputs) > first + 1 else ""
        if inputs[first] not in constants or (zero_name and zero_name not in constants):
            return None
        scale = numpy_helper.to_array(constants[inputs[first]]).astype(np.float32).ravel()
        zero = np.zeros(1, np.uint8)
        if zero_name:
            zero = numpy_helper.to_array(constants[zero_name]).ravel()
        if zero.dtype.kind not in "iu":
            return None
        axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
        return Rounding(scale, zero, axis, inputs[first], zero_name)

    def _is_integer(self, name: str) -> bool:
        """Whether a tensor is one of small integers, or may be, as nothing says what it is."""
        return self._facts.types.get(name, TensorProto.INT8) in (*_INTEGERS, 0)

    @cached_property
    def readers(self) -> Mapping[str, list[Any]]:
        """The nodes that read a tensor."""
        readers: dict[str, list[Any]] = {}
        for node in self._nodes:
            for name in dict.fromkeys(node.input):
                readers.setdefault(name, []).append(node)
        return readers


def common_tensors(before: ModelProto, after: ModelProto) -> list[Common]:
    """The tensors of floats that both networks have, inputs first, then in the order of the float network.

    Args:
        before: the float network, shapes inferred.
        after: the quantised one.
    """
    quantised = QuantisedTensors(after)
    types = ModelFacts(after).types
    tensors: dict[str, Common] = {}
    folded = _folded_activations(before, quantised)
    for name, node in _computed_floats(before):
        kept = quantised.kept(folded.get(name, name))
        if kept is None or name in folded.values():
            continue
        rounding = quantised.rounding(kept)
        if rounding is None and types.get(kept, TensorProto.FLOAT) in _INTEGERS:
            continue  # of a scale that is computed
        source = tensors.get(node.input[0]) if node is not None and node.op_type in _MOVING else None
        computing, operator = quantised.computing_node(kept)
        tensors[name] = Common(
            tensor=name,
            node="" if node is None else str(node.name or node.output[0]),
            op="" if node is None else str(node.op_type),
            kept=kept,
            quantised_node=computing,
            quantised_op=operator,
            rounding=rounding,
            repeats=source.repeats or source.tensor if source and _are_alike(source, rounding) else None,
        )
    last = {tensor.kept: tensor.tensor for tensor in tensors.values()}
    return [tensor for tensor in tensors.values() if last[tensor.kept] == tensor.tensor]


def _folded_activations(before: ModelProto, quantised: QuantisedTensors) -> dict[str, str]:
    """Results of activations that the quantised network has not, by the range of the integers before.

    Each with the activation's source, whose integers have its elements.
    """
    readers: dict[str, int] = {info.name: 1 for info in before.graph.output}
    for node in before.graph.node:
        for name in node.input:
            readers[name] = readers.get(name, 0) + 1
    return {
        node.output[0]: node.input[0]
        for node in before.graph.node
        if node.op_type in _FOLDABLE and readers[node.input[0]] == 1
        if quantised.kept(node.output[0]) is None
        if (kept := quantised.kept(node.input[0])) is not None and quantised.rounding(kept) is not None
    }


def _are_alike(source: Common, rounding: Rounding | None) -> bool:
    """Whether a tensor has the scale and zero point of the one whose elements it moves, or both none."""
    other = source.rounding
    if rounding is None or other is None:
        return rounding is other
    return np.array_equal(rounding.scale, other.scale) and np.array_equal(rounding.zero, other.zero)


def _computed_floats(model: ModelProto) -> Iterator[tuple[str, Any]]:
    """Inputs and results that are floats and depend on the inputs, each with its node or None."""
    facts = ModelFacts(model)
    fixed = {"", *facts.constants}
    for info in model.graph.input:
        if info.name not in fixed and info.type.tensor_type.elem_type == TensorProto.FLOAT:
            yield info.name, None
    for node in model.graph.node:
        if fixed.issuperset(node.input):
            fixed.update(node.output)
            continue
        for name in node.output:
            if name and facts.types.get(name, TensorProto.FLOAT) == TensorProto.FLOAT:
                yield name, node
