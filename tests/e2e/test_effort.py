"""Levels of effort: every one gives right programs, more of it better ones, and all are bounded by counts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from harness import Checked, check_compiled, chip_of, random_inputs, reference

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.options import BALANCED, GroupPrice, PlanOptions
from nnc.compiler.plan.planner import make_plan
from nnc.isa.errors import OptionError

NETWORKS = {
    "lenet5": lambda: models.build("lenet5"),
    "squeezenet": lambda: models.build("squeezenet", image=32, width=0.25, classes=10),
}


@cache
def compiled(name: str, effort: str, chip: str, *memory: str) -> Checked:
    model = NETWORKS[name]()
    feeds = random_inputs(model)
    options = PlanOptions(effort=effort)
    compilation = run_pipeline(import_model(model), chip_of(chip, *memory), options=options)
    return check_compiled(compilation, feeds, reference(model, feeds))


@pytest.mark.parametrize("effort", EFFORTS)
@pytest.mark.parametrize(
    ("name", "chip", "memory"),
    [
        ("lenet5", "npu", "memory.sram.bytes=16KiB"),
        ("lenet5", "npu4", "memory.sram.bytes=16KiB"),
        ("lenet5", "nna", "memory.oram.bytes=32KiB"),
        ("squeezenet", "npu", "memory.sram.bytes=16KiB"),
    ],
)
def test_every_level_computes_the_network(name: str, chip: str, memory: str, effort: str) -> None:
    found = compiled(name, effort, chip, memory)
    groups = found.compilation.plan.groups
    if effort == "O0":
        assert all(len(mine.group.layers) == 1 for mine in groups)


@pytest.mark.parametrize("objective", ["traffic", "balanced", "cycles"])
def test_most_effort_is_never_worse(objective: str) -> None:
    """By prediction, in what the objective asks for."""
    graph = import_model(models.build("lenet5"))
    chip = chip_of("npu", sram="12KiB")
    canonical = canonicalise(graph, chip=chip)
    default, most = (
        make_plan(canonical, chip, options=PlanOptions(objective, effort=effort)) for effort in ("O2", "O3")
    )
    bytes_of = [sum(mine.dram_bytes for mine in plan.predictions) for plan in (default, most)]
    if objective == "traffic":
        assert bytes_of[1] <= bytes_of[0]
    elif objective == "cycles":
        assert most.cycles <= default.cycles
    else:
        price = GroupPrice(BALANCED, chip.dram.bytes_per_cycle)
        assert price.cost(bytes_of[1], most.cycles) <= price.cost(bytes_of[0], default.cycles)


def test_less_effort_costs_traffic() -> None:
    moved = [
        compiled("squeezenet", effort, "npu", "memory.sram.bytes=16KiB").session.ledger.total
        for effort in ("O0", "O1", "O2")
    ]
    assert 4 * moved[0] > 5 * moved[2] and moved[2] <= moved[1] < moved[0]


def test_unknown_levels() -> None:
    with pytest.raises(OptionError, match="no such effort") as caught:
        PlanOptions(effort="O4")
    assert caught.value.expected == "O0, O1, O2, O3"


def test_large_networks_are_searched_less_widely() -> None:
    """Beyond so many layers, the work for each goes down; never below what fuses a little."""
    effort = EFFORTS["O2"]
    assert effort.of(200) == replace(effort, average_pairs=1750)
    assert effort.of(1000) == replace(effort, average_pairs=400)
    assert [effort.of(layers).longest_group for layers in (2000, 4000, 100_000)] == [20, 10, 6]
    assert effort.of(100_000).looks == len(effort.of(100_000).weights) == 2
    assert EFFORTS["O0"].of(100_000) == EFFORTS["O0"]
