"""What the docs promise of the objectives, on small networks from all builders."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest
from fusion_networks import random_graph
from harness import check_compiled, random_inputs, reference
from small_builders import CHIPS, SIZES

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise, run_pipeline
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.options import BY_ENERGY, OBJECTIVES, PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip, preset_names

NO_WORSE = 1.001
"""How much more than any other objective's plan the one that is asked for may cost, by its own price."""
CHIP_OF = {
    "mlp-784-1152-10": "vdsp12",
    "lenet5": "npu4",
    "alexnet": "npu-banked",
    "resnet18": "npu",
}
"""Every kind of chip with a builder that it is quick with: five plans each take their time."""


@pytest.mark.parametrize("name", CHIP_OF)
def test_objectives_keep_what_the_docs_promise(name: str) -> None:
    chip = CHIP_OF[name]
    target = load_chip(chip, CHIPS[chip])
    graph = canonicalise(import_model(models.build(name, **SIZES[name])), chip=target)
    plans = {
        kind: make_plan(graph, target, options=PlanOptions(objective=kind))
        for kind in (*OBJECTIVES, *BY_ENERGY)
    }
    assert_none_is_lost(plans, target)


def assert_none_is_lost(plans: Mapping[str, Plan], target: Chip) -> None:
    """By its own price, no objective's plan is worse than another's."""
    for kind in plans:
        worth = {other: AskedPrice.of(kind, target).worth_of(plan) for other, plan in plans.items()}
        assert worth[kind] <= NO_WORSE * min(worth.values()), (kind, worth)


@pytest.mark.parametrize("number", range(0, 12, 4))
def test_no_objective_misses_what_another_finds_nor_more_effort_what_less_does(number: int) -> None:
    chip = sorted(preset_names())[number % len(preset_names())]
    sizes = [f"memory.{name}.bytes={16 << number % 3}KiB" for name in load_chip(chip).memory]
    target, graph = load_chip(chip, sizes), random_graph(number, 4 + number % 5, 12 + number % 3)
    graph = canonicalise(graph, chip=target)

    def planned(**options: str) -> Plan:
        return make_plan(graph, target, options=PlanOptions(**options))

    assert_none_is_lost({kind: planned(objective=kind) for kind in (*OBJECTIVES, *BY_ENERGY)}, target)
    worth = [AskedPrice.of("balanced", target).worth_of(planned(effort=effort)) for effort in EFFORTS]
    assert all(more <= NO_WORSE * less for less, more in pairwise(worth)), worth


@pytest.mark.parametrize(
    ("number", "nodes", "chip", "memory"), [(71, 11, "vdsp12", "64KiB"), (183, 11, "npu4", "16KiB")]
)
def test_plans_of_less_effort_are_not_lost(number: int, nodes: int, chip: str, memory: str) -> None:
    """Here, groups with residents are cheaper by rough costs, and prune a longer group that is better."""
    target = load_chip(chip, [f"memory.{name}.bytes={memory}" for name in load_chip(chip).memory])
    graph = canonicalise(random_graph(number, nodes, 12 + number % 5), chip=target)
    less, more = (make_plan(graph, target, options=PlanOptions(effort=effort)) for effort in ("O1", "O2"))
    asked = AskedPrice.of("balanced", target)
    assert asked.worth_of(more) <= asked.worth_of(less)


@pytest.mark.parametrize(
    ("chip", "objective"), [("npu4", "energy"), ("pixel-dsp", "edp"), ("vdsp12", "energy"), ("npu", "edp")]
)
def test_programs_chosen_by_energy_are_right(chip: str, objective: str) -> None:
    """Of a batch too: pictures side by side, and apart, are chosen by the same measure."""
    model = models.build("lenet5", image=16, width=0.5, batch=4)
    target, feeds = load_chip(chip, CHIPS.get(chip, ["memory.sram.bytes=8KiB"])), random_inputs(model)
    compilation = run_pipeline(
        import_model(model), target, options=PlanOptions(objective=objective), verify_each=True
    )
    check_compiled(compilation, feeds, reference(model, feeds))
