"""A whole-layer numpy interpreter of ONNX: the plain way to run a network without tiles or a chip.

A yardstick for the simulator, written apart from it: channels-last arrays, batch norm folded into the
convolutions, im2col and one matrix product per convolution.  It knows the operators of the networks that are
measured and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from numpy.lib.stride_tricks import sliding_window_view
from onnx import helper, numpy_helper

Array = npt.NDArray[np.float32]
Attributes = dict[str, Any]
Operator = Callable[[Attributes, list[Any]], Array]


class Interpreter:
    """An ONNX model, ready to run many times with images (N, C, H, W) in and float32 arrays out."""

    def __init__(self, model: onnx.ModelProto) -> None:
        graph = model.graph
        self._values: dict[str, Any] = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        self._input = next(i.name for i in graph.input if i.name not in self._values)
        self._output = graph.output[0].name
        self._steps: list[tuple[Operator, Attributes, list[str], str]] = []
        readers = Counter(name for node in graph.node for name in node.input)
        convs: dict[str, onnx.NodeProto] = {}
        renamed: dict[str, str] = {}
        for node in graph.node:
            inputs = [renamed.get(name, name) for name in node.input]
            if node.op_type == "BatchNormalization" and inputs[0] in convs and readers[node.input[0]] == 1:
                self._fold(convs[inputs[0]], inputs, helper.get_node_attr_value(node, "epsilon"))
                renamed[node.output[0]] = inputs[0]
                continue
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            if node.op_type == "Conv":
                convs[node.output[0]] = node
                inputs = [*inputs[:2], inputs[2] if len(inputs) > 2 else f"{node.output[0]}.bias"]
                self._values.setdefault(inputs[2], np.zeros(len(self._values[inputs[1]]), np.float32))
            self._steps.append((OPERATORS[node.op_type], attributes, inputs, node.output[0]))
        self._output = renamed.get(self._output, self._output)
        for conv in convs.values():  # O, I, kernel… becomes kernel…, I, O
            weight = self._values[conv.input[1]]
            self._values[conv.input[1]] = np.ascontiguousarray(weight.transpose(2, 3, 1, 0))

    def _fold(self, conv: onnx.NodeProto, norm: list[str], epsilon: float) -> None:
        gamma, beta, mean, variance = (self._values[name] for name in norm[1:5])
        bias = conv.input[2] if len(conv.input) > 2 else f"{conv.output[0]}.bias"
        scale = gamma / np.sqrt(variance + np.float32(epsilon))
        self._values[conv.input[1]] = self._values[conv.input[1]] * scale[:, None, None, None]
        self._values[bias] = (self._values[bias] - mean) * scale + beta

    def run(self, image: Array) -> Array:
        """The first output for one input of the model's shape."""
        values = dict(self._values)
        values[self._input] = np.ascontiguousarray(image.transpose(0, 2, 3, 1))
        for operator, attributes, inputs, output in self._steps:
            values[output] = operator(attributes, [values[name] for name in inputs])
        result: Array = values[self._output]
        return result.transpose(0, 3, 1, 2) if result.ndim == 4 else result


def _padded(x: Array, attributes: Attributes, fill: float) -> Array:
    top, left, bottom, right = attributes.get("pads", (0, 0, 0, 0))
    if not top + left + bottom + right:
        return x
    return np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=fill)


def _windows(x: Array, kernel: tuple[int, int], strides: tuple[int, int]) -> Array:
    """Moving windows N, H, W, C, kernel… of a padded array."""
    view: Array = sliding_window_view(x, kernel, (1, 2))[:, :: strides[0], :: strides[1]]
    return view


def _conv(attributes: Attributes, operands: list[Any]) -> Array:
    x, weight, bias = operands
    kernel, strides = weight.shape[:2], tuple(attributes.get("strides", (1, 1)))
    x, groups = _padded(x, attributes, 0.0), attributes.get("group", 1)
    if groups == 1:
        if kernel == (1, 1):
            columns = x[:, :: strides[0], :: strides[1]]
        else:
            columns = _windows(x, kernel, strides).transpose(0, 1, 2, 4, 5, 3)
        rows = columns.reshape(-1, prod(weight.shape[:3]))
        result: Array = rows @ weight.reshape(-1, weight.shape[3])
        result += bias
        return result.reshape(*columns.shape[:3], -1)
    if groups != weight.shape[3]:
        raise NotImplementedError("grouped convolution that is not depthwise: extend this yardstick")
    height, width = ((x.shape[a + 1] - kernel[a]) // strides[a] + 1 for a in (0, 1))
    total: Array = np.zeros((x.shape[0], height, width, x.shape[3]), np.float32)
    down, right = (height - 1) * strides[0] + 1, (width - 1) * strides[1] + 1
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            taps = x[:, i : i + down : strides[0], j : j + right : strides[1]]
            total += taps * weight[i, j, 0]
    total += bias
    return total


def _max_pool(attributes: Attributes, operands: list[Any]) -> Array:
    x = _padded(operands[0], attributes, -np.inf)
    result: Array = _windows(x, attributes["kernel_shape"], attributes["strides"]).max(axis=(4, 5))
    return result


def _gemm(attributes: Attributes, operands: list[Any]) -> Array:
    weight = operands[1].T if attributes.get("transB") else operands[1]
    result: Array = operands[0] @ weight + operands[2]
    return result


def _reduce_mean(attributes: Attributes, operands: list[Any]) -> Array:
    x, axes = operands
    place = {0: 0, 1: 3, 2: 1, 3: 2} if x.ndim == 4 else {axis: axis for axis in range(x.ndim)}
    kept = bool(attributes.get("keepdims", 1))
    if not kept and x.ndim == 4 and sorted(axes) != [2, 3]:
        raise NotImplementedError("mean that leaves spatial axes: extend this yardstick")
    result: Array = x.mean(axis=tuple(place[int(axis) % x.ndim] for axis in axes), keepdims=kept)
    return result


def _softmax(attributes: Attributes, operands: list[Any]) -> Array:
    shifted = np.exp(operands[0] - operands[0].max(axis=-1, keepdims=True))
    result: Array = shifted / shifted.sum(axis=-1, keepdims=True)
    return result


OPERATORS: dict[str, Operator] = {
    "Add": lambda _, x: x[0] + x[1],
    "Clip": lambda _, x: np.clip(x[0], x[1], x[2]),
    "Conv": _conv,
    "Flatten": lambda _, x: x[0].transpose(0, 3, 1, 2).reshape(len(x[0]), -1),
    "Gemm": _gemm,
    "GlobalAveragePool": lambda _, x: x[0].mean(axis=(1, 2), keepdims=True),
    "MaxPool": _max_pool,
    "ReduceMean": _reduce_mean,
    "Relu": lambda _, x: np.maximum(x[0], 0),
    "Softmax": _softmax,
}
