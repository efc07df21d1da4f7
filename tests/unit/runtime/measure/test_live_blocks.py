"""nnc.runtime.measure.live_blocks: what lies in the memories when, byte by byte."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Load, Store
from nnc.isa.operand import DRAM, Operand, dense_strides
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait
from nnc.isa.timing.streams import timing
from nnc.isa.types import DType
from nnc.runtime.measure.live_blocks import LiveBlock, PeakBytes, bytes_in_use, live_blocks

ROWS, HALF = 4, 2
"""A picture of 4 rows of 4 floats, whose halves of 2 columns are moved apart."""


def half(memory: str, number: int) -> Operand:
    """Columns 0 and 1, or 2 and 3, of all rows."""
    return Operand(memory, number * HALF * 4, DType.F32, (ROWS, HALF), (2 * HALF * 4, 4))


def program_of_halves() -> Program:
    """Both halves are loaded into each other's gaps, then stored."""
    whole = Operand(DRAM, 0, DType.F32, (ROWS, 2 * HALF), dense_strides((ROWS, 2 * HALF), 4))
    out = replace(whole, address=64)
    issued = [Issued(0, Load(dst=half("sram", n), src=half(DRAM, n))) for n in range(2)]
    for n in range(2):
        target = replace(half(DRAM, n), address=64 + half(DRAM, n).address)
        store = Store(dst=target, src=half("sram", n))
        issued.append(Issued(0, store, (Wait(0, Engine.READ, n),)))
    tensors = (Tensor("x", TensorRole.INPUT, whole), Tensor("y", TensorRole.OUTPUT, out))
    return Program(load_chip("npu"), tensors, np.zeros(0, np.uint8), tuple(issued), 128)


def test_blocks_in_the_gaps_of_each_other_are_both_alive() -> None:
    program = program_of_halves()
    streams, timeline = timing(program)
    blocks = live_blocks(program, streams, timeline)
    assert sorted((block.writer, block.last_reader, block.nbytes) for block in blocks) == [
        (0, 2, 32),
        (1, 3, 32),
    ]
    (peak,) = PeakBytes(bytes_in_use(blocks)["sram", 0]).over([0], [timeline.total])
    assert peak == 64


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20), st.integers(1, 9)), min_size=1, max_size=8),
    st.integers(0, 60),
    st.integers(0, 20),
)
def test_the_peak_of_a_span_is_that_of_its_cycles(
    spans: list[tuple[int, int, int]], begin: int, length: int
) -> None:
    blocks = [
        LiveBlock("sram", 0, 0, nbytes, start, start + cycles, nbytes, None, 0, 0)
        for start, cycles, nbytes in spans
    ]
    (peak,) = PeakBytes(bytes_in_use(blocks)["sram", 0]).over([begin], [begin + length])
    cycles = range(begin, begin + max(1, length))
    alive = [sum(block.nbytes for block in blocks if block.begin <= at < block.end) for at in cycles]
    assert peak == max(alive)


@pytest.mark.parametrize(("low", "high", "left"), [(0, 4, [(4, 10)]), (3, 5, [(0, 3), (5, 10)]), (0, 10, [])])
def test_what_is_not_overwritten_stays(low: int, high: int, left: list[tuple[int, int]]) -> None:
    block = LiveBlock("sram", 0, 0, 10, 0, 5, 10, None, 0, 0)
    assert [(piece.low, piece.high) for piece in block.around(low, high)] == left
    assert sum(piece.nbytes for piece in block.around(low, high)) == 10 - (high - low)
