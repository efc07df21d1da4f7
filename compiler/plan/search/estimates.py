"""Close estimates of fused groups, for those that the search would choose.

The interval sweep prices thousands of groups from sums over their parts (*rough*); here, the few on the
cheapest path are run through step by step (*close*).  Groups of equal structure share what was found.  What
close estimates were above rough ones is expected of the others, too: of the same layers first, else of all.

    estimates = Estimates(GroupRuns(expansions))
    estimates.expected(rough, …)     rough bytes and cycles times what experience says
    estimates.along(path)            the choices with bytes and cycles as close as can be
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from nnc.compiler.plan.alone.layer_alone import LayerAlone
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.search.group_run import START, End, run_group
from nnc.compiler.plan.search.group_tasks import GroupTasks, TaskPrices
from nnc.compiler.plan.steps.expansions import Expansions
from nnc.compiler.plan.steps.step_writer import NOTHING_ON_CHIP
from nnc.compiler.tuning import TUNING

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
    """Groups run through step by step on a chip.

    Groups of one kind take the same time wherever they are; only the first of a kind is expanded, and what
    plans were above these times (*lessons*) counts for all of it.
    """

    def __init__(self, expansions: Expansions) -> None:
        """Args:
        expansions: make the steps of groups.
        """
        self._expansions, self._chip = expansions, expansions.chip
        self._prices = TaskPrices(expansions.networks[0].graph, expansions.chip)
        self._kinds: dict[Choice, Hashable] = {}
        self._tasks: dict[Hashable, GroupTasks | None] = {}
        self._runs: dict[tuple[Hashable, End], tuple[int, End]] = {}
        self._lessons: dict[Hashable, float] = {}

    def along(self, path: Sequence[Choice]) -> Iterator[tuple[int, int]]:
        """DRAM bytes and cycles of groups one behind the other; their estimates of those that cannot be."""
        for choice, kind, tasks, cycles in self._behind_each_other(path):
            if tasks is None:
                yield choice.dram_bytes, choice.cycles
            else:
                yield tasks.dram_bytes, round(cycles * self._lessons.get(kind, 1.0))

    def learn(self, path: Sequence[Choice], cycles: Sequence[int]) -> bool:
        """Expect of groups what was predicted of them in a plan; whether that is news.

        Args:
            cycles: of each group in that plan.
        """
        is_news = False
        for (_, kind, tasks, estimated), predicted in zip(self._behind_each_other(path), cycles, strict=True):
            factor = predicted / max(1, estimated)
            lesson = self._lessons.get(kind, 1.0)
            if tasks is not None and abs(factor - lesson) > TUNING.search.least_lesson * lesson:
                self._lessons[kind], is_news = factor, True
        return is_news

    def _behind_each_other(
        self, path: Sequence[Choice]
    ) -> Iterator[tuple[Choice, Hashable, GroupTasks | None, int]]:
        """Groups with their kinds, their tasks (none: they cannot be), and cycles behind the one before."""
        end = START
        for place, choice in enumerate(path):
            kind = self._kind(choice)
            if kind not in self._tasks:
                self._tasks[kind] = self._tasks_of(path, place)
            tasks = self._tasks[kind]
            if tasks is None:
                end = START
                yield choice, kind, None, choice.cycles
                continue
            if (kind, end) not in self._runs:
                self._runs[kind, end] = run_group(tasks, self._chip, end)
            cycles, end = self._runs[kind, end]
            yield choice, kind, tasks, cycles

    def _kind(self, choice: Choice) -> Hashable:
        """What groups share that take the same bytes and cycles: all but names."""
        match choice:
            case FusedChoice():
                if choice not in self._kinds:
                    keys = self._expansions.orders[choice.order].resident_keys(choice)
                    self._kinds[choice] = choice.interval, *keys
                return self._kinds[choice]
            case LayerAlone():
                return choice.order, choice.start, choice.best.cut

    def _tasks_of(self, path: Sequence[Choice], place: int) -> GroupTasks | None:
        """The tasks of a group on a path; groups before it are expanded as far as it finds their tiles."""
        first = place
        while path[first].residents_in:
            first -= 1
        on_chip = after = NOTHING_ON_CHIP
        for choice in path[first : place + 1]:
            on_chip = after
            planned, after = self._expansions.steps_of(choice, on_chip)
        if not planned.steps:
            return None
        blocks = [[rows.block for _, rows in residents] for residents in (on_chip, after)]
        return self._prices.tasks_of(planned.steps, len(planned.group.cores), *blocks)


class Estimates:
    """Costs of groups: close ones of those that were asked for, expected ones of the others."""

    def __init__(self, runs: GroupRuns | None) -> None:
        """Args:
        runs: of groups on the chip; None where no layers are fused: those in tiles have close estimates.
        """
        self._runs = runs
        self._experience: dict[Hashable, _Experience] = {}

    def expected(self, rough: tuple[int, int], kinds: Kinds) -> tuple[int, int]:
        """DRAM bytes and cycles that are expected of a group of these kinds (see `kinds_of`)."""
        layers, form = kinds
        past = self._experience.get(layers) or self._experience.get(form)
        return rough if past is None else past.applied_to(*rough)

    def along(self, path: Sequence[Choice]) -> list[Choice]:
        """The groups of a whole plan, each run through behind the one before it."""
        if self._runs is None:
            return list(path)
        close = list[Choice]()
        for choice, (dram_bytes, cycles) in zip(path, self._runs.along(path), strict=True):
            if isinstance(choice, FusedChoice):
                if not choice.cost.is_close:
                    self._learn(choice, (dram_bytes, cycles))
                if not choice.cost.is_close or choice.cycles != cycles:
                    cost = replace(choice.cost, dram_bytes=dram_bytes, cycles=cycles, is_close=True)
                    choice = replace(choice, cost=cost)
            elif choice.behind != cycles:
                choice = replace(choice, behind=cycles)
            close.append(choice)
        return close

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
