"""Cuts of a group into parts: ranges of rows of its outputs, and strips of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nnc.compiler.plan.network import PlanNetwork

PARTS = (1, 2, 3, 4, 5, 7, 10, 14, 19, 28, 38, 56, 75, 112, 224)
WARM_UP = 6
LEAST_PARTS_TO_WARM_UP = 28
STRIPS = (2, 3, 4, 6, 8)
LEAST_PARTS_OF_STRIPS = 14


@dataclass(frozen=True, slots=True)
class Cut:
    """How a group is cut: its outputs into `parts` ranges of rows.

    Attributes:
        parts: ranges of rows of the outputs.
        warm_up: more parts before the first; they give the layers upstream time to compute the rows that the
            first rows of the outputs need, a few at a time.
        strips: ranges of columns of the outputs; all parts are worked through once for every strip.
        recompute: whether rows that the next part needs again are computed again instead of kept.
    """

    parts: int
    warm_up: int = 0
    recompute: bool = False
    strips: int = 1

    @property
    def total(self) -> int:
        """Parts of both sorts, in every strip."""
        return self.parts + self.warm_up

    @property
    def passes(self) -> int:
        """How often every layer is computed in part."""
        return self.total * self.strips


def cuts_worth_trying(network: PlanNetwork, end: int) -> list[Cut]:
    """Cuts into rows for groups that end here; just one part if its rows cannot be cut."""
    buffer = network.buffers[network.buffer_of(network.defines[end])]
    plain = [Cut(parts) for parts in PARTS if parts <= buffer.rows]
    return plain + [Cut(cut.parts, WARM_UP) for cut in plain if cut.parts >= LEAST_PARTS_TO_WARM_UP]


def strips_worth_trying(cuts: Sequence[Cut]) -> list[list[Cut]]:
    """The cuts into many rows, in strips of columns too: a list for every number of strips."""
    fine = [cut for cut in cuts if cut.parts >= LEAST_PARTS_OF_STRIPS]
    return [[replace(cut, strips=strips) for cut in fine] for strips in STRIPS] if fine else []
