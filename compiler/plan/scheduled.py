"""A sequence of groups with everything in its place: expanded, placed, in the order of issue, predicted.

The search proposes groups; where the blocks of one fragment a memory so that they do not fit, the search goes
on without that group.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.expand.groups import Expansions
from nnc.compiler.plan.options import BY_ENERGY, PlanOptions
from nnc.compiler.plan.plan import GroupPlan, Prediction
from nnc.compiler.plan.prices.energy_price import worth
from nnc.compiler.plan.schedule.allocate import Allocation
from nnc.compiler.plan.schedule.double_buffers import Placed, allocate_with_transfers
from nnc.compiler.plan.schedule.issue_order import Issue, broadcasts_first, order_of_issue
from nnc.compiler.plan.schedule.live_ranges import Touches
from nnc.compiler.plan.schedule.placement import (
    address_dram,
    allocate_blocks,
    overflowing_groups,
)
from nnc.compiler.plan.schedule.transfers import Addresses, Operands, dram_map, operands_of
from nnc.compiler.plan.search import Candidates, find_candidates
from nnc.compiler.plan.search_tables import SearchTables, sizes_of
from nnc.compiler.plan.step import IssuedStep
from nnc.compiler.plan.timing.predict import predict
from nnc.compiler.plan.timing.segments import issued_steps, segments
from nnc.compiler.plan.timing.synchronise import waits_of, with_waits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError

Progress = Callable[[str, int, int], None]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Scheduled:
    """A sequence of groups with everything in its place, in the order of issue, and what it will cost."""

    groups: list[GroupPlan]
    order: list[IssuedStep]
    leaders: Issue
    addresses: Addresses
    dram_bytes: int
    predictions: list[Prediction]
    cycles: int

    @property
    def moved_bytes(self) -> int:
        """Predicted traffic of all groups."""
        return sum(prediction.dram_bytes for prediction in self.predictions)


_Scheduled = list[tuple[list[Choice], Scheduled]]


@dataclass(frozen=True, eq=False)
class SharedPlans:
    """What all plans of a graph share: searches and their tables; per chip, groups and sequences; blocks."""

    tables: SearchTables
    searches: dict[Hashable, Candidates] = field(default_factory=dict)
    chips: dict[Hashable, tuple[Expansions, _Scheduled]] = field(default_factory=dict)
    placed: Placed = field(default_factory=dict)

    def search(self, chip: Chip, options: PlanOptions, progress: Progress) -> Candidates:
        """The groups that a search finds; another plan of the same may have taught what to expect of them."""
        key = sizes_of(chip), options
        if key not in self.searches:
            self.searches[key] = find_candidates(self.tables.graph, chip, options, progress, self.tables)
        return self.searches[key]


class _NoPlace(Exception):
    """The groups of many sequences, one after the other, have no place."""


class Planner:
    """Searches, expands, places, and predicts."""

    def __init__(self, shared: SharedPlans, chip: Chip, options: PlanOptions, progress: Progress) -> None:
        self._graph, self._chip, self._effort = shared.tables.graph, chip, EFFORTS[options.effort]
        self._candidates = found = shared.search(chip, options, progress)
        self._shared, self._options = shared, options
        self._progress, key = progress, (sizes_of(chip), *found.refusals.items())
        if key not in shared.chips:
            shared.chips[key] = Expansions(found.networks, chip, found.refusals), []
        self._expansions, self._done = shared.chips[key]
        self._placed = shared.placed

    def plan(self, objective: str) -> Scheduled:
        """The sequence for an objective; for all but `traffic` and `balanced`, the best of several."""
        found = self.plan_within(objective, inf)
        if found is None:
            raise InternalError("a plan takes endless cycles", where=f"chip {self._chip.name}")
        return found

    def plan_within(self, objective: str, cycles: float) -> Scheduled | None:
        """The same; None if all that it could be are estimated to take clearly more than so many cycles."""
        found, best = self._candidates, None
        sequences = {
            "traffic": [found.least_traffic],
            "balanced": [found.balanced],
            "cycles": [found.fastest, found.balanced, found.least_traffic],
            "energy": [found.least_energy, found.balanced, found.least_traffic],
        }
        sequences["edp"] = [found.least_product, found.fastest, *sequences["energy"]]
        for sequence in sequences[objective]:
            try:
                plan = self._schedule(sequence, TUNING.search.max_slowdown * cycles)
            except _NoPlace:
                plan = self._layers_alone().plan(objective)
            if plan is None:
                continue
            if best is None or self._rank(objective, plan) < self._rank(objective, best):
                best = plan
            if objective not in BY_ENERGY:
                cycles = min(cycles, plan.cycles)
        return best

    def _rank(self, objective: str, plan: Scheduled) -> float:
        """What the best has least of, by prediction."""
        if objective in BY_ENERGY:
            return worth(objective, self._chip, plan.moved_bytes, plan.cycles)
        return plan.cycles

    def _schedule(self, sequence: Callable[[], list[Choice]], cycles: float) -> Scheduled | None:
        """Expand and place the groups of a sequence; None if it is estimated to take more cycles.

        A group whose blocks cannot be placed is taken out of the search, and the best sequence of the others
        is found again; every round removes at least one of finitely many groups.

        Raises:
            _NoPlace: too many rounds.
        """
        for _ in range(TUNING.search.max_rounds):
            self._progress("placing", 0, 0)
            choices = self._candidates.in_fewer_parts(sequence())
            if sum(choice.cycles for choice in choices) > cycles:
                return None
            for known, scheduled in self._done:
                if known == choices:
                    return scheduled
            groups = self._expansions.expand(choices)
            if impossible := [choice for choice, g in zip(choices, groups, strict=True) if not g.steps]:
                self._ban(impossible, "its cores do not work in lockstep")
                continue
            demand = Touches.of_groups([group.steps for group in groups])
            allocations = allocate_with_transfers(demand, self._chip, self._placed)
            failed = overflowing_groups(demand, allocations, self._chip)
            if not failed:
                for choice in choices:
                    _log.info("chosen: %s", self._candidates.described(choice))
                said = [self._with_end(*pair) for pair in zip(groups, choices, strict=True)]
                self._done.append((choices, self._fastest_order(said, demand, allocations)))
                return self._done[-1][1]
            self._ban([choices[index] for index in failed], "its blocks fragment a memory and do not fit")
        raise _NoPlace

    def _with_end(self, planned: GroupPlan, choice: Choice) -> GroupPlan:
        """A group that says why it ends where it ends."""
        return replace(planned, group=replace(planned.group, ends=self._candidates.why_it_ends(choice)))

    def _layers_alone(self) -> Planner:
        """Plans without fused groups: so many of these had no place that others would hardly have one."""
        if not self._options.fused:
            raise InternalError("the blocks of the plan could not be placed", where=f"chip {self._chip.name}")
        _log.info("no place for %d sequences of groups: layers are planned alone", TUNING.search.max_rounds)
        return Planner(self._shared, self._chip, replace(self._options, fused=False), self._progress)

    def _fastest_order(
        self, groups: list[GroupPlan], demand: Touches, allocations: dict[str, Allocation]
    ) -> Scheduled:
        """Blocks placed with time for transfers; of few steps, the fastest of several orders of issue.

        The others: with blocks placed by the order of demand alone, which may lie such that loads move
        farther ahead; with constants that hold up no activations of earlier computations; with broadcasts
        before the loads of single cores.  In plans of many steps, other transfers hide the differences, and
        they are not looked for.
        """
        best = self._issued(groups, demand, allocations)
        if len(demand.order) > self._effort.placements:
            return best
        dense = allocate_blocks(demand, self._chip)
        if dense != allocations and not overflowing_groups(demand, dense, self._chip):
            other = self._issued(groups, demand, dense)
            if other.cycles < best.cycles:
                best, allocations = other, dense
        others = [best]
        if self._chip.cores > 1:
            others.append(self._issued(groups, demand, allocations, far=False))
        if (early := broadcasts_first(self._graph, demand)) is not None:
            others.append(self._issued(groups, early, allocations))
        return min(others, key=lambda found: found.cycles)

    def _issued(
        self,
        groups: list[GroupPlan],
        demand: Touches,
        allocations: dict[str, Allocation],
        *,
        far: bool = True,
    ) -> Scheduled:
        offsets = {name: at for found in allocations.values() for name, at in found.offsets.items()}
        return self._predict(
            groups, order_of_issue(self._graph, self._chip, demand, offsets, far=far, groups=groups)
        )

    def _ban(self, choices: Sequence[Choice], why: str) -> None:
        """Search on without some groups."""
        for choice in choices:
            _log.info("banned: %s: %s", self._candidates.described(choice), why)
        self._candidates.ban(choices)

    def _predict(self, leaders: list[GroupPlan], issue: Issue) -> Scheduled:
        """Let all cores do what their leaders do, and find out what it costs."""
        issued = issued_steps(leaders, issue)
        addresses, dram_bytes = address_dram(self._graph, self._chip, issued.groups, issued.offsets)
        dram, order = dram_map(self._graph, addresses), issued.order

        def operands(place: int) -> Operands:
            return operands_of(dram, addresses, order[place])

        cut = segments(self._graph, issue, issued, addresses.buffers)
        waits = waits_of(self._chip, addresses.constant_bytes, order, operands, cut)
        predictions, cycles = predict(self._chip, issued, operands, waits)
        steps = with_waits(self._chip, issued, waits)
        return Scheduled(issued.groups, steps, issue, addresses, dram_bytes, predictions, cycles)
