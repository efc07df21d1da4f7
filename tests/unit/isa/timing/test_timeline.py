"""The event scheduler against a model that steps cycle by cycle, and hand-computed timelines."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.instructions import Copy, Load, Store
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait
from nnc.isa.timing.streams import timing
from nnc.isa.timing.timeline import Stall, Task, Timeline, schedule, stalls
from nnc.isa.types import DType

READ, COMPUTE, WRITE = ENGINES


def chip_of(bandwidth: int = 16, latency: int = 100, in_flight: int = 4) -> Chip:
    return load_chip(
        "npu",
        [f"dram.bytes_per_cycle={bandwidth}", f"dram.latency={latency}", f"dma.in_flight={in_flight}"],
    )


def step_by_step(
    streams: list[list[Task]], chip: Chip, engines: list[Engine], limit: int = 100_000
) -> Timeline | None:
    """The rules of the scheduler read literally, one cycle after the other; None for a deadlock."""
    count = len(streams)
    start: list[list[int]] = [[] for _ in streams]
    begin: list[list[int]] = [[] for _ in streams]
    end: list[list[int]] = [[] for _ in streams]
    left = [[Fraction(task.dram_bytes) for task in stream] for stream in streams]
    least = [[task.cycles for task in stream] for stream in streams]
    for now in range(limit):
        for s, stream in enumerate(streams):
            room = 1 if engines[s] is COMPUTE else chip.dma.in_flight
            while len(start[s]) < len(stream) and len(start[s]) - len(end[s]) < room:
                if any(len(end[o]) <= i for o, i in stream[len(start[s])].waits):
                    break
                start[s].append(now)
        if all(len(end[s]) == len(streams[s]) for s in range(count)):
            return Timeline(start, begin, end)
        heads = [(s, len(end[s])) for s in range(count) if len(end[s]) < len(start[s])]
        if not heads:
            return None
        ready = [
            (s, p)
            for s, p in heads
            if not streams[s][p].dram_bytes or now >= start[s][p] + chip.dram.latency + streams[s][p].delay
        ]
        for s, p in ready:
            if p == len(begin[s]):
                begin[s].append(now)
        sharers = [(s, p) for s, p in ready if left[s][p] > 0]
        for s, p in sharers:
            left[s][p] -= Fraction(chip.dram.bytes_per_cycle, len(sharers))
        for s, p in ready:
            least[s][p] -= 1
        for s, p in heads:
            if left[s][p] <= 0 and least[s][p] <= 0:
                end[s].append(now + 1)
    raise AssertionError("the model did not finish")


@st.composite
def machines(draw: st.DrawFn) -> tuple[list[list[Task]], Chip, list[Engine]]:
    """Random chips and streams; waits point anywhere, a few of them to deadlocks."""
    chip = chip_of(draw(st.integers(1, 7)), draw(st.integers(0, 6)), draw(st.integers(1, 3)))
    count = draw(st.integers(1, 6))
    engines = draw(st.lists(st.sampled_from(ENGINES), min_size=count, max_size=count))
    sizes = draw(st.lists(st.integers(0, 6), min_size=count, max_size=count))
    wait = st.tuples(st.integers(0, count - 1), st.integers(0, 5))
    streams = []
    for engine, size in zip(engines, sizes, strict=True):
        stream = []
        for position in range(size):
            free = draw(st.integers(0, 9)) == 0
            waits = [w for w in draw(st.lists(wait, max_size=2)) if free or w[1] < min(position, sizes[w[0]])]
            amount, delay = draw(st.integers(1, 40)), draw(st.integers(-chip.dram.latency, 9))
            fixed = engine is COMPUTE or draw(st.integers(0, 3)) == 0
            stream.append(
                Task(cycles=amount, waits=tuple(waits))
                if fixed
                else Task(draw(st.sampled_from([0, 0, 1, 9, 40])), amount, tuple(waits), delay)
            )
        streams.append(stream)
    return streams, chip, engines


@settings(max_examples=400, deadline=None)
@given(machines())
def test_equals_the_cycle_by_cycle_model(machine: tuple[list[list[Task]], Chip, list[Engine]]) -> None:
    streams, chip, engines = machine
    expected = step_by_step(streams, chip, engines)
    if expected is None:
        with pytest.raises(ProgramInvalidError, match="deadlock"):
            schedule(streams, chip, engines=engines)
    else:
        assert schedule(streams, chip, engines=engines) == expected


@settings(max_examples=100, deadline=None)
@given(machines())
def test_idle_and_busy_cycles_fill_the_time_of_each_stream(
    machine: tuple[list[list[Task]], Chip, list[Engine]],
) -> None:
    streams, chip, engines = machine
    if step_by_step(streams, chip, engines) is None:
        return
    timeline = schedule(streams, chip, engines=engines)
    for s, stream in enumerate(streams):
        idle = stalls(streams, timeline, s)
        for stall in idle:
            waited = [(o, i) for o, i in stream[stall.position].waits if o == stall.blocker]
            assert timeline.start[s][stall.position] in [timeline.end[o][i] for o, i in waited]
        last = timeline.end[s][-1] if stream else 0
        assert timeline.busy(s) + sum(stall.cycles for stall in idle) == last


def test_latency_is_hidden_behind_the_transfer_before() -> None:
    streams = [[Task(dram_bytes=1600), Task(dram_bytes=1600), Task(dram_bytes=17)]]
    timeline = schedule(streams, chip_of(in_flight=2), engines=[READ])
    assert timeline.start == [[0, 0, 200]]
    assert timeline.begin == [[100, 200, 300]]
    assert timeline.end == [[200, 300, 302]]  # the third is ready at 300, and 17 bytes take two cycles
    assert timeline.total == 302
    one_at_a_time = schedule(streams, chip_of(in_flight=1), engines=[READ])
    assert one_at_a_time.end == [[200, 400, 502]]


def test_active_transfers_share_the_bandwidth() -> None:
    chip = chip_of(bandwidth=6, latency=0)
    timeline = schedule(
        [[Task(dram_bytes=60)], [Task(dram_bytes=60)], [Task(dram_bytes=20)]],
        chip,
        engines=[READ, WRITE, READ],
    )
    # 3 share 2 each: the small one ends at 10; then 2 share 3 each: 40 bytes left take 13 1/3 cycles
    assert timeline.end == [[24], [24], [10]]


def test_a_fill_takes_no_bandwidth_and_keeps_its_place() -> None:
    streams = [[Task(cycles=7), Task(dram_bytes=16)], [Task(dram_bytes=160)]]
    timeline = schedule(streams, chip_of(latency=0), engines=[READ, WRITE])
    # alone until 7 (112 bytes), then half: 16 bytes each until 9, then the last 32 of the store
    assert timeline.end == [[7, 9], [11]]


def test_a_transfer_takes_at_least_its_cycles() -> None:
    """The on-chip side of the first is slower than its share of the DRAM, which the store then has alone."""
    streams = [[Task(cycles=20, dram_bytes=16), Task(dram_bytes=32)], [Task(dram_bytes=320)]]
    timeline = schedule(streams, chip_of(latency=3), engines=[READ, WRITE])
    # both share from 3 on: the first has its bytes at 5, the store 304 left; it is alone until 23 (16 left)
    assert timeline.end == [[23, 26], [25]]
    with_room = schedule([[Task(cycles=20, dram_bytes=32), Task(dram_bytes=16)]], chip_of(), engines=[READ])
    assert with_room.end == [[120, 121]]  # the latency of the second is hidden, its cycle is not


def test_stalls_name_the_stream_waited_for_last() -> None:
    streams = [
        [Task(dram_bytes=1600), Task(dram_bytes=1600)],
        [Task(cycles=10, waits=((0, 0),)), Task(cycles=10, waits=((0, 0),)), Task(cycles=5, waits=((0, 1),))],
    ]
    timeline = schedule(streams, chip_of(), engines=[READ, COMPUTE])
    assert timeline.start[1] == [200, 210, 300]
    assert stalls(streams, timeline, 1) == [Stall(0, 200, 0, 0), Stall(2, 80, 0, 1)]
    assert timeline.busy(1) == 25


def test_deadlock_names_the_stuck_heads() -> None:
    streams = [[Task(cycles=1, waits=((1, 0),))], [Task(cycles=1, waits=((0, 0),))]]
    with pytest.raises(ProgramInvalidError) as caught:
        schedule(streams, chip_of(), engines=[COMPUTE, READ], names=["k0.c", "k0.r"])
    assert caught.value.found == "k0.c0 waits for k0.r0; k0.r0 waits for k0.c0"


def test_a_wait_beyond_the_end_of_a_stream_is_a_deadlock() -> None:
    with pytest.raises(ProgramInvalidError, match=r"k0\.w0 waits for k0\.r1"):
        schedule(
            [[Task(dram_bytes=1)], [Task(dram_bytes=1, waits=((0, 1),))]],
            chip_of(),
            engines=[READ, WRITE],
            names=["k0.r", "k0.w"],
        )


def test_nothing_takes_no_time() -> None:
    assert schedule([], chip_of(), engines=[]).total == 0
    assert schedule([[]], chip_of(), engines=[READ]).total == 0


def small_program(waits: tuple[Wait, ...]) -> Program:
    def block(memory: str, address: int) -> Operand:
        return Operand.dense(memory, address, DType.F32, (400,))

    x, y = block("dram", 0), block("dram", 1600)
    return Program(
        chip=load_chip("npu"),
        tensors=(Tensor("x", TensorRole.INPUT, x), Tensor("y", TensorRole.OUTPUT, y)),
        constants=np.zeros(0, np.uint8),
        issued=(
            Issued(0, Load(dst=block("sram", 0), src=x)),
            Issued(0, Copy(dst=block("sram", 1600), src=block("sram", 0)), waits),
            Issued(0, Store(dst=y, src=block("sram", 1600)), (Wait(0, COMPUTE, 0),)),
        ),
        dram_bytes=3200,
    )


def test_timing_of_a_program() -> None:
    streams, timeline = timing(small_program((Wait(0, READ, 0),)))
    assert streams.keys == ((0, READ), (0, COMPUTE), (0, WRITE))
    assert streams.members == [[0], [1], [2]] and streams.places == [(0, 0), (1, 0), (2, 0)]
    # 25 bursts at 16 bytes per cycle after 100 cycles; issue 32 + 1600/64; and back
    assert timeline.end == [[200], [257], [457]]
    assert streams.stalls(timeline, 1) == [(1, 200, "dram")]
    assert streams.stalls(timeline, 2) == [(2, 257, "compute")]


def test_timing_refuses_waits_for_absent_engines() -> None:
    with pytest.raises(ProgramInvalidError, match="no instructions"):
        timing(small_program((Wait(3, READ, 0),)))
