"""Recurrent networks in ONNX."""

from __future__ import annotations

from nnc.compiler.export.nodes import NodeWriter, Operands, element_code, emits
from nnc.compiler.ir import layers as ir
from nnc.isa.functions import RecurrentCell

_OPERATORS = {RecurrentCell.LSTM: "LSTM", RecurrentCell.GRU: "GRU", RecurrentCell.GRU_LINEAR: "GRU"}
_ACTIVATIONS = {RecurrentCell.RNN_RELU: ["Relu"]}


@emits(ir.Recurrence)
def recurrence(w: NodeWriter, layer: ir.Recurrence, operands: Operands) -> str:
    """LSTM, GRU or RNN whose inputs are the addends: their weights are a unit matrix."""
    x, weight, bias, hidden, cell = (*operands, None, None, None)[:5]
    (_, _, columns), dtype = w.type(x).shape, w.out.dtype
    zeros = w.op("ConstantOfShape", [w.constant((columns, columns))], "/zeros")
    unit = w.op("EyeLike", [zeros], "/unit", dtype=element_code(dtype))
    first = w.constant([0])
    recurrent = w.op("Transpose", [weight], "/recurrent", perm=[1, 0])
    weights = [w.op("Unsqueeze", [matrix, first], "/weight") for matrix in (unit, recurrent)]
    states = [w.op("Unsqueeze", [s, first], "/state") if s is not None else None for s in (hidden, cell)]
    operator = _OPERATORS.get(layer.cell, "RNN")
    y = w.op(
        operator,
        [x, *weights, _biases(w, layer, bias, columns), None, *states],
        f"/{operator}",
        hidden_size=w.out.shape[2],
        direction="reverse" if layer.backwards else "forward",
        activations=_ACTIVATIONS.get(layer.cell),
        linear_before_reset=int(layer.cell is RecurrentCell.GRU_LINEAR) if layer.cell.is_gru else None,
    )
    node = w.nodes[-1]
    node.output.extend(f"{y}.{name}" for name in ("hidden", "cell")[: 1 + layer.cell_state])
    parts = [w.op("Squeeze", [y, w.constant([1])], "/steps") if layer.sequence else node.output[1]]
    if layer.cell_state:
        parts.append(node.output[2])
    return w.op("Concat", parts, axis=0)


def _biases(w: NodeWriter, layer: ir.Recurrence, bias: str | None, columns: int) -> str | None:
    """Both biases of all gates, [1, 2 · columns], of which the last one may be there."""
    if bias is None:
        return None
    zeros = w.constant([0.0] * (2 * columns - w.out.shape[2]), w.out.dtype)
    whole = w.op("Concat", [zeros, bias], "/biases", axis=0)
    return w.op("Unsqueeze", [whole, w.constant([0])], "/bias")
