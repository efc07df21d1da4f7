"""All steps of a direction of a recurrent network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nnc.isa.functions import RecurrentCell
from nnc.isa.instructions import Recurrence
from nnc.runtime.kernels.binding import Binder, Kernel, kernel
from nnc.runtime.kernels.products import multiply_type
from nnc.runtime.kernels.unary import sigmoid
from nnc.runtime.memory import Array

State = tuple[Array, Array]
"""Hidden and cell state [batch, hidden], in the type computed."""
Step = Callable[[Array, State, Array, "Array | None", np.dtype[Any]], State]
"""(row of src, state, weight, bias, type of dst) → the state behind the step, not yet of that type."""


@kernel(Recurrence)
def bind_recurrence(i: Recurrence, binder: Binder) -> Kernel:
    """Step by step in f32 (f64 of f64); states are rounded behind each step."""
    src, dst, weight = binder.view(i.src), binder.view(i.dst), binder.view(i.weight)
    bias, hidden, cell = (binder.optional(block) for block in (i.bias, i.hidden, i.initial_cell))
    kind, step = multiply_type(dst.dtype), _STEPS[i.cell]
    order = range(len(src))[:: -1 if i.backwards else 1]
    zeros = np.zeros(dst.shape[1:], kind)

    def run() -> None:
        matrix = weight.astype(kind, copy=False)
        h, c = (zeros if block is None else block.astype(kind) for block in (hidden, cell))
        for number in order:
            state = step(src[number].astype(kind), (h, c), matrix, bias, dst.dtype)
            h, c = (_rounded(part, dst.dtype) for part in state)
            if i.sequence:
                dst[number] = h
        if not i.sequence:
            dst[0] = h
        if i.cell_state:
            dst[-1] = c

    return run


def _rounded(x: Array, dtype: np.dtype[Any]) -> Array:
    """Numbers of a type, in the type computed."""
    return x if dtype == x.dtype else x.astype(dtype).astype(x.dtype)


def _lstm(p: Array, state: State, weight: Array, bias: Array | None, dtype: np.dtype[Any]) -> State:
    h, c = state
    taken, shown, kept, new = np.split(p + h @ weight, 4, axis=1)
    c = sigmoid(kept) * c + sigmoid(taken) * np.tanh(new)
    return sigmoid(shown) * np.tanh(c), c


def _gru(p: Array, state: State, weight: Array, bias: Array | None, dtype: np.dtype[Any]) -> State:
    h, c = state
    gates = 2 * h.shape[1]
    update, reset = np.split(sigmoid(p[:, :gates] + h @ weight[:, :gates]), 2, axis=1)
    new = np.tanh(p[:, gates:] + _rounded(reset * h, dtype) @ weight[:, gates:])
    return new + update * (h - new), c


def _gru_linear(p: Array, state: State, weight: Array, bias: Array | None, dtype: np.dtype[Any]) -> State:
    h, c = state
    gates = 2 * h.shape[1]
    sums = h @ weight
    update, reset = np.split(sigmoid(p[:, :gates] + sums[:, :gates]), 2, axis=1)
    product = sums[:, gates:] if bias is None else sums[:, gates:] + bias.astype(h.dtype)
    new = np.tanh(p[:, gates:] + reset * product)
    return new + update * (h - new), c


def _rnn_tanh(p: Array, state: State, weight: Array, bias: Array | None, dtype: np.dtype[Any]) -> State:
    return np.tanh(p + state[0] @ weight), state[1]


def _rnn_relu(p: Array, state: State, weight: Array, bias: Array | None, dtype: np.dtype[Any]) -> State:
    return np.maximum(p + state[0] @ weight, 0), state[1]


_STEPS: dict[RecurrentCell, Step] = {
    RecurrentCell.LSTM: _lstm,
    RecurrentCell.GRU: _gru,
    RecurrentCell.GRU_LINEAR: _gru_linear,
    RecurrentCell.RNN_TANH: _rnn_tanh,
    RecurrentCell.RNN_RELU: _rnn_relu,
}
