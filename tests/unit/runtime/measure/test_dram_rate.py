"""nnc/runtime/measure/dram_rate.py: bytes per cycle that add up, and never more than the DRAM has."""

from __future__ import annotations

from itertools import pairwise

import pytest
from cli_harness import DIGITS

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.timing.streams import Streams, timing
from nnc.isa.timing.timeline import Task, schedule
from nnc.runtime.measure.dram_rate import dram_rates

READ, WRITE = Engine.READ, Engine.WRITE


@pytest.mark.parametrize("name", ["npu", "npu4", "vdsp12"])
def test_rates_sum_up_to_the_bytes_of_each_direction(name: str) -> None:
    chip = load_chip(name)
    streams, timeline = timing(run_pipeline(import_model(DIGITS), chip).program)
    width = chip.dram.bytes_per_cycle
    points = list(dram_rates(streams, timeline, width))
    assert points[-1][1] == {READ: 0, WRITE: 0}
    assert points[-1][0] <= timeline.total
    for kind in (READ, WRITE):
        tasks = [t for (_, k), own in zip(streams.keys, streams.tasks, strict=True) for t in own if k is kind]
        moved = [task.dram_bytes for task in tasks if task.dram_bytes]
        area = sum((b[0] - a[0]) * a[1][kind] for a, b in pairwise(points))
        assert sum(moved) - 1e-6 <= area < sum(moved) + width * len(moved)  # shares lost in last cycles
    assert max(rates[READ] + rates[WRITE] for _, rates in points) == pytest.approx(width)


def test_two_transfers_share_the_bandwidth_until_the_shorter_one_is_done() -> None:
    chip = load_chip("npu", ("dram.latency=10", "dram.bytes_per_cycle=8"))
    tasks = [[Task(dram_bytes=80)], [Task(dram_bytes=160)]]
    timeline = schedule(tasks, chip, engines=[READ, WRITE])
    streams = Streams(((0, READ), (0, WRITE)), [[0], [1]], [(0, 0), (1, 0)], tasks)
    assert timeline.end == [[30], [40]]
    assert list(dram_rates(streams, timeline, 8)) == [
        (10, {READ: 4, WRITE: 4}),
        (30, {READ: 0, WRITE: 8}),
        (40, {READ: 0, WRITE: 0}),
    ]
