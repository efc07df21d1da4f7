"""The order of issue: every dependence of the order of demand is kept, and loads run ahead of their use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import onnx
import pytest
from harness import random_networks_settings
from hypothesis import assume, given
from hypothesis import strategies as st
from pass_harness import graph_of
from random_networks import networks

from nnc.compiler.errors import CapacityError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place.double_buffers import allocate_with_transfers
from nnc.compiler.plan.place.issue_order import order_of_issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Compute, Load, LoadRows, Step, Store, Tile, View, tiles_of, written
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.load import load_chip


def key(step: Step) -> tuple[type[Step], str]:
    """What tells a step from all others of a plan."""
    return type(step), tiles_of(step)[0].name


def demanded(plan: Plan) -> list[Step]:
    """The steps that become instructions, in the order of demand."""
    return [step for group in plan.groups for step in group.steps if not isinstance(step, View)]


def span(tile: Tile) -> tuple[int, int]:
    """First element of a tile in its block, and the one behind its last."""
    last = sum((n - 1) * s for n, s in zip(tile.type.shape, tile.strides, strict=True))
    return tile.offset, tile.offset + last + 1


def on_chip(step: Step) -> Iterator[tuple[str, int, int, bool]]:
    """Elements of blocks that a step touches on chip, and whether it writes them."""
    for tile in tiles_of(step):
        yield (tile.block.name, *span(tile), tile is written(step))


def in_dram(graph: Graph, step: Step) -> tuple[str, bool] | None:
    """The buffer of activations that a step touches in DRAM, and whether it writes it."""
    match step:
        case Load() | Store():
            tensor = step.tile.tensor
        case LoadRows():
            tensor = step.table
        case _:
            return None
    return (graph.storage[tensor].buffer, isinstance(step, Store)) if tensor in graph.storage else None


def broken_dependences(graph: Graph, plan: Plan) -> Iterator[str]:
    """Pairs of steps that touch the same elements, one of which writes, and change places."""
    place = {key(issued.step): number for number, issued in enumerate(plan.order)}
    chip: dict[str, list[tuple[int, int, bool, Step]]] = {}
    dram: dict[str, list[tuple[bool, Step]]] = {}
    for step in demanded(plan):
        if key(step) not in place:
            yield f"issue order: {key(step)} is lost"
            continue
        before = []
        for block, low, high, writes in on_chip(step):
            touched = chip.setdefault(block, [])
            before += [s for a, b, wrote, s in touched if (writes or wrote) and a < high and low < b]
            touched.append((low, high, writes, step))
        visited = in_dram(graph, step)
        if visited is not None:
            buffer, writes = visited
            stored = dram.setdefault(buffer, [])
            before += [s for wrote, s in stored if wrote and not writes]  # a load of what was stored
            stored.append((writes, step))
        for earlier in before:
            if place[key(earlier)] > place[key(step)]:
                yield f"issue order: {key(step)} overtakes {key(earlier)}"


@random_networks_settings(25)
@given(model=networks(), size=st.sampled_from(["2KiB", "8KiB", "64KiB"]))
def test_dependences_of_random_networks_are_kept(model: onnx.ModelProto, size: str) -> None:
    graph = canonicalise(import_model(model), verify=False)
    try:
        plan = make_plan(graph, load_chip("npu", [f"memory.sram.bytes={size}"]))
    except CapacityError:
        assume(False)
    assert list(broken_dependences(graph, plan)) == []
    assert len(plan.order) == sum(len(group.steps) for group in plan.groups)


# --- prefetching --------------------------------------------------------------------------------------------


def tiled_plan() -> tuple[Graph, Plan]:
    """A convolution alone, in tiles with double buffers: there is room for what the next tile needs."""
    graph = canonicalise(
        graph_of("(float[1,8,32,32] x) => (y) { y = Conv <pads=[1,1,1,1]> (x, w) }", {"w": (8, 8, 3, 3)})
    )
    return graph, make_plan(
        graph, load_chip("npu", ["memory.sram.bytes=32KiB"]), options=PlanOptions(fused=False)
    )


def loads_on_demand(plan: Plan) -> Iterator[str]:
    """Loads behind the first computation that are issued no earlier than they are demanded."""
    demand, order = demanded(plan), [issued.step for issued in plan.order]
    for at, step in enumerate(demand):
        behind = [other for other in demand[:at] if isinstance(other, Compute)]
        if not isinstance(step, Load) or not behind:
            continue
        issued = order.index(step)
        if all(order.index(other) < issued for other in behind):
            yield f"prefetch: {step.tile.name} is issued at its demand position"


def test_loads_run_ahead_of_their_use() -> None:
    _, plan = tiled_plan()
    assert len([step for step in demanded(plan) if isinstance(step, Load)]) > 3
    assert list(loads_on_demand(plan)) == []


def test_a_prefetch_distance_of_zero_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "place", replace(TUNING.place, max_steps_ahead=0))
    graph, plan = tiled_plan()
    assert list(broken_dependences(graph, plan)) == []
    late = list(loads_on_demand(plan))
    steps = demanded(plan)
    first = next(at for at, step in enumerate(steps) if isinstance(step, Compute))
    behind: Sequence[Step] = [step for step in steps[first:] if isinstance(step, Load)]
    assert late == [f"prefetch: {tiles_of(step)[0].name} is issued at its demand position" for step in behind]
    assert late


def test_a_load_that_overtakes_a_store_is_found_out() -> None:
    """The check of dependences itself: the order of demand turned round breaks it."""
    graph, plan = tiled_plan()
    steps = [issued for issued in plan.order if not isinstance(issued.step, View)]
    turned = type(plan)(**{**vars(plan), "order": tuple(reversed(steps))})
    assert any("overtakes" in fault for fault in broken_dependences(graph, turned))


def test_what_moves_are_loads_and_blocks_that_are_alive_together_do_not_overlap() -> None:
    """The order of issue by itself, of steps and a placement that fits in the order of demand."""
    graph, plan = tiled_plan()
    chip = load_chip("npu", ["memory.sram.bytes=32KiB"])
    demand = Touches.of_groups([group.steps for group in plan.groups])
    placed = allocate_with_transfers(demand, chip)
    offsets = {name: offset for held in placed.values() for name, offset in held.offsets.items()}
    issue = order_of_issue(graph, chip, demand, offsets)
    before, after = demand.order, issue.touches.order
    assert after != before
    for moves in (True, False):
        kept = [[step for step in order if isinstance(step, Load) is moves] for order in (before, after)]
        assert kept[0] == kept[1]
    for extents in issue.touches.by_memory().values():
        for extent, other in combinations(extents, 2):
            if extent.first <= other.last and other.first <= extent.last:
                low, high = sorted((issue.offsets[each.name], each.nbytes) for each in (extent, other))
                assert sum(low) <= high[0]
