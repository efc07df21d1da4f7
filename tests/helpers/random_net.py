"""A small random network under construction: what hypothesis draws is added node by node.

Every layer function takes the network, hypothesis' `draw` and one existing tensor; it returns a new tensor or
None where it does not apply.  Weights are scaled so that activations keep a magnitude near one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from hypothesis import strategies as st
from onnx import TensorProto, helper

OPSET = 20
MOST_ELEMENTS = 12000
Draw = Callable[[st.SearchStrategy[Any]], Any]
Layer = Callable[["RandomNet", Draw, "Value"], "Value | None"]
LAYERS: list[Layer] = []


@dataclass(frozen=True)
class Value:
    """A tensor of the network under construction."""

    name: str
    shape: tuple[int, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)


@dataclass
class RandomNet:
    """Nodes, constants and tensors so far."""

    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    further_inputs: list[Value] = field(default_factory=list)
    stem: str = "t"

    def weight(self, *shape: int, fan_in: int = 1) -> str:
        """A random f32 constant."""
        return self.constant(self.rng.standard_normal(shape) / math.sqrt(fan_in))

    def constant(self, value: Any, dtype: Any = np.float32) -> str:
        name = f"w{len(self.constants)}"
        array = np.asarray(value, dtype=dtype)
        self.constants.append(
            helper.make_tensor(
                name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape, array.ravel().tolist()
            )
        )
        return name

    def further_input(self, *shape: int) -> Value:
        """A further input of the network."""
        self.further_inputs.append(Value(f"s{len(self.further_inputs)}", shape))
        return self.further_inputs[-1]

    def scalar(self) -> str:
        """A further input of the network, of rank 0."""
        return self.further_input().name

    def op(self, kind: str, inputs: Sequence[str], shape: Sequence[int], **attributes: Any) -> Value | None:
        """Append a node unless its result would be empty or large."""
        if min(shape, default=1) < 1 or math.prod(shape) > MOST_ELEMENTS:
            return None
        return self.append(kind, inputs, shape, **attributes)

    def append(self, kind: str, inputs: Sequence[str], shape: Sequence[int], **attributes: Any) -> Value:
        """Append a node whatever its result."""
        name = f"{self.stem}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"n{name}", **attributes))
        return Value(name, tuple(int(n) for n in shape))

    def inside(self, word: str, *values: Value) -> RandomNet:
        """A network for a sub-graph of the next node, on tensors of this one; constants are this one's."""
        stem = f"{self.stem}{len(self.nodes)}{word}"
        return RandomNet(self.rng, [], self.constants, [*values], self.further_inputs, stem)

    def model(self, input_: Value) -> onnx.ModelProto:
        """The model; its outputs are the tensors that nobody reads, and the last one."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [v for v in self.values if v.name not in read and v is not input_]
        inputs = [input_, *self.further_inputs]
        graph = helper.make_graph(
            self.nodes,
            "random",
            [helper.make_tensor_value_info(v.name, TensorProto.FLOAT, v.shape) for v in inputs],
            [helper.make_tensor_value_info(v.name, TensorProto.FLOAT, v.shape) for v in outputs],
            self.constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def layer(function: Layer) -> Layer:
    LAYERS.append(function)
    return function


def ints(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)
