"""Groups one after the other: names are unique in a plan, what stays on chip is a value that is handed on."""

from __future__ import annotations

from collections import Counter

import pytest
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.planner import make_plan
from nnc.compiler.plan.step import Store, tiles_of
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
