"""Random networks with states: hidden tensors that a run replaces, and rows that it appends to a past.

Every tensor is f32 [1, tokens, WIDTH]; inputs are `x`, hidden ones `h0`, `h1` … with outputs `h0.next` …,
pasts `past0` … of any length with outputs `present0` …, and the result `y`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH = 8
_UNARY = ("Tanh", "Sigmoid", "Relu", "Neg")
_BINARY = ("Add", "Mul", "Sub", "Max")


class RandomCell:
    """One of them, by its number.

    Attributes:
        tokens: of a run; hidden, pasts: how many states of each kind it has.
    """

    def __init__(self, number: int, tokens: int = 0) -> None:
        """Args:
        tokens: in place of its own number.
        """
        self._random = np.random.default_rng(number)
        self.tokens = int(self._random.integers(1, 4))
        self.tokens = tokens or self.tokens
        self.hidden, self.pasts = int(self._random.integers(0, 3)), int(self._random.integers(0, 3))
        self.hidden += not self.pasts
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def model(self) -> onnx.ModelProto:
        """The model."""
        tensors = ["x", *(f"h{n}" for n in range(self.hidden))]
        for number in range(int(self._random.integers(2, 6))):
            tensors.append(self._step(tensors))
            if number < self.pasts:
                tensors.append(self._attention(tensors, number))
        for number in range(min(self.pasts, 8)):
            if not any(f"present{number}" in node.output for node in self._nodes):
                tensors.append(self._attention(tensors, number))
        for number in range(self.hidden):
            self._add("Tanh", self._step(tensors), result=f"h{number}.next")
        self._add("Identity", self._step(tensors), result="y")
        new, value = [1, self.tokens, WIDTH], helper.make_tensor_value_info
        inputs = [
            value(name, TensorProto.FLOAT, new) for name in ("x", *(f"h{n}" for n in range(self.hidden)))
        ]
        outputs = [
            value(name, TensorProto.FLOAT, new) for name in ("y", *(f"h{n}.next" for n in range(self.hidden)))
        ]
        for number in range(self.pasts):
            inputs.append(value(f"past{number}", TensorProto.FLOAT, [1, "past", WIDTH]))
            outputs.append(value(f"present{number}", TensorProto.FLOAT, [1, "total", WIDTH]))
        graph = helper.make_graph(self._nodes, "cell", inputs, outputs, self._constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        onnx.checker.check_model(model, full_check=True)
        return model

    @property
    def states(self) -> dict[str, str]:
        """The pairs of names."""
        pasts = {f"past{number}": f"present{number}" for number in range(self.pasts)}
        return {f"h{number}": f"h{number}.next" for number in range(self.hidden)} | pasts

    def _add(self, op: str, *operands: str, result: str = "", **attributes: Any) -> str:
        name = result or f"t{len(self._nodes)}"
        self._nodes.append(helper.make_node(op, operands, [name], name=name, **attributes))
        return name

    def _weight(self, *shape: int) -> str:
        value = (self._random.standard_normal(shape) / np.sqrt(WIDTH)).astype(np.float32)
        self._constants.append(numpy_helper.from_array(value, f"w{len(self._constants)}"))
        return self._constants[-1].name

    def _any(self, tensors: list[str]) -> str:
        return tensors[int(self._random.integers(len(tensors)))]

    def _step(self, tensors: list[str]) -> str:
        """A product with weights, then functions."""
        made = self._add("MatMul", self._any(tensors), self._weight(WIDTH, WIDTH))
        if self._random.random() < 0.7:
            made = self._add(_BINARY[int(self._random.integers(len(_BINARY)))], made, self._any(tensors))
        if self._random.random() < 0.7:
            made = self._add(_UNARY[int(self._random.integers(len(_UNARY)))], made)
        return made

    def _attention(self, tensors: list[str], number: int) -> str:
        """Tokens that look at a past and at each other; keys serve as values, or a product of them does."""
        new = self._add("MatMul", self._any(tensors), self._weight(WIDTH, WIDTH))
        rows = self._add("Concat", f"past{number}", new, axis=1, result=f"present{number}")
        turned = self._add("Transpose", rows, perm=[0, 2, 1])
        scores = self._add("MatMul", self._any(tensors), turned)
        if self._random.random() < 0.5:
            scores = self._add("Tanh", scores)
        weights = self._add("Softmax", scores, axis=-1)
        if self._random.random() < 0.5:
            rows = self._add("MatMul", rows, self._weight(WIDTH, WIDTH))
        return self._add("MatMul", weights, rows)
