"""Lower bounds on the cost of fused groups: which intervals and residents are still worth a look.

A group must read what was computed before it and is not on chip, its weights, and write what is needed after
it; its layers take the cycles that they take in one part.  While that is not less than the best that was
found for the same end, no number of parts will help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from math import inf

from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.least_transfers import LeastTransfers
from nnc.compiler.plan.fusion.sliding import least_parts_beside
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.frontier import Frontier
from nnc.compiler.plan.network.hidden_runs import HiddenRun
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div
from nnc.isa.record import changed, record

Starts = Sequence[int]
"""Where groups may start that end at one layer, in order."""
Pair = tuple[Residents, Residents]
"""What is on chip before a group, and after it."""


class OpenPairs:
    """Resident pairs (before, after) of the groups that end at one layer, while they may lower the cost."""

    def __init__(
        self,
        order: FusedOrder,
        end: int,
        frontier: Frontier,
        before: Sequence[Residents] | None,
        after: Sequence[Residents],
        cores: int = 1,
        sliced_from: int | None = None,
    ) -> None:
        """Args:
        end: position of the last layer.
        frontier: least costs up to every position; those of the end go down as groups are found.
        before, after: residents that groups may find (None: any) and leave.
        cores: how many share the work.
        sliced_from: position from which on the layers may run in slices of channels (None: none do).
        """
        self._order, self._end, self._frontier, self._cores = order, end, frontier, cores
        self._before, self._after = before, after
        self._worth = {left: order.worth_of(left, end + 1, frontier.price) for left in after}
        self._sliced_from = end + 1 if sliced_from is None else sliced_from
        self._passes_of_layers = dict[int, int]()
        self._passes, self._least_passes = 1, dict[int, int]()
        self._pairs: dict[int, list[_Open]] = {}
        self._weights = self._cycles = 0
        self._boundary = LeastTransfers(order.network, order.read_rows, end, after)

    def extend_to_longest(self, starts: Starts, most: float = inf) -> int:
        """Take in as many layers upstream as a group may have; enter the groups from these starts.

        Returns how many pairs these have: no longer groups are looked at from `most` on.
        """
        pairs, longest = 0, self._order.effort.longest_group
        for start in range(self._end, max(min(starts), self._end + 1 - longest) - 1, -1):
            if start in self._order.capacity.alone or pairs >= most:
                break
            self._extend(start)
            if start in starts:
                self._enter(start)
                pairs += len(self._pairs[start])
        return pairs

    def _extend(self, start: int) -> None:
        """Take in the layer before the last one that was taken in."""
        network = self._order.network
        self._weights += network.weight_bytes(start)
        self._cycles += self._order.cycles_of_whole(start) // self._cores
        self._passes_of_layers[start] = 1
        if start <= self._sliced_from:
            nbytes = self._order.activation_bytes(start, is_sliced=start == self._sliced_from)
            layer_passes = self._passes_of_layers[start] = self._passes_for(nbytes)
            self._passes = max(self._passes, layer_passes)
        self._least_passes[start] = self._passes
        self._boundary.extend(start)

    def _passes_for(self, nbytes: int) -> int:
        """In how many parts so many bytes fit at the soonest."""
        return ceil_div(nbytes, self._order.capacity.activations * self._cores)

    def in_chunks(self, runs: Mapping[int, HiddenRun]) -> OpenPairs:
        """A copy for groups in whose runs hidden channels come in chunks: these need no memory for all."""
        duplicate, passes = copy(self), 1
        first = max(run.first for run in runs.values())
        duplicate._pairs = {
            start: [bound if bound.passes == 1 else changed(bound, passes=1) for bound in bounds]
            for start, bounds in self._pairs.items()
            if start <= first
        }
        duplicate._least_passes = {}
        for start, layer_passes in self._passes_of_layers.items():
            passes = passes if start in runs else max(passes, layer_passes)
            duplicate._least_passes[start] = passes
        return duplicate

    def _enter(self, start: int) -> None:
        """Enter all pairs of the groups from a start to the end."""
        network, boundary = self._order.network, self._boundary
        leaves = boundary.leaves()
        price, cycles = self._frontier.price, self._cycles
        pairs = self._pairs[start] = []
        states = self._frontier.states(self._order.number, start)
        empty = states.get(NOTHING, inf)
        for before, cost in states.items():
            if self._before is not None and before not in self._before:
                continue
            if cost > empty + self._order.worth_of(before, start, price):
                continue  # an empty chip is better: so it is after groups of core 0 where others are shared
            if before.last_rows and network.axes is not CutAxes.OUTERMOST:
                continue  # these are rows along another axis
            if before.copies and self._end - start >= TUNING.residents.max_layers_with_copies:
                continue
            read, reload = boundary.bytes_read(before) + self._weights, self._least_reload(before)
            for left, written in leaves.get(boundary.passing_of(before), ()):
                if not boundary.copies_fit(before.copies, left.copies):
                    continue
                if (parts := least_parts_beside(before, left)) is not None:
                    group_cost = price.cost(read + written, cycles)
                    gain = TUNING.groups.min_gain * group_cost
                    pairs.append(_Open((before, left), cost + group_cost, reload, gain, parts))

    def _least_reload(self, residents: Residents) -> float:
        """Least cost of the weights that do not fit beside the residents, for every part but the first."""
        fits = self._order.capacity.weights_beside(sum(self._order.network.stays(residents).values()))
        return self._frontier.price.least_cost(max(0, self._weights - fits))

    def open(self, passes: int) -> list[int]:
        """Starts of pairs whose lower bound in so many passes beats the best cost; prunes the rest."""
        best = self._best()
        for start, bounds in list(self._pairs.items()):
            more = max(passes, self._least_passes[start]) - 1
            kept = self._pairs[start] = [
                bound
                for bound in bounds
                if bound.least + bound.gain + more * bound.per_part < best[bound.pair[1]]
            ]
            if not kept:
                del self._pairs[start]
        return [*self._pairs]

    def _best(self) -> dict[Residents, float]:
        """The best known cost up to the end, by what is left there."""
        states = self._frontier.states(self._order.number, self._end + 1)
        empty = states.get(NOTHING, inf)
        return {left: min(states.get(left, inf), empty + worth) for left, worth in self._worth.items()}

    def fitting(self, start: int, passes: int, *, is_better: bool = False) -> list[Pair]:
        """Open pairs of the groups from a start that may fit in so many passes.

        Args:
            is_better: only those that still may cost less than the best known, in one pass.
        """
        if passes < self._least_passes[start]:
            return []
        bounds = self._pairs[start]
        if is_better:
            best = self._best()
            bounds = [bound for bound in bounds if bound.least + bound.gain < best[bound.pair[1]]]
        return [bound.pair for bound in bounds if bound.passes <= passes or passes == 1]

    def of(self, starts: Starts) -> int:
        """How many pairs are open of the groups from some starts."""
        return sum(len(self._pairs[start]) for start in starts)

    def without(self, served: set[tuple[int, Pair]], starts: range) -> OpenPairs:
        """A copy without some pairs, and with some starts only; pruning it leaves this one alone."""
        duplicate = copy(self)
        duplicate._pairs = {
            start: [bound for bound in bounds if (start, bound.pair) not in served]
            for start, bounds in self._pairs.items()
            if start in starts
        }
        return duplicate

    def narrow(self, reload: Mapping[int, Mapping[Pair, float]]) -> None:
        """Keep only these pairs, by start; each costs so much more for every further part.

        They are possible: any gain is worth a look.
        """
        self._pairs = {
            start: [
                _Open(bound.pair, bound.least, per_part[bound.pair], 0.0, bound.passes)
                for bound in self._pairs.get(start, ())
                if bound.pair in per_part
            ]
            for start, per_part in reload.items()
        }


@record(frozen=True, slots=True)
class _Open:
    """A pair of residents: least cost of the network up to the end, and for every part but the first.

    Attributes:
        gain: what must be saved at least.
        passes: in how many parts it fits at the soonest beside residents, if in several.
    """

    pair: Pair
    least: float
    per_part: float
    gain: float
    passes: int
