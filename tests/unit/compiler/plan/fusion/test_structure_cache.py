"""Groups that look alike share their costs: those that each group has by itself are the same."""

from __future__ import annotations

import random

import pytest
from fusion_networks import fused_order
from pass_harness import graph_of

import nnc
from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import GroupCost, Interval
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents

CUTS = [Cut(1), Cut(2), Cut(5), Cut(30), Cut(3, recompute=True), Cut(3, strips=2)]
SHARED_CUTS = [Cut(1, row_shards=2, column_shards=2), Cut(2, row_shards=4), Cut(2, column_shards=4)]
LONGEST = 5


def joined(seed: int) -> Graph:
    """Operands of a concat, many of them alike: functions, convolutions and pools of a few tensors.

    Some are read by others, too, some are read from the concat by what stands beside it.
    """
    draw = random.Random(seed)
    lines, weights = ["a = Sin(x)", "b = Conv<pads=[1,1,1,1]>(x, wb)"], {"wb": (4, 4, 3, 3)}
    axis, functions, sources = draw.choice([1, 2, 3]), draw.choice([["Sin"], ["Sin", "Abs"]]), ["x", "a", "b"]
    split = draw.choice([1, 2, 3])
    if draw.random() < 0.6:  # slices of one tensor
        sources = [f"s{number}" for number in range(6)]
        whole = "v"
        if draw.random() < 0.5:
            lines.append("u = Cos(v)")
            whole = "u"
        lines.append(f"{', '.join(sources)} = Split<axis={split}, num_outputs=6>({whole})")
    names = []
    for number in range(12):
        name, source = f"t{number}", draw.choice(sources)
        kind = draw.choice(["function", "function", "conv", "again"])
        if kind == "conv":
            weights[f"w{name}"] = (4, 4, 3, 3)
            lines.append(f"{name} = Conv<pads=[1,1,1,1]>({source}, w{name})")
        else:
            source = draw.choice(names) if kind == "again" and names else source
            lines.append(f"{name} = {draw.choice(functions)}({source})")
        names.append(name)
    shape = [1, 4, 8, 8]
    shape[axis] *= len(names)
    lines += [f"c = Concat<axis={axis}>({', '.join(names)})", "y = Sin(c)"]
    of_all = [1, 4, 8, 8]
    of_all[split] *= 6
    ends = (
        f"float[1,4,8,8] x, float[{','.join(map(str, of_all))}] v) => (float[{','.join(map(str, shape))}] y"
    )
    if draw.random() < 0.5:
        lines.append(f"z = Abs({draw.choice(names)})")
        ends += ", float[1,4,8,8] z"
    return canonicalise(graph_of(f"({ends}) {{ {' '.join(lines)} }}", weights))


def cost(order: FusedOrder, start: int, end: int, cut: Cut) -> list[GroupCost | Infeasible]:
    """What a group costs with nothing on chip, and with what it reads or leaves there."""
    network, chain = order.network, order.chain(end)
    interval = Intervals(order, chain, cut, end + 1).at(start)
    if not isinstance(interval, Interval):
        return [interval]
    before = [NOTHING, *(Residents([Resident(name)]) for name in network.crossings[start])]
    after = [NOTHING, *(Residents([Resident(name)]) for name in network.crossings[end + 1])]
    pairs = [(a, b) for a in before for b in after]
    keys = [(chain.resident_key(start, a), chain.resident_key(start, b)) for a, b in pairs]
    return [interval.weigh(pair) for pair in keys]


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize(("name", "cuts"), [("npu", CUTS), ("npu4", SHARED_CUTS)])
def test_groups_that_look_alike_cost_the_same(name: str, cuts: list[Cut], seed: int) -> None:
    graph, chip = joined(seed), nnc.load_chip(name, ["memory.sram.bytes=16KiB"])
    network = PlanNetwork(graph, orders_of(graph)[0], burst=chip.dram.burst, longest_group=LONGEST)
    shared = fused_order(network, chip)
    for end in range(len(network.layers)):
        for start in range(max(0, end + 1 - LONGEST), end + 1):
            alone = fused_order(network, chip)
            for cut in cuts:
                assert cost(shared, start, end, cut) == cost(alone, start, end, cut)
