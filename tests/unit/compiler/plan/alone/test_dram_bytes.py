"""Bytes of all boxes of a grid against box by box: any strides, offsets, bursts, halos, repeated axes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.runs import aligned_runs, unit_of
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.alone.dram_bytes import Intervals, StridedBoxes, packed_bytes
from nnc.compiler.target.transfers import whole_runs
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.types import DType

TYPES = (DType.I8, DType.F16, DType.F32)


@st.composite
def intervals_of(draw: st.DrawFn, extent: int) -> Intervals:
    """The whole axis, or some intervals of it that may overlap."""
    if draw(st.booleans()):
        return Intervals((0,), (extent,))
    lows = draw(st.lists(st.integers(0, extent - 1), min_size=1, max_size=4))
    highs = [draw(st.integers(low + 1, extent)) for low in lows]
    return Intervals(tuple(lows), tuple(highs))


@st.composite
def grids(draw: st.DrawFn) -> tuple[Storage, DType, list[Intervals]]:
    """A tensor in DRAM, dense or with gaps, views of it included, and intervals of its axes."""
    shape = tuple(draw(st.lists(st.sampled_from([1, 2, 3, 4, 5, 8, 16]), min_size=1, max_size=4)))
    strides, step = [0] * len(shape), 1
    for axis in draw(st.permutations(range(len(shape)))):
        strides[axis] = step
        step *= shape[axis] * draw(st.sampled_from([1, 1, 1, 2, 3]))
    offset = draw(st.sampled_from([0, 0, 3, 16, 50]))
    for axis in range(len(shape)):
        how = draw(st.sampled_from(["plain"] * 5 + ["reversed", "repeated"]))
        if how == "reversed":
            offset, strides[axis] = offset + strides[axis] * (shape[axis] - 1), -strides[axis]
        elif how == "repeated":
            strides[axis] = 0
    storage = Storage("x", offset, shape, tuple(strides))
    return storage, draw(st.sampled_from(TYPES)), [draw(intervals_of(n)) for n in shape]


def boxes_of(storage: Storage, intervals: list[Intervals]) -> Iterator[Storage]:
    """Every box of the product of the intervals."""
    for box in product(*(zip(mine.low, mine.high, strict=True) for mine in intervals)):
        shape = tuple(high - low for low, high in box)
        yield storage.box(tuple(low for low, _ in box), shape)


def operand(box: Storage, dtype: DType) -> Operand:
    """A box of a buffer at address 0."""
    size = dtype.itemsize
    strides = tuple(size * stride for stride in box.strides)
    return Operand(DRAM, size * box.offset, dtype, box.shape, strides)


@given(grids(), st.sampled_from([1, 4, 16, 48, 64, 256]))
def test_bytes_are_those_of_every_box(grid: tuple[Storage, DType, list[Intervals]], burst: int) -> None:
    storage, dtype, intervals = grid
    expected = sum(burst_bytes(operand(box, dtype), burst) for box in boxes_of(storage, intervals))
    assert StridedBoxes(storage, dtype, burst).nbytes(intervals) == expected


@given(grids(), st.sampled_from([16, 64]), st.sampled_from([8, 16, 32]))
def test_bytes_in_whole_units_are_those_of_the_runs_of_every_box(
    grid: tuple[Storage, DType, list[Intervals]], burst: int, transfer_unit: int
) -> None:
    storage, dtype, intervals = grid
    expected = 0
    for box in boxes_of(storage, intervals):
        place = operand(box, dtype)
        unit = unit_of(dtype, transfer_unit)
        on_chip = replace(place, address=aligned_runs(box, unit).lead * dtype.itemsize)
        sides = whole_runs(place, replace(on_chip, strides=place.strides), transfer_unit)
        if sides is None:  # the runs as they are laid out on chip
            runs = aligned_runs(box, unit)
            strides = tuple(dtype.itemsize * s for s in runs.strides(box.shape, box.strides))
            low = dtype.itemsize * runs.offset(box.shape, box.strides)
            sides = whole_runs(place, replace(place, address=low, strides=strides), transfer_unit)
        assert sides is not None
        expected += burst_bytes(sides[0], burst)
    assert StridedBoxes(storage, dtype, burst, transfer_unit).nbytes(intervals) == expected


@given(grids())
def test_average_over_phases_is_exact_without_bursts(grid: tuple[Storage, DType, list[Intervals]]) -> None:
    """And with bursts it is never below the bytes of the elements."""
    storage, dtype, intervals = grid
    found = []
    for burst in (1, 64):
        boxes = StridedBoxes(storage, dtype, burst)
        pairs = [boxes.ends(axis, mine) for axis, mine in enumerate(intervals)]
        ends, wholes = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
        totals = np.array([mine.total for mine in intervals], dtype=float)
        found.append(float(boxes.average(ends, wholes, totals)[0]))
    exact = StridedBoxes(storage, dtype, 1).nbytes(intervals)
    assert found[0] == exact <= found[1] + 1e-6


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=5), st.lists(st.integers(1, 9), min_size=1, max_size=5)
)
def test_pieces_of_constants_are_packed(rows: list[int], columns: list[int]) -> None:
    intervals = [Intervals((0,) * len(extents), tuple(extents)) for extents in (rows, columns)]
    expected = sum(round_up(4 * a * b, 64) for a in rows for b in columns)
    assert packed_bytes(intervals, 4, 64) == expected
    in_units = sum(round_up(round_up(4 * a * b, 12), 64) for a in rows for b in columns)
    assert packed_bytes(intervals, 4, 64, 6) == in_units


def test_example_of_the_manual() -> None:
    boxes = StridedBoxes(Storage("picture", 0, (4, 6), (6, 1)), DType.F32, 64)
    assert boxes.nbytes((Intervals((0, 2), (2, 4)), Intervals((0,), (6,)))) == 64 + 128


def test_chunks_of_intervals() -> None:
    mine = Intervals((0, 4), (5, 9)).in_chunks(2)
    assert mine.low == (0, 2, 4, 4, 6, 8) and mine.high == (2, 4, 5, 6, 8, 9)
    assert (mine.total, mine.largest) == (10, 2) and dict(mine.counted) == {2: 4, 1: 2}
