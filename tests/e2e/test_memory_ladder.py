"""More memory makes no network slower, and none move more bytes, whichever of these is the objective."""

from __future__ import annotations

import pytest

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.isa.chip.load import load_chip

WORSE = 1.01
"""The objective with more memory, at most, beside the best with less."""
MEMORIES = {"npu": ["sram"], "npu-banked": ["bank1", "bank2"], "npu4": ["sram"], "vdsp12": ["sm", "am"]}
LADDER = {
    "npu": (16, 24, 32, 48, 64, 128),
    "npu-banked": (16, 32, 64),
    "npu4": (16, 24),
    "vdsp12": (32, 128),
}
"""KiB of every memory."""
VALUE = {
    "cycles": lambda plan: plan.cycles,
    "traffic": lambda plan: sum(p.dram_bytes for p in plan.predictions),
}


def planned(name: str, chip: str, kib: int, objective: str) -> Plan:
    sizes = [f"memory.{memory}.bytes={kib}KiB" for memory in MEMORIES[chip]]
    target = load_chip(chip, [*sizes, "cores=2"] if chip == "vdsp12" else sizes)
    graph = canonicalise(import_model(models.build(name)), chip=target)
    return make_plan(graph, target, options=PlanOptions(objective=objective))


@pytest.mark.parametrize("objective", VALUE)
@pytest.mark.parametrize("chip", LADDER)
def test_more_memory_is_no_worse(chip: str, objective: str) -> None:
    """Once LeNet took 10,029 cycles on npu4 with 16 KiB and 17,450 with 24 KiB."""
    values = [VALUE[objective](planned("lenet5", chip, kib, objective)) for kib in LADDER[chip]]
    assert all(more <= WORSE * min(values[:at]) for at, more in enumerate(values) if at), values
