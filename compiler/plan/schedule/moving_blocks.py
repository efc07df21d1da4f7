"""Blocks of a memory that live longer than they are needed, as far as others leave them the place.

in:   live ranges in the order of demand, an offset of every block
out:  longer live ranges; a block that begins earlier may lie elsewhere
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.schedule.live_ranges import Life
from nnc.isa.integers import round_up

Ints = npt.NDArray[np.int64]

_BRIEF = 32
"""Places that most blocks are alive: tiles that are loaded, used, and gone."""
_FEW = 32
"""Beside so many blocks, what is found is remembered with all of these; more would take much memory."""


class MovingBlocks:
    """The blocks of one memory: where they lie, and when they are alive (places in the order of demand).

    They are numbered as they begin in that order, first those that live briefly, then the others: so what may
    be alive in a stretch of time is two ranges of numbers, neither of which a long life makes longer.
    """

    def __init__(self, lives: list[Life], offsets: dict[str, int], capacity: int, align: int) -> None:
        self.align, self.capacity = align, capacity // align * align
        order = sorted(
            range(len(lives)), key=lambda number: lives[number].last - lives[number].first >= _BRIEF
        )
        lives = [lives[number] for number in order]
        few = sum(life.last - life.first < _BRIEF for life in lives)
        self._ranges = (0, few), (few, len(lives))
        self.index = {life.block.name: number for number, life in enumerate(lives)}
        low = [offsets[life.block.name] for life in lives]
        high = [at + round_up(life.block.nbytes, align) for at, life in zip(low, lives, strict=True)]
        self._demanded = [life.first for life in lives]
        columns = [self._demanded, [life.last for life in lives], low, high, order]
        self._blocks = np.ascontiguousarray(np.array(columns, dtype=np.int64).T)
        self.first, self.last, self.low, self.high, _ = self._blocks.T  # the same bytes
        self._earliest: dict[Hashable, tuple[int, int]] = {}
        self.settle()

    def settle(self) -> None:
        """All blocks live as long as they will: from now on, they begin earlier at most."""
        reach = [np.maximum.accumulate(self.last[slice(*mine)]) for mine in self._ranges]
        self._reach: list[int] = np.concatenate(reach).tolist()

    def begin_earlier(self, name: str, lowest: int) -> int:
        """Let a block begin as early as possible, not before `lowest`; it may move.  Returns the place.

        All is counted from where it begins now, and no names matter: tiles that are worked through alike ask
        the same again and again, so each question is answered once.
        """
        me = self.index[name]
        row: list[int] = self._blocks[me].tolist()
        begin, end, low, high, number = row
        if lowest >= begin:
            return begin
        (first, one), (other, last) = (
            (bisect_left(self._reach, lowest, *mine), bisect_right(self._demanded, end, *mine))
            for mine in self._ranges
        )
        beside = np.concatenate((self._blocks[first:one], self._blocks[other:last]))
        beside -= np.array((begin, begin, 0, 0, number))
        own = me - first if me < one else me - other + one - first
        key = own, lowest - begin, beside.tobytes() if len(beside) <= _FEW else None
        if key[-1] is None or key not in self._earliest:
            self._earliest[key] = self._find_earliest(beside, own, lowest - begin)
        ahead, place = self._earliest[key]
        if ahead < 0:
            self._blocks[me, :4] = begin + ahead, end, place, place + high - low
        return begin + ahead

    def _find_earliest(self, blocks: Ints, own: int, lowest: int) -> tuple[int, int]:
        """How many steps earlier a block may begin (negative), and where it lies then.

        The earlier it begins, the more blocks are alive beside it: bisection finds how many leave a gap.

        Args:
            blocks: it and others: first and last step, counted from where it begins, low and high byte, and
                how many begin in between in the order of demand.
            own: its number among these.
        """
        _, until, place, end, _ = blocks[own].tolist()
        alive = (blocks[:, 1] >= lowest) & (blocks[:, 0] <= until)
        alive[own] = False
        _, last, low, high, number = blocks[alive].T
        if not np.count_nonzero((low < end) & (high > place)):
            return lowest, place  # where it lies, nobody is in its way
        size = end - place
        order = np.lexsort((number, -last))
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
        return self._demanded[self.index[name]] < place

    def end_later(self, name: str, wanted: int) -> int:
        """Let a block live until `wanted`, or as long as nothing else begins at its address: returns that."""
        me = self.index[name]
        end = int(self.last[me])
        for mine in self._ranges:
            span = slice(*(bisect_right(self._demanded, place, *mine) for place in (end, wanted)))
            clash = (self.low[span] < self.high[me]) & (self.low[me] < self.high[span])
            if np.count_nonzero(clash):
                wanted = max(end, int(self.first[span][clash].min()) - 1)
        self.last[me] = max(end, wanted)
        return wanted


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
