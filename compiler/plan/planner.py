"""The plan: one step decides groups, cuts, loop order, storage and addresses together.

The search proposes groups; they are expanded to steps, put into the order of issue, and placed.  Where the
blocks of a group fragment a memory so that they do not fit, the search goes on without that group.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.choice import Choice
from nnc.compiler.plan.effort import EFFORTS, Effort
from nnc.compiler.plan.expand.groups import Expansions
from nnc.compiler.plan.expand.lockstep import flattened, offsets_of_all, with_own_blocks
from nnc.compiler.plan.less_memory import chips_with_less_memory
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions
from nnc.compiler.plan.plan import GroupPlan, Plan, Prediction
from nnc.compiler.plan.schedule.allocate import Allocation
from nnc.compiler.plan.schedule.double_buffers import allocate_with_transfers
from nnc.compiler.plan.schedule.issue_order import Issue, broadcasts_first, order_of_issue
from nnc.compiler.plan.schedule.placement import (
    address_dram,
    allocate_blocks,
    group_peaks,
    memory_use,
    overflowing_groups,
    tile_places,
)
from nnc.compiler.plan.schedule.predict import predict
from nnc.compiler.plan.schedule.synchronise import with_waits
from nnc.compiler.plan.schedule.transfers import Addresses, operands_of
from nnc.compiler.plan.search import PERCENT_SLOWER, find_candidates
from nnc.compiler.plan.step import IssuedStep, Step
from nnc.compiler.plan.two_buffers.buffered_conv import why_not
from nnc.compiler.target.fully_connected import takes_pixels
from nnc.compiler.target.type_support import check_types
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError, OptionError

Progress = Callable[[str, int, int], None]

_MOST_SMALLER_CHIPS, _TRIES_WITH_LESS, _MUCH_SLOWER = 6, 3, 1.1
_MOST_ROUNDS = 200
_log = logging.getLogger(__name__)
DEFAULT_OPTIONS = PlanOptions()


def no_progress(what: str, done: int, total: int) -> None:
    """The progress callback that shows nothing."""


@dataclass(frozen=True)
class _Scheduled:
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


def make_plan(
    graph: Graph,
    chip: Chip,
    progress: Progress = no_progress,
    options: PlanOptions = DEFAULT_OPTIONS,
) -> Plan:
    """Decide everything about a canonical graph on a chip.

    Args:
        graph: canonical, with storage for every tensor.
        chip: the target.
        progress: called as progress(what, done, total) while planning.
        options: what the user asks for.

    Raises:
        OptionError: an option means nothing on this chip, or for this network.
        ElementTypeError: the chip has no unit for the element types of a layer.
        CapacityError: a layer cannot fit the memories, or the tensors the DRAM.
    """
    check_types(graph, chip)
    if options.fc_oram is not None and not takes_pixels(chip):
        raise OptionError(
            "--fc-oram means nothing on this chip",
            where=f"chip {chip.name}",
            found=f"--fc-oram {options.fc_oram}",
            expected="a chip whose features and weights are copied from another memory, such as nna",
            remedy="leave the option out, or --chip nna",
        )
    scheduled = _searched(graph, chip, progress, options)
    leaders, offsets = scheduled.leaders.order, scheduled.leaders.offsets
    return Plan(
        groups=tuple(scheduled.groups),
        order=tuple(scheduled.order),
        places=scheduled.addresses.places,
        memory_peak=group_peaks(leaders, offsets, len(scheduled.groups)),
        memory_use=memory_use(leaders, offsets, chip),
        pieces=scheduled.addresses.pieces,
        buffers=scheduled.addresses.buffers,
        constant_bytes=scheduled.addresses.constant_bytes,
        dram_bytes=scheduled.dram_bytes,
        predictions=tuple(scheduled.predictions),
        cycles=scheduled.cycles,
    )


def _searched(graph: Graph, chip: Chip, progress: Progress, options: PlanOptions) -> _Scheduled:
    """The plan for an objective; with most effort, the best of the default's, its own, and less memory's."""
    effort = EFFORTS[options.effort]
    if effort.less_memory:
        best = _searched(graph, chip, progress, replace(options, effort=DEFAULT_OPTIONS.effort))
        for plan in _more_plans(graph, chip, progress, options):
            best = _better(best, plan, options.objective)
        return best
    return _of_both_ways(graph, chip, progress, options)


def _more_plans(graph: Graph, chip: Chip, progress: Progress, options: PlanOptions) -> Iterator[_Scheduled]:
    """Plans of more effort, and of as much for less memory: a plan for that is one for the chip."""
    yield _of_both_ways(graph, chip, progress, options)
    for smaller in islice(chips_with_less_memory(chip, graph), _TRIES_WITH_LESS):
        try:
            yield _Planner(graph, smaller, options, progress).plan(options.objective)
        except CapacityError:
            return


def _of_both_ways(graph: Graph, chip: Chip, progress: Progress, options: PlanOptions) -> _Scheduled:
    """The plan for an objective; of few layers, the better of those with and without two buffers of rows."""
    if options.conv_buffers != "auto" or not _is_worth_both(graph, chip, EFFORTS[options.effort]):
        return _planned(graph, chip, progress, options)
    rows = _planned(graph, chip, progress, replace(options, conv_buffers="rows"))
    auto = _Planner(graph, chip, options, progress).plan(options.objective)
    return _better(rows, auto, options.objective)


def _planned(graph: Graph, chip: Chip, progress: Progress, options: PlanOptions) -> _Scheduled:
    """The plan for an objective; if only time counts, the fastest of several."""
    scheduled = _Planner(graph, chip, options, progress).plan(options.objective)
    if options.objective != "cycles":
        return scheduled
    return min(_fast_plans(graph, chip, progress, options, scheduled), key=lambda plan: plan.cycles)


def _fast_plans(
    graph: Graph, chip: Chip, progress: Progress, options: PlanOptions, own: _Scheduled
) -> Iterator[_Scheduled]:
    """Plans that may be the fastest: the own one, other objectives'; of few layers, those of less memory."""
    yield own
    for name in OBJECTIVES:
        if name != options.objective:
            yield _Planner(graph, chip, replace(options, objective=name), progress).plan(name)
    few = EFFORTS[options.effort].few_layers
    if len(graph) > few or options.conv_buffers == "m3":  # less memory may leave no room for those
        return
    for smaller in islice(chips_with_less_memory(chip, graph), _MOST_SMALLER_CHIPS):
        try:
            found = _Planner(graph, smaller, options, progress).plan(options.objective)
        except CapacityError:
            return
        yield found
        if found.cycles > _MUCH_SLOWER * own.cycles:
            return


def _is_worth_both(graph: Graph, chip: Chip, effort: Effort) -> bool:
    """Whether plans with and without two buffers are compared: in large networks, estimates must do."""
    layers = [layer for layer in graph.layers() if not layer.is_view]
    return len(layers) <= effort.few_layers and not all(why_not(graph, layer, chip) for layer in layers)


def _better(found: _Scheduled, other: _Scheduled, objective: str) -> _Scheduled:
    """The plan that an objective asks for, by prediction; the first of equals."""
    slowest = min(found.cycles, other.cycles) * (100 + PERCENT_SLOWER)

    def rank(plan: _Scheduled) -> tuple[bool, int, int]:
        if objective == "cycles":
            return False, plan.cycles, plan.moved_bytes
        slow = objective == "balanced" and plan.cycles * 100 > slowest
        return slow, plan.moved_bytes, plan.cycles

    return min(found, other, key=rank)


class _Planner:
    """Searches, expands, places, and predicts."""

    def __init__(self, graph: Graph, chip: Chip, options: PlanOptions, progress: Progress) -> None:
        self._graph, self._chip, self._effort = graph, chip, EFFORTS[options.effort]
        self._candidates, self._progress = find_candidates(graph, chip, options, progress), progress
        self._expansions = Expansions(self._candidates.networks, chip, self._candidates.refusals)
        self._done: list[tuple[list[Choice], _Scheduled]] = []

    def plan(self, objective: str) -> _Scheduled:
        """The sequence for an objective; for `cycles`, the fastest of three by prediction."""
        found = self._candidates
        if objective == "traffic":
            return self._schedule(found.least_traffic)
        if objective == "balanced":
            return self._schedule(found.balanced)
        plans = [self._schedule(one) for one in (found.fastest, found.balanced, found.least_traffic)]
        return min(plans, key=lambda plan: plan.cycles)

    def _schedule(self, sequence: Callable[[], list[Choice]]) -> _Scheduled:
        """Expand and place the groups of a sequence.

        A group whose blocks cannot be placed is taken out of the search, and the best sequence of the others
        is found again; every round removes at least one of finitely many groups.
        """
        for _ in range(_MOST_ROUNDS):
            self._progress("placing", 0, 0)
            choices = sequence()
            for known, scheduled in self._done:
                if known == choices:
                    return scheduled
            groups = self._expansions.expand(choices)
            if impossible := [choice for choice, g in zip(choices, groups, strict=True) if not g.steps]:
                self._ban(impossible, "its cores do not work in lockstep")
                continue
            demand = [step for group in groups for step in group.steps]
            allocations = allocate_with_transfers(demand, self._chip)
            failed = overflowing_groups(demand, allocations, self._chip)
            if not failed:
                for choice in choices:
                    _log.info("chosen: %s", self._candidates.described(choice))
                self._done.append((choices, self._fastest_order(groups, demand, allocations)))
                return self._done[-1][1]
            self._ban([choices[index] for index in failed], "its blocks fragment a memory and do not fit")
        raise InternalError("the blocks of the plan could not be placed", where=f"chip {self._chip.name}")

    def _fastest_order(
        self, groups: list[GroupPlan], demand: list[Step], allocations: dict[str, Allocation]
    ) -> _Scheduled:
        """Blocks placed with time for transfers; of few steps, the fastest of several orders of issue.

        The others: with blocks placed by the order of demand alone, which may lie such that loads move
        farther ahead; with constants that hold up no activations of earlier computations; with broadcasts
        before the loads of single cores.  In plans of many steps, other transfers hide the differences, and
        they are not looked for.
        """
        best = self._issued(groups, demand, allocations)
        if len(demand) > self._effort.placements:
            return best
        dense = allocate_blocks(demand, self._chip)
        if dense != allocations:
            other = self._issued(groups, demand, dense)
            if other.cycles < best.cycles:
                best, allocations = other, dense
        others = [best]
        if self._chip.cores > 1:
            others.append(self._issued(groups, demand, allocations, far=False))
        early = broadcasts_first(self._graph, demand)
        if early != demand:
            others.append(self._issued(groups, early, allocations))
        return min(others, key=lambda found: found.cycles)

    def _issued(
        self,
        groups: list[GroupPlan],
        demand: list[Step],
        allocations: dict[str, Allocation],
        *,
        far: bool = True,
    ) -> _Scheduled:
        offsets = {name: at for found in allocations.values() for name, at in found.offsets.items()}
        return self._predict(groups, order_of_issue(self._graph, self._chip, demand, offsets, far=far))

    def _ban(self, choices: Sequence[Choice], why: str) -> None:
        """Search on without some groups."""
        for choice in choices:
            _log.info("banned: %s: %s", self._candidates.described(choice), why)
        self._candidates.ban(choices)

    def _predict(self, leaders: list[GroupPlan], issue: Issue) -> _Scheduled:
        """Let all cores do what their leaders do, and find out what it costs."""
        order = flattened(issue.order)
        places = tile_places(order, offsets_of_all(issue.order, issue.offsets))
        order = with_own_blocks(order)
        own_steps = [tuple(with_own_blocks(flattened(group.steps))) for group in leaders]
        groups = [replace(group, steps=steps) for group, steps in zip(leaders, own_steps, strict=True)]
        addresses, dram_bytes = address_dram(self._graph, self._chip, groups, places)
        operands = [operands_of(self._graph, addresses, step) for step in order]
        issued = with_waits(self._chip, addresses.constant_bytes, order, operands)
        predictions, cycles = predict(self._chip, issued, operands, len(groups))
        return _Scheduled(groups, issued, issue, addresses, dram_bytes, predictions, cycles)
