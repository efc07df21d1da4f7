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
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from math import gcd, lcm, prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.runs import aligned_runs, piece_bytes, unit_of
from nnc.compiler.ir.storage import Storage, permute
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes, run_bytes
from nnc.isa.types import DType

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Range = tuple[int, int]
"""The first, and the one behind the last."""


def ranges(low: int, high: int, step: int) -> list[Range]:
    """A range cut every `step` elements."""
    return [(start, min(start + step, high)) for start in range(low, high, step)]


@dataclass(frozen=True, eq=False)
class Intervals:
    """What tiles cut of one axis, in the order of the tiles: low[k] ≤ i < high[k], none empty."""

    low: tuple[int, ...]
    high: tuple[int, ...]

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """Elements of every interval."""
        return tuple(b - a for a, b in zip(self.low, self.high, strict=True))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.low)

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

    def in_chunks(self, chunk: int | None) -> Intervals:
        """Every interval cut into chunks of its own; as they are, if there are none."""
        if chunk is None or chunk >= self.largest:
            return self
        pieces = [ranges(low, high, chunk) for low, high in zip(self.low, self.high, strict=True)]
        return Intervals(*zip(*chain.from_iterable(pieces), strict=True))


def packed_bytes(intervals: Sequence[Intervals], itemsize: int, burst: int, transfer_unit: int = 1) -> int:
    """Bytes of boxes of a constant: each is packed, dense and at the start of a burst, in whole units."""
    return sum(
        round_up(piece_bytes(prod(extent for extent, _ in box), itemsize, transfer_unit), burst)
        * prod(count for _, count in box)
        for box in product(*(axis_intervals.counted for axis_intervals in intervals))
    )


class StridedBoxes:
    """An operand in DRAM whose boxes are to be priced.

    Args:
        storage: where its elements lie; the buffer starts with a burst.
        burst: bytes that a transfer moves at least; transfer_unit: of which it moves whole multiples.
    """

    def __init__(self, storage: Storage, dtype: DType, burst: int, transfer_unit: int = 1) -> None:
        self._storage, self._dtype, self._itemsize = storage, dtype, dtype.itemsize
        self._transfer_unit, self._real_burst = transfer_unit, burst
        self._strides = [dtype.itemsize * stride for stride in storage.strides]
        self._offset, self._burst = dtype.itemsize * storage.offset, lcm(burst, transfer_unit)
        real = [(abs(stride), axis) for axis, stride in enumerate(self._strides) if stride]
        self._axes = sorted((stride, axis) for stride, axis in real if storage.shape[axis] > 1)
        self._level = {axis: level for level, (_, axis) in enumerate(self._axes)}  # 0: innermost
        self._repeated = [axis for axis in range(len(storage.shape)) if axis not in self._level]
        gaps = [level for level, (stride, _) in enumerate(self._axes) if stride > self._length(level)]
        self._broken = min(gaps, default=len(self._axes))
        self._unit = gcd(self._burst, self._offset, self._itemsize, *(stride for stride, _ in self._axes))
        self._phases = np.arange(self._burst // self._unit)
        self._shifts = np.add.outer(self._phases, self._phases) % len(self._phases)

    def nbytes(self, intervals: Sequence[Intervals]) -> int:
        """Bytes of all boxes of the product of the intervals of every axis."""
        if self._transfer_unit > 1:
            return self._in_whole_units(intervals)
        times, total = prod(len(intervals[axis].low) for axis in self._repeated), 0
        start, length = self._offset, self._itemsize  # of the runs that go on, and are times
        for level, (stride, axis) in enumerate(self._axes):
            along = intervals[axis]
            if stride > length:
                runs = self._by_phase([0], [length])
                return total + times * self._repeated_runs(runs, start, level, intervals)
            runs, whole, first = self._runs_along(level, length, along)
            if whole < len(along.low):
                total += times * self._repeated_runs(runs, start, level + 1, intervals)
            if not whole:
                return total
            times, start, length = times * whole, start + first, length + stride * (along.largest - 1)
        return total + times * int(run_bytes(np.int64(start), np.int64(length), self._burst))

    def _in_whole_units(self, intervals: Sequence[Intervals]) -> int:
        """Bytes of all boxes where the DMA moves whole units: one of all boxes alike is looked at."""
        kinds = []
        for axis, along in enumerate(intervals):
            alike = self.quantum(axis)  # boxes so far apart start alike within a burst
            kinds.append(
                Counter((low % alike, high - low) for low, high in zip(along.low, along.high, strict=True))
            )
        total, strides, unit = 0, self._storage.strides, unit_of(self._dtype, self._transfer_unit)
        for box in product(*(kind.items() for kind in kinds)):
            offset = sum(low * stride for ((low, _), _), stride in zip(box, strides, strict=True))
            shape = tuple(extent for (_, extent), _ in box)
            offset += self._storage.offset
            runs = aligned_runs(Storage(self._storage.buffer, offset, shape, strides), unit)
            first = (offset - runs.offset(shape, strides)) * self._itemsize
            steps = (*(self._strides[axis] for axis in runs.outside), self._itemsize)
            moved = Operand(DRAM, first, self._dtype, (*permute(shape, runs.outside), runs.length), steps)
            total += burst_bytes(moved, self._real_burst) * prod(count for _, count in box)
        return total

    def quantum(self, axis: int) -> int:
        """Elements along an axis after which runs start alike within a burst."""
        return self._burst // gcd(self._burst, self._strides[axis])

    def ends(self, axis: int, intervals: Intervals) -> tuple[float, int]:
        """Bytes of the runs that end within intervals of an axis; how many intervals run on into the next.

        On the average over where runs start within a burst.  All inner axes are whole.
        """
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
        step = gcd(self._burst, *(stride for stride, _ in self._axes[self._broken :]))
        starts = np.arange(self._offset % step, self._burst, step, dtype=np.int64)
        whole_runs = run_bytes(starts, np.int64(self._length(self._broken)), self._burst)
        nbytes, outer = np.array([whole_runs.mean()]), np.ones(1)
        for _, axis in reversed(self._axes):
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
        return stride * self._storage.shape[axis]

    def _runs_along(self, level: int, length: int, intervals: Intervals) -> tuple[Ints, int, int]:
        """Bytes of the runs that end within an axis, by phase; how many intervals run on; where these start.

        Args:
            length: bytes of one step along the axis, all of whose inner axes are whole.
        """
        stride, axis = self._axes[level]
        lows, highs = np.array(intervals.low, dtype=np.int64), np.array(intervals.high, dtype=np.int64)
        starts = (lows if self._strides[axis] > 0 else highs - 1) * self._strides[axis]  # by address
        lengths = np.array(intervals.extents, dtype=np.int64) * stride + (length - stride)
        outer = self._axes[level + 1 :]
        ends = lengths < outer[0][0] if outer else np.ones(len(lengths), dtype=bool)
        on = starts[~ends]
        return self._by_phase(starts[ends], lengths[ends]), len(on), int(on[0]) if len(on) else 0

    def _by_phase(self, starts: npt.ArrayLike, lengths: npt.ArrayLike) -> Ints:
        """Bytes of runs, if they all start so many units later."""
        later = self._phases[:, None] * self._unit + np.asarray(starts)
        return np.asarray(run_bytes(later, np.asarray(lengths), self._burst).sum(axis=1))

    def _repeated_runs(self, runs: Ints, start: int, level: int, intervals: Sequence[Intervals]) -> int:
        """Bytes of runs that are repeated for every place along the axes from a level outwards.

        Args:
            runs: bytes by phase; start: bytes by which they all start later.
        """
        times, phases = 1, len(self._phases)
        for stride, axis in self._axes[level:]:
            along = intervals[axis]
            if stride % self._burst == 0 or phases == 1:
                times *= along.total
            else:
                places = np.concatenate([np.arange(a, b) for a, b in zip(along.low, along.high, strict=True)])
                shifts = places * self._strides[axis] // self._unit % phases
                runs = runs[self._shifts] @ np.bincount(shifts, minlength=phases)
        return times * int(runs[start // self._unit % phases])
