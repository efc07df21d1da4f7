"""Recurrences beside onnxruntime's LSTM, GRU and RNN, and how they round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_harness import execute, onnx_node

from nnc.isa.functions import RecurrentCell
from nnc.isa.instructions import Recurrence

STEPS, BATCH, HIDDEN = 5, 3, 4
OPERATORS = {"lstm": "LSTM", "gru": "GRU", "gru_linear": "GRU", "rnn_tanh": "RNN", "rnn_relu": "RNN"}


def operands(cell: RecurrentCell, dtype: Any = np.float32) -> dict[str, Any]:
    """Addends, weights, bias and states."""
    rng, columns = np.random.default_rng(0), cell.gates * HIDDEN
    shapes = {"src": (STEPS, BATCH, columns), "weight": (HIDDEN, columns), "hidden": (BATCH, HIDDEN)}
    if cell is RecurrentCell.GRU_LINEAR:
        shapes["bias"] = (HIDDEN,)
    if cell.has_cell_state:
        shapes["initial_cell"] = (BATCH, HIDDEN)
    return {name: rng.uniform(-1, 1, shape).astype(dtype) for name, shape in shapes.items()}


def by_onnxruntime(cell: RecurrentCell, given: dict[str, Any], *, backwards: bool) -> list[Any]:
    """Hidden states of all steps, the last hidden state and the last cell state."""
    columns = cell.gates * HIDDEN
    biases = np.zeros((1, 2 * columns), np.float32)
    if "bias" in given:
        biases[0, -HIDDEN:] = given["bias"]
    states = [given[name][None] if name in given else None for name in ("hidden", "initial_cell")]
    attributes: dict[str, Any] = {"hidden_size": HIDDEN, "direction": "reverse" if backwards else "forward"}
    if cell is RecurrentCell.RNN_RELU:
        attributes["activations"] = ["Relu"]
    if cell.is_gru:
        attributes["linear_before_reset"] = int(cell is RecurrentCell.GRU_LINEAR)
    inputs = [given["src"], np.eye(columns, dtype=np.float32)[None], given["weight"].T[None], biases, None]
    inputs += states if cell.has_cell_state else states[:1]
    return [
        onnx_node(OPERATORS[cell.value], inputs, result=number, **attributes)
        for number in range(2 + cell.has_cell_state)
    ]


def run(cell: RecurrentCell, given: dict[str, Any], rows: int, gap: int = 0, **attributes: Any) -> Any:
    result = {"dst": ((rows, BATCH, HIDDEN), given["src"].dtype)}
    return execute(lambda op: Recurrence(**op, cell=cell, **attributes), given, result, gap=gap)["dst"]


@pytest.mark.parametrize("cell", RecurrentCell)
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("gap", [0, 3])
def test_all_steps_equal_onnxruntime(cell: RecurrentCell, backwards: bool, gap: int) -> None:
    given = operands(cell)
    y, y_h, *y_c = by_onnxruntime(cell, given, backwards=backwards)
    has_cell = cell.has_cell_state
    whole = run(cell, given, STEPS + has_cell, gap, backwards=backwards, cell_state=has_cell)
    np.testing.assert_allclose(whole, np.concatenate([y[:, 0], *y_c]), rtol=1e-5, atol=1e-6)
    last = run(cell, given, 1, gap, backwards=backwards, sequence=False)
    np.testing.assert_allclose(last, y_h, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("cell", RecurrentCell)
def test_absent_states_are_zeros(cell: RecurrentCell) -> None:
    given = operands(cell)
    states = {name: given.pop(name) for name in ("hidden", "initial_cell") if name in given}
    zeros = {name: np.zeros_like(state) for name, state in states.items()}
    np.testing.assert_array_equal(run(cell, given, STEPS), run(cell, given | zeros, STEPS))


@pytest.mark.parametrize("cell", RecurrentCell)
def test_states_are_rounded_behind_every_step(cell: RecurrentCell) -> None:
    """Steps one by one, which hand on halves, give what all together do."""
    given = operands(cell, np.float16)
    rows = run(cell, given, STEPS + cell.has_cell_state, cell_state=cell.has_cell_state)
    step = dict(given)
    for number in range(STEPS):
        step["src"] = given["src"][number : number + 1]
        row = run(cell, step, 1 + cell.has_cell_state, cell_state=cell.has_cell_state)
        np.testing.assert_array_equal(row[0], rows[number])
        step["hidden"] = row[0]
        if cell.has_cell_state:
            step["initial_cell"] = row[1]
