"""Close estimates of fused groups, for those that the search would choose.

The interval sweep prices thousands of groups from sums over their parts (*rough*); here, the few on the
cheapest path are run through part by part (*close*).  Groups of equal structure share what was found.  What
close estimates were above rough ones is expected of the others, too: of the same layers first, else of all.

    estimates = Estimates(orders)
    estimates.expected(choice)       rough bytes and cycles times what experience says, or close ones
    estimates.close(choice)          the choice with bytes and cycles as close as can be
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.estimate.group_work import group_work
from nnc.compiler.plan.estimate.pipeline import group_cycles
from nnc.compiler.plan.estimate.row_bursts import RowBursts
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import Interval, ResidentKey

_Key = tuple[Interval, ResidentKey, ResidentKey]


@dataclass(slots=True)
class _Experience:
    """DRAM bytes and cycles of groups as they were estimated first, and closely."""

    rough: tuple[int, int] = (0, 0)
    close: tuple[int, int] = (0, 0)

    def add(self, rough: tuple[int, int], close: tuple[int, int]) -> None:
        """One more group."""
        self.rough = self.rough[0] + rough[0], self.rough[1] + rough[1]
        self.close = self.close[0] + close[0], self.close[1] + close[1]

    def applied_to(self, dram_bytes: int, cycles: int) -> tuple[int, int]:
        """What another group will be if it errs as these did."""
        (bytes_then, cycles_then), (bytes_now, cycles_now) = self.rough, self.close
        return dram_bytes * bytes_now // max(1, bytes_then), cycles * cycles_now // max(1, cycles_then)


class Estimates:
    """Costs of groups: close ones of those that were asked for, expected ones of the others."""

    def __init__(self, orders: Sequence[FusedOrder]) -> None:
        self._orders = orders
        self._bursts = [RowBursts(order.network, order.chip.dram.burst) for order in orders]
        self._found: dict[_Key, tuple[int, int]] = {}
        self._experience: dict[Hashable, _Experience] = {}

    def expected(self, choice: Choice) -> tuple[int, int]:
        """DRAM bytes and cycles that are expected of a choice."""
        known = choice.dram_bytes, choice.cycles
        if is_close(choice):
            return known
        past = self._experience.get(_layers(choice)) or self._experience.get(form_of(choice))
        return known if past is None else past.applied_to(*known)

    def close(self, choice: FusedChoice) -> FusedChoice:
        """The choice, run through part by part."""
        dram_bytes, cycles = self._run_through(choice)
        for key in (_layers(choice), form_of(choice)):
            past = self._experience.setdefault(key, _Experience())
            past.add((choice.dram_bytes, choice.cycles), (dram_bytes, cycles))
        return replace(choice, cost=replace(choice.cost, dram_bytes=dram_bytes, cycles=cycles, is_close=True))

    def _run_through(self, choice: FusedChoice) -> tuple[int, int]:
        """DRAM bytes and cycles."""
        order = self._orders[choice.order]
        chain = order.chain(choice.end)
        before = chain.resident_key(choice.start, choice.residents_in)
        after = chain.resident_key(choice.start, choice.residents_out)
        key = (choice.interval, before, after)
        if key not in self._found:
            work = group_work(order, choice, self._bursts[choice.order])
            self._found[key] = work.dram_bytes, group_cycles(work, order.chip, order.capacity)
        return self._found[key]


def is_close(choice: Choice) -> bool:
    """Whether a choice has its close estimate; layers in tiles have no other."""
    return not isinstance(choice, FusedChoice) or choice.cost.is_close


def form_of(choice: Choice) -> Hashable:
    """What groups share whose rough estimates err alike: in tiles, in one part, in several."""
    return isinstance(choice, FusedChoice) and (choice.parts == 1, choice.cut.cores > 1)


def _layers(choice: Choice) -> Hashable:
    """What groups of the same layers share, in one part or in several."""
    return choice.order, choice.start, choice.end, form_of(choice)
