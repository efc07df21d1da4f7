"""Random timing: the same instructions on a chip that never takes the time that its description says.

A program whose waits are right gives the same values whatever its transfers and computations take; what
depends on their time lacks a wait.  So the times are spread widely: who should wait comes early, since most
engines are much faster than the chip's, and what it should wait for comes late, since one DMA engine and one
compute engine are slow, and some transfers stall.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from nnc.isa.timing.timeline import Task

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Spread:
    """Times beside the chip's, in doublings: of most engines, of the slow one, of a task beside its engine.

    Each seed has a slow engine; so many successive seeds as there are engines of a kind have all.
    """

    engines: Range
    slow: float
    tasks: Range


_TRANSFERS = _Spread(engines=(-10, -2), slow=8, tasks=(-4, 4))
_COMPUTATIONS = _Spread(engines=(-4, 0), slow=4, tasks=(-1, 1))
_LATENCIES = (-7, 1)
_STALLS = (0, 10)
"""The latency of transfers that stall, beside the chip's, in doublings; that of the others is above."""
_STALLING = 0.1
"""The share of the transfers that stall."""


def jittered(streams: Sequence[Sequence[Task]], latency: int, seed: int) -> list[list[Task]]:
    """The tasks with random times; the same for the same seed.

    The bandwidth of a transfer is changed by its bytes, its latency by its delay.

    Args:
        streams: tasks per engine.
        latency: of the chip's DRAM, cycles.
        seed: not negative.
    """
    rng = np.random.default_rng(seed)
    moving = [any(task.dram_bytes for task in tasks) for tasks in streams]
    slow = set()
    for kind in (True, False):
        engines = [number for number, moves in enumerate(moving) if moves is kind]
        slow |= {engines[seed % len(engines)]} if engines else set()
    random_streams = []
    for number, tasks in enumerate(streams):
        spread = _TRANSFERS if moving[number] else _COMPUTATIONS
        count = len(tasks)
        engine = spread.slow if number in slow else rng.uniform(*spread.engines)
        times = 2 ** (engine + rng.uniform(*spread.tasks, count))
        stalls = rng.random(count) < _STALLING
        late = np.where(stalls, rng.uniform(*_STALLS, count), rng.uniform(*_LATENCIES, count))
        delays = np.rint(latency * 2**late - latency)
        random_streams.append(
            [_timed(*of) for of in zip(tasks, times.tolist(), delays.tolist(), strict=True)]
        )
    return random_streams


def _timed(task: Task, time: float, delay: float) -> Task:
    """The task with its time multiplied; a transfer is ready `delay` cycles later, too."""
    cycles = max(1, round(task.cycles * time)) if task.cycles else 0
    if not task.dram_bytes:
        return replace(task, cycles=cycles)
    return replace(task, cycles=cycles, dram_bytes=max(1, round(task.dram_bytes * time)), delay=round(delay))
