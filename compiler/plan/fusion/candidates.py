"""Candidate fused groups of one order: every interval with every cut that can still beat the best cost."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from nnc.compiler.plan.effort import PairBudget
from nnc.compiler.plan.fusion.channel_slices import keeps_rows_in_slices, slicing_start
from nnc.compiler.plan.fusion.cut import (
    Cut,
    by_overlap,
    cuts_worth_trying,
    is_large,
    shared_cuts,
    strips_worth_trying,
)
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import Interval
from nnc.compiler.plan.fusion.interval_sweep import Intervals
from nnc.compiler.plan.fusion.lower_bounds import OpenPairs, Pair, Starts
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.frontier import Frontier
from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.plan.options import LEAST_TRAFFIC
from nnc.compiler.tuning import TUNING

_log = logging.getLogger(__name__)


def shared_candidates(
    order: FusedOrder, span: tuple[int, Starts], frontier: Frontier, banned: Set[FusedChoice]
) -> list[FusedChoice]:
    """Fused groups that all cores share; see `fused_candidates`.  None on one core, or without broadcasts."""
    search = _CandidateSearch(order, span[0], frontier, banned)
    if order.chip.cores > 1 and order.chip.dma.broadcast:
        _try_shared(search, span[1])
    return search.said("shared ")


def fused_candidates(
    order: FusedOrder,
    span: tuple[int, Starts],
    overlap: str,
    frontier: Frontier,
    banned: Set[FusedChoice],
    budget: PairBudget,
) -> list[FusedChoice]:
    """Fused groups of one core that end at a layer and may be part of the cheapest sequence.

    Args:
        order: the order whose intervals are tried.
        span: position of the last layer, and where groups may start.
        overlap: whether rows that two parts need are kept or computed again (see `PlanOptions`).
        frontier: least costs so far; every group that is found is offered to it, so that it prunes others.
        banned: groups that are known to be impossible.
        budget: pairs of residents that are looked at.
    """
    end, starts = span
    search = _CandidateSearch(order, end, frontier, banned)
    _try_on_one_core(search, starts, overlap, budget)
    return search.said()


def _try_shared(search: _CandidateSearch, starts: Starts) -> None:
    """Groups that all cores share, each with rows and columns of its own; nothing stays on chip after.

    Their last layers in slices of channels, too: then weights come once where whole results would want parts.
    """
    order, end = search.order, search.end
    cores, sliced_from = order.chip.cores, slicing_start(order.network, order.chip, end)
    pairs = OpenPairs(order, end, search.frontier, [NOTHING], [NOTHING], cores, sliced_from)
    pairs.extend_to_longest(starts)
    most = 1 if keeps_rows_in_slices(order.network, sliced_from, end) else TUNING.cuts.max_parts_with_slices
    for cuts in shared_cuts(order.network, end, cores):
        search.served.clear()
        search.attempt(end + 1, cuts, pairs)
        if sliced_from <= end:
            search.attempt(sliced_from, [cut for cut in cuts if cut.parts <= most], pairs)
        if all(cut.column_shards == 1 for cut in cuts):
            _try_chunks(search, cuts, pairs)


def _try_on_one_core(search: _CandidateSearch, starts: Starts, overlap: str, budget: PairBudget) -> None:
    """Groups on core 0: in rows, with the last layers in slices of channels, in strips of columns."""
    order, end = search.order, search.end
    sliced_from = slicing_start(order.network, order.chip, end)
    large = is_large(order.network, end, order.capacity.activations)
    residents = order.resident_options[end + 1]
    pairs = OpenPairs(order, end, search.frontier, None, residents, sliced_from=sliced_from)
    budget.spend(end, pairs.extend_to_longest(starts, budget.of(end)))
    whole, rows = by_overlap(cuts_worth_trying(order.network, end, order.effort.parts), overlap)
    search.attempt(end + 1, [*whole, *rows], pairs)
    most = TUNING.cuts.max_parts_with_slices
    few = [cut for cut in rows if not cut.recompute and (cut.parts <= most or large)]
    if keeps_rows_in_slices(order.network, sliced_from, end):
        few = []
    if sliced_from <= end:
        search.attempt(sliced_from, [*whole, *few], pairs)
    _try_chunks(search, [*whole, *rows], pairs)
    if order.effort.strips and (large or order.network.axes in (CutAxes.PICTURES, CutAxes.HEADS)):
        _try_strips(search, sliced_from if few else end + 1, rows, pairs)


def _try_chunks(search: _CandidateSearch, cuts: Sequence[Cut], pairs: OpenPairs) -> None:
    """Groups in whose runs of layers hidden channels come in chunks, so that few parts or one will do.

    In several parts, each row of the result of a run needs just one of its hidden channels.
    """
    order, end = search.order, search.end
    runs = order.runs_within(max(0, end + 1 - order.effort.longest_group), end, Cut(1, chunks=1))
    if not runs:
        return
    chunked, most = pairs.in_chunks(runs), TUNING.cuts.max_parts_with_slices
    apart = max((run.first + 1 for run in runs.values() if not run.rows), default=0)
    in_parts = chunked.without(set(), range(apart, end + 1))
    for cut in cuts:
        if cut.parts <= most and not cut.recompute:
            for chunks in TUNING.chunks.finer:
                its_pairs = chunked if cut.parts == 1 else in_parts
                search.attempt(end + 1, [replace(cut, chunks=chunks)], its_pairs)


def _try_strips(search: _CandidateSearch, sliced_from: int, rows: Sequence[Cut], pairs: OpenPairs) -> None:
    """Groups in strips of columns, in slices of channels too: in little memory, both together load least.

    Args:
        sliced_from: from where layers run in slices of channels.
    """
    order, end = search.order, search.end
    tuning = TUNING.groups
    in_vain, patience = 0, tuning.useless_strips
    if search.frontier.price.objective == LEAST_TRAFFIC:
        patience *= tuning.patience_for_bytes
    for strips in strips_worth_trying(order.network, end, rows):
        count, improvements, reached = len(search.candidates), search.improvements, search.farthest
        search.attempt(end + 1, strips, pairs)
        if sliced_from <= end:
            search.attempt(sliced_from, strips, pairs)
        is_better = search.improvements > improvements or search.farthest < reached
        if is_better:
            in_vain = 0
        elif len(search.candidates) > count:
            in_vain += 1
        if in_vain == patience:
            return


@dataclass(eq=False)
class _CandidateSearch:
    """The candidates that end at one layer.

    Attributes:
        candidates: those so far.
        served: starts and residents of those that load no weights again: other cuts cannot do better.
    """

    order: FusedOrder
    end: int
    frontier: Frontier
    banned: Set[FusedChoice]
    candidates: list[FusedChoice] = field(default_factory=list)
    served: set[tuple[int, Pair]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._chain = self.order.chain(self.end)
        self._explains = _log.isEnabledFor(logging.DEBUG)
        self.improvements, self.farthest = 0, self.end + 1
        self._improved: set[int] = set()

    def said(self, kind: str = "") -> list[FusedChoice]:
        """The candidates, and the log how many there are."""
        if self._explains:
            where = self.order.named(self.end, self.end)
            _log.debug("%s: %d %scandidate groups end here", where, len(self.candidates), kind)
        return self.candidates

    def attempt(self, sliced_from: int, cuts: Sequence[Cut], pairs: OpenPairs) -> None:
        """Fused groups in some cuts, from few parts to many, while more parts may lower the cost.

        The finest cut comes early: what does not fit there, or loads weights again, will do so in any parts.
        """
        if not cuts:
            return
        first = 0 if sliced_from > self.end else max(0, self.end + 1 - TUNING.cuts.max_layers_with_slices)
        pairs = pairs.without(self.served, range(first, min(self.end, sliced_from) + 1))
        finest, in_vain = max(cuts, key=lambda cut: cut.passes), Counter[int]()
        for cut in dict.fromkeys((cuts[0], finest, *cuts)):
            worth = pairs.open(min(2, cut.passes) if cut is finest else cut.passes)
            worth = [start for start in worth if in_vain[start] < TUNING.groups.useless_cuts]
            if not worth:
                if self._explains:
                    where = self.order.named(self.end, self.end)
                    _log.debug("%s: no group in %s or more beats the best known cost", where, cut)
                return
            self._improved.clear()
            runs = self.order.runs(cut.chunks)
            starts = [
                start
                for start in worth
                if (start not in runs or start == runs[start].first or runs[start].last > self.end)
                and pairs.fitting(start, cut.passes)
            ]
            is_probe = cut is finest is not cuts[0]
            fitting = self._weigh(sliced_from, cut, starts, pairs, is_probe=is_probe)
            if cut is finest:
                pairs.narrow(fitting)
                continue
            for start, fits in fitting.items():
                if fits:
                    in_vain[start] = 0 if start in self._improved else in_vain[start] + 1

    def _weigh(
        self, sliced_from: int, cut: Cut, starts: Starts, pairs: OpenPairs, *, is_probe: bool
    ) -> dict[int, dict[Pair, float]]:
        """Groups with one cut; returns by start the pairs that fit, and what one more part costs them.

        Of many in one part, most cost the same: the longest come first, and others must be better.

        Args:
            is_probe: whether groups that load weights again are left out, unless they cost less than all
                before them.
        """
        intervals = self._intervals(sliced_from, cut, starts)
        if is_longest_first := cut.passes == cut.cores == 1 and pairs.of(starts) > TUNING.groups.many_pairs:
            intervals = reversed([*intervals])
        fitting, overflows = dict[int, dict[Pair, float]](), 0
        for start, interval in intervals:
            fits = fitting[start] = dict[Pair, float]()
            open_pairs = pairs.fitting(start, cut.passes, is_better=is_longest_first)
            for pair in open_pairs:
                before, after = (self._chain.resident_key(start, residents) for residents in pair)
                cost = interval.weigh((before, after))
                if isinstance(cost, Infeasible):
                    self._explain(start, cut, cost)
                    continue
                choice = FusedChoice(
                    self.order.number, start, self.end, cut, *pair, sliced_from, cost, interval
                )
                fits[pair] = self.frontier.price.least_cost(cost.reload // max(1, cut.passes - 1))
                self._enter(choice, only_better=is_probe and cost.reload > 0)
                in_one = cut.passes == 1 and (pair[0].last_rows or pair[1].last_rows)
                at_ends = interval.cycles_at_ends(cost.cycles)
                is_good = not (at_ends or cost.reload or self._is_banned(choice))
                if is_good and (not in_one or cost.compute_cycles <= self._most_work(start)):
                    self.served.add((start, pair))
            overflows += bool(open_pairs) and not fits
            if cut.cores > 1 and overflows == TUNING.groups.max_overflows:
                break
        return fitting

    def _intervals(self, sliced_from: int, cut: Cut, starts: Starts) -> Iterator[tuple[int, Interval]]:
        """The intervals from some starts, ever longer ones, until one cannot be cut so."""
        intervals = Intervals(self.order, self._chain, cut, sliced_from, min(starts, default=None))
        for start in starts:
            interval = intervals.at(start)
            if isinstance(interval, Infeasible):
                self._explain(start, cut, interval)
                return
            yield start, interval

    def _most_work(self, start: int) -> int:
        """Cycles of the layers from a start on, each at once, and hardly more."""
        least = sum(map(self.order.cycles_of_whole, range(start, self.end + 1)))
        return least * (TUNING.groups.almost_no_more_work + 1) // TUNING.groups.almost_no_more_work

    def _enter(self, choice: FusedChoice, *, only_better: bool) -> None:
        if self._is_banned(choice):
            return
        self.farthest = min(self.farthest, choice.start)
        if is_better := self.frontier.offer(choice):
            self.improvements += 1
            self._improved.add(choice.start)
        if is_better or not only_better:
            self.candidates.append(choice)

    def _is_banned(self, choice: FusedChoice) -> bool:
        return bool(self.banned) and choice in self.banned  # most often none is, and hashes take time

    def _explain(self, start: int, cut: Cut, reason: Infeasible) -> None:
        """Tell people who ask why a group is dropped."""
        if self._explains:
            _log.debug("%s %s: dropped, %s", self.order.named(start, self.end), cut, reason)
