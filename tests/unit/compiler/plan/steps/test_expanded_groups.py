"""Groups one after the other: names are unique in a plan, what stays on chip is a value that is handed on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pass_harness import graph_of

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise, no_progress
from nnc.compiler.plan.alone.layer_alone import LayerAlone
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.group_cost import GroupCost, Interval
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.plan import GroupPlan, Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.prices import AskedPrice
from nnc.compiler.plan.search.group_search import find_candidates
from nnc.compiler.plan.search.tables import SearchTables
from nnc.compiler.plan.step import Keyed, Store, tiles_of
from nnc.compiler.plan.steps.expansions import Expansions
from nnc.compiler.plan.steps.fused_group import FusedGroup
from nnc.compiler.plan.steps.group_plans import group_alone
from nnc.compiler.plan.steps.template import Template
from nnc.isa.chip.load import load_chip

CHAIN = """(float[1,4,24,8] x) => (y) {
    a = Conv <pads=[1,1,1,1]> (x, w)
    b = Conv <pads=[1,1,1,1], strides=[2,2]> (a, v)
    c = Conv <pads=[1,1,1,1]> (b, u)
    d = Add (b, c)
    y = Conv <pads=[1,1,1,1]> (d, t)
}"""


def graph() -> Graph:
    return canonicalise(graph_of(CHAIN, dict.fromkeys("wvut", (4, 4, 3, 3))))


def plan_with(sram: int) -> Plan:
    return make_plan(graph(), load_chip("npu", [f"memory.sram.bytes={sram}"]))


@pytest.mark.parametrize("sram", [2048, 3072, 4608, 8192, 16384])
def test_every_tile_is_defined_once_in_a_plan(sram: int) -> None:
    steps = [step for group in plan_with(sram).groups for step in group.steps if not isinstance(step, Store)]
    defined = Counter(tiles_of(step)[0].name for step in steps)
    assert [name for name, count in defined.items() if count > 1] == []


def test_rows_that_stay_on_chip_are_found_by_the_next_group() -> None:
    """The second group reads tiles that the first one made, from blocks that it does not load."""
    found = 0
    for sram in (2048, 3072, 4608, 8192, 16384):
        blocks: set[str] = set()
        for group in plan_with(sram).groups:
            mine = {tile.block.name for step in group.steps for tile in tiles_of(step)}
            found += len(mine & blocks)
            blocks |= mine
    assert found > 0


PRODUCTS = """(float[48,64] x) => (y) {
    a = MatMul (x, w)
    b = MatMul (a, v)
    c = MatMul (b, u)
    y = MatMul (c, t)
}"""
WINDOWS = """(float[1,16,20,12] x) => (y) {
    a = Conv <pads=[1,1,1,1]> (x, w)
    b = Conv <pads=[1,1,1,1]> (a, v)
    c = Conv <pads=[1,1,1,1]> (b, u)
    y = Conv <pads=[1,1,1,1]> (c, t)
}"""


@pytest.mark.parametrize("chip", ["npu", "npu4", "vdsp12"])
@pytest.mark.parametrize(
    ("network", "shape", "nbytes"), [(PRODUCTS, (64, 64), 3072), (WINDOWS, (16, 16, 3, 3), 2048)]
)
def test_layers_that_differ_in_names_have_the_steps_that_each_has_alone(
    monkeypatch: pytest.MonkeyPatch, chip: str, network: str, shape: tuple[int, ...], nbytes: int
) -> None:
    """Their steps are made once, and renamed for the others."""
    calls: list[tuple[Expansions, list[Choice], list[GroupPlan]]] = []
    expand = Expansions.expand

    def noted(self: Expansions, choices: list[Choice]) -> list[GroupPlan]:
        calls.append((self, choices, expand(self, choices)))
        return calls[-1][2]

    monkeypatch.setattr(Expansions, "expand", noted)
    target = load_chip(chip)
    sizes = [f"memory.{name}.bytes={nbytes}" for name in target.memory]
    graph = canonicalise(graph_of(network, dict.fromkeys("wvut", shape)), chip=target)
    make_plan(graph, load_chip(chip, sizes), options=PlanOptions(fused=False))
    expansions, choices, planned = calls[-1]
    tiled = [(number, choice) for number, choice in enumerate(choices) if isinstance(choice, LayerAlone)]
    for number, choice in tiled:
        alone = group_alone(expansions.networks[choice.order], expansions.chip, choice)
        assert alone.steps and planned[number].steps == alone.steps
        assert (planned[number].core_reason, planned[number].pixels) == (alone.core_reason, alone.pixels)
    assert len(expansions._alike) < len(tiled)


def repeated(blocks: int) -> str:
    """Residual blocks that differ in names alone."""
    said = ["(float[1,8,18,8] x0) => (y) {"]
    for at in range(blocks):
        said += [
            f"a{at} = Conv <pads=[1,1,1,1]> (x{at}, w)",
            f"b{at} = Relu (a{at})",
            f"c{at} = Conv <pads=[1,1,1,1]> (b{at}, v)",
            f"x{at + 1} = Add (x{at}, c{at})",
        ]
    return "\n".join([*said, f"y = Conv (x{blocks}, u)", "}"])


@pytest.mark.parametrize(
    ("chip", "sizes"),
    [
        ("npu", {"sram": 4096}),
        ("npu", {"sram": 9000}),
        ("npu4", {"sram": 6000}),
        ("npu4", {"sram": 9000}),
        ("vdsp12", {"am": 9000}),
        ("nna", {"oram": 8192, "fram": 2048, "wram": 8192}),  # copies slices of weights
    ],
)
def test_groups_that_differ_in_names_alone_have_the_steps_that_they_have_by_themselves(
    chip: str, sizes: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = {"w": (8, 8, 3, 3), "v": (8, 8, 3, 3), "u": (4, 8, 1, 1)}
    options = [f"memory.{memory}.bytes={nbytes}" for memory, nbytes in sizes.items()]
    network = canonicalise(graph_of(repeated(6), weights), chip=load_chip(chip))
    shared = make_plan(network, load_chip(chip, options))
    monkeypatch.setattr(Template, "bound", lambda *_: None)
    alone = make_plan(network, load_chip(chip, options))
    assert [group.steps for group in shared.groups] == [group.steps for group in alone.groups]
    assert shared.cycles == alone.cycles
    assert len({group.template for group in shared.groups}) < len(shared.groups)


UPSAMPLED = """(float[1,8,30,30] x) => (y) {
    a = Conv (x, w)
    y = ConvTranspose <strides=[2,2]> (a, v)
}"""


@pytest.mark.parametrize("column_shards", [1, 2])
def test_cores_that_do_the_same_in_different_orders_are_found_by_one_for_each_row_shard(
    monkeypatch: pytest.MonkeyPatch, column_shards: int
) -> None:
    """Parts end within a row of the operand on some cores, and between two on others: these keep none."""
    chip = load_chip("npu4", [f"cores={4 * column_shards}"])
    graph = canonicalise(graph_of(UPSAMPLED, {"w": (8, 8, 1, 1), "v": (8, 8, 2, 2)}), chip=chip)
    (order,) = SearchTables(graph, chip, "O2").fused_orders(chip, PlanOptions(), (frozenset(),))
    cut, key = Cut(3, row_shards=4, column_shards=column_shards), order.chain(1).resident_key(0, NOTHING)
    interval = Intervals(order, order.chain(1), cut, 2).at(0)
    assert isinstance(interval, Interval)
    cost = interval.weigh((key, key))
    assert isinstance(cost, GroupCost)
    seen: list[int] = []
    part_by_part = FusedGroup.part_by_part

    def counted(self: FusedGroup) -> Iterator[Keyed]:
        seen.append(self.writer.core)
        return part_by_part(self)

    monkeypatch.setattr(FusedGroup, "part_by_part", counted)
    choice = FusedChoice(0, 0, 1, cut, NOTHING, NOTHING, 2, cost, interval)
    (group,) = Expansions([order.network], [order], chip, {}).expand([choice])
    assert (group.steps, seen) == ((), [*range(0, cut.cores, column_shards)])


@pytest.mark.parametrize("sram", [512, 1024])
def test_layers_whose_blocks_find_no_place_are_refused_with_a_remedy(sram: int) -> None:
    """Tiles are priced by their bytes; what no candidate has addresses for is the chip's fault, not a bug."""
    product = canonicalise(graph_of("(float[48,64] x) => (y) { y = MatMul (x, w) }", {"w": (64, 64)}))
    candidates = find_candidates(product, load_chip("npu"), PlanOptions(fused=False), no_progress)
    (choice,) = candidates.sequences_for(AskedPrice.of("traffic", load_chip("npu")))[0]
    assert isinstance(choice, LayerAlone)
    choice = replace(choice, candidates=choice.candidates[:1])
    small = load_chip("npu", [f"memory.sram.bytes={sram}"])
    with pytest.raises(CapacityError) as refused:
        group_alone(candidates.networks[0], small, choice)
    assert refused.value.found == f"{sram} B"
    (said,) = re.findall(r"--set memory.sram.bytes=(\d+)", str(refused.value.remedy))
    assert group_alone(candidates.networks[0], load_chip("npu", [f"memory.sram.bytes={said}"]), choice)
