"""Random LSTM, GRU and RNN: any form that ONNX has of these, with operands that are constants or inputs.

onnxruntime computes no half precision and no layout 1: `reference_model` is the same network in float32 and
layout 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

Array = npt.NDArray[Any]

OPERANDS = ("x", "w", "r", "b", "lengths", "h", "c", "p")
RESULTS = ("y", "y_h", "y_c")
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FUNCTIONS = {"LSTM": 3, "GRU": 2, "RNN": 1}
PARAMETERS = {
    **dict.fromkeys(("Relu", "Sigmoid", "Softplus", "Softsign", "Tanh"), 0),
    **dict.fromkeys(("Elu", "LeakyRelu"), 1),
    **dict.fromkeys(("Affine", "HardSigmoid", "ScaledTanh"), 2),
}
"""Activations and how many parameters they have; of ThresholdedRelu, onnxruntime ignores alpha in an RNN."""


def random_recurrent(number: int) -> onnx.ModelProto:
    """The model of one of them."""
    return RandomRecurrent(number).model()


class RandomRecurrent:
    """One of them, by its number; half of them have forms that are one layer for each direction.

    Attributes:
        dtype: of its real numbers.
    """

    def __init__(self, number: int) -> None:
        """Draw the attributes of the node and the values of all operands."""
        self._random = random = np.random.default_rng(number)
        self._op = str(random.choice([*GATES]))
        self._opset = int(random.choice([7, 14, 22]))
        self.dtype = np.dtype(random.choice([np.float32, np.float32, np.float16]))
        self._batch_first = self._opset >= 14 and self._chance(0.5)
        self._direction = str(random.choice(["forward", "reverse", "bidirectional"]))
        self._directions = 2 if self._direction == "bidirectional" else 1
        self._is_usual = number % 2 == 1
        self._steps, self._batch, self._features, self._hidden = map(int, random.integers(1, 6, 4))
        self._attributes = self._drawn_attributes()
        self._values = self._drawn_values()
        self._inputs = {"x", *(name for name in self._values if self._chance(0.3))}
        results = RESULTS[: 3 if self._op == "LSTM" else 2]
        read = {results[int(random.integers(len(results)))], *(name for name in results if self._chance(0.5))}
        self._results = [name if name in read else "" for name in results]

    def model(self) -> onnx.ModelProto:
        """The model."""
        return self._model(self._stored(self._values), batch_first=self._batch_first)

    def feeds(self) -> dict[str, Array]:
        """Its inputs."""
        return {name: value for name, value in self._stored(self._values).items() if name in self._inputs}

    def reference_model(self) -> onnx.ModelProto:
        """The same in layout 0 and float32."""
        return self._model(self._values, batch_first=False)

    def reference_feeds(self) -> dict[str, Array]:
        """Inputs of the reference."""
        return {name: value for name, value in self._values.items() if name in self._inputs}

    def in_layout(self, result: Array) -> Array:
        """What the model's result is if the reference has this: sequences are axis 0 in layout 1."""
        return np.moveaxis(result, -2, 0) if self._batch_first else result

    def _chance(self, share: float) -> bool:
        return bool(self._random.random() < share)

    def _drawn_attributes(self) -> dict[str, Any]:
        random = self._random
        attributes: dict[str, Any] = {"hidden_size": self._hidden, "direction": self._direction}
        if self._is_usual:
            if self._op == "GRU":
                attributes["linear_before_reset"] = int(random.integers(2))
            if self._op == "RNN" and self._chance(0.5):
                attributes["activations"] = random.choice(["Relu", "Tanh"], self._directions).tolist()
            return attributes
        if self._chance(0.3):
            attributes["clip"] = float(random.choice([0.3, 2.0]))
        if self._op == "GRU":
            attributes["linear_before_reset"] = int(random.integers(2))
        if self._op == "LSTM":
            attributes["input_forget"] = int(self._chance(0.3))
        if self._chance(0.4):
            names = random.choice([*PARAMETERS], FUNCTIONS[self._op] * self._directions).tolist()
            attributes["activations"] = names
            for count, letter in ((1, "alpha"), (2, "beta")):
                values = [float(random.uniform(0.2, 0.8)) for name in names if PARAMETERS[name] >= count]
                if values:
                    attributes[f"activation_{letter}"] = values
        return attributes

    def _drawn_values(self) -> dict[str, Array]:
        """All operands, in layout 0."""
        random, width = self._random, GATES[self._op] * self._hidden
        state = (self._directions, self._batch, self._hidden)
        shapes = {
            "x": (self._steps, self._batch, self._features),
            "w": (self._directions, width, self._features),
            "r": (self._directions, width, self._hidden),
            "b": (self._directions, 2 * width),
            "h": state,
            "c": state,
            "p": (self._directions, 3 * self._hidden),
        }
        absent = {name for name in "bhcp" if self._chance(0.4) or (name in "cp" and self._op != "LSTM")}
        values: dict[str, Array] = {
            name: random.uniform(-1, 1, shape).astype(self.dtype).astype(np.float32)
            for name, shape in shapes.items()
            if name not in absent
        }
        if "h" in values and self._chance(0.2):
            values["h"][:] = 0
        if self._is_usual:
            values.pop("p", None)
        elif self._chance(0.5):
            values["lengths"] = random.integers(0, self._steps + 1, self._batch).astype(np.int32)
        return values

    def _stored(self, values: dict[str, Array]) -> dict[str, Array]:
        """The operands in the layout and the type of the model."""
        turned = {n: v.swapaxes(0, 1) if self._batch_first and n in "xhc" else v for n, v in values.items()}
        return {n: v.astype(self.dtype) if v.dtype.kind == "f" else v for n, v in turned.items()}

    def _model(self, values: dict[str, Array], *, batch_first: bool) -> onnx.ModelProto:
        last = max(OPERANDS.index(name) for name in values)
        operands = [name if name in values else "" for name in OPERANDS[: last + 1]]
        layout = {"layout": 1} if batch_first else {}
        node = helper.make_node(self._op, operands, self._results, **self._attributes, **layout)
        code = helper.np_dtype_to_tensor_dtype(values["x"].dtype)
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in values.items()
            if name in self._inputs
        ]
        outputs = [helper.make_tensor_value_info(name, code, None) for name in self._results if name]
        constants = [
            numpy_helper.from_array(value, name) for name, value in values.items() if name not in self._inputs
        ]
        graph = helper.make_graph([node], "recurrent", inputs, outputs, constants)
        opsets = [helper.make_opsetid("", self._opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)
