"""A recurrence as steps that are layers: what split-recurrences makes where the weights fit no memory.

a = matmul(h, R, residual=p[t]);  c = lstm_state(c, a.f, a.i, a.g);  h = gated_tanh(a.o, c)
"""

from __future__ import annotations

from collections.abc import Callable

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Fill, MatMul, Recurrence
from nnc.compiler.ir.required import required
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import result_type, source_of
from nnc.isa.functions import Function, RecurrentCell

State = tuple[str, str]
"""Hidden and cell state [batch, hidden]."""


def unroll(graph: Graph, layer: Recurrence) -> None:
    """Put the steps of a recurrence in its place."""
    steps, before = _Steps(graph, layer), LayersBefore(graph, layer)
    rows, batch, hidden = result_type(graph, layer).shape
    count = graph.types[source_of(graph, layer)].shape[0]
    state, made = steps.first(), dict[int, str]()
    for number in reversed(range(count)) if layer.backwards else range(count):
        state = _STEPS[layer.cell](steps, number, state)
        made[number if layer.sequence else 0] = state[0]
    parts = [made[number] for number in sorted(made)] + ([state[1]] if layer.cell_state else [])
    parts = [before.reshaped(part, (1, batch, hidden)) for part in parts]
    whole = Concat(name="", loc=layer.loc, axis=0)
    before.take_over(before.add(whole, parts, (rows, batch, hidden)))


class _Steps:
    """What the layers of the steps of a recurrence are made of."""

    def __init__(self, graph: Graph, layer: Recurrence) -> None:
        self.make = LayersBefore(graph, layer)
        self._graph, self._layer = graph, layer
        self._source, self._weight, self.bias, self._hidden, self._cell = (
            *graph.inputs_of(layer.name),
            *[None] * 3,
        )[:5]
        _, self._batch, self._columns = graph.types[source_of(graph, layer)].shape
        self.extent = self._columns // layer.cell.gates
        self._weights = dict[tuple[int, int], str]()

    def first(self) -> State:
        """The states before the first step."""
        return self._state(self._hidden), self._state(self._cell)

    def _state(self, given: str | None) -> str:
        if given is not None:
            return given
        shape, dtype = (self._batch, self.extent), result_type(self._graph, self._layer).dtype
        zeros = Fill(name="", loc=self._layer.loc, shape=shape, value=0.0, dtype=dtype)
        return self.make.add(zeros, [], shape, dtype)

    def addends(self, number: int, first: int, last: int) -> str:
        """What the inputs of a step add to the gates first … last."""
        rows = self.make.sliced(required(self._source), 0, number, (1, self._batch, self._columns))
        rows = self.make.reshaped(rows, (self._batch, self._columns))
        return self.gates(rows, first, last)

    def gates(self, tensor: str, first: int, last: int) -> str:
        """The gates first … last of some, [batch, gates · hidden]."""
        extent = (last - first) * self.extent
        if self.make.shape(tensor)[1] == extent:
            return tensor
        return self.make.sliced(tensor, 1, first * self.extent, (self._batch, extent))

    def product(
        self,
        state: str,
        first: int,
        last: int,
        addends: str | None,
        bias: str | None = None,
        act: Function = Function.IDENTITY,
    ) -> str:
        """act(state · weights of the gates first … last + bias + addends)."""
        product = MatMul(name="", loc=self._layer.loc, act=act)
        operands = [state, self._weight_of(first, last), bias, addends]
        return self.make.add(product, operands, (self._batch, (last - first) * self.extent))

    def _weight_of(self, first: int, last: int) -> str:
        """The columns of some gates."""
        weight, span = required(self._weight), (first * self.extent, last * self.extent)
        if span == (0, self._columns):
            return weight
        if span not in self._weights:
            if self._graph.is_constant(weight):
                columns = self._graph.constants[weight][:, span[0] : span[1]]
                self._weights[span] = self._graph.add_constant(f"{weight}.gate{first}", columns)
            else:
                self._weights[span] = self.make.sliced(weight, 1, span[0], (self.extent, span[1] - span[0]))
        return self._weights[span]


def _lstm(steps: _Steps, number: int, state: State) -> State:
    sums = steps.product(state[0], 0, 4, steps.addends(number, 0, 4))
    taken, shown, kept, new = (steps.gates(sums, gate, gate + 1) for gate in range(4))
    cell = steps.make.function(Function.LSTM_STATE, state[1], kept, taken, new)
    return steps.make.function(Function.GATED_TANH, shown, cell), cell


def _gru(steps: _Steps, number: int, state: State) -> State:
    h, make = state[0], steps.make
    update, reset = _update_and_reset(steps, number, h)
    shown = make.function(Function.MUL, make.function(Function.SIGMOID, reset), h)
    new = steps.product(shown, 2, 3, steps.addends(number, 2, 3), act=Function.TANH)
    share, difference = make.function(Function.SIGMOID, update), make.function(Function.SUB, h, new)
    return make.function(Function.ADD, new, make.function(Function.MUL, share, difference)), state[1]


def _gru_linear(steps: _Steps, number: int, state: State) -> State:
    h = state[0]
    update, reset = _update_and_reset(steps, number, h)
    product = steps.product(h, 2, 3, None, steps.bias)
    operands = (h, update, reset, product, steps.addends(number, 2, 3))
    return steps.make.function(Function.GRU_STATE, *operands), state[1]


def _update_and_reset(steps: _Steps, number: int, h: str) -> State:
    sums = steps.product(h, 0, 2, steps.addends(number, 0, 2))
    return steps.gates(sums, 0, 1), steps.gates(sums, 1, 2)


def _rnn_tanh(steps: _Steps, number: int, state: State) -> State:
    return steps.product(state[0], 0, 1, steps.addends(number, 0, 1), act=Function.TANH), state[1]


def _rnn_relu(steps: _Steps, number: int, state: State) -> State:
    return steps.product(state[0], 0, 1, steps.addends(number, 0, 1), act=Function.RELU), state[1]


_STEPS: dict[RecurrentCell, Callable[[_Steps, int, State], State]] = {
    RecurrentCell.LSTM: _lstm,
    RecurrentCell.GRU: _gru,
    RecurrentCell.GRU_LINEAR: _gru_linear,
    RecurrentCell.RNN_TANH: _rnn_tanh,
    RecurrentCell.RNN_RELU: _rnn_relu,
}
