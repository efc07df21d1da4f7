"""Scales and zero points of the tensors of a quantised model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from onnx import ModelProto, TensorProto, numpy_helper

from nnc.compiler.frontend.model.element_types import type_name

_BIAS_TYPE = TensorProto.INT32
_TYPES: dict[int, str] = {TensorProto.INT8: "i8", TensorProto.UINT8: "u8", TensorProto.INT32: "i32"}


@dataclass(frozen=True)
class QuantizedTensor:
    """A tensor with its scales and zero points: one each, or one per channel.

    Attributes:
        name: as in the float model where the quantiser kept it.
        kind: activation, weight or bias.
        dtype: i8, u8 or i32.
    """

    name: str
    kind: str
    dtype: str
    scales: tuple[float, ...]
    zeros: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "type": self.dtype,
            "scale": list(self.scales),
            "zero": list(self.zeros),
        }


def quantized_tensors(model: ModelProto) -> Iterator[QuantizedTensor]:
    """Activations, then stored weights and biases; each once, in the order of the nodes."""
    values = {tensor.name: tensor for tensor in model.graph.initializer}
    seen: set[str] = set()
    for wanted in ("QuantizeLinear", "DequantizeLinear"):
        for node in model.graph.node:
            stored = node.input[0] in values
            if node.op_type != wanted or node.input[0] in seen or stored != (wanted == "DequantizeLinear"):
                continue
            seen.add(node.input[0])
            yield _tensor(node, values)


def _tensor(node: Any, values: dict[str, Any]) -> QuantizedTensor:
    scales = numpy_helper.to_array(values[node.input[1]]).ravel()
    zero = values[node.input[2]] if len(node.input) > 2 and node.input[2] else None
    stored = values.get(node.input[0])
    code = (
        stored.data_type if stored is not None else zero.data_type if zero is not None else TensorProto.UINT8
    )
    kind = "activation" if stored is None else "bias" if code == _BIAS_TYPE else "weight"
    zeros = [0] * len(scales) if zero is None else numpy_helper.to_array(zero).ravel().tolist()
    return QuantizedTensor(
        _name_before(node.input[0]),
        kind,
        _TYPES.get(code) or type_name(code),
        tuple(scales.tolist()),
        tuple(map(int, zeros)),
    )


def _name_before(name: str) -> str:
    """The tensor's name in the float model; folded batch normalisation has that of its convolution."""
    for mark in ("ConvBnFusion_W_", "ConvBnFusion_BN_B_"):
        name = name.removeprefix(mark)
    return name.removesuffix("_quantized").removesuffix("_QuantizeLinear_Input")
