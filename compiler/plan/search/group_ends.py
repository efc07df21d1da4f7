"""Why a group ends where it ends: what the search knows of it with one more layer, in words.

next is conv4; in 3 parts: bytes for activations at the fullest step: 71680 needed, 65536 available
"""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import GroupCost
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING


def why_it_ends(network: PlanNetwork, orders: Sequence[FusedOrder], choice: Choice) -> str:
    """Why the next layer is not in a group.

    Args:
        network: the layers in the order that the choice names.
        orders: for fused groups, by number; none on a chip that fuses nothing, or if the user forbids it.
        choice: the group.
    """
    after = choice.end + 1
    if after == len(network.layers):
        return "the network ends"
    name = f"next is {network.layers[after].name}"
    if not orders:
        return f"{name}; layers are not fused"
    order, cut = orders[choice.order], choice.cut if isinstance(choice, FusedChoice) else Cut(1)
    layers, most = after + 1 - choice.start, order.effort.longest_group
    if layers > most:
        return f"{name}; groups have at most {most} layers at this effort"
    cost = _with_next(order, choice.start, after, cut)
    if isinstance(cost, Infeasible):
        return f"{name}; {cut}: {cost}"
    return (
        f"{name}; with it, {cut}: {cost.dram_bytes} B of DRAM traffic and {cost.cycles} cycles, without it"
        f" {choice.dram_bytes} B and {choice.cycles} cycles; the cheapest sequence has it elsewhere"
    )


def _with_next(order: FusedOrder, start: int, end: int, cut: Cut) -> GroupCost | Infeasible:
    """What a group costs in the same cut with a layer more, nothing on chip before and after."""
    chain = order.chain(end)
    interval = Intervals(order, chain, cut, end + 1, start).at(start)
    if isinstance(interval, Infeasible):
        return interval
    empty = chain.resident_key(start, NOTHING)
    return interval.weigh((empty, empty))
