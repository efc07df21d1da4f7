"""Blocks of a memory that begin earlier than they are needed, as far as others leave them the place.

in:   live ranges in the order of demand, an offset of every block
out:  longer live ranges; a block that begins earlier may lie elsewhere
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.place.live_ranges import Life, spans_of
from nnc.compiler.tuning import TUNING

Ints = npt.NDArray[np.int64]


class MovingBlocks:
    """The blocks of one memory: where they lie, and when they are alive (places in the order of demand).

    They are numbered as they begin in that order, first those that live briefly, then the others: so what may
    be alive in a stretch of time is two ranges of numbers, neither of which a long life makes longer.

    A divided block has a number for each of its pieces; they stay where they lie.
    """

    def __init__(self, lives: list[Life], offsets: dict[str, int], capacity: int, align: int) -> None:
        self.align, self.capacity = align, capacity // align * align
        owners = [life.block.name for life in lives for _ in life.pieces or (None,)]
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
        self._numbers(names, lives, self._demanded, offsets)
        base = np.array([offsets[name] for name in names], dtype=np.int64)
        low, high, first, last = spans[which].T
        self._blocks = np.stack([first, last, low + base, high + base, order], axis=1)
        self.first, self.last, self.low, self.high, _ = self._blocks.T  # the same bytes
        self._here = np.zeros(5, dtype=np.int64)  # what the columns of a block are counted from
        self._earliest: dict[Hashable, tuple[int, int]] = {}
        reach = [np.maximum.accumulate(self.last[slice(*mine)]) for mine in self._ranges]
        self._reach: list[int] = np.concatenate(reach).tolist()  # ends stay: blocks begin earlier at most

    def _numbers(
        self, names: Sequence[str], lives: list[Life], first: Sequence[int], offsets: dict[str, int]
    ) -> None:
        """Number the blocks: a divided one as its piece that begins first, and all of its pieces."""
        self.index = {name: number for number, name in enumerate(names)}
        self._base = {life.block.name: offsets[life.block.name] for life in lives if life.pieces}
        self._divided: dict[str, list[int]] = {name: [] for name in self._base}
        for number, name in enumerate(names) if self._base else ():
            if name in self._divided:
                self._divided[name].append(number)
        for name, pieces in self._divided.items():
            self.index[name] = min(pieces, key=first.__getitem__)

    def offsets(self) -> Iterator[tuple[str, int]]:
        """Where every block lies, by name."""
        low: list[int] = self.low.tolist()
        return ((name, self._base.get(name, low[number])) for name, number in self.index.items())

    def _touched(self, name: str, span: tuple[int, int]) -> list[int]:
        """The pieces of a divided block that a range of its bytes touches."""
        low, high = self._base[name] + span[0], self._base[name] + span[1]
        return [me for me in self._divided[name] if self.low[me] < high and low < self.high[me]]

    def _begin_pieces_earlier(self, pieces: list[int], lowest: int) -> int:
        """Let pieces of a divided block begin as early as they all can where they lie."""
        found = lowest
        for me in pieces:
            if (begin := int(self.first[me])) > found:
                beside = (self.low < self.high[me]) & (self.low[me] < self.high) & (self.last < begin)
                found = max(found, int(self.last[beside].max(initial=-1)) + 1)
        self.first[pieces] = np.minimum(self.first[pieces], found)
        return found

    def begin_earlier(self, name: str, lowest: int, touched: tuple[int, int]) -> int:
        """Let a block begin as early as possible, not before `lowest`; it may move.  Returns the place.

        All is counted from where it begins now, and no names matter: tiles that are worked through alike ask
        the same again and again, so each question is answered once.

        Args:
            touched: the first byte that is loaded and the one behind; of a divided block, these begin.
        """
        if name in self._divided:
            return self._begin_pieces_earlier(self._touched(name, touched), lowest)
        me = self.index[name]
        row: list[int] = self._blocks[me].tolist()
        begin, end, low, high, number = row
        if lowest >= begin:
            return begin
        reach, demanded, (brief, long) = self._reach, self._demanded, self._ranges
        first, one = bisect_left(reach, lowest, *brief), bisect_right(demanded, end, *brief)
        other, last = bisect_left(reach, lowest, *long), bisect_right(demanded, end, *long)
        self._here[:2], self._here[4] = begin, number
        beside = self._blocks[first:one] - self._here
        if other < last:
            beside = np.concatenate((beside, self._blocks[other:last] - self._here))
        own = me - first if me < one else me - other + one - first
        are_few = len(beside) <= TUNING.place.max_blocks_remembered
        key = (own, lowest - begin, beside.tobytes()) if are_few else None
        if key is None or key not in self._earliest:
            found = self._find_earliest(beside, own, lowest - begin)
            if key is not None:
                self._earliest[key] = found
        else:
            found = self._earliest[key]
        ahead, place = found
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

    def beside(self, begin: int, end: int, oldest: int) -> tuple[bytes, bytes]:
        """The blocks that some steps begin, and all that may be alive with these, but for names.

        Args:
            begin, end: of the steps; places are counted from the first.
            oldest: what ends before this place does not matter.
        """
        mine = self._begun(begin, end)
        until = int(self.last[mine].max(initial=end))
        spans = [
            np.arange(bisect_left(self._reach, oldest, *of), bisect_right(self._demanded, until, *of))
            for of in self._ranges
        ]
        which = np.concatenate(spans)
        which = which[self.last[which] >= oldest]
        first_number = int(self._blocks[mine, 4].min(initial=len(self._blocks)))
        found = self._blocks[which] - np.array([begin, begin, 0, 0, first_number])
        return found.tobytes(), np.isin(which, mine).tobytes()

    def _begun(self, begin: int, end: int) -> Ints:
        """The numbers of the blocks that some steps begin in the order of demand."""
        spans = [
            np.arange(*(bisect_left(self._demanded, at, *mine) for at in (begin, end)))
            for mine in self._ranges
        ]
        return np.concatenate(spans)

    def rows_of(self, begin: int, end: int) -> Ints:
        """When the blocks live that some steps begin, counted from the first of these, and where they lie."""
        rows: Ints = self._blocks[self._begun(begin, end), :4] - np.array([begin, begin, 0, 0])
        return rows

    def put(self, begin: int, end: int, rows: Ints) -> None:
        """Let the blocks that some steps begin live and lie as others do (`rows_of`)."""
        self._blocks[self._begun(begin, end), :4] = rows + np.array([begin, begin, 0, 0])


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
