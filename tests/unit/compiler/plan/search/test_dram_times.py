"""The DRAM of estimates: 16 bytes per cycle of the preset, a latency of 100 cycles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import nnc
from nnc.compiler.plan.search.dram_times import DramEnd, DramTimes

CHIP = nnc.load_chip("npu")
NOTHING_MOVED = DramEnd()
LATENCY, RATE = CHIP.dram.latency, CHIP.dram.bytes_per_cycle


def dram(before: DramEnd = NOTHING_MOVED) -> DramTimes:
    return DramTimes(CHIP, 1, before)


def test_a_load_takes_a_latency_and_its_bytes() -> None:
    assert dram().load(500 * RATE, 0) == LATENCY + 500


def test_a_load_takes_as_long_as_the_move_on_chip_at_the_least() -> None:
    assert dram().load(RATE, 0, least=700) == LATENCY + 700


def test_a_load_uses_a_time_in_which_nothing_moves_but_overtakes_no_load() -> None:
    times = dram()
    times.store(100 * RATE, 2000, result=0)  # from 2,100 on
    assert times.load(300 * RATE, 0) == LATENCY + 300, "before the store, which was asked for first"
    assert times.load(RATE, 0) == LATENCY + 301, "behind the load before it"


def test_results_leave_in_the_order_of_stores() -> None:
    times = dram()
    for ready in (0, 1000):
        times.store(16 * RATE, ready, result=64)
    assert times.stored_but(128) < 0, "as many bytes may be left"
    assert times.stored_but(64) == LATENCY + 16
    assert times.stored_but(0) == 1000 + LATENCY + 16


def test_times_go_on_in_the_next_group() -> None:
    times = dram()
    times.load(500 * RATE, 0)
    behind = dram(times.end(400))
    assert behind.load(10 * RATE, -400) == LATENCY + 500 - 400 + 10


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 99), st.integers(0, 999)), min_size=1, max_size=12))
def test_no_byte_moves_twice_as_fast(moves: list[tuple[bool, int, int]]) -> None:
    """(load or store, cycles' worth of bytes, ready) in turn."""
    times = dram()
    for is_load, cycles, ready in moves:
        if is_load:
            assert times.load(cycles * RATE, ready) >= ready + LATENCY + cycles
        else:
            times.store(cycles * RATE, ready, result=0)
    first = min(ready for _, _, ready in moves) + LATENCY
    assert times.last >= first + sum(cycles for _, cycles, _ in moves)
