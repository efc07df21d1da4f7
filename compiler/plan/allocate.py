"""Memory allocation by live ranges: offsets for blocks that are alive over intervals of steps.

Several heuristics are tried and the lowest peak is kept; where the peak equals the largest number of bytes
alive at once, it is optimal (`Allocation.is_optimal`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nnc.isa.cost import ceil_div


@dataclass(frozen=True, slots=True)
class Extent:
    """Bytes that are alive from step `first` to step `last` (inclusive)."""

    name: str
    nbytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """Offsets by name, the peak, and the bound: most bytes alive at one step (all aligned)."""

    offsets: dict[str, int]
    peak: int
    bound: int

    @property
    def is_optimal(self) -> bool:
        """Whether no allocation can have a lower peak."""
        return self.peak == self.bound

    @property
    def fragmentation(self) -> float:
        """Share of the peak that no live block fills."""
        return 1.0 - self.bound / self.peak if self.peak else 0.0


def allocate(extents: Sequence[Extent], align: int, capacity: int | None = None) -> Allocation:
    """Offsets such that extents that are alive together do not overlap.

    Args:
        extents: what to place.
        align: offsets are multiples of this, bytes.
        capacity: the first heuristic whose peak is not above it is good enough; None: lowest peak of all.
    """
    sized = [Extent(e.name, ceil_div(e.nbytes, align) * align, e.first, e.last) for e in extents]
    bound = live_bound(sized)
    best: Allocation | None = None
    for heuristic in _HEURISTICS:
        offsets = heuristic(sized)
        peak = max((offsets[e.name] + e.nbytes for e in sized), default=0)
        if best is None or peak < best.peak:
            best = Allocation(offsets, peak, bound)
        if best.is_optimal or (capacity is not None and best.peak <= capacity):
            break
    assert best is not None
    return best


def live_bound(extents: Sequence[Extent]) -> int:
    """The most bytes that are alive at one step."""
    events: list[tuple[int, int]] = []
    for extent in extents:
        events.append((extent.first, extent.nbytes))
        events.append((extent.last + 1, -extent.nbytes))
    alive = peak = 0
    for _, change in sorted(events):
        alive += change
        peak = max(peak, alive)
    return peak


def _by_size(key: Callable[[Extent], tuple[int, ...]]) -> _Heuristic:
    """A heuristic that places extents in an order of importance, each in the lowest gap of its lifetime."""

    def place(extents: Sequence[Extent]) -> dict[str, int]:
        offsets: dict[str, int] = {}
        placed: list[tuple[int, int, int, int]] = []  # offset, end, first, last; sorted by offset
        for extent in sorted(extents, key=key):
            offset = 0
            for start, end, first, last in placed:
                if first > extent.last or last < extent.first:
                    continue
                if start - offset >= extent.nbytes:
                    break
                offset = max(offset, end)
            offsets[extent.name] = offset
            insort(placed, (offset, offset + extent.nbytes, extent.first, extent.last))
        return offsets

    return place


_Heuristic = Callable[[Sequence[Extent]], dict[str, int]]
_HEURISTICS: tuple[_Heuristic, ...] = (
    _by_size(lambda e: (-e.nbytes, e.first)),
    _by_size(lambda e: (-(e.last - e.first + 1) * e.nbytes, e.first)),
    _by_size(lambda e: (-(e.last - e.first + 1), -e.nbytes, e.first)),
)
