"""Close estimates of fused groups, for those that the search would choose.

The interval sweep prices thousands of groups from sums over their parts (*rough*); here, the few on the
cheapest path are run through part by part (*close*).  Groups of equal structure share what was found.  What
close estimates were above rough ones is expected of the others, too: of the same layers first, else of all.

    estimates = Estimates(GroupRuns(orders))
    estimates.expected(rough, …)     rough bytes and cycles times what experience says
    estimates.along(path)            the choices with bytes and cycles as close as can be
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.estimate.cells import GroupWork
from nnc.compiler.plan.estimate.group_work import group_work
from nnc.compiler.plan.estimate.pipeline import START, End, run_group
from nnc.compiler.plan.estimate.row_bursts import RowBursts
from nnc.compiler.plan.estimate.tiled_work import tiled_work
from nnc.compiler.plan.fusion.fused_choice import FusedChoice, resident_keys
from nnc.compiler.plan.fusion.fused_order import FusedOrder

Kinds = tuple[Hashable, Hashable]
"""What groups of the same layers share, and what all groups share; see `kinds_of`."""


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


class GroupRuns:
    """Groups run through part by part on a chip; what objectives ask for again is found once.

    Attributes:
        orders: the layers in the orders that choices name; none if the chip cannot fuse layers.
    """

    def __init__(self, orders: Sequence[FusedOrder]) -> None:
        self.orders = orders
        self._bursts = [RowBursts(order.network, order.chip.dram.burst) for order in orders]
        self._work: dict[Hashable, GroupWork] = {}
        self._known: dict[FusedChoice, tuple[Hashable, GroupWork]] = {}
        self._runs: dict[tuple[Hashable, End], tuple[int, End]] = {}

    def run(self, choice: Choice, before: End) -> tuple[int, int, End]:
        """DRAM bytes and cycles of a group behind others that end so, and how it ends."""
        key, work = self._work_of(choice)
        run = (key, before)
        if run not in self._runs:
            order = self.orders[choice.order]
            self._runs[run] = run_group(work, order.chip, order.capacity, before)
        cycles, end = self._runs[run]
        return work.dram_bytes, cycles, end

    def _work_of(self, choice: Choice) -> tuple[Hashable, GroupWork]:
        """A group as cells, and what groups share that have the same."""
        if not isinstance(choice, FusedChoice):
            return self._find_work(choice)
        if choice not in self._known:
            self._known[choice] = self._find_work(choice)
        return self._known[choice]

    def _find_work(self, choice: Choice) -> tuple[Hashable, GroupWork]:
        order = self.orders[choice.order]
        if isinstance(choice, FusedChoice):
            key: Hashable = choice.interval, *resident_keys(order, choice)
        else:
            key = choice.order, choice.start, choice.best.cut
        if key not in self._work:
            self._work[key] = (
                group_work(order, choice, self._bursts[choice.order])
                if isinstance(choice, FusedChoice)
                else tiled_work(choice, order.chip, order.capacity)
            )
        return key, self._work[key]


class Estimates:
    """Costs of groups: close ones of those that were asked for, expected ones of the others."""

    def __init__(self, runs: GroupRuns) -> None:
        self._runs = runs
        self._experience: dict[Hashable, _Experience] = {}

    def expected(self, rough: tuple[int, int], kinds: Kinds) -> tuple[int, int]:
        """DRAM bytes and cycles that are expected of a group of these kinds (see `kinds_of`)."""
        layers, form = kinds
        past = self._experience.get(layers) or self._experience.get(form)
        return rough if past is None else past.applied_to(*rough)

    def along(self, path: Sequence[Choice]) -> list[Choice]:
        """The groups of a whole plan, each run through behind the one before it."""
        if not self._runs.orders:
            return list(path)
        found: list[Choice] = []
        end = START
        for choice in path:
            dram_bytes, cycles, end = self._runs.run(choice, end)
            if isinstance(choice, FusedChoice):
                if not choice.cost.is_close:
                    self._learn(choice, (dram_bytes, cycles))
                if not choice.cost.is_close or choice.cycles != cycles:
                    cost = replace(choice.cost, dram_bytes=dram_bytes, cycles=cycles, is_close=True)
                    choice = replace(choice, cost=cost)
            elif choice.behind != cycles:
                choice = replace(choice, behind=cycles)
            found.append(choice)
        return found

    def _learn(self, choice: FusedChoice, close: tuple[int, int]) -> None:
        for key in kinds_of(choice):
            past = self._experience.setdefault(key, _Experience())
            past.add((choice.dram_bytes, choice.cycles), close)


def is_close(choice: Choice) -> bool:
    """Whether a choice has its close estimate; layers in tiles have no other."""
    return not isinstance(choice, FusedChoice) or choice.cost.is_close


def kinds_of(choice: Choice) -> Kinds:
    """What groups share whose rough estimates err alike: those of the same layers; all others.

    Groups in tiles are apart, as are those in one part and in several, on one core and on several.
    """
    form = isinstance(choice, FusedChoice) and (choice.parts == 1, choice.cut.cores > 1)
    return (choice.order, choice.start, choice.end, form), form
