"""Two sequences of groups with the best stretches of both.

Weighing bytes against cycles finds sequences on the edge of what is possible; between two of them lie
others, which take some stretches from the one and some from the other.  They may change wherever both have
computed the same layers and have the same on chip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.plan.options import GroupPrice

State = tuple[int, Residents]
"""A prefix of the layers, and what is on chip then."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Groups of two sequences between two states that both have."""

    mine: list[Choice]
    theirs: list[Choice]

    @property
    def slower(self) -> int:
        """Cycles that the other's groups take more."""
        return sum(c.cycles for c in self.theirs) - sum(c.cycles for c in self.mine)

    def gain(self, price: GroupPrice) -> float:
        """How much less they cost."""
        return price.of_all(self.mine) - price.of_all(self.theirs)


def with_best_stretches(
    path: Sequence[Choice],
    other: Sequence[Choice],
    cycles: int,
    price: GroupPrice,
    state_before: Callable[[Choice], State],
) -> list[Choice]:
    """A sequence with the stretches of another that cost less, those first that gain most for their cycles.

    Args:
        cycles: how many more it may take.
        price: what groups cost.
        state_before: the state in which a group starts.
    """
    stretches = _stretches(path, other, state_before)
    better = {n: gain for n, stretch in enumerate(stretches) if (gain := stretch.gain(price)) > 0}
    taken = set[int]()
    for number in sorted(better, key=lambda number: stretches[number].slower / better[number]):
        if stretches[number].slower <= cycles:
            taken.add(number)
            cycles -= stretches[number].slower
    chosen = [s.theirs if number in taken else s.mine for number, s in enumerate(stretches)]
    return [choice for choices in chosen for choice in choices]


def _stretches(
    path: Sequence[Choice], other: Sequence[Choice], state_before: Callable[[Choice], State]
) -> list[_Stretch]:
    """Two sequences cut where they are in the same state."""
    mine, theirs = ({state_before(c): at for at, c in enumerate(choices)} for choices in (path, other))
    cuts = [(at, theirs[state]) for state, at in mine.items() if state in theirs]
    ends = [*cuts, (len(path), len(other))]
    return [_Stretch(list(path[a:b]), list(other[c:d])) for (a, c), (b, d) in pairwise(ends)]
