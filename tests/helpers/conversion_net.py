"""A network with conversions to and from integers, written node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph

Array = np.ndarray[Any, Any]


class ConversionNet:
    """Nodes so far; every method adds some and gives the name of a tensor of real numbers."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.inputs: list[onnx.ValueInfoProto] = []

    def input(self, *shape: int) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
        return name

    def constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def real(self, value: Array, scale: Any = 0.01, zero: int = 0, **attributes: Any) -> str:
        """Real numbers from constant integers."""
        scale = np.asarray(scale, np.float32)
        zeros = np.full(scale.shape, zero, value.dtype)
        inputs = [self.constant(value), self.constant(scale), self.constant(zeros)]
        return self.op("DequantizeLinear", *inputs, **attributes)

    def convert(self, x: str, scale: float = 0.05, zero: int = 10, dtype: Any = np.uint8) -> str:
        """Real numbers from the integers of real numbers."""
        codes = [self.constant(np.float32(scale)), self.constant(dtype(zero))]
        return self.op("DequantizeLinear", self.op("QuantizeLinear", x, *codes), *codes)

    def weight(self, *shape: int) -> Array:
        return self.rng.integers(-127, 128, shape).astype(np.int8)

    def conv(self, x: str, *shape: int, bias: bool = True, **attributes: Any) -> str:
        """A convolution whose weights have a scale per channel; the bias' scale supposes 0.05 of x."""
        scale = (self.rng.random(shape[0]) * 0.004 + 0.001).astype(np.float32)
        operands = [x, self.real(self.weight(*shape), scale, axis=0)]
        if bias:
            data = self.rng.integers(-500, 500, shape[0]).astype(np.int32)
            operands.append(self.real(data, np.float32(0.05) * scale, axis=0))
        return self.op("Conv", *operands, kernel_shape=shape[2:], **attributes)

    def graph(self, *outputs: str) -> Graph:
        """The network, imported."""
        return import_model(self.model(*outputs))

    def model(self, *outputs: str) -> onnx.ModelProto:
        """The network."""
        named = [onnx.ValueInfoProto(name=name) for name in outputs]
        graph = helper.make_graph(self.nodes, "conversions", self.inputs, named, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        return onnx.shape_inference.infer_shapes(model)
