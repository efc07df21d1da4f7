"""Two sequences of groups with the cheaper stretches of both.

Weighing bytes against cycles finds sequences on the edge of what is possible; between two of them lie
others, which take some stretches from the one and some from the other.  They may change wherever both have
computed the same layers and have the same on chip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.plan.options import GroupPrice

State = tuple[int, Residents]
"""A prefix of the layers, and what is on chip then."""


def with_cheaper_stretches(
    path: Sequence[Choice],
    other: Sequence[Choice],
    price: GroupPrice,
    state_before: Callable[[Choice], State],
) -> list[Choice]:
    """A sequence with the stretches of another that cost less.

    Args:
        price: what groups cost.
        state_before: the state in which a group starts.
    """
    places = {state_before(choice): place for place, choice in enumerate(other)}
    cuts = [
        (place, places[state])
        for place, choice in enumerate(path)
        if (state := state_before(choice)) in places
    ]
    mixed: list[Choice] = []
    for (start, other_start), (end, other_end) in pairwise([*cuts, (len(path), len(other))]):
        stretches = path[start:end], other[other_start:other_end]
        mixed += min(stretches, key=price.of_all)
    return mixed
