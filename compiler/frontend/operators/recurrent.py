"""Importers of recurrent networks: LSTM, GRU and RNN as steps of products and element-wise functions.

The products of all inputs with their weights are one, before the first step; a step adds to its rows the
product of the state before it with the recurrent weights:

    p = X·Wᵀ + Wb + Rb                           of all steps, [steps · batch, gates · hidden]
    for t in steps:  a = p[t] + h·Rᵀ;  h = …     functions of a, and of the state
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.recurrent_cells import (
    Activation,
    Cell,
    Gates,
    Gru,
    Lstm,
    Rnn,
    State,
    activations,
)
from nnc.compiler.frontend.table import importer
from nnc.isa.limits import RECURRENT_STEPS

_X, _W, _R, _B, _LENGTHS, _H, _C, _P = range(8)
_BACKWARDS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""Whether each direction begins with the last step."""
_LISTED = "Activations are those of ONNX's list; Affine and ScaledTanh state alpha and beta."

Masks = Sequence[str | None]
"""Which sequences have a step, [batch, 1], for each step; None: all."""


@importer("RNN", constraints=(_LISTED,))
def rnn(context: OpContext) -> None:
    """A simple recurrent network, as so many steps."""
    network = _network(context, 1)
    functions = activations(context, ("Tanh",), network.directions)

    def cell(direction: int) -> Cell:
        return Rnn(*network.common(direction, functions, [network.gates(direction, 0, 1)]))

    _define(network, cell, (_H,))


@importer("GRU", constraints=(_LISTED,))
def gru(context: OpContext) -> None:
    """Gated recurrent units, as so many steps."""
    network = _network(context, 3)
    functions = activations(context, ("Sigmoid", "Tanh"), network.directions)
    resets_product = context.flag("linear_before_reset")

    def cell(direction: int) -> Cell:
        new = network.gates(direction, 2, 3, recurrent_bias=not resets_product)
        bias = network.bias(direction, 5, 6) if resets_product else None
        gates = [network.gates(direction, 0, 2), new]
        return Gru(*network.common(direction, functions, gates), resets_product, bias)

    _define(network, cell, (_H,))


@importer("LSTM", constraints=(_LISTED,))
def lstm(context: OpContext) -> None:
    """Long short-term memory, as so many steps."""
    network = _network(context, 4)
    functions = activations(context, ("Sigmoid", "Tanh", "Tanh"), network.directions)
    is_coupled = context.flag("input_forget")
    if context.has(_P):
        context.expect_shape(_P, network.directions, 3 * network.hidden)

    def cell(direction: int) -> Cell:
        spans = [(gate, gate + 1) for gate in range(3)] if context.has(_P) else []
        peepholes = [network.rows(_P, direction, *span) for span in spans]
        gates = [network.gates(direction, 0, 4)]
        return Lstm(*network.common(direction, functions, gates), peepholes, is_coupled)

    _define(network, cell, (_H, _C))


@dataclass(frozen=True, slots=True)
class _Network:
    """A node and its operands.

    Attributes:
        x: the inputs of all steps, [steps · batch, features].
        gate_count: of a cell.
        backwards: whether each direction begins with the last step.
        batch_first: whether axis 0 of inputs, states and results are sequences (layout 1).
    """

    context: OpContext
    make: Expansion
    x: str
    steps: int
    batch: int
    hidden: int
    gate_count: int
    backwards: Sequence[bool]
    batch_first: bool

    @property
    def directions(self) -> int:
        """How many there are."""
        return len(self.backwards)

    def common(
        self, direction: int, functions: Sequence[Activation], gates: Sequence[Gates]
    ) -> tuple[Expansion, Sequence[Gates], Sequence[Activation], float | None]:
        """What a cell of any kind has."""
        count = len(functions) // self.directions
        own = functions[direction * count : (direction + 1) * count]
        clip = self.context.attribute("clip", 0.0) if self.context.has_attribute("clip") else None
        return self.make, gates, own, clip

    def rows(self, slot: int, direction: int, first: int, last: int) -> str:
        """What an operand has for the gates `first` … `last` of a direction."""
        shape = self.context.shape(slot)
        tensor = self.make.slice(self.context.tensor(slot), 0, direction, direction + 1)
        tensor = self.make.slice(tensor, 1, first * self.hidden, last * self.hidden)
        return self.make.reshape(tensor, (last - first) * self.hidden, *shape[2:])

    def bias(self, direction: int, first: int, last: int) -> str | None:
        """Biases of gates, of which the recurrent ones come behind the others; None: none."""
        return self.rows(_B, direction, first, last) if self.context.has(_B) else None

    def gates(self, direction: int, first: int, last: int, *, recurrent_bias: bool = True) -> Gates:
        """Gates `first` … `last` of a direction, whose products are one."""
        make = self.make
        weights, recurrent = (
            make.transpose(self.rows(slot, direction, first, last), 1, 0) for slot in (_W, _R)
        )
        bias = self.bias(direction, first, last)
        if bias is not None and recurrent_bias:
            behind = self.rows(_B, direction, self.gate_count + first, self.gate_count + last)
            bias = make("Add", bias, behind)
        products = make("Gemm", self.x, weights, bias)
        return Gates(make.results(self.steps, "Split", products, axis=0, num_outputs=self.steps), recurrent)

    def state(self, slot: int, direction: int) -> str | None:
        """What a state is before the first step, [batch, hidden]; None: zeros."""
        value = self.context.value(slot)
        if not self.context.has(slot) or (value is not None and not value.any()):
            weights = self.context.value(_R)
            if slot == _C or (weights is not None and np.isfinite(weights).all()):
                return None
            return self.make.constant(np.zeros((self.batch, self.hidden)), like=_X)
        axis = int(self.batch_first)
        tensor = self.make.slice(self.context.tensor(slot), axis, direction, direction + 1)
        return self.make.reshape(tensor, self.batch, self.hidden)

    def define(self, slot: int, results: Sequence[str], *outer: int) -> None:
        """Let an output be results of the directions, [outer · batch, hidden] each, in the layout."""
        make, axis = self.make, len(outer)
        if self.batch_first:
            apart = [make.reshape(result, *outer, self.batch, 1, self.hidden) for result in results]
            order = (axis, *range(axis), axis + 1, axis + 2)
            make.define(slot, make.transpose(make.concat(apart, axis + 1), *order))
        else:
            apart = [make.reshape(result, *outer, 1, self.batch, self.hidden) for result in results]
            make.define(slot, make.concat(apart, axis))


def _network(context: OpContext, gate_count: int) -> _Network:
    """The node with its operands.

    Raises:
        ModelInvalidError: attributes or shapes do not fit.
        UnsupportedError: there are no steps.
        ModelTooLargeError: there are very many.
    """
    direction, make = context.attribute("direction", "forward"), Expansion(context)
    if direction not in _BACKWARDS:
        raise context.invalid("unknown direction", found=direction, expected=", ".join(_BACKWARDS))
    count, batch_first = len(_BACKWARDS[direction]), context.flag("layout")
    outer, inner, features = context.expect_shape(_X, None, None, None)
    steps, batch = (inner, outer) if batch_first else (outer, inner)
    if not steps * batch * features:
        raise context.unsupported("sequences without steps or features, and batches without sequences")
    RECURRENT_STEPS.check(
        steps * count,
        ModelTooLargeError,
        "a recurrent network has too many steps",
        remedy="give shorter sequences with --shape, and let states go on from run to run with --state",
    )
    hidden = context.attribute("hidden_size", context.expect_shape(_R, count, None, None)[2])
    context.expect_shape(_W, count, gate_count * hidden, features)
    context.expect_shape(_R, count, gate_count * hidden, hidden)
    states = (batch, count, hidden) if batch_first else (count, batch, hidden)
    for slot, shape in (
        (_B, (count, 2 * gate_count * hidden)),
        (_LENGTHS, (batch,)),
        (_H, states),
        (_C, states),
    ):
        if context.has(slot):
            context.expect_shape(slot, *shape)
    if not context.attribute("clip", 1.0) > 0:
        raise context.invalid(
            "parameter clip, the bound of activations, is not positive",
            found=str(context.attribute("clip", 1.0)),
        )
    x = make.transpose(context.tensor(_X), 1, 0, 2) if batch_first else context.tensor(_X)
    x = make.reshape(x, steps * batch, features)
    return _Network(context, make, x, steps, batch, hidden, gate_count, _BACKWARDS[direction], batch_first)


def _define(network: _Network, cell_of: Callable[[int], Cell], slots: Sequence[int]) -> None:
    """Run the cells of all directions, and define the results of the node."""
    context, make = network.context, network.make
    mask = _mask(network)
    masks: Masks = [None] * network.steps
    if mask is not None:
        masks = make.results(network.steps, "Split", mask, axis=0, num_outputs=network.steps)
    sequences, finals = list[str](), list[list[str]]()
    for direction, backwards in enumerate(network.backwards):
        start = tuple(network.state(slot, direction) for slot in slots)
        hidden, state = _run(cell_of(direction), start, masks, backwards=backwards)
        sequences.append(make.concat(hidden, 0))
        finals.append(state)
    if context.uses(0):
        if mask is not None:
            sequences = [make("Where", mask, rows, make.constant(0, like=_X)) for rows in sequences]
        network.define(0, sequences, network.steps)
    for slot, results in enumerate(zip(*finals, strict=True), start=1):
        network.define(slot, results)


def _run(cell: Cell, state: State, masks: Masks, *, backwards: bool) -> tuple[list[str], list[str]]:
    """The hidden states of all steps, and the states behind the last one.

    A sequence without a step keeps its states; onnxruntime makes the states of one without any zeros.
    """
    make, order = cell.make, range(len(masks))
    zero = make.constant(0, like=_X)

    def where(mask: str | None, new: str, old: str | None) -> str:
        return new if mask is None else make("Where", mask, new, old or zero)

    state = tuple(None if start is None else where(masks[0], start, zero) for start in state)
    hidden, finals = dict[int, str](), list[str]()
    for number in reversed(order) if backwards else order:
        after = cell.step(number, state)
        finals = [where(masks[number], new, old) for new, old in zip(after, state, strict=True)]
        state, hidden[number] = tuple(finals), finals[0]
    return [hidden[number] for number in order], finals


def _mask(network: _Network) -> str | None:
    """Which sequences have which step, [steps · batch, 1]; None if all have all.

    Raises:
        ModelInvalidError: a length is known, and no number of steps.
    """
    context, make = network.context, network.make
    if not context.has(_LENGTHS):
        return None
    lengths = context.value(_LENGTHS)
    if lengths is not None and (lengths.min() < 0 or lengths.max() > network.steps):
        raise context.invalid("a length is no number of steps", found=str(lengths.tolist()))
    if lengths is not None and lengths.min() == network.steps:
        return None
    steps = make.constant(np.arange(network.steps, dtype=np.int32)[:, None])
    mask = make("Less", steps, make.reshape(context.tensor(_LENGTHS), 1, network.batch))
    return make.reshape(mask, network.steps * network.batch, 1)
