"""Random networks of operators on quantised integers, as onnxruntime's quantiser writes them (QOperator)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from quantised_cases import MICROSOFT, model_of

TYPES = {np.uint8: TensorProto.UINT8, np.int8: TensorProto.INT8}


@dataclass(frozen=True)
class Value:
    """A tensor [N, C, H, W] of integers, and what they stand for."""

    name: str
    shape: tuple[int, ...]
    scale: np.float32
    zero: int


@dataclass
class IntegerNetwork:
    """Nodes and constants so far; all tensors have one type."""

    rng: np.random.Generator
    dtype: Any
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    def constant(self, value: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def some(self, *shape: int, dtype: Any = None) -> Any:
        info = np.iinfo(dtype or self.dtype)
        return self.rng.integers(info.min, info.max + 1, shape, dtype or self.dtype)

    def code(self, scale: float, zero: int) -> list[str]:
        return [self.constant(np.float32(scale)), self.constant(np.array(zero, self.dtype))]

    def of(self, value: Value) -> list[str]:
        return [value.name, *self.code(float(value.scale), value.zero)]

    def choose(self, *options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def new(self, shape: tuple[int, ...], scale: float = 0.0) -> Value:
        """The next tensor, with a random scale and zero point."""
        steps = np.float32(scale or self.rng.uniform(0.02, 0.2))
        return Value(f"t{len(self.values)}", shape, steps, int(self.some()))

    def add(self, op: str, inputs: list[str], result: Value, domain: str = "", **attributes: Any) -> Value:
        self.nodes.append(helper.make_node(op, inputs, [result.name], domain=domain, **attributes))
        self.values.append(result)
        return result

    # --- layers --------------------------------------------------------------------------------------------

    def conv(self, x: Value) -> Value | None:
        n, c, h, w = x.shape
        kernel, stride, pad = self.choose(1, 2, 3), self.choose(1, 1, 2), int(self.rng.integers(0, 2))
        groups = self.choose(1, 1, c)
        out = groups * int(self.rng.integers(1, 7)) if groups == 1 else c
        weight_type = self.choose(np.uint8, np.int8)
        extents = [(extent + 2 * pad - kernel) // stride + 1 for extent in (h, w)]
        if min(extents) < 1 or (self.dtype is np.int8 and weight_type is np.uint8):
            return None
        depth = c // groups * kernel * kernel
        count = self.choose((), (out,))
        scales = self.constant(self.rng.uniform(0.005, 0.02, count).astype(np.float32))
        zeros = self.constant(np.full(count, int(self.some(dtype=weight_type)), weight_type))
        y = self.new((n, out, *extents), float(x.scale) * 0.012 * 75 * depth**0.5)
        inputs = [*self.of(x), self.constant(self.some(out, c // groups, kernel, kernel, dtype=weight_type))]
        inputs += [scales, zeros, *self.code(float(y.scale), y.zero)]
        if self.rng.integers(2):
            inputs.append(self.constant(self.rng.integers(-5000, 5000, out).astype(np.int32)))
        window = {"strides": [stride] * 2, "pads": [pad] * 4, "group": groups}
        return self.add("QLinearConv", inputs, y, **window)

    def arithmetic(self, x: Value) -> Value:
        op = self.choose("QLinearAdd", "QLinearMul")
        fits = [value for value in self.values if value.shape == x.shape]
        y = self.new(x.shape)
        if self.rng.integers(3):
            other = self.of(self.choose(*fits))
        else:
            other = [self.constant(self.some(x.shape[1], 1, 1)), *self.code(0.05, int(self.some()))]
        return self.add(op, [*self.of(x), *other, *self.code(float(y.scale), y.zero)], y, MICROSOFT)

    def activation(self, x: Value) -> Value:
        op = self.choose("QLinearSigmoid", "QLinearLeakyRelu")
        y = self.new(x.shape)
        return self.add(op, [*self.of(x), *self.code(float(y.scale), y.zero)], y, MICROSOFT)

    def average(self, x: Value) -> Value | None:
        n, c, h, w = x.shape
        if min(h, w) < 2:
            return None
        y = self.new((n, c, h - 1, w - 1), float(x.scale) * self.rng.uniform(0.6, 0.8))
        inputs = [*self.of(x), *self.code(float(y.scale), y.zero)]
        return self.add("QLinearAveragePool", inputs, y, MICROSOFT, kernel_shape=[2, 2])

    def maximum(self, x: Value) -> Value | None:
        n, c, h, w = x.shape
        if min(h, w) < 2 or self.dtype is not np.uint8:
            return None
        y = Value(f"t{len(self.values)}", (n, c, h // 2, w // 2), x.scale, x.zero)
        return self.add("MaxPool", [x.name], y, kernel_shape=[2, 2], strides=[2, 2])

    def concat(self, x: Value) -> Value:
        fits = [value for value in self.values if value.shape[2:] == x.shape[2:]]
        other = self.choose(*fits)
        shape = (x.shape[0], x.shape[1] + other.shape[1], *x.shape[2:])
        y = Value(f"t{len(self.values)}", shape, self.choose(x.scale, np.float32(0.07)), x.zero)
        inputs = [*self.code(float(y.scale), y.zero), *self.of(x), *self.of(other)]
        return self.add("QLinearConcat", inputs, y, MICROSOFT, axis=1)

    def mean(self, x: Value) -> Value:
        y = self.new((*x.shape[:2], 1, 1), float(x.scale) * 0.4)
        inputs = [*self.of(x), *self.code(float(y.scale), y.zero)]
        return self.add("QLinearGlobalAveragePool", inputs, y, MICROSOFT)

    def product(self, x: Value) -> Value:
        width, out = x.shape[-1], int(self.rng.integers(1, 9))
        y = self.new((*x.shape[:-1], out), float(x.scale) * 0.012 * 75 * width**0.5)
        weight_zero = np.array(int(self.some()), self.dtype)
        weight = [
            self.constant(self.some(width, out)),
            self.constant(np.float32(0.012)),
            self.constant(weight_zero),
        ]
        return self.add("QLinearMatMul", [*self.of(x), *weight, *self.code(float(y.scale), y.zero)], y)


def integer_network(seed: int, layers: int = 7) -> onnx.ModelProto:
    """A network of one integer input; all tensors that no layer reads are outputs."""
    rng = np.random.default_rng(seed)
    net = IntegerNetwork(rng, (np.uint8, np.int8)[int(rng.integers(2))])
    shape = (
        int(rng.integers(1, 3)),
        int(rng.integers(1, 6)),
        int(rng.integers(3, 13)),
        int(rng.integers(3, 13)),
    )
    x = Value("x", shape, np.float32(0.04), int(net.some()))
    net.values.append(x)
    kinds = [
        net.conv,
        net.conv,
        net.arithmetic,
        net.activation,
        net.average,
        net.maximum,
        net.concat,
        net.product,
    ]
    while len(net.nodes) < layers:
        net.choose(*kinds, *([net.mean] if len(net.nodes) > layers - 3 else []))(net.choose(*net.values[-3:]))
    read = {name for node in net.nodes for name in node.input}
    kind = TYPES[net.dtype]
    outputs = [
        helper.make_tensor_value_info(value.name, kind, value.shape)
        for value in net.values[1:]
        if value.name not in read
    ]
    inputs = [helper.make_tensor_value_info("x", kind, x.shape)]
    return model_of(helper.make_graph(net.nodes, f"integers{seed}", inputs, outputs, net.constants))
