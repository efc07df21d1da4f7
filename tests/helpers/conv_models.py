"""Models of one convolution, in floats or in quantised integers, and random geometries of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Convolution:
    """Geometry: input [batch, channels, rows, columns]; kernel, stride, dilation by axis; pads as in ONNX.

    `residual`: another input of the shape of the result is added; `act`: an activation behind all.
    """

    rows: int
    columns: int
    channels: int = 3
    outputs: int = 8
    kernel: tuple[int, int] = (3, 3)
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)
    batch: int = 1
    bias: bool = True
    residual: bool = False
    act: str = ""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Of the input."""
        return self.batch, self.channels, self.rows, self.columns

    @property
    def result(self) -> tuple[int, ...]:
        """Shape of the result; an extent below 1 if the kernel does not fit."""
        axes = zip(
            (self.rows, self.columns),
            self.kernel,
            self.stride,
            self.dilation,
            self.pads[:2],
            self.pads[2:],
            strict=True,
        )
        return (
            self.batch,
            self.outputs,
            *((n + a + b - (k - 1) * d - 1) // s + 1 for n, k, s, d, a, b in axes),
        )

    def attributes(self) -> dict[str, Any]:
        return {
            "kernel_shape": self.kernel,
            "strides": self.stride,
            "dilations": self.dilation,
            "pads": self.pads,
        }


@st.composite
def convolutions(draw: Any) -> Convolution:
    """Any geometry with a result: kernels beyond the picture, single columns, uneven pads."""

    def two(low: int, high: int) -> tuple[int, int]:
        return draw(st.integers(low, high)), draw(st.integers(low, high))

    kernel, dilation = two(1, 5), two(1, 3)
    pads = [draw(st.integers(0, min(k - 1, 3))) for k in (*kernel, *kernel)]
    least = [(k - 1) * d + 1 - a - b for k, d, a, b in zip(kernel, dilation, pads, pads[2:], strict=False)]
    rows, columns = (draw(st.integers(max(1, n), max(1, n) + 11)) for n in least)
    return Convolution(
        rows,
        columns,
        channels=draw(st.sampled_from([1, 2, 3, 5, 17])),
        outputs=draw(st.sampled_from([1, 3, 8, 33, 70])),
        kernel=kernel,
        stride=two(1, 4),
        dilation=dilation,
        pads=(pads[0], pads[1], pads[2], pads[3]),
        batch=draw(st.integers(1, 2)),
        bias=draw(st.booleans()),
        residual=draw(st.integers(0, 3)) == 0,
        act=draw(st.sampled_from(["", "Relu", "Sigmoid"])),
    )


def float_conv(conv: Convolution) -> onnx.ModelProto:
    """The convolution in f32, with random weights."""
    rng = np.random.default_rng(0)
    fan_in = conv.channels * conv.kernel[0] * conv.kernel[1]
    arrays = {"w": rng.standard_normal((conv.outputs, conv.channels, *conv.kernel)) / sqrt(fan_in)}
    if conv.bias:
        arrays["b"] = rng.standard_normal(conv.outputs)
    nodes = [helper.make_node("Conv", ["x", *arrays], ["c"], name="conv", **conv.attributes())]
    inputs, out = {"x": conv.shape}, "c"
    if conv.residual:
        inputs["r"] = conv.result
        nodes.append(helper.make_node("Add", [out, "r"], ["a"], name="add"))
        out = "a"
    if conv.act:
        nodes.append(helper.make_node(conv.act, [out], ["y"], name="act"))
        out = "y"
    constants = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in arrays.items()]
    return _model(nodes, TensorProto.FLOAT, inputs, {out: conv.result}, constants)


def integer_conv(conv: Convolution) -> tuple[onnx.ModelProto, dict[str, Array]]:
    """The convolution between conversions, u8 by i8 to u8, scales by channel; and its inputs."""
    rng = np.random.default_rng(0)
    weight = rng.integers(-127, 128, (conv.outputs, conv.channels, *conv.kernel)).astype(np.int8)
    spread = 74 * 74 * sqrt(weight[0].size)  # of a sum; results then fill the range
    source, scales = np.float32(0.05), rng.uniform(0.5, 1.5, conv.outputs).astype(np.float32)
    arrays: dict[str, Array] = {
        "w": weight,
        "ws": scales,
        "b": rng.integers(-round(spread), round(spread) + 1, conv.outputs).astype(np.int32),
        "bs": source * scales,
        "xs": np.asarray(source),
        "xz": np.asarray(117, np.uint8),
        "ys": np.asarray(source * spread / 50, np.float32),
        "yz": np.asarray(131, np.uint8),
    }
    inputs, out = {"x": conv.shape}, "c"
    operands = ["xf", "wf", "bf"] if conv.bias else ["xf", "wf"]
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "xs", "xz"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "ws"], ["wf"], axis=0),
        *([helper.make_node("DequantizeLinear", ["b", "bs"], ["bf"], axis=0)] if conv.bias else []),
        helper.make_node("Conv", operands, ["c"], name="conv", **conv.attributes()),
    ]
    if conv.residual:
        inputs["r"], out = conv.result, "a"
        nodes.append(helper.make_node("DequantizeLinear", ["r", "ys", "yz"], ["rf"]))
        nodes.append(helper.make_node("Add", ["c", "rf"], ["a"], name="add"))
    if conv.act == "Relu":
        nodes.append(helper.make_node("Relu", [out], ["relu"], name="act"))
        out = "relu"
    nodes.append(helper.make_node("QuantizeLinear", [out, "ys", "yz"], ["y"]))
    constants = [numpy_helper.from_array(value, name) for name, value in arrays.items()]
    model = _model(nodes, TensorProto.UINT8, inputs, {"y": conv.result}, constants)
    return model, {name: rng.integers(0, 256, shape).astype(np.uint8) for name, shape in inputs.items()}


def _model(
    nodes: list[onnx.NodeProto],
    dtype: int,
    inputs: dict[str, tuple[int, ...]],
    outputs: dict[str, tuple[int, ...]],
    constants: list[onnx.TensorProto],
) -> onnx.ModelProto:
    infos = [
        [helper.make_tensor_value_info(name, dtype, shape) for name, shape in tensors.items()]
        for tensors in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "conv", *infos, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
