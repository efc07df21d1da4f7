"""Blocks of a memory that begin earlier than they are needed, as far as others leave them the place.

in:   live ranges in the order of demand, an offset of every block
out:  longer live ranges; a block that begins earlier may lie elsewhere
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.place.live_ranges import Extent, spans_of
from nnc.compiler.tuning import TUNING

Ints = npt.NDArray[np.int64]


class MovingBlocks:
    """The blocks of one memory: where they lie, and when they are alive (places in the order of demand).

    They are numbered as they begin in that order, first those that live briefly, then the others: so what may
    be alive in a stretch of time is two ranges of numbers, neither of which a long life makes longer.

    A divided block has a number for each of its pieces, which stay where they lie, and begin no earlier.
    """

    def __init__(self, lives: Sequence[Extent], offsets: dict[str, int], capacity: int, align: int) -> None:
        self.align, self.capacity = align, capacity // align * align
        owners = [life.name for life in lives for _ in life.pieces or (None,)]
        spans = spans_of(lives, align)
        begins = np.arange(len(spans))
        if any(life.pieces for life in lives):
            begins = np.argsort(spans[:, 2], kind="stable")
        is_long = (spans[:, 3] - spans[:, 2] >= TUNING.place.brief_places)[begins]
        order = np.argsort(is_long, kind="stable")
        which, few = begins[order], len(spans) - int(np.count_nonzero(is_long))
        names = [owners[number] for number in which.tolist()]
        self._ranges = (0, few), (few, len(spans))
        self._demanded: list[int] = spans[which, 2].tolist()
        self._divided = {life.name: offsets[life.name] for life in lives if life.pieces}
        self.index = {name: number for number, name in enumerate(names) if name not in self._divided}
        base = np.array([offsets[name] for name in names], dtype=np.int64)
        low, high, first, last = spans[which].T
        self._blocks = np.stack([first, last, low + base, high + base, order], axis=1)
        self.first, self.last, self.low, self.high, _ = self._blocks.T  # the same bytes
        self._here = np.zeros(5, dtype=np.int64)  # what the columns of a block are counted from
        self._known: dict[Hashable, tuple[int, int]] = {}
        reach = [np.maximum.accumulate(self.last[slice(*bounds)]) for bounds in self._ranges]
        self._reach: list[int] = np.concatenate(reach).tolist()  # ends stay: blocks begin earlier at most

    def offsets(self) -> Iterator[tuple[str, int]]:
        """Where every block lies, by name."""
        low: list[int] = self.low.tolist()
        yield from self._divided.items()
        yield from ((name, low[number]) for name, number in self.index.items())

    def begin_earlier(self, name: str, lowest: int) -> int:
        """Let an undivided block begin as early as possible, not before `lowest`: it may move.  The place.

        Places are counted from where it begins now, and no names matter: tiles that are worked through alike
        ask the same again and again, so each question is answered once.
        """
        number = self.index[name]
        begin, end, low, high, order = self._blocks[number].tolist()
        if lowest >= begin:
            return int(begin)
        blocks = [
            self._blocks[bisect_left(self._reach, lowest, *span) : bisect_right(self._demanded, end, *span)]
            for span in self._ranges
        ]
        self._here[:2], self._here[4] = begin, order
        near = (np.concatenate(blocks) if len(blocks[1]) else blocks[0]) - self._here
        key = None
        if len(near) <= TUNING.place.max_blocks_remembered:
            key = lowest - begin, end - begin, low, high, near.tobytes()
        answer = self._known.get(key)
        if answer is None:
            answer = self._earliest(near, (end - begin, low, high), lowest - begin)
            if key is not None:
                self._known[key] = answer
        earlier, place = answer
        if earlier < 0:
            self._blocks[number, :4] = begin + earlier, end, place, place + high - low
        return int(begin + earlier)

    def _earliest(self, near: Ints, block: tuple[int, int, int], lowest: int) -> tuple[int, int]:
        """How many steps earlier a block may begin (negative), and where it lies then.

        The earlier it begins, the more blocks are alive beside it: bisection finds how many leave a gap.

        Args:
            near: rows of the block, the last column of which is 0, and of those that may be alive beside it.
            block: its last step, low and high byte; steps are counted from where it begins now.
        """
        end, low, high = block
        beside = near[(near[:, 1] >= lowest) & (near[:, 0] <= end) & (near[:, 4] != 0)]
        _, last, lows, highs, order = beside.T
        if not np.count_nonzero((lows < high) & (highs > low)):
            return lowest, low  # where it lies, nobody is in its way
        place, size = low, high - low
        latest_first = np.lexsort((order, -last))
        ends, taken = last[latest_first], _Taken(lows[latest_first], highs[latest_first], self.capacity)
        few, many = int(np.count_nonzero(last >= 0)), len(ends) + 1
        free = taken.free_beside(place, size)
        while many - few > 1:  # beside `few` there is room at `place`; beside `many` there is none
            middle = (few + many) // 2
            if middle <= free:
                few = middle
                continue
            gap = taken.tightest(middle, size)
            if gap is None:
                many = middle
            else:
                few, place, free = middle, gap, taken.free_beside(gap, size)
        return lowest if few == len(ends) else min(0, int(ends[few]) + 1), place


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
