"""Why a group ends where it ends: what the search knows of it with one more layer.

next is conv4; in 3 parts: bytes for activations at the fullest step: 71680 needed, 65536 available
"""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.ir.annotations import GroupEnd
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import GroupCost
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING


def why_it_ends(network: PlanNetwork, orders: Sequence[FusedOrder], choice: Choice) -> GroupEnd:
    """Why the next layer is not in a group.

    Args:
        network: the layers in the order that the choice names.
        orders: for fused groups, by number; none on a chip that fuses nothing, or if the user forbids it.
        choice: the group.
    """
    after = choice.end + 1
    if after == len(network.layers):
        return GroupEnd()
    name = network.layers[after].name
    if not orders:
        return GroupEnd(name, what="layers are not fused")
    order, cut = orders[choice.order], choice.cut if isinstance(choice, FusedChoice) else Cut(1)
    layers, most = after + 1 - choice.start, order.effort.longest_group
    if layers > most:
        what = f"groups have at most {most} layers at this effort"
        return GroupEnd(name, what=what, demand=layers, bound=most, unit="layers")
    cost = _with_next(order, choice.start, after, cut)
    if isinstance(cost, Infeasible):
        return GroupEnd(name, str(cut), cost.what, cost.demand, cost.bound)
    moved, cycles = (cost.dram_bytes, choice.dram_bytes), (cost.cycles, choice.cycles)
    return GroupEnd(name, str(cut), dram_bytes=moved, cycles=cycles)


def _with_next(order: FusedOrder, start: int, end: int, cut: Cut) -> GroupCost | Infeasible:
    """What a group costs in the same cut with a layer more, nothing on chip before and after."""
    chain = order.chain(end)
    interval = Intervals(order, chain, cut, end + 1, start).at(start)
    if isinstance(interval, Infeasible):
        return interval
    empty = chain.resident_key(start, NOTHING)
    return interval.weigh((empty, empty))
