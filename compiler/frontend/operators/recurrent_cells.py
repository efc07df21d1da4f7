"""Cells of recurrent networks: what a step makes of its inputs and of the state, in nodes of ONNX.

Letters are ONNX's: the gates i, o, f and c of an LSTM, z, r and h of a GRU; the functions f, g and h.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion

_PARAMETERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("Relu", "Sigmoid", "Softplus", "Softsign", "Tanh"), ()),
    **dict.fromkeys(("Elu", "LeakyRelu", "ThresholdedRelu"), ("alpha",)),
    **dict.fromkeys(("Affine", "HardSigmoid", "ScaledTanh"), ("alpha", "beta")),
}
"""Activations that ONNX lists, and their parameters."""
_WITHOUT_DEFAULTS = frozenset({"Affine", "ScaledTanh"})
"""Those that are no operators of ONNX: nothing says what their parameters are if the node does not."""

State = tuple[str | None, ...]
"""The hidden state [batch, hidden], and the cell state of an LSTM beside it; None: zeros."""


@dataclass(frozen=True, slots=True)
class Activation:
    """A function of ONNX's list with the parameters that the node states."""

    op: str
    params: dict[str, float]

    def __call__(self, make: Expansion, x: str) -> str:
        """The function of each element of x."""
        if self.op not in _WITHOUT_DEFAULTS:
            return make(self.op, x, **self.params)
        alpha, beta = (make.constant(self.params[name], like=0) for name in _PARAMETERS[self.op])
        if self.op == "Affine":
            return make("Add", make("Mul", x, alpha), beta)
        return make("Mul", make("Tanh", make("Mul", x, beta)), alpha)


def activations(context: OpContext, defaults: tuple[str, ...], directions: int) -> list[Activation]:
    """The functions of all directions, one direction behind the other.

    Raises:
        ModelInvalidError: there are too many or too few, or one is not in ONNX's list.
        UnsupportedError: a parameter is missing that has no default.
    """
    names = context.strings("activations") or defaults * directions
    if len(names) != len(defaults) * directions:
        expected = f"{len(defaults)} per direction"
        raise context.invalid("the number of activations is wrong", found=str(len(names)), expected=expected)
    spelled = {name.lower(): name for name in _PARAMETERS}
    lists = {name: iter(context.attribute(f"activation_{name}", list[float]())) for name in ("alpha", "beta")}
    result = list[Activation]()
    for name in names:
        op = spelled.get(name.lower())
        if op is None:
            raise context.invalid("unknown activation", found=name, expected=", ".join(sorted(_PARAMETERS)))
        stated = {letter: next(lists[letter], None) for letter in _PARAMETERS[op]}  # ONNX: consumed in order
        params = {letter: value for letter, value in stated.items() if value is not None}
        if op in _WITHOUT_DEFAULTS and len(params) < len(stated):
            raise context.unsupported(f"the activation {op} needs its alpha and beta: ONNX has no defaults")
        result.append(Activation(op, params))
    return result


class Gates(NamedTuple):
    """Gates that have a product in common.

    Attributes:
        inputs: what the inputs of each step add, biases included, [batch, columns].
        weights: of the state, [hidden, columns].
    """

    inputs: list[str]
    weights: str


@dataclass(frozen=True, slots=True)
class Cell(ABC):
    """What the steps of one direction have in common.

    Attributes:
        gates: in ONNX's order, grouped as the kind of cell does it.
        functions: the activations f, g and h, as far as the kind has them.
        clip: bound of what activations get, None if there is none.
    """

    make: Expansion
    gates: Sequence[Gates]
    functions: Sequence[Activation]
    clip: float | None

    @abstractmethod
    def step(self, number: int, state: State) -> tuple[str, ...]:
        """The state behind a step, made of that before it."""

    def summed(self, gates: int, number: int, state: str | None) -> str:
        """Gates at a step before their function: inputs, biases and the product of a state."""
        inputs, weights = self.gates[gates]
        return inputs[number] if state is None else self.make("Gemm", state, weights, inputs[number])

    def activated(self, function: int, x: str) -> str:
        """An activation; it gets numbers within the bound, if there is one."""
        if self.clip is not None:
            x = self.make(
                "Clip", x, *(self.make.constant(bound, like=0) for bound in (-self.clip, self.clip))
            )
        return self.functions[function](self.make, x)


@dataclass(frozen=True, slots=True)
class Rnn(Cell):
    """h = f(a)."""

    def step(self, number: int, state: State) -> tuple[str, ...]:
        """The function of one sum."""
        return (self.activated(0, self.summed(0, number, state[0])),)


@dataclass(frozen=True, slots=True)
class Gru(Cell):
    """h = (1 − z) · g(new) + z · h, with the update gate z and the reset gate r beside each other.

    Attributes:
        resets_product: whether the reset gate multiplies the product of the state, not the state.
        recurrent_bias: what is added to that product before, [hidden].
    """

    resets_product: bool
    recurrent_bias: str | None

    def step(self, number: int, state: State) -> tuple[str, ...]:
        """The new state in the share 1 − z, as a difference to the old one."""
        make, (h,) = self.make, state
        z, r = make.results(2, "Split", self.summed(0, number, h), axis=1, num_outputs=2)
        update, new = self.activated(0, z), self.activated(1, self._new(number, r, h))
        if h is None:
            return (make("Sub", new, make("Mul", update, new)),)
        return (make("Add", new, make("Mul", update, make("Sub", h, new))),)

    def _new(self, number: int, r: str, h: str | None) -> str:
        """The new state before its function."""
        inputs, weights = self.gates[1]
        product = self.recurrent_bias
        if h is not None and not self.resets_product:
            return self.summed(1, number, self.make("Mul", self.activated(0, r), h))
        if h is not None:
            product = self.make("Gemm", h, weights, product)
        if product is None:
            return inputs[number]
        return self.make("Add", inputs[number], self.make("Mul", self.activated(0, r), product))


@dataclass(frozen=True, slots=True)
class Lstm(Cell):
    """c = f · c + i · g(new), h = o · h(c).

    Attributes:
        peepholes: weights of the cell state for the gates i, o and f, [hidden] each; none.
        is_coupled: whether the cell forgets the share that it does not take in: f = 1 − i.
    """

    peepholes: Sequence[str]
    is_coupled: bool

    def step(self, number: int, state: State) -> tuple[str, ...]:
        """The share of the cell state that the output gate shows, and the cell state."""
        make, (h, c) = self.make, state
        sums = make.results(4, "Split", self.summed(0, number, h), axis=1, num_outputs=4)
        share = self._gate(0, sums, c)
        new = make("Mul", share, self.activated(1, sums[3]))
        if c is not None:
            kept = make("Sub", make.constant(1, like=0), share) if self.is_coupled else self._gate(2, sums, c)
            new = make("Add", make("Mul", kept, c), new)
        return make("Mul", self._gate(1, sums, new), self.functions[2](make, new)), new

    def _gate(self, letter: int, sums: Sequence[str], c: str | None) -> str:
        """One of the gates i, o and f, which sees the cell state where there are peepholes."""
        x = sums[letter]
        if self.peepholes and c is not None:
            x = self.make("Add", x, self.make("Mul", c, self.peepholes[letter]))
        return self.activated(0, x)
