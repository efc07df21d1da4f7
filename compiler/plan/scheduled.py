"""A sequence of groups with everything in its place: expanded, placed, in the order of issue, predicted.

The search proposes groups; where the blocks of one fragment a memory so that they do not fit, the search goes
on without that group.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.place.allocate import Allocation
from nnc.compiler.plan.place.double_buffers import allocate_with_transfers
from nnc.compiler.plan.place.issue_order import Issue, broadcasts_first, order_of_issue
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.loads_in_time import loads_in_time, waited_for
from nnc.compiler.plan.place.placement import (
    address_dram,
    allocate_blocks,
    overflowing_groups,
)
from nnc.compiler.plan.place.predict import Times, predict
from nnc.compiler.plan.place.transfers import Addresses, Operands, dram_map, operands_of
from nnc.compiler.plan.place.waits import issued_steps, segments, waits_of, with_waits
from nnc.compiler.plan.plan import GroupPlan, Prediction
from nnc.compiler.plan.prices import AskedPrice, asked_together
from nnc.compiler.plan.search.group_search import Candidates, considered_prices, find_candidates, totals
from nnc.compiler.plan.search.tables import SearchTables, sizes_of
from nnc.compiler.plan.step import IssuedStep
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError

Progress = Callable[[str, int, int], None]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Scheduled:
    """A sequence of groups with everything in its place, in the order of issue, and what it will cost.

    Attributes:
        times: of the leaders' steps.
    """

    groups: list[GroupPlan]
    order: list[IssuedStep]
    leaders: Issue
    addresses: Addresses
    dram_bytes: int
    predictions: list[Prediction]
    cycles: int
    times: Times

    @property
    def moved_bytes(self) -> int:
        """Predicted traffic of all groups."""
        return sum(prediction.dram_bytes for prediction in self.predictions)


_Scheduled = list[tuple[list[Choice], Scheduled]]


@dataclass(frozen=True, eq=False)
class SharedPlans:
    """What all plans of a graph share: searches and their tables; plans that are done, per chip."""

    tables: SearchTables
    searches: dict[Hashable, Candidates] = field(default_factory=dict)
    done: dict[Hashable, _Scheduled] = field(default_factory=dict)

    def search(self, chip: Chip, options: PlanOptions, progress: Progress) -> Candidates:
        """The groups that a search finds: the same for all objectives that consider groups alike."""
        alike = replace(options, objective="balanced")
        key = sizes_of(chip), considered_prices(self.tables, chip, options), alike
        if key not in self.searches:
            self.searches[key] = find_candidates(self.tables.graph, chip, options, progress, self.tables)
        return self.searches[key]


class _NoPlace(Exception):
    """The blocks of some groups have no place; the message says why.

    Attributes:
        choices: these groups.
    """

    def __init__(self, choices: Sequence[Choice], why: str) -> None:
        super().__init__(why)
        self.choices = choices


class PlanBuilder:
    """Makes plans of what a search finds: expands, places, orders and predicts sequences of groups."""

    def __init__(self, shared: SharedPlans, chip: Chip, options: PlanOptions, progress: Progress) -> None:
        self._graph, self._chip, self._effort = shared.tables.graph, chip, shared.tables.effort
        self._candidates = candidates = shared.search(chip, options, progress)
        self._shared, self._options = shared, options
        self._progress = progress
        self._expansions = candidates.expansions
        self._done = shared.done.setdefault((sizes_of(chip), *candidates.refusals.items()), [])

    def plans(self, asked: AskedPrice) -> list[Scheduled]:
        """Plans of the sequences that may be the cheapest by an objective.

        A group whose blocks cannot be placed is taken out of the search, and sequences of the others are
        found again; every round removes at least one of finitely many groups.
        """
        for _ in range(TUNING.search.max_rounds):
            try:
                return self._plans_with_lessons(asked)
            except _NoPlace as failure:
                for choice in failure.choices:
                    _log.info("banned: %s: %s", self._candidates.described(choice), failure)
                self._candidates.ban(failure.choices)
        return self._layers_alone().plans(asked)

    def _plans_with_lessons(self, asked: AskedPrice) -> list[Scheduled]:
        """Plans of what the search finds; of a small network, again with what the plans have taught it.

        Pictures of 224 pixels take thousands of steps in a small network, too: then, one search is enough.
        """
        plans = self._plans_of(self._candidates.sequences_for(asked), asked)
        if not self._shared.tables.is_small:
            return plans
        for _ in range(self._effort.lessons):
            steps = sum(len(plan.order) for _, plan in self._done)
            lessons = [(path, [group.cycles for group in plan.predictions]) for path, plan in self._done]
            if steps > self._effort.predicted_steps or not self._candidates.learn(lessons):
                break
            self._plans_of(self._candidates.sequences_for(asked), asked)
        return [plan for _, plan in self._done]

    def _plans_of(self, sequences: Sequence[list[Choice]], asked: AskedPrice) -> list[Scheduled]:
        """Plans of those that are estimated to cost little more than the cheapest, while they have few steps.

        By the objective that is asked for and by the default, which may choose a faster plan where estimates
        are off.  Of a small network, by one objective or another, and in an order that is the same for all
        objectives: then they take out the same groups, and choose among the same plans.
        """
        prices = [asked, AskedPrice.of("balanced", self._chip)]
        if self._shared.tables.is_small:
            prices = asked_together(self._chip)
        every = [choices for price in prices for choices in self._near_best(sequences, price)]
        near = [choices for place, choices in enumerate(every) if choices not in every[:place]]
        plans, steps = [self._scheduled(near[0])], self._effort.predicted_steps
        for choices in near[1:]:
            steps -= len(plans[-1].order)
            if steps < 0:
                return [*plans, self._scheduled(self._near_best(sequences, asked)[0])]
            plans.append(self._scheduled(choices))
        return plans

    def _near_best(self, sequences: Sequence[list[Choice]], asked: AskedPrice) -> list[list[Choice]]:
        """Those that are estimated to cost little more than the cheapest, which comes first."""
        costs = [asked.worth(*totals(choices)) for choices in sequences]
        most = TUNING.search.max_above_best * min(costs)
        near = [number for number, cost in enumerate(costs) if cost <= most]
        near.sort(key=lambda number: (costs[number], len(sequences[number])))
        return [sequences[number] for number in near]

    def _scheduled(self, choices: list[Choice]) -> Scheduled:
        """The plan of a sequence.

        Raises:
            _NoPlace: some of its groups cannot be.
        """
        self._progress("placing", 0, 0)
        for groups_before, scheduled in self._done:
            if groups_before == choices:
                return scheduled
        groups = self._expansions.expand(choices)
        if impossible := [choice for choice, g in zip(choices, groups, strict=True) if not g.steps]:
            raise _NoPlace(impossible, "its cores do not work in lockstep")
        demand = Touches.of_groups([group.steps for group in groups])
        allocations = allocate_with_transfers(demand, self._chip)
        if failed := overflowing_groups(demand, allocations, self._chip):
            raise _NoPlace(
                [choices[index] for index in failed], "its blocks fragment a memory and do not fit"
            )
        for choice in choices:
            _log.info("chosen: %s", self._candidates.described(choice))
        said = [self._with_end(*pair) for pair in zip(groups, choices, strict=True)]
        self._done.append((choices, self._fastest_placement(said, demand, allocations)))
        return self._done[-1][1]

    def _with_end(self, planned: GroupPlan, choice: Choice) -> GroupPlan:
        """A group that says why it ends where it ends."""
        return replace(planned, group=replace(planned.group, ends=self._candidates.why_it_ends(choice)))

    def _layers_alone(self) -> PlanBuilder:
        """Plans without fused groups: so many of these had no place that others would hardly have one."""
        if not self._options.fused:
            raise InternalError("the blocks of the plan could not be placed", where=f"chip {self._chip.name}")
        _log.info("no place for %d sequences of groups: layers are planned alone", TUNING.search.max_rounds)
        return PlanBuilder(self._shared, self._chip, replace(self._options, fused=False), self._progress)

    def _fastest_placement(
        self, groups: list[GroupPlan], demand: Touches, allocations: dict[str, Allocation]
    ) -> Scheduled:
        """Blocks placed with time for transfers; of few steps, the fastest of several orders of issue.

        The others: with blocks placed by demand alone, which may lie such that loads move farther ahead; with
        constants that hold up no activations of earlier computations; with broadcasts before the loads of
        single cores.  In plans of many steps, other transfers hide the differences, and they are not looked
        for, but on several cores the second.  There, the fastest goes on with more patience.
        """
        plans = [self._issued(groups, demand, allocations)]
        is_short = len(demand.order) <= self._effort.placements
        if is_short:
            dense = allocate_blocks(demand, self._chip)
            if dense != allocations and not overflowing_groups(demand, dense, self._chip):
                plans.append(self._issued(groups, demand, dense))
                if plans[-1].cycles < plans[0].cycles:
                    allocations = dense
        if self._chip.cores > 1:
            plans.append(self._issued(groups, demand, allocations, far=False))
        if is_short and (early := broadcasts_first(self._graph, demand)) is not None:
            plans.append(self._issued(groups, early, allocations))
        fastest = min(plans, key=lambda plan: plan.cycles)
        return fastest if self._chip.cores == 1 else self._with_patience(groups, fastest)

    def _issued(
        self,
        groups: list[GroupPlan],
        demand: Touches,
        allocations: dict[str, Allocation],
        *,
        far: bool = True,
    ) -> Scheduled:
        """A plan in an order of issue; on several cores, with loads in the order in which they are served."""
        offsets = {name: offset for held in allocations.values() for name, offset in held.offsets.items()}
        issue = order_of_issue(self._graph, self._chip, demand, offsets, far=far)
        if self._chip.cores > 1 and TUNING.place.rounds_in_time:
            issue = loads_in_time(self._graph, self._chip, issue, {}) or issue
        return self._predict(groups, issue)

    def _with_patience(self, groups: list[GroupPlan], plan: Scheduled) -> Scheduled:
        """The fastest of a plan and those in which loads for which cores waited too early come later.

        They go on as long as that gains.
        """
        fastest, later = plan, Counter[int]()
        for _ in range(TUNING.place.rounds_in_time - 1):
            waited = waited_for(self._graph, self._chip, plan.leaders, plan.times)
            later.update(waited)
            issue = loads_in_time(self._graph, self._chip, plan.leaders, later) if waited else None
            if issue is None or (plan := self._predict(groups, issue)).cycles >= fastest.cycles:
                break
            fastest = plan
        return fastest

    def _predict(self, leaders: list[GroupPlan], issue: Issue) -> Scheduled:
        """Let all cores do what their leaders do, and find out what it costs."""
        issued = issued_steps(leaders, issue)
        addresses, dram_bytes = address_dram(self._graph, self._chip, issued.groups, issued.offsets)
        dram, order = dram_map(self._graph, addresses), issued.order

        def operands(place: int) -> Operands:
            return operands_of(dram, addresses, order[place])

        cut = segments(self._graph, issue, issued, addresses.buffers)
        waits = waits_of(self._chip, addresses.constant_bytes, order, operands, cut)
        predictions, cycles, times = predict(self._chip, issued, operands, waits)
        steps = with_waits(self._chip, issued, waits)
        times = times.of_leaders(issued.begins)
        return Scheduled(issued.groups, steps, issue, addresses, dram_bytes, predictions, cycles, times)
