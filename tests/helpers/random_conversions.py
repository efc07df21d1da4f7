"""Random conversions to and from 8-bit integers, put into a network: what exporters of QDQ models do."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import helper, numpy_helper
from quantised_networks import literal
from random_net import Draw

Array = np.ndarray[Any, Any]
WEIGHT_AXIS = {"Conv": 0, "ConvTranspose": 1, "MatMul": -1, "Gemm": -1}
"""The axis of operand 1 that runs along the output channels; of a transposed operand of Gemm it is 0."""


class _Rewriter:
    """Nodes and constants of the network with conversions."""

    def __init__(self, model: onnx.ModelProto, draw: Draw, values: dict[str, Array]) -> None:
        self.draw, self.values = draw, values
        self.constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.nodes: list[onnx.NodeProto] = []
        self.made: list[onnx.TensorProto] = []
        self.steps: dict[str, Array] = {}
        """Scale of every tensor of real numbers that comes from integers."""
        self.signed = draw(st.booleans())

    def constant(self, name: str, value: Array) -> str:
        self.made.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def kind(self) -> Any:
        """Mostly one type for all activations."""
        odd = self.draw(st.integers(0, 9)) == 0
        return np.int8 if self.signed != odd else np.uint8

    def convert(self, source: str, target: str, value: Array) -> None:
        """target = DequantizeLinear(QuantizeLinear(source))."""
        dtype, most = self.kind(), float(np.abs(value).max(initial=0)) or 1.0
        info = np.iinfo(dtype)
        if dtype is np.uint8 and value.min(initial=0) >= 0 and self.draw(st.booleans()):
            zero, steps = 0, 255
        else:
            zero, steps = (info.max + info.min + 1) // 2 + self.draw(st.integers(-20, 20)), 127
        step = np.float32(most / steps * self.draw(st.sampled_from([1.0, 1.0, 0.7, 1.9])))
        codes = [self.constant(f"{target}.s", step), self.constant(f"{target}.z", dtype(zero))]
        self.nodes.append(
            helper.make_node("QuantizeLinear", [source, *codes], [f"{target}.q"], f"{target}.Q")
        )
        self.nodes.append(
            helper.make_node("DequantizeLinear", [f"{target}.q", *codes], [target], f"{target}.D")
        )
        self.steps[target] = np.asarray(step)

    def weight(self, name: str, owner: str, axis: int) -> str:
        """An operand that is a constant, from integers: with one scale or one per channel."""
        value = self.constants[name]
        dtype = np.int8 if self.draw(st.integers(0, 3)) else np.uint8
        zero = 0 if dtype is np.int8 else 128
        if self.draw(st.integers(0, 4)) == 0:
            zero += self.draw(st.integers(-9, 9))
        axis %= max(1, value.ndim)
        per_channel = value.ndim > 1 and self.draw(st.booleans())
        others = tuple(a for a in range(value.ndim) if not per_channel or a != axis)
        step = np.abs(value).max(axis=others, keepdims=True).astype(np.float32) / np.float32(
            118
        ) + np.float32(1e-6)
        info = np.iinfo(dtype)
        integers = np.clip(np.rint(value / step) + zero, info.min, info.max).astype(dtype)
        flat = step.reshape(-1) if per_channel else step.reshape(())
        target = f"{owner}.w"
        codes = [
            self.constant(f"{target}.s", flat),
            self.constant(f"{target}.z", np.full(flat.shape, zero, dtype)),
        ]
        data = self.constant(f"{target}.q", integers)
        attributes = {"axis": axis} if per_channel else {}
        self.nodes.append(
            helper.make_node("DequantizeLinear", [data, *codes], [target], f"{target}.D", **attributes)
        )
        self.steps[target] = flat
        return target

    def bias(self, name: str, owner: str, scale: Array) -> str:
        """A vector from 32-bit integers whose scale is that of the products."""
        value, target = self.constants[name], f"{owner}.b"
        integers = np.rint(value / scale).astype(np.int32)
        data, step = self.constant(f"{target}.q", integers), self.constant(f"{target}.s", scale)
        attributes = {"axis": 0} if scale.ndim else {}
        self.nodes.append(
            helper.make_node("DequantizeLinear", [data, step], [target], f"{target}.D", **attributes)
        )
        return target

    def operands(self, node: onnx.NodeProto) -> list[str]:
        """Operands of a node; constants of products come from integers mostly."""
        names = list(node.input)
        if node.op_type not in WEIGHT_AXIS or not self.draw(st.integers(0, 5)):
            return names
        owner = node.output[0]
        if names[1] in self.constants and self.constants[names[1]].dtype == np.float32:
            turned = any(a.name == "transB" and a.i for a in node.attribute)
            names[1] = self.weight(names[1], owner, 0 if turned else WEIGHT_AXIS[node.op_type])
        x, weight = self.steps.get(names[0]), self.steps.get(names[1])
        if len(names) > 2 and names[2] in self.constants and x is not None and weight is not None:
            scale = (x * weight).astype(np.float32)
            groups = next((a.i for a in node.attribute if a.name == "group"), 1)
            if node.op_type == "ConvTranspose" and scale.ndim:
                scale = np.tile(scale, groups)
            if self.constants[names[2]].ndim == 1 and self.draw(st.integers(0, 3)):
                names[2] = self.bias(names[2], owner, scale)
        return names


def with_conversions(draw: Draw, model: onnx.ModelProto, feeds: dict[str, Array]) -> onnx.ModelProto:
    """The network with conversions behind most of its tensors, and weights from integers."""
    values = literal(model, feeds) | feeds
    made = _Rewriter(model, draw, values)
    renamed: dict[str, str] = {}

    def behind(name: str) -> None:
        value = values[name]
        usable = value.dtype == np.float32 and value.size and np.isfinite(value).all() and value.ndim
        if not usable or not draw(st.integers(0, 5)):
            return
        made.convert(name, f"{name}.d", value)
        renamed[name] = f"{name}.d"

    for info in model.graph.input:
        behind(info.name)
    for node in model.graph.node:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        del copy.input[:]
        renamed_node = onnx.NodeProto()
        renamed_node.CopyFrom(node)
        del renamed_node.input[:]
        renamed_node.input.extend(renamed.get(name, name) for name in node.input)
        copy.input.extend(made.operands(renamed_node))
        made.nodes.append(copy)
        for name in node.output:
            behind(name)
    outputs = [
        helper.make_tensor_value_info(
            renamed.get(o.name, o.name), onnx.TensorProto.FLOAT, values[o.name].shape
        )
        for o in model.graph.output
    ]
    graph = helper.make_graph(
        made.nodes, "quantised", list(model.graph.input), outputs, [*model.graph.initializer, *made.made]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
