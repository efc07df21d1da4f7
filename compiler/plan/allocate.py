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
class Block:
    """Bytes that are alive from step `first` to step `last` (inclusive)."""

    name: str
    nbytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Allocation:
    """Offsets by block name, the peak, and the bound: most bytes alive at one step (both aligned)."""

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


def allocate(blocks: Sequence[Block], align: int) -> Allocation:
    """Offsets such that blocks that are alive together do not overlap."""
    sized = [Block(b.name, ceil_div(b.nbytes, align) * align, b.first, b.last) for b in blocks]
    bound = live_bound(sized)
    best: Allocation | None = None
    orders: tuple[Callable[[Block], tuple[int, ...]], ...] = (
        lambda b: (b.first, -b.nbytes),
        lambda b: (-b.nbytes, b.first),
        lambda b: (-(b.last - b.first + 1) * b.nbytes, b.first),
    )
    for key in orders:
        offsets = _first_fit(sorted(sized, key=key))
        peak = max((offsets[b.name] + b.nbytes for b in sized), default=0)
        if best is None or peak < best.peak:
            best = Allocation(offsets, peak, bound)
        if best.is_optimal:
            break
    assert best is not None
    return best


def live_bound(blocks: Sequence[Block]) -> int:
    """The most bytes that are alive at one step."""
    events: list[tuple[int, int]] = []
    for block in blocks:
        events.append((block.first, block.nbytes))
        events.append((block.last + 1, -block.nbytes))
    alive = peak = 0
    for _, change in sorted(events):
        alive += change
        peak = max(peak, alive)
    return peak


def _first_fit(blocks: list[Block]) -> dict[str, int]:
    """Give each block the lowest gap among the placed blocks that are alive with it."""
    offsets: dict[str, int] = {}
    placed: list[tuple[int, int, int, int]] = []  # offset, end, first, last; sorted by offset
    for block in blocks:
        offset = 0
        for start, end, first, last in placed:
            if first > block.last or last < block.first:
                continue
            if start - offset >= block.nbytes:
                break
            offset = max(offset, end)
        offsets[block.name] = offset
        insort(placed, (offset, offset + block.nbytes, block.first, block.last))
    return offsets
