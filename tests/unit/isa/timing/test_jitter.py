"""Random timing of streams: the same for a seed, wide, and never of another order than waits allow."""

from __future__ import annotations

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.timing.jitter import jittered
from nnc.isa.timing.timeline import Task, schedule

READ, COMPUTE, WRITE = Engine.READ, Engine.COMPUTE, Engine.WRITE
LATENCY = 100
ENGINES = [READ, COMPUTE, WRITE, READ, COMPUTE]
STREAMS = [
    [Task(dram_bytes=4096, waits=((1, n - 4),) if n >= 4 else ()) for n in range(50)],
    [Task(cycles=200, waits=((0, n),)) for n in range(50)],
    [Task(dram_bytes=1024, waits=((1, n),)) for n in range(50)],
    [Task(cycles=0), Task(dram_bytes=640), Task(cycles=7)],
    [Task(cycles=1, waits=((3, 2),))],
]


def test_a_seed_always_gives_the_same_times() -> None:
    assert jittered(STREAMS, LATENCY, 3) == jittered(STREAMS, LATENCY, 3)
    assert jittered(STREAMS, LATENCY, 3) != jittered(STREAMS, LATENCY, 4)
    assert jittered([], LATENCY, 0) == []
    assert jittered([[], []], LATENCY, 7) == [[], []]


def test_only_times_change() -> None:
    for seed in range(20):
        for before, after in zip(STREAMS, jittered(STREAMS, LATENCY, seed), strict=True):
            assert [task.waits for task in after] == [task.waits for task in before]
            assert [task.dram_bytes > 0 for task in after] == [task.dram_bytes > 0 for task in before]
            assert all(task.delay >= -LATENCY for task in after), "no transfer is ready before its issue"
            assert all(task.delay == 0 for task in after if not task.dram_bytes)
            assert [task.cycles > 0 for task in after] == [task.cycles > 0 for task in before]


def test_every_engine_is_the_slow_one_of_some_seed() -> None:
    """Times beside those of the chip, of the three DMA and of the two compute engines."""

    def slowest(seed: int, engines: list[int]) -> int:
        times = {}
        for engine in engines:
            tasks = jittered(STREAMS, LATENCY, seed)[engine]
            moved, own = tasks[-2 if engine == 3 else 0], STREAMS[engine][-2 if engine == 3 else 0]
            times[engine] = (moved.dram_bytes or moved.cycles) / (own.dram_bytes or own.cycles)
        return max(times, key=times.__getitem__)

    assert [slowest(seed, [0, 2, 3]) for seed in range(6)] == [0, 2, 3, 0, 2, 3]
    assert [slowest(seed, [1, 4]) for seed in range(6)] == [1, 4, 1, 4, 1, 4]


def test_times_are_spread_over_orders_of_magnitude() -> None:
    """Of the bytes of transfers, the cycles of computations and the latency."""
    tasks = [jittered(STREAMS, LATENCY, seed) for seed in range(30)]
    transfers = [task.dram_bytes / 4096 for streams in tasks for task in streams[0]]
    computations = [task.cycles / 200 for streams in tasks for task in streams[1]]
    for times, fast, slow in ((transfers, 1 / 64, 64), (computations, 1 / 4, 4)):
        assert sum(time < fast for time in times) > len(times) / 10
        assert sum(time > slow for time in times) > len(times) / 10
    delays = [task.delay for streams in tasks for task in streams[0]]
    assert sum(delay < -LATENCY // 2 for delay in delays) > len(delays) / 2
    assert 0.02 < sum(delay > 4 * LATENCY for delay in delays) / len(delays) < 0.2


def test_the_scheduler_takes_jittered_streams() -> None:
    chip = load_chip("npu4")
    totals = {schedule(jittered(STREAMS, LATENCY, seed), chip, engines=ENGINES).total for seed in range(10)}
    assert len(totals) == 10
