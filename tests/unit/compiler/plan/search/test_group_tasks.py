"""nnc.compiler.plan.search.group_tasks: what tasks move and compute is what is predicted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from small_builders import CHIPS, SIZES

from nnc import models
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.plan import GroupPlan, Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.search.group_tasks import GroupTasks, TaskPrices
from nnc.compiler.plan.step import Block, Compute, Load, Store, View
from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine

ONE_CORE = ["npu", "npu-banked"]


def planned(name: str, chip: Chip) -> tuple[Graph, Plan]:
    """A small network of `nnc models` and its plan."""
    graph = canonicalise(import_model(models.build(name, **SIZES[name])), chip=chip)
    return graph, make_plan(graph, chip, options=PlanOptions(effort="O1"))


def tasks_of(graph: Graph, chip: Chip, group: GroupPlan) -> GroupTasks:
    """The tasks of a group as if nothing were on chip before and after it."""
    return TaskPrices(graph, chip).tasks_of(group.steps, len(group.group.cores))


@pytest.mark.parametrize("name", ["lenet5", "mobilenet_v2", "squeezenet"])
@pytest.mark.parametrize("preset", ONE_CORE)
def test_tasks_move_and_compute_what_is_predicted(name: str, preset: str) -> None:
    chip = load_chip(preset, CHIPS[preset])
    graph, plan = planned(name, chip)
    for group, prediction in zip(plan.groups, plan.predictions, strict=True):
        work = tasks_of(graph, chip, group)
        computed = sum(int(task.cycles.sum()) for task in work.tasks if task.engine is Engine.COMPUTE)
        assert (work.dram_bytes, computed) == (prediction.dram_bytes, prediction.compute_cycles)
        assert len(work.tasks) == sum(not isinstance(step, View) for step in group.steps)


@pytest.mark.parametrize("preset", ONE_CORE)
def test_bytes_in_use_are_those_of_live_blocks(preset: str) -> None:
    chip = load_chip(preset, CHIPS[preset])
    graph, plan = planned("lenet5", chip)
    for group in plan.groups:
        work = tasks_of(graph, chip, group)
        lives = Touches(group.steps).by_memory()
        for memory, taken in work.taken.items():
            here = lives.get(memory, [])
            for place, nbytes in enumerate(taken.tolist()):
                alive = [life.nbytes for life in here if life.first <= place <= life.last]
                assert sum(alive) <= nbytes <= sum(alive) + len(alive) * chip.block_align(memory)


def test_blocks_between_groups_are_in_use_from_the_first_place_to_the_last() -> None:
    chip = load_chip("npu", CHIPS["npu"])
    graph, plan = planned("lenet5", chip)
    group, prices, idle = plan.groups[0], TaskPrices(graph, chip), Block("idle", "sram", 4096)
    alone, beside = prices.tasks_of(group.steps, 1), prices.tasks_of(group.steps, 1, [idle], [idle])
    assert (beside.taken["sram"] - alone.taken["sram"] == 4096).all()
    touches = Touches(group.steps)
    lives = dict(zip(touches.blocks, touches.lives(), strict=True))
    late = next(block for block, life in lives.items() if life.first > 0)
    early = prices.tasks_of(group.steps, 1, [late]).taken["sram"]
    until = lives[late].first
    assert (np.diff(early - alone.taken["sram"])[: until - 1] == 0).all()
    assert (early - alone.taken["sram"])[0] >= late.nbytes
    assert (early - alone.taken["sram"])[until] == 0


@pytest.mark.parametrize("preset", ONE_CORE)
def test_computations_need_the_last_loads_of_what_they_read_and_stores_what_made_theirs(preset: str) -> None:
    chip = load_chip(preset, CHIPS[preset])
    graph, plan = planned("mobilenet_v2", chip)
    kinds = Counter[type]()
    for group in plan.groups:
        loaded, made = dict[str, int](), dict[str, int]()
        needs = {task.place: task.needs for task in tasks_of(graph, chip, group).tasks}
        for place, step in enumerate(group.steps):
            if isinstance(step, Store):
                assert needs[place] == (made[step.tile.block.name],)
            elif isinstance(step, Compute) and needs[place]:
                read = {tile.block.name for tile in step.tiles if tile is not None}
                assert set(needs[place]) == {loaded[name] for name in read & loaded.keys()}
            kinds[type(step)] += bool(needs.get(place))
            if isinstance(step, Load):
                loaded[step.tile.block.name] = made[step.tile.block.name] = place
            elif isinstance(step, Compute):
                made[step.out.block.name] = place
    assert kinds[Compute] > 10
    assert kinds[Store] > 0
