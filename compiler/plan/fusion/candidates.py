"""The groups of one order of the layers that may be part of the cheapest sequence: its intervals, cut in all
ways that may lower the cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from operator import itemgetter

from nnc.compiler.plan.choice import NOTHING, FusedChoice
from nnc.compiler.plan.fusion.capacity import Room, resident_options
from nnc.compiler.plan.fusion.channel_slices import tail_start
from nnc.compiler.plan.fusion.cut import Cut, cuts_worth_trying, shared_cuts, strips_worth_trying
from nnc.compiler.plan.fusion.interval_sweep import LONGEST_GROUP, Intervals
from nnc.compiler.plan.fusion.lower_bounds import Costs, OpenPairs, Pair
from nnc.compiler.plan.fusion.structure_cache import Chain, Repeats
from nnc.compiler.plan.network.layer_cycles import layer_cycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.description import Chip

FEW_PARTS = 7
"""Most parts for which a tail in slices of channels is tried; with more, slices of rows are small enough."""
FEW_TO_RECOMPUTE = 3
"""Most parts for which `auto` tries to compute common rows again; with more, there are too many of them."""

CostOf = Callable[[int, int], float]
"""Cost of a group by its DRAM bytes and cycles."""
LeastCostOf = Callable[[int], float]
"""What more DRAM bytes of a group cost at least."""
Enter = Callable[[FusedChoice], None]


class OrderSearch:
    """Groups of one order of the layers that may be part of the cheapest sequence."""

    def __init__(
        self,
        number: int,
        network: PlanNetwork,
        chip: Chip,
        room: Room,
        overlap: str,
        repeats: Repeats,
        costs: list[Costs],
        cost_of: CostOf,
        least_cost_of: LeastCostOf,
        enter: Enter,
    ) -> None:
        """Args:
        number: of the order.
        costs: per position, least cost of the network up to there by what is on chip.
        enter: called with every group that is found.
        """
        self.number, self.network, self.chip, self.room, self.overlap = number, network, chip, room, overlap
        self._repeats, self._costs, self._enter = repeats, costs, enter
        self._cost, self._least_cost = cost_of, least_cost_of
        self.cycles_of = cache(partial(layer_cycles, network, chip))
        self._options = [resident_options(network, p, room) for p in range(len(network.layers) + 1)]

    def collect(self, end: int, latest: int) -> None:
        """Fused groups that end here; more parts are tried only while they may lower the cost.

        The finest cut comes early: what does not fit there, or loads weights again, will do so in any parts.

        Args:
            end: position of the last layer.
            latest: latest position of the first layer.
        """
        if self.chip.cores > 1 and self.chip.dma.broadcast:
            self._collect_shared(end, latest)
        served: set[tuple[int, Pair]] = set()
        chain, pairs = Chain(self.network, end, self._repeats), self._pairs(end, latest)
        whole, *rows = cuts_worth_trying(self.network, end)
        if self.overlap == "recompute":
            rows = [replace(cut, recompute=True) for cut in rows if not cut.warm_up]
        again = [replace(cut, recompute=True) for cut in rows if cut.parts <= FEW_TO_RECOMPUTE]

        def attempt(tail: int, cuts: list[Cut]) -> None:
            self._try(chain, tail, cuts, pairs.without(served), served)

        attempt(end + 1, [whole, *rows, *(again if self.overlap == "auto" else ())])
        tail, large = tail_start(self.network, self.chip, end), self._is_large(end)
        few = [cut for cut in rows if not cut.recompute and (cut.parts <= FEW_PARTS or large)]
        if tail <= end:
            attempt(tail, [whole, *few])
        if large:
            for strips in strips_worth_trying(rows):
                attempt(end + 1, strips)
                if tail <= end and few:
                    attempt(tail, strips)

    def _collect_shared(self, end: int, latest: int) -> None:
        """Groups that all cores share, each with rows and columns of its own; nothing stays on chip after."""
        chain, pairs = Chain(self.network, end, self._repeats), self._pairs(end, latest, shared=True)
        for cuts in shared_cuts(self.network, end, self.chip.cores):
            served: set[tuple[int, Pair]] = set()
            if cuts:
                self._try(chain, end + 1, cuts, pairs.without(served), served)

    def _try(
        self, chain: Chain, tail: int, cuts: list[Cut], pairs: OpenPairs, served: set[tuple[int, Pair]]
    ) -> None:
        """Fused groups in some cuts, from few parts to many; enter those that were `served` well."""
        finest = max(cuts, key=lambda cut: cut.passes)
        for cut in dict.fromkeys((cuts[0], finest, *cuts)):
            parts = min(2, cut.passes) if cut is finest else cut.passes
            farthest = pairs.farthest(parts)
            if farthest is None:
                return
            starts = range(min(chain.end, tail), farthest - 1, -1)
            reload = self._weigh(
                chain, tail, cut, {s: open_ for s in starts if (open_ := pairs.at(s, parts))}, served
            )
            if cut is finest:
                pairs.narrow(reload)

    def _weigh(
        self,
        chain: Chain,
        tail: int,
        cut: Cut,
        pairs: dict[int, list[Pair]],
        served: set[tuple[int, Pair]],
    ) -> dict[int, dict[Pair, float]]:
        """Groups with one cut by their starts; returns what one more part costs them, by start and pair."""
        intervals = Intervals(chain, self.chip, self.room, cut, tail, self.cycles_of)
        reload: dict[int, dict[Pair, float]] = {}
        for start, open_ in pairs.items():
            interval = intervals.at(start)
            if interval is None:
                break
            mine = reload[start] = {}
            for before, same in groupby(open_, key=itemgetter(0)):
                inside = chain.held(start, before)
                if not interval.fits(inside):
                    continue
                for pair in same:
                    cost = interval.weigh(inside, chain.held(start, pair[1]))
                    if cost is None:
                        continue
                    self._enter(FusedChoice(self.number, start, chain.end, cut, *pair, tail, cost))
                    if not cost.reload:
                        served.add((start, pair))
                    mine[pair] = self._least_cost(cost.reload // max(1, cut.passes - 1))
        return reload

    def _is_large(self, position: int) -> bool:
        """Whether the result of a layer takes much of the memory."""
        buffer = self.network.buffer_of(self.network.defines[position])
        return 2 * self.network.buffers[buffer].nbytes > self.room.activations

    def _pairs(self, end: int, latest: int, *, shared: bool = False) -> OpenPairs:
        """All pairs of residents of groups that end here and start at `latest` or before.

        Args:
            shared: of groups that all cores share, without residents.
        """
        cores = self.chip.cores if shared else 1
        insides = [NOTHING] if shared else None
        outsides = [NOTHING] if shared else self._options[end + 1]
        pairs = OpenPairs(
            self.network,
            self.room,
            end,
            (insides, outsides),
            self._costs,
            self._cost,
            self._least_cost,
            lambda position: self.cycles_of_whole(position) // cores,
        )
        for start in range(end, max(-1, end - LONGEST_GROUP), -1):
            if start in self.room.alone:
                break
            pairs.extend(start, enter=start <= latest)
        return pairs

    def cycles_of_whole(self, position: int) -> int:
        """Cycles of a layer in one part."""
        view = self.network.view(self.network.defines[position])
        return self.cycles_of(position, view.rows, 1.0)
