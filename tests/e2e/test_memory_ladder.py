"""More memory makes no network slower, and none move more bytes, whichever of these is the objective."""

from __future__ import annotations

import pytest
from fusion_networks import random_graph

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.isa.chip.load import load_chip

WORSE, FEW = 1.01, 64
"""The objective with more memory, at most, beside the best with less: by a share, and by cycles or bytes."""
MEMORIES = {"npu": ["sram"], "npu-banked": ["bank1", "bank2"], "npu4": ["sram"], "vdsp12": ["sm", "am"]}
LADDER = {"npu": (16, 24, 48, 128), "npu4": (16, 24)}
RANDOM_LADDER = (6, 12, 32)
"""KiB of every memory."""
VALUE = {
    "cycles": lambda plan: plan.cycles,
    "traffic": lambda plan: sum(p.dram_bytes for p in plan.predictions),
}


def planned(graph: Graph, chip: str, kib: int, objective: str) -> Plan:
    sizes = [f"memory.{memory}.bytes={kib}KiB" for memory in MEMORIES[chip]]
    target = load_chip(chip, [*sizes, "cores=2"] if chip == "vdsp12" else sizes)
    return make_plan(canonicalise(graph, chip=target), target, options=PlanOptions(objective=objective))


def assert_no_worse(values: list[int]) -> None:
    assert all(more <= WORSE * min(values[:at]) + FEW for at, more in enumerate(values) if at), values


@pytest.mark.parametrize("objective", VALUE)
@pytest.mark.parametrize("chip", LADDER)
def test_more_memory_is_no_worse(chip: str, objective: str) -> None:
    """Once LeNet took 10,029 cycles on npu4 with 16 KiB and 17,450 with 24 KiB."""
    graph = import_model(models.build("lenet5"))
    assert_no_worse([VALUE[objective](planned(graph, chip, kib, objective)) for kib in LADDER[chip]])


@pytest.mark.parametrize("objective", VALUE)
@pytest.mark.parametrize("chip", MEMORIES)
def test_more_memory_is_no_worse_for_random_networks(chip: str, objective: str) -> None:
    graph = random_graph(len(chip), 4, 16)
    assert_no_worse([VALUE[objective](planned(graph, chip, kib, objective)) for kib in RANDOM_LADDER])
