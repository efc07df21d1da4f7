"""Plans of what a search finds: complete, in order; the cheapest by prediction is made."""

from __future__ import annotations

import pytest
from fusion_networks import random_graph

import nnc
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.planner import make_plan, no_progress
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.scheduled import PlanBuilder, SharedPlans
from nnc.compiler.plan.search.tables import SearchTables

CHIP = nnc.load_chip("npu", ["memory.sram.bytes=12KiB"])
OPTIONS = PlanOptions()
ASKED = AskedPrice.of("balanced", CHIP)


@pytest.mark.parametrize("seed", range(4))
def test_the_cheapest_plan_by_prediction_is_made(seed: int) -> None:
    graph = random_graph(seed, 8, 16)
    shared = SharedPlans(SearchTables(graph, CHIP, OPTIONS.effort))
    plans = PlanBuilder(shared, CHIP, OPTIONS, no_progress).plans(ASKED)
    assert len(plans) > 1
    chosen = make_plan(graph, CHIP, options=OPTIONS)
    assert ASKED.worth_of(chosen) == min(map(ASKED.worth_of, plans))


def test_every_plan_has_all_layers_once_and_cycles_of_its_groups_add_up() -> None:
    graph = random_graph(5, 8, 16)
    shared = SharedPlans(SearchTables(graph, CHIP, OPTIONS.effort))
    computed = [layer.name for layer in graph.layers() if not layer.is_view]
    for plan in PlanBuilder(shared, CHIP, OPTIONS, no_progress).plans(ASKED):
        layers = [name for planned in plan.groups for name in planned.group.layers]
        assert sorted(layers) == sorted(computed)
        assert sum(group.cycles for group in plan.predictions) == plan.cycles
        assert len(plan.predictions) == len(plan.groups)


def test_what_was_planned_is_planned_once() -> None:
    graph = random_graph(6, 8, 16)
    shared = SharedPlans(SearchTables(graph, CHIP, OPTIONS.effort))
    first = PlanBuilder(shared, CHIP, OPTIONS, no_progress).plans(ASKED)
    again = PlanBuilder(shared, CHIP, OPTIONS, no_progress).plans(ASKED)
    assert all(before is after for before, after in zip(first, again, strict=True))


@pytest.mark.parametrize("seed", [0, 8, 19])
def test_the_default_plan_is_among_those_of_other_objectives(seed: int) -> None:
    """In a network that is not small, too, whose objectives are searched apart."""
    tables = SearchTables(random_graph(seed, 8, 16), CHIP, OPTIONS.effort)
    tables.is_small, shared = False, SharedPlans(tables)
    default = PlanBuilder(shared, CHIP, OPTIONS, no_progress).plans(ASKED)[0]
    fastest = PlanOptions(objective="cycles")
    plans = PlanBuilder(shared, CHIP, fastest, no_progress).plans(AskedPrice.of("cycles", CHIP))
    assert any(plan is default for plan in plans)
