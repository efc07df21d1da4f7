"""Bytes of operands against brute force: runs, hulls, overlaps, whole bursts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.isa.operand import Operand, burst_bytes, dense_strides
from nnc.isa.types import DType

QUICK = settings(max_examples=300, deadline=None)


@st.composite
def blocks(draw: st.DrawFn) -> Operand:
    """Small blocks with any strides: gaps, repeats, overlaps, reversals; some without elements."""
    shape = draw(st.lists(st.sampled_from([0, *[1, 2, 3, 4] * 3]), max_size=3))
    strides = draw(st.lists(st.integers(-24, 24), min_size=len(shape), max_size=len(shape)))
    dtype = draw(st.sampled_from([DType.I8, DType.F16, DType.F32, DType.F64]))
    return Operand("sram", draw(st.integers(220, 260)), dtype, tuple(shape), tuple(strides))


@st.composite
def tiles(draw: st.DrawFn) -> Operand:
    """Tiles of a row-major tensor, as compilers make them."""
    whole = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
    shape = tuple(draw(st.integers(1, extent)) for extent in whole)
    address = draw(st.integers(0, 100))
    order = draw(st.permutations(range(len(whole))))
    strides = dense_strides(tuple(whole), 4)
    return Operand(
        "sram", address, DType.F32, tuple(shape[i] for i in order), tuple(strides[i] for i in order)
    )


def touched(op: Operand) -> set[int]:
    """Addresses of all bytes of a block, one element at a time."""
    found: set[int] = set()
    for index in itertools.product(*map(range, op.shape)):
        start = op.address + sum(i * stride for i, stride in zip(index, op.strides, strict=True))
        found.update(range(start, start + op.dtype.itemsize))
    return found


@QUICK
@given(blocks() | tiles())
def test_runs_are_the_bytes(op: Operand) -> None:
    starts, length = op.runs()
    assert {byte for start in starts.tolist() for byte in range(start, start + length)} == touched(op)
    assert starts.tolist() == sorted(set(starts.tolist()))
    low, high = op.hull
    assert (low, high) == (min(touched(op), default=op.address), max(touched(op), default=op.address - 1) + 1)
    assert op.nbytes == op.elements * op.dtype.itemsize


@QUICK
@given(tiles())
def test_runs_of_tiles_are_the_longest(op: Operand) -> None:
    ordered = sorted(touched(op))
    gaps = sum(1 for a, b in itertools.pairwise(ordered) if b != a + 1)
    assert len(op.runs()[0]) == gaps + 1


@QUICK
@given(blocks() | tiles(), blocks() | tiles())
def test_overlaps(a: Operand, b: Operand) -> None:
    shared = touched(a) & touched(b)
    assert a.overlaps(b) == b.overlaps(a) == bool(shared)
    elsewhere = Operand("am", b.address, b.dtype, b.shape, b.strides)
    assert not a.overlaps(elsewhere)


@QUICK
@given(tiles(), st.sampled_from([1, 3, 16, 64]))
def test_burst_bytes_are_whole_bursts_of_every_run(op: Operand, burst: int) -> None:
    ordered = sorted(touched(op))
    runs = [[ordered[0]]]
    for byte in ordered[1:]:
        if byte == runs[-1][-1] + 1:
            runs[-1].append(byte)
        else:
            runs.append([byte])
    expected = sum(len({byte // burst for byte in run}) for run in runs) * burst
    assert burst_bytes(op, burst) == expected


def test_known_bursts() -> None:
    dense = Operand.dense("dram", 0, DType.F32, (4, 16))
    assert burst_bytes(dense, 64) == 256
    assert burst_bytes(Operand.dense("dram", 4, DType.F32, (4, 16)), 64) == 320
    column = Operand("dram", 0, DType.F32, (100,), (256,))
    assert burst_bytes(column, 64) == 6400
    assert burst_bytes(Operand("dram", 0, DType.F32, (100,), (0,)), 64) == 64


def test_interleaved_strides_stay_within_the_hull() -> None:
    """2^54 elements in 256 KiB, as a hostile program may name them, do not take the memory for them."""
    extent = 2**18
    op = Operand("sram", 0, DType.I8, (extent, extent, extent), (1, 1, 1))
    starts, length = op.runs()
    assert (starts.tolist(), length) == ([0], 3 * (extent - 1) + 1)
    sparse = Operand("sram", 0, DType.I8, (20_000, 20_000), (3, 5))
    starts, length = sparse.runs()
    assert len(starts) * length < 2**18


def test_dense_and_text() -> None:
    op = Operand.dense("sram", 0x400, DType.F32, (1, 34, 226, 16))
    assert op.is_dense and str(op) == "sram+0x400 f32[1,34,226,16]"
    assert op.strides == np.zeros(op.shape, np.float32).strides
    assert str(Operand("am", 8, DType.I8, (2, 3), (16, -1))) == "am+0x8 i8[2,3]{16,-1}"
    assert str(Operand.dense("am", 0, DType.F16, ())) == "am+0x0 f16[]"


@pytest.mark.parametrize("dtype", DType)
def test_element_types_are_numpys(dtype: DType) -> None:
    assert DType.from_numpy(dtype.numpy) is dtype
    assert DType.from_numpy(dtype.numpy.newbyteorder(">")) is dtype
    assert dtype.itemsize == dtype.numpy.itemsize
    assert dtype.is_float == (dtype.computed.numpy.kind == "f")
    assert dtype.is_stored == (dtype.numpy.isbuiltin != 1)


def test_types_that_the_chip_lacks() -> None:
    with pytest.raises(ValueError, match="complex64"):
        DType.from_numpy(np.complex64)
