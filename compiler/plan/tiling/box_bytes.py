"""DRAM bytes of all boxes of a grid, whole bursts of every run included, without listing the boxes.

Boxes are products of intervals, one set of intervals per axis.  Where a run starts within a burst is a sum
over the axes, so that counting starts (modulo the burst) axis by axis finds the bytes of all boxes exactly.

in:   how an operand lies in DRAM; per axis, the intervals that tiles cut of it
out:  bytes that move if every box moves once

    A picture of 4 rows of 6 f32 (24 B), bursts of 64 B, in two boxes of 2 rows (48 B, at 0 and at 48):

    boxes = StridedBoxes(Storage("picture", 0, (4, 6), (6, 1)), DType.F32, 64)
    boxes.nbytes((Intervals((0, 2), (2, 4)), Intervals((0,), (6,)))) == 64 + 128
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.runs import aligned_runs, most_elements, piece_bytes, unit_of
from nnc.compiler.ir.storage import Storage, permute
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes, run_bytes
from nnc.isa.types import DType

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def held_elements(storage: Storage | None, dtype: DType, tile: tuple[int, ...], nbytes: int) -> int:
    """Elements that a tile takes on chip at most, where the DMA moves units of so many bytes.

    A constant (no storage) is packed without gaps.
    """
    unit = unit_of(dtype, nbytes)
    return prod(tile) if storage is None or unit == 1 else most_elements(storage, tile, unit)


@dataclass(frozen=True, eq=False)
class Intervals:
    """What tiles cut of one axis, in the order of the tiles: low[k] ≤ i < high[k], none empty."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    @staticmethod
    def of(low: Iterable[int], high: Iterable[int]) -> Intervals:
        """From bounds of which some may be empty: these are left out."""
        kept = [(a, b) for a, b in zip(low, high, strict=True) if b > a]
        return Intervals(tuple(a for a, _ in kept), tuple(b for _, b in kept))

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """Elements of every interval."""
        return tuple(b - a for a, b in zip(self.low, self.high, strict=True))

    @cached_property
    def total(self) -> int:
        """Elements of all intervals; those that two of them share count twice."""
        return sum(self.extents)

    @cached_property
    def largest(self) -> int:
        """Elements of the largest interval."""
        return max(self.extents)

    @cached_property
    def counted(self) -> list[tuple[int, int]]:
        """Extents, and how many intervals have each."""
        return [*Counter(self.extents).items()]

    def in_chunks(self, chunk: int) -> Intervals:
        """Every interval cut into chunks of its own."""
        pairs = [
            (at, min(at + chunk, b))
            for a, b in zip(self.low, self.high, strict=True)
            for at in range(a, b, chunk)
        ]
        return Intervals(tuple(a for a, _ in pairs), tuple(b for _, b in pairs))


def packed_bytes(intervals: Sequence[Intervals], itemsize: int, burst: int, transfer_unit: int = 1) -> int:
    """Bytes of boxes of a constant: each is packed, dense and at the start of a burst, in whole units."""
    return sum(
        round_up(piece_bytes(prod(extent for extent, _ in box), itemsize, transfer_unit), burst)
        * prod(count for _, count in box)
        for box in product(*(mine.counted for mine in intervals))
    )


class StridedBoxes:
    """An operand in DRAM whose boxes are to be priced.

    Args:
        storage: where its elements lie; the buffer starts with a burst.
        burst: bytes that a transfer moves at least; transfer_unit: of which it moves whole multiples.
    """

    def __init__(self, storage: Storage, dtype: DType, burst: int, transfer_unit: int = 1) -> None:
        self._storage, self._dtype, self._itemsize = storage, dtype, dtype.itemsize
        self._shape, self._transfer_unit, self._real_burst = storage.shape, transfer_unit, burst
        self._strides = [dtype.itemsize * stride for stride in storage.strides]
        self._offset, self._burst = dtype.itemsize * storage.offset, lcm(burst, transfer_unit)
        real = [(abs(stride), axis) for axis, stride in enumerate(self._strides) if stride]
        self._axes = sorted((stride, axis) for stride, axis in real if storage.shape[axis] > 1)
        self._level = {axis: level for level, (_, axis) in enumerate(self._axes)}  # 0: innermost
        self._repeated = [axis for axis in range(len(self._shape)) if axis not in self._level]
        gaps = [level for level, (stride, _) in enumerate(self._axes) if stride > self._length(level)]
        self._broken = min(gaps, default=len(self._axes))
        self._unit = gcd(self._burst, self._offset, self._itemsize, *(stride for stride, _ in self._axes))
        self._phases = self._burst // self._unit
        self._shifts = np.add.outer(np.arange(self._phases), np.arange(self._phases)) % self._phases
        self._spread: dict[tuple[int, Intervals], Ints | int] = {}
        self._runs: dict[tuple[int, Intervals], tuple[Ints, int, int]] = {}
        self._ends: dict[tuple[int, Intervals], tuple[float, int]] = {}

    def _in_whole_units(self, intervals: Sequence[Intervals]) -> int:
        """Bytes of all boxes where the DMA moves whole units: one of all boxes alike is looked at."""
        total = 0
        alike = (self._alike(axis, mine) for axis, mine in enumerate(intervals))
        for box in product(*(kinds.items() for kinds in alike)):
            places = [place for place, _ in box]
            starts = zip((low for low, _ in places), self._storage.strides, strict=True)
            offset = self._storage.offset + sum(low * stride for low, stride in starts)
            shape = tuple(extent for _, extent in places)
            mine = Storage(self._storage.buffer, offset, shape, self._storage.strides)
            runs = aligned_runs(mine, unit_of(self._dtype, self._transfer_unit))
            first = (mine.offset - runs.offset(shape, mine.strides)) * self._itemsize
            strides = (*(self._strides[axis] for axis in runs.outside), self._itemsize)
            moved = (*permute(shape, runs.outside), runs.length)
            nbytes = burst_bytes(Operand(DRAM, first, self._dtype, moved, strides), self._real_burst)
            total += nbytes * prod(count for _, count in box)
        return total

    def _alike(self, axis: int, mine: Intervals) -> dict[tuple[int, int], int]:
        """(first element, extent) of an interval of each kind, and how many start alike within a burst."""
        places: dict[tuple[int, int], tuple[int, int]] = {}
        counts: Counter[tuple[int, int]] = Counter()
        for low, extent in zip(mine.low, mine.extents, strict=True):
            kind = (low * self._strides[axis] % self._burst, extent)
            counts[places.setdefault(kind, (low, extent))] += 1
        return counts

    def nbytes(self, intervals: Sequence[Intervals]) -> int:
        """Bytes of all boxes of the product of the intervals of every axis."""
        if self._transfer_unit > 1:
            return self._in_whole_units(intervals)
        times, total, start, length = 1, 0, self._offset, self._itemsize
        for axis in self._repeated:
            times *= len(intervals[axis].low)
        for level, (stride, axis) in enumerate(self._axes):
            if stride > length:
                return total + times * self._repeated_runs(self._from(start, length), level, intervals)
            mine = intervals[axis]
            runs, whole, first = self._runs_along(level, length, mine)
            if whole < len(mine.low):
                total += times * self._repeated_runs(self._at(runs, start), level + 1, intervals)
            if not whole:
                return total
            times, start, length = times * whole, start + first, length + stride * (mine.largest - 1)
        return total + times * int(run_bytes(np.int64(start), np.int64(length), self._burst))

    def quantum(self, axis: int) -> int:
        """Elements along an axis after which runs start alike within a burst."""
        return self._burst // gcd(self._burst, self._strides[axis])

    def ends(self, axis: int, intervals: Intervals) -> tuple[float, int]:
        """Bytes of the runs that end within intervals of an axis; how many intervals run on into the next.

        On the average over where runs start within a burst.  All inner axes are whole.
        """
        key = (axis, intervals)
        if key not in self._ends:
            self._ends[key] = self._find_ends(axis, intervals)
        return self._ends[key]

    def _find_ends(self, axis: int, intervals: Intervals) -> tuple[float, int]:
        level = self._level.get(axis)
        if level is None:
            return 0.0, len(intervals.low)
        if level >= self._broken:
            return 0.0, intervals.total
        runs, whole, _ = self._runs_along(level, self._length(level), intervals)
        step = gcd(self._burst, *(stride for stride, _ in self._axes[level + 1 :])) // self._unit
        return float(runs[self._offset // self._unit % step :: step].mean()), whole

    def average(self, ends: Sequence[Floats], wholes: Sequence[Floats], totals: Sequence[Floats]) -> Floats:
        """Bytes of all boxes as `nbytes` would find them if runs started evenly within bursts.

        Args:
            ends, wholes: per axis, what `ends` says; totals: elements of its intervals.  They may be arrays.
        """
        level = len(self._axes)
        nbytes = self._whole_run()
        outer: Floats = np.ones(1)
        for level in reversed(range(len(self._axes))):
            axis = self._axes[level][1]
            nbytes = ends[axis] * outer + wholes[axis] * nbytes
            outer = outer * totals[axis]
        for axis in self._repeated:
            nbytes = nbytes * wholes[axis]
        return nbytes

    def _length(self, level: int) -> int:
        """Bytes of a run of whole inner axes."""
        if level == 0:
            return self._itemsize
        stride, axis = self._axes[level - 1]
        return stride * self._shape[axis]

    def _whole_run(self) -> Floats:
        """Bytes of a run of all axes that lie without gaps."""
        length, step = self._length(self._broken), self._unit
        if self._broken < len(self._axes):
            step = gcd(self._burst, *(stride for stride, _ in self._axes[self._broken :]))
        else:
            step = self._burst
        starts = np.arange(self._offset % step, self._burst, step, dtype=np.int64)
        return np.array([run_bytes(starts, np.int64(length), self._burst).mean()])

    def _start(self, axis: int, low: int, high: int) -> int:
        """Bytes from the first element of the tensor to the first of an interval, by address."""
        stride = self._strides[axis]
        return stride * (low if stride > 0 else high - 1)

    def _runs_along(self, level: int, length: int, mine: Intervals) -> tuple[Ints, int, int]:
        """Bytes of the runs that end within an axis, by phase; how many intervals run on; where these start.

        Args:
            length: bytes of one step along the axis, all of whose inner axes are whole.
        """
        key = (level, mine)
        if key not in self._runs:
            stride, axis = self._axes[level]
            next_ = self._axes[level + 1][0] if level + 1 < len(self._axes) else None
            lengths = np.array(mine.extents, dtype=np.int64) * stride + (length - stride)
            starts = np.array(
                [self._start(axis, a, b) for a, b in zip(mine.low, mine.high, strict=True)], dtype=np.int64
            )
            ends = np.ones(len(lengths), dtype=bool) if next_ is None else lengths < next_
            on = starts[~ends]
            first = int(on[0]) if len(on) else 0
            self._runs[key] = (self._by_phase(starts[ends], lengths[ends]), len(on), first)
        return self._runs[key]

    def _by_phase(self, starts: Ints, lengths: Ints) -> Ints:
        """Bytes of runs, if they all start so many units later."""
        phases = np.arange(self._phases, dtype=np.int64)[:, None] * self._unit
        return np.asarray(run_bytes(starts + phases, lengths, self._burst).sum(axis=1))

    def _from(self, start: int, length: int) -> Ints:
        return self._by_phase(np.array([start], dtype=np.int64), np.array([length], dtype=np.int64))

    def _at(self, runs: Ints, start: int) -> Ints:
        return runs if start % self._burst == 0 else np.roll(runs, -(start // self._unit))

    def _repeated_runs(self, runs: Ints, level: int, intervals: Sequence[Intervals]) -> int:
        """Bytes of runs that are repeated for every place along the axes from a level outwards."""
        times = 1
        for at in range(level, len(self._axes)):
            spread = self._spread_along(at, intervals[self._axes[at][1]])
            if isinstance(spread, int):
                times *= spread
            else:
                runs = runs[self._shifts] @ spread
        return times * int(runs[0])

    def _spread_along(self, level: int, mine: Intervals) -> Ints | int:
        """How many places of an axis shift a run by so many units within a burst; one number if none does."""
        key = (level, mine)
        if key not in self._spread:
            stride = self._strides[self._axes[level][1]]
            if stride % self._burst == 0 or self._phases == 1:
                self._spread[key] = mine.total
            else:
                places = np.concatenate([np.arange(a, b) for a, b in zip(mine.low, mine.high, strict=True)])
                shifts = places * stride // self._unit % self._phases
                self._spread[key] = np.bincount(shifts, minlength=self._phases)
        return self._spread[key]
