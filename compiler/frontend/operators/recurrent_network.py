"""A node of a recurrent network with its operands: what one layer for all steps, and single steps, share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.recurrent_cells import Activation, Gates

X, W, R, B, LENGTHS, H, C, P = range(8)
"""Operands."""
_BACKWARDS = {"forward": (False,), "reverse": (True,), "bidirectional": (False, True)}
"""Whether each direction begins with the last step."""


@dataclass(frozen=True, slots=True)
class Network:
    """A node and its operands.

    Attributes:
        x: the inputs of all steps, [steps, batch, features].
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
        return self.rows(B, direction, first, last) if self.context.has(B) else None

    def input_bias(self, direction: int, first: int, last: int, *, recurrent_bias: bool) -> str | None:
        """Biases of gates, to which recurrent ones are added or not; None: none."""
        bias = self.bias(direction, first, last)
        if bias is None or not recurrent_bias:
            return bias
        return self.make("Add", bias, self.bias(direction, self.gate_count + first, self.gate_count + last))

    def gates(self, direction: int, first: int, last: int, *, recurrent_bias: bool = True) -> Gates:
        """Gates `first` … `last` of a direction, whose products are one."""
        make = self.make
        weights, recurrent = (
            make.transpose(self.rows(slot, direction, first, last), 1, 0) for slot in (W, R)
        )
        bias = self.input_bias(direction, first, last, recurrent_bias=recurrent_bias)
        x = make.reshape(self.x, self.steps * self.batch, self.context.shape(X)[2])
        products = make("Gemm", x, weights, bias)
        return Gates(make.results(self.steps, "Split", products, axis=0, num_outputs=self.steps), recurrent)

    def state(self, slot: int, direction: int) -> str | None:
        """What a state is before the first step, [batch, hidden]; None: zeros."""
        if self.is_zero(slot):
            weights = self.context.value(R)
            if slot == C or (weights is not None and np.isfinite(weights).all()):
                return None
            return self.make.constant(np.zeros((self.batch, self.hidden)), like=X)
        return self.given_state(slot, direction)

    def is_zero(self, slot: int) -> bool:
        """Whether a state is known to be zeros before the first step."""
        value = self.context.value(slot)
        return not self.context.has(slot) or (value is not None and not value.any())

    def given_state(self, slot: int, direction: int) -> str:
        """A state that is an operand, [batch, hidden]."""
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


def network_of(context: OpContext, gate_count: int) -> Network:
    """The node with its operands.

    Raises:
        ModelInvalidError: attributes or shapes do not fit.
        UnsupportedError: there are no steps.
    """
    direction, make = context.attribute("direction", "forward"), Expansion(context)
    if direction not in _BACKWARDS:
        raise context.invalid("unknown direction", found=direction, expected=", ".join(_BACKWARDS))
    count, batch_first = len(_BACKWARDS[direction]), context.flag("layout")
    outer, inner, features = context.expect_shape(X, None, None, None)
    steps, batch = (inner, outer) if batch_first else (outer, inner)
    if not steps * batch * features:
        raise context.unsupported("sequences without steps or features, and batches without sequences")
    hidden = context.attribute("hidden_size", context.expect_shape(R, count, None, None)[2])
    context.expect_shape(W, count, gate_count * hidden, features)
    context.expect_shape(R, count, gate_count * hidden, hidden)
    states = (batch, count, hidden) if batch_first else (count, batch, hidden)
    for slot, shape in (
        (B, (count, 2 * gate_count * hidden)),
        (LENGTHS, (batch,)),
        (H, states),
        (C, states),
    ):
        if context.has(slot):
            context.expect_shape(slot, *shape)
    if not context.attribute("clip", 1.0) > 0:
        raise context.invalid(
            "parameter clip, the bound of activations, is not positive",
            found=str(context.attribute("clip", 1.0)),
        )
    x = make.transpose(context.tensor(X), 1, 0, 2) if batch_first else context.tensor(X)
    return Network(context, make, x, steps, batch, hidden, gate_count, _BACKWARDS[direction], batch_first)
