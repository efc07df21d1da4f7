"""Recurrent networks as steps that are planned one by one: forms that no instruction computes.

The products of all inputs with their weights are one, before the first step; a step adds to its rows the
product of the state before it with the recurrent weights:

    p = X·Wᵀ + Wb + Rb                           of all steps, [steps · batch, gates · hidden]
    for t in steps:  a = p[t] + h·Rᵀ;  h = …     functions of a, and of the state
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.compiler.frontend.operators.recurrent_cells import Cell, State
from nnc.compiler.frontend.operators.recurrent_network import LENGTHS, Network, X
from nnc.isa.limits import RECURRENT_STEPS

Masks = Sequence[str | None]
"""Which sequences have a step, [batch, 1], for each step; None: all."""


def define_steps(
    network: Network, mask: str | None, cell_of: Callable[[int], Cell], slots: Sequence[int]
) -> None:
    """Run the cells of all directions, and define the results of the node.

    Raises:
        ModelTooLargeError: there are very many steps.
    """
    context, make = network.context, network.make
    RECURRENT_STEPS.check(
        network.steps * network.directions,
        ModelTooLargeError,
        "a recurrent network has too many steps",
        remedy="give shorter sequences with --shape, and let states go on from run to run with --state",
    )
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
            sequences = [make("Where", mask, rows, make.constant(0, like=X)) for rows in sequences]
        network.define(0, sequences, network.steps)
    for slot, results in enumerate(zip(*finals, strict=True), start=1):
        network.define(slot, results)


def _run(cell: Cell, state: State, masks: Masks, *, backwards: bool) -> tuple[list[str], list[str]]:
    """The hidden states of all steps, and the states behind the last one.

    A sequence without a step keeps its states; onnxruntime makes the states of one without any zeros.
    """
    make, order = cell.make, range(len(masks))
    zero = make.constant(0, like=X)

    def where(mask: str | None, new: str, old: str | None) -> str:
        return new if mask is None else make("Where", mask, new, old or zero)

    state = tuple(None if start is None else where(masks[0], start, zero) for start in state)
    hidden, finals = dict[int, str](), list[str]()
    for number in reversed(order) if backwards else order:
        after = cell.step(number, state)
        finals = [where(masks[number], new, old) for new, old in zip(after, state, strict=True)]
        state, hidden[number] = tuple(finals), finals[0]
    return [hidden[number] for number in order], finals


def mask_of(network: Network) -> str | None:
    """Which sequences have which step, [steps · batch, 1]; None if all have all.

    Raises:
        ModelInvalidError: a length is known, and no number of steps.
    """
    context, make = network.context, network.make
    if not context.has(LENGTHS):
        return None
    lengths = context.value(LENGTHS)
    if lengths is not None and (lengths.min() < 0 or lengths.max() > network.steps):
        raise context.invalid("a length is no number of steps", found=str(lengths.tolist()))
    if lengths is not None and lengths.min() == network.steps:
        return None
    steps = make.constant(np.arange(network.steps, dtype=np.int32)[:, None])
    mask = make("Less", steps, make.reshape(context.tensor(LENGTHS), 1, network.batch))
    return make.reshape(mask, network.steps * network.batch, 1)
