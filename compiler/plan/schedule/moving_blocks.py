"""Blocks of a memory that live longer than they are needed, as far as others leave them the place.

in:   live ranges in the order of demand, an offset of every block
out:  longer live ranges; a block that begins earlier may lie elsewhere
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.schedule.live_ranges import Life
from nnc.isa.integers import round_up

Ints = npt.NDArray[np.int64]


class MovingBlocks:
    """The blocks of one memory: where they lie, and when they are alive (places in the order of demand).

    They are numbered as they begin in that order, so that a stretch of time is a range of numbers.
    """

    def __init__(self, lives: list[Life], offsets: dict[str, int], capacity: int, align: int) -> None:
        self.align, self.capacity = align, capacity // align * align
        self.index = {life.block.name: number for number, life in enumerate(lives)}
        self.first = np.array([life.first for life in lives], dtype=np.int64)
        self.last = np.array([life.last for life in lives], dtype=np.int64)
        self._demanded = self.first.copy()
        self._earliest: dict[Hashable, tuple[int, int]] = {}
        self.settle()
        sizes = [round_up(life.block.nbytes, align) for life in lives]
        self.low = np.array([offsets[life.block.name] for life in lives], dtype=np.int64)
        self.high = self.low + np.array(sizes, dtype=np.int64)

    def begin_earlier(self, name: str, lowest: int) -> int:
        """Let a block begin as early as possible, not before `lowest`; it may move.  Returns the place.

        The earlier it begins, the more blocks are alive beside it: bisection finds how many leave a gap.
        """
        me = self.index[name]
        begin, end, size = int(self.first[me]), int(self.last[me]), int(self.high[me] - self.low[me])
        if lowest >= begin:
            return begin
        span = slice(self._reach.searchsorted(lowest), self._demanded.searchsorted(end, "right"))
        alive = (self.last[span] >= lowest) & (self.first[span] <= end)
        alive[me - span.start] = False
        place = int(self.low[me])
        if not np.count_nonzero(alive & (self.low[span] < place + size) & (self.high[span] > place)):
            self.first[me] = lowest  # where it lies, nobody is in its way
            return lowest
        beside = np.flatnonzero(alive) + span.start
        others = self.last[beside] - begin, self.low[beside], self.high[beside]
        key = (size, place, lowest - begin, *[of.tobytes() for of in others])
        if key not in self._earliest:
            self._earliest[key] = self._find_earliest(size, place, lowest - begin, *others)
        ahead, place = self._earliest[key]
        if ahead < 0:
            self.first[me], self.low[me], self.high[me] = begin + ahead, place, place + size
        return begin + ahead

    def _find_earliest(
        self, size: int, place: int, lowest: int, last: Ints, low: Ints, high: Ints
    ) -> tuple[int, int]:
        """How many steps earlier a block may begin (negative), and where it lies then.

        All is counted from where it begins now, and no names matter: tiles that are worked through alike ask
        the same again and again, so each question is answered once (`begin_earlier`).

        Args:
            place: where it lies now.
            last, low, high: of the blocks that are alive beside it, if it begins at `lowest`.
        """
        order = np.argsort(-last, kind="stable")
        ends, taken = last[order], _Taken(low[order], high[order], self.capacity)
        few, many = int(np.count_nonzero(last >= 0)), len(ends) + 1
        free = taken.free_beside(place, size)
        while many - few > 1:  # beside `few` there is room at `place`; beside `many` there is none
            middle = (few + many) // 2
            if middle <= free:
                few = middle
                continue
            found = taken.tightest(middle, size)
            if found is None:
                many = middle
            else:
                few, place, free = middle, found, taken.free_beside(found, size)
        return lowest if few == len(ends) else min(0, int(ends[few]) + 1), place

    def is_demanded(self, name: str, place: int) -> bool:
        """Whether a step before a place in the order of demand touches a block."""
        return bool(self._demanded[self.index[name]] < place)

    def end_later(self, name: str, wanted: int) -> int:
        """Let a block live until `wanted`, or as long as nothing else begins at its address: returns that."""
        me = self.index[name]
        end = int(self.last[me])
        span = slice(*self._demanded.searchsorted((end, wanted), "right"))
        clash = (self.low[span] < self.high[me]) & (self.low[me] < self.high[span])
        if np.count_nonzero(clash):
            wanted = max(end, int(self.first[span][clash].min()) - 1)
        self.last[me] = max(end, wanted)
        return wanted

    def settle(self) -> None:
        """All blocks live as long as they will: from now on, they begin earlier at most."""
        self._reach = np.maximum.accumulate(self.last)


class _Taken:
    """Byte ranges that are taken, in an order of their own, and the gaps beside the first of them."""

    def __init__(self, low: Ints, high: Ints, capacity: int) -> None:
        self._low, self._high, self._capacity = low, high, capacity
        self._by_address = np.argsort(low, kind="stable")

    def free_beside(self, place: int, size: int) -> int:
        """Beside how many of the first ranges there is room at a place."""
        end = place + size
        if end > self._capacity:
            return -1
        inside = (self._low < end) & (place < self._high)
        first = int(inside.argmax()) if len(inside) else 0
        return first if len(inside) and inside[first] else len(inside)

    def tightest(self, count: int, size: int) -> int | None:
        """The smallest gap with room beside the first `count` ranges; None if there is none."""
        first = self._by_address[self._by_address < count]
        ends = np.concatenate([[0], np.maximum.accumulate(self._high[first])])
        gaps = np.concatenate([self._low[first], [self._capacity]]) - ends
        gaps[gaps < size] = self._capacity + 1
        least = int(gaps.argmin())
        return None if gaps[least] > self._capacity else int(ends[least])
