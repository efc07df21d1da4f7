"""Groups of a plan in fewer parts, where more of them serve nothing: fewer instructions do the same.

The search looks at the finest cut of a group early.  Where that loads nothing again, coarser ones save no
bytes and are not tried; but a hundred parts of two tokens each take no less time than ten of twenty, if rows
need nothing of each other and what is loaded and stored has its places.

in:   the groups of a plan, with close estimates
out:  the same groups, those of many parts in the fewest that take no longer
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.estimate.refine import Estimates
from nnc.compiler.plan.fusion.fused_choice import FusedChoice, resident_keys
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import GroupCost
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.tuning import TUNING


def with_fewer_parts(
    path: Sequence[Choice], orders: Sequence[FusedOrder], estimates: Estimates, banned: Set[FusedChoice]
) -> list[Choice]:
    """The groups of a plan, those whose rows need nothing of each other in as few parts as take no longer.

    Args:
        banned: groups that are known to be impossible.
    """
    fewer = [_in_fewer_parts(choice, orders, banned) for choice in path]
    if all(new is old for new, old in zip(fewer, path, strict=True)):
        return list(path)
    found = estimates.along(fewer)
    kept = [new if _is_as_fast(path, found, at) else path[at] for at, new in enumerate(fewer)]
    found = estimates.along(kept)
    most = TUNING.estimates.no_slower * sum(choice.cycles for choice in path)
    return found if sum(choice.cycles for choice in found) <= most else list(path)


def _is_as_fast(path: Sequence[Choice], found: Sequence[Choice], at: int) -> bool:
    old, new = (sum(choice.cycles for choice in mine[at : at + 2]) for mine in (path, found))
    return new <= TUNING.estimates.no_slower * old


def _in_fewer_parts(choice: Choice, orders: Sequence[FusedOrder], banned: Set[FusedChoice]) -> Choice:
    """A group in the fewest parts in which it seems to take no longer."""
    tuning = TUNING.estimates
    if not isinstance(choice, FusedChoice) or choice.cost.reload or choice.cut.parts <= tuning.many_parts:
        return choice
    order, cut = orders[choice.order], choice.cut
    if cut.cores > 1 or not _rows_are_apart(order, choice):
        return choice
    rough = _cost(order, choice)
    for parts in order.effort.parts:
        other = replace(choice, cut=replace(cut, parts=parts))
        if not tuning.min_fewer_parts <= parts < cut.parts or other in banned:
            continue
        intervals = Intervals(order, order.chain(choice.end), other.cut, choice.sliced_from, choice.start)
        interval = intervals.at(choice.start)
        if isinstance(interval, Infeasible):
            continue
        other = replace(other, interval=interval)
        cost = _cost(order, other)
        if isinstance(cost, Infeasible) or cost.reload or isinstance(rough, Infeasible):
            continue
        if cost.dram_bytes <= rough.dram_bytes and cost.cycles <= tuning.no_slower * rough.cycles:
            return replace(other, cost=cost)
    return choice


def _cost(order: FusedOrder, choice: FusedChoice) -> GroupCost | Infeasible:
    """What a group costs as the search prices it."""
    return choice.interval.weigh([resident_keys(order, choice)])[0]


def _rows_are_apart(order: FusedOrder, choice: FusedChoice) -> bool:
    """Whether no row of an operand is needed for two rows of a result."""
    network = order.network
    for position in range(choice.start, choice.end + 1):
        for slot, tensor in network.operands[position]:
            table = network.row_table(position, slot, tensor)
            if (table.high[:-1] > table.low[1:]).any():
                return False
    return True
