"""What a check has to know of a model: element types, quantised operators, where rounding is free.

A tensor is exact if every correct implementation gives its very elements: inputs, constants, what only moves
or selects elements, and the integer operators of ONNX, whose arithmetic is settled to the last bit.  Sums of
floats are not: their order is free.  Nor are the integer forms of onnxruntime's own domain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, numpy_helper

_QUANTISED = frozenset(
    {"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "ConvInteger", "MatMulInteger", "QGemm"}
)
_SETTLED = frozenset({
    "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul",
    "ConvInteger", "MatMulInteger", "Cast", "Clip", "Concat", "Constant", "ConstantOfShape",
    "DepthToSpace", "Expand", "Flatten", "Gather", "Identity", "Max", "MaxPool", "Min", "Pad",
    "Relu", "Reshape", "Shape", "Slice", "SpaceToDepth", "Split", "Squeeze", "Tile", "Transpose",
    "Unsqueeze"
})  # fmt: skip
"""Operators of ONNX whose result is settled to the last bit."""
_ONE_SOURCE = frozenset(
    {"Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze", "Slice", "Expand"}
)
"""Operators whose result has elements of their first input only."""
_AVERAGING = frozenset({"AveragePool", "GlobalAveragePool", "ReduceMean", "Mean", "Resize"})
"""Operators whose results, of integers times a scale, lie exactly between two steps again and again."""
_SUMMING = frozenset({"Conv", "ConvTranspose", "Einsum", "Gemm", "MatMul"})
"""Operators whose results, sums of many products, lie between two steps by chance only."""
_ROUNDING = frozenset({"QuantizeLinear", "DynamicQuantizeLinear", "QGemm"})
INTEGER_PRODUCTS = {
    "QLinearConv": (0, 2, 3, 5),
    "QLinearMatMul": (0, 2, 3, 5),
    "QGemm": (0, 2, 3, 5),
    "ConvInteger": (0, 2, 1, 3),
    "MatMulInteger": (0, 2, 1, 3),
}
"""Products of integers: where their source, its zero point, their weight, its zero point stand."""


def is_quantised(node: Any) -> bool:
    """Whether a node is one of the quantised operators of ONNX or of onnxruntime."""
    return node.op_type in _QUANTISED or node.op_type.startswith("QLinear")


@dataclass(frozen=True)
class Rounding:
    """What a QuantizeLinear rounds: floats by a constant scale, or by several along an axis.

    Attributes:
        source: the tensor of floats.
        scale: one, or one for each index of the axis.
        axis: along which the scales lie.
        averages: whether the floats are averages, of which many lie exactly between two steps.
    """

    source: str
    scale: npt.NDArray[Any]
    axis: int
    averages: bool = False

    def steps(self, numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Numbers of the tensor, in steps."""
        scale = self.scale.astype(np.float64)
        if scale.size > 1:
            shape = [1] * numbers.ndim
            shape[self.axis] = scale.size
            scale = scale.reshape(shape)
        return np.asarray(numbers.astype(np.float64) / scale)


@dataclass(frozen=True)
class ModelFacts:
    """A model, looked at once."""

    proto: Any

    @cached_property
    def quantised(self) -> bool:
        """Whether any node is a quantised operator."""
        return any(is_quantised(node) for node in self.proto.graph.node)

    @cached_property
    def half(self) -> bool:
        """Whether any tensor is of half precision."""
        return any(type_ == TensorProto.FLOAT16 for type_ in self.types.values())

    @property
    def bfloat16(self) -> bool:
        """Whether any tensor is of bfloat16."""
        return any(type_ == TensorProto.BFLOAT16 for type_ in self.types.values())

    @cached_property
    def types(self) -> Mapping[str, int]:
        """ONNX's element types of the tensors for which they are known."""
        return {name: info.type.tensor_type.elem_type for name, info in self._infos.items()} | {
            name: tensor.data_type for name, tensor in self.constants.items()
        }

    @cached_property
    def constants(self) -> Mapping[str, Any]:
        """Initialisers and the tensors of Constant nodes by name, as protos."""
        given = {
            node.output[0]: attribute.t
            for node in self.proto.graph.node
            if node.op_type == "Constant"
            for attribute in node.attribute
            if attribute.name == "value"
        }
        return given | {tensor.name: tensor for tensor in self.proto.graph.initializer}

    @cached_property
    def integer_products(self) -> bool:
        """Whether any node multiplies integers as such (not floats that were dequantised)."""
        return any(node.op_type in INTEGER_PRODUCTS for node in self.proto.graph.node)

    @cached_property
    def mixed_signs(self) -> bool:
        """Whether a product of integers may be of unsigned sources and signed weights."""
        return any(
            source != TensorProto.INT8 and weight != TensorProto.UINT8
            for node in self.proto.graph.node
            if node.op_type in INTEGER_PRODUCTS
            for source, weight in [self.product_types(node)]
        )

    @cached_property
    def foreign(self) -> bool:
        """Whether a node is of another domain than ONNX's."""
        return any(node.domain not in ("", "ai.onnx") for node in self.proto.graph.node)

    @cached_property
    def macs(self) -> int:
        """Multiplications of all integer products, as far as shapes are known."""
        total = 0
        for node in self.proto.graph.node:
            if node.op_type in INTEGER_PRODUCTS:
                result = prod(self._shape(node.output[0]))
                weight = self._shape(node.input[INTEGER_PRODUCTS[node.op_type][2]])
                total += result * (prod(weight[1:]) if "Conv" in node.op_type else prod(weight[-2:-1]))
        return total

    @cached_property
    def exact(self) -> frozenset[str]:
        """Tensors whose elements are settled to the last bit (see the docstring of the module)."""
        names = {info.name for info in self.proto.graph.input} | set(self.constants) | {""}
        for node in self.proto.graph.node:
            is_exact = node.domain in ("", "ai.onnx") and node.op_type in _SETTLED
            if is_exact and names.issuperset(node.input):
                names.update(node.output)
        return frozenset(names)

    @cached_property
    def rounded_tensors(self) -> tuple[str, ...]:
        """What nodes round to integers: results of quantising operators, but for those of constants."""
        return tuple(
            name
            for node in self.proto.graph.node
            if node.op_type in _ROUNDING or node.op_type.startswith("QLinear")
            if node.input[0] not in self.constants
            for name in node.output
            if name
        )

    def rounded_type(self, name: str) -> int:
        """ONNX's element type of one of these: as inferred, else that of its zero point."""
        node = next(node for node in self.proto.graph.node if name in node.output)
        for tensor in (name, *reversed(node.input)):
            code = self.types.get(tensor, 0)
            if code in (TensorProto.INT8, TensorProto.UINT8) or (tensor == name and code):
                return code
        return int(TensorProto.UINT8)

    def rounding(self, name: str) -> Rounding | None:
        """How a tensor of integers is rounded; None unless by a QuantizeLinear of f32 by constant scales."""
        node = self._makers.get(name)
        if node is None or node.op_type != "QuantizeLinear" or node.input[1] not in self.constants:
            return None
        scale = numpy_helper.to_array(self.constants[node.input[1]])
        if self.types.get(node.input[0]) != TensorProto.FLOAT:
            return None
        axis = next((attribute.i for attribute in node.attribute if attribute.name == "axis"), 1)
        return Rounding(node.input[0], scale, axis, self._has_averages(node.input[0]))

    @cached_property
    def _makers(self) -> Mapping[str, Any]:
        """The node that gives a tensor, by its name."""
        return {name: node for node in self.proto.graph.node for name in node.output}

    def _has_averages(self, name: str) -> bool:
        """Whether real numbers are averages, or computed of them without products by weights."""
        names, seen = [name], set()
        while names:
            node = self._makers.get(names.pop())
            if node is None or node.output[0] in seen or node.op_type in _SUMMING or is_quantised(node):
                continue
            if node.op_type in _AVERAGING:
                return True
            seen.add(node.output[0])
            names.extend(node.input)
        return False

    def _maker_behind_views(self, name: str) -> Any | None:
        """The node whose elements a tensor has; None if they are the network's input or constant."""
        node = self._makers.get(name)
        while node is not None and node.op_type in _ONE_SOURCE:
            node = self._makers.get(node.input[0])
        return node

    def step(self, output: str) -> float | None:
        """The quantisation step of floats: the scale of what was just dequantised; None if they have none."""
        node = self._maker_behind_views(output)
        if node is None or node.op_type != "DequantizeLinear" or node.input[1] not in self.constants:
            return None
        if self.types.get(node.input[0]) not in (TensorProto.INT8, TensorProto.UINT8):
            return None
        scale = numpy_helper.to_array(self.constants[node.input[1]])
        return float(scale.ravel()[0]) if scale.size == 1 and scale.ravel()[0] > 0 else None

    @cached_property
    def _infos(self) -> Mapping[str, Any]:
        """Declarations of tensors, inferred where shapes can be inferred."""
        model = self.proto
        if self.quantised or _mentions_half(self.proto):
            model = onnx.shape_inference.infer_shapes(model)
        graph = model.graph
        return {info.name: info for info in (*graph.value_info, *graph.input, *graph.output)}

    def rank(self, name: str) -> int | None:
        """How many axes a tensor has; None if nothing says it."""
        if name in self.constants:
            return len(self.constants[name].dims)
        info = self._infos.get(name)
        declared = info is not None and info.type.tensor_type.HasField("shape")
        return len(info.type.tensor_type.shape.dim) if info is not None and declared else None

    def _shape(self, name: str) -> tuple[int, ...]:
        if name in self.constants:
            return tuple(self.constants[name].dims)
        info = self._infos.get(name)
        return () if info is None else tuple(d.dim_value for d in info.type.tensor_type.shape.dim)

    def product_types(self, node: Any) -> tuple[int | None, int | None]:
        """Element types of source and weight of an integer product; None where nothing says it."""
        source, source_zero, weight, weight_zero = INTEGER_PRODUCTS[node.op_type]
        return self._first_type(node, source, source_zero), self._first_type(node, weight, weight_zero)

    def _first_type(self, node: Any, *indices: int) -> int | None:
        names = [node.input[index] for index in indices if index < len(node.input)]
        return next((self.types[name] for name in names if self.types.get(name)), None)


def _mentions_half(proto: Any) -> bool:
    graph = proto.graph
    declared = [info.type.tensor_type.elem_type for info in (*graph.input, *graph.output, *graph.value_info)]
    declared += [tensor.data_type for tensor in graph.initializer]
    declared += [
        a.i for node in graph.node if node.op_type == "Cast" for a in node.attribute if a.name == "to"
    ]
    return TensorProto.FLOAT16 in declared or TensorProto.BFLOAT16 in declared
