"""Lower bounds on the cost of fused groups: which intervals and residents are still worth a look.

A group must read what was computed before it and is not on chip, its weights, and write what is needed after
it; its layers take the cycles that they take in one part.  While that is not less than the best that was
found for the same end, no number of parts will help.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from math import inf

from nnc.compiler.plan.chunks.hidden_runs import HiddenRun
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.columns import share_of_columns
from nnc.compiler.plan.network.frontier import Frontier
from nnc.compiler.plan.network.read_rows import AliveBytes, Mask
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.residents.row_by_row import least_parts_beside
from nnc.compiler.plan.views.row_views import CutAxes
from nnc.isa.integers import ceil_div
from nnc.isa.record import changed, record

LEAST_GAIN = 0.005
"""A group is not worth a first look if a plan saves less than this part of the group's cost by it."""
MOST_LAYERS_WITH_COPIES = 6
"""Most layers of a group that finds or leaves copies of what lies in DRAM: longer ones load it seldom."""

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
        self._alive = AliveBytes(order.network, order.read_rows.touched, end, self._sliced_from)
        self._boundary = _Boundary(order, end, after)

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
            mine = self._passes_of_layers[start] = self._passes_for(nbytes)
            self._passes = max(self._passes, mine)
        self._alive.extend(start, self._order.in_place_source(start))
        self._least_passes[start] = max(self._passes, self._passes_for(self._alive.most))
        self._boundary.extend(start)

    def _passes_for(self, nbytes: int) -> int:
        """In how many parts so many bytes fit at the soonest."""
        return ceil_div(nbytes, self._order.capacity.activations * self._cores)

    def in_chunks(self, runs: Mapping[int, HiddenRun]) -> OpenPairs:
        """A copy for groups in whose runs hidden channels come in chunks: these need no memory for all."""
        other, passes = copy(self), 1
        first = max(run.first for run in runs.values())
        other._pairs = {
            start: [mine if mine.passes == 1 else changed(mine, passes=1) for mine in found]
            for start, found in self._pairs.items()
            if start <= first
        }
        other._least_passes = {}
        for start, mine in self._passes_of_layers.items():
            passes = passes if start in runs else max(passes, mine)
            other._least_passes[start] = passes
        return other

    def _enter(self, start: int) -> None:
        """Enter all pairs of the groups from a start to the end."""
        network, boundary = self._order.network, self._boundary
        leaves = boundary.leaves()
        price, cycles = self._frontier.price, self._cycles
        pairs = self._pairs[start] = []
        states = self._frontier.states(self._order.number, start)
        empty = states.get(NOTHING, inf)
        for found, cost in states.items():
            if self._before is not None and found not in self._before:
                continue
            if cost > empty + self._order.worth_of(found, start, price):
                continue  # an empty chip is better: so it is after groups of core 0 where others are shared
            if found.last_rows and network.axes is not CutAxes.OUTERMOST:
                continue  # these are rows along another axis
            if found.copies and self._end - start >= MOST_LAYERS_WITH_COPIES:
                continue
            read, reload = boundary.bytes_read(found) + self._weights, self._least_reload(found)
            passes = self._alive.least_parts(found, self._order.capacity.activations) if found else 1
            for left, written in leaves.get(boundary.passing_of(found), ()):
                if not boundary.copies_fit(found.copies, left.copies):
                    continue
                if (parts := least_parts_beside(found, left, passes)) is not None:
                    mine = price.cost(read + written, cycles)
                    pairs.append(_Open((found, left), cost + mine, reload, LEAST_GAIN * mine, parts))

    def _least_reload(self, residents: Residents) -> float:
        """Least cost of the weights that do not fit beside the residents, for every part but the first."""
        fits = self._order.capacity.weights_beside(self._order.network.residents.nbytes_of(residents))
        return self._frontier.price.least_cost(max(0, self._weights - fits))

    def open(self, passes: int) -> list[int]:
        """Starts of pairs whose lower bound in so many passes beats the best cost; prunes the rest."""
        states = self._frontier.states(self._order.number, self._end + 1)
        empty = states.get(NOTHING, inf)
        best = {left: min(states.get(left, inf), empty + worth) for left, worth in self._worth.items()}
        for start, found in list(self._pairs.items()):
            more = max(passes, self._least_passes[start]) - 1
            kept = self._pairs[start] = [
                mine for mine in found if mine.least + mine.gain + more * mine.per_part < best[mine.pair[1]]
            ]
            if not kept:
                del self._pairs[start]
        return [*self._pairs]

    def fitting(self, start: int, passes: int) -> list[Pair]:
        """Open pairs of the groups from a start that may fit in so many passes."""
        if passes < self._least_passes[start]:
            return []
        return [mine.pair for mine in self._pairs[start] if mine.passes <= passes or passes == 1]

    def without(self, served: set[tuple[int, Pair]], starts: range) -> OpenPairs:
        """A copy without some pairs, and with some starts only; pruning it leaves this one alone."""
        other = copy(self)
        other._pairs = {
            start: [mine for mine in found if (start, mine.pair) not in served]
            for start, found in self._pairs.items()
            if start in starts
        }
        return other

    def narrow(self, reload: dict[int, dict[Pair, float]]) -> None:
        """Keep only these pairs, by start; each costs so much more for every further part.

        They are possible: any gain is worth a look.
        """
        self._pairs = {
            start: [
                _Open(mine.pair, mine.least, known[mine.pair], 0.0, mine.passes)
                for mine in self._pairs.get(start, ())
                if mine.pair in known
            ]
            for start, known in reload.items()
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


class _Boundary:
    """What groups that end at one layer read from before and leave behind, as they grow upstream."""

    def __init__(self, order: FusedOrder, end: int, after: Sequence[Residents]) -> None:
        """Args:
        after: what groups may leave on chip.
        """
        self._order, self._network, self._start, self._end = order, order.network, end + 1, end
        self._rows: dict[str, Mask | None] = {}
        self._columns: dict[str, float] = {}
        self._reads: dict[str, int] = {}  # bytes of what was computed before, if nothing is on chip
        self._read = 0  # all of these
        self._made: dict[str, int] = {}  # bytes of what is needed later
        self._written = dict.fromkeys(after, 0)
        self._begun = self._done = 0  # bits of buffers that are begun inside, and read for the last time

    def extend(self, start: int) -> None:
        """Take in the layer before the last one that was taken in."""
        network, self._start = self._network, start
        made = network.buffer_of(network.defines[start])
        for buffer, rows in self._order.read_rows.read[start].items():
            known = self._rows.get(buffer, rows)
            self._rows[buffer] = None if rows is None or known is None else rows | known
            if network.last_use[buffer] == start:
                self._done |= network.residents.bits.get(buffer, 0)
        for _, tensor in network.operands[start] if network.axes in (CutAxes.HEADS, CutAxes.PICTURES) else ():
            buffer, share = network.buffer_of(tensor), share_of_columns(network, tensor)
            self._columns[buffer] = max(share, self._columns.get(buffer, 0.0))
        for buffer in {made, *self._order.read_rows.read[start]} & self._rows.keys():
            self._read_outside(buffer, self._least_read(buffer))
        if network.first_def[made] == start:
            self._read_outside(made, 0)
            self._begun |= network.residents.bits.get(made, 0)
        if network.last_use[made] > self._end:
            self._write(made, network.moved_bytes(network.defines[start]))

    def _least_read(self, buffer: str) -> int:
        """Bytes of a buffer that a group must read that needs some of its rows."""
        network, rows = self._network, self._rows[buffer]
        nbytes = network.bytes_before(buffer, self._start)
        if rows is not None and nbytes:
            nbytes = max(0, nbytes - (rows.size - int(rows.sum())) * network.buffers[buffer].row_bytes)
        return int(nbytes * self._columns.get(buffer, 1.0))

    def _read_outside(self, buffer: str, nbytes: int) -> None:
        """So many bytes of a buffer are read that were computed before the group."""
        self._read += nbytes - self._reads.get(buffer, 0)
        self._reads[buffer] = nbytes

    def _write(self, buffer: str, nbytes: int) -> None:
        """The group computes some more bytes of a buffer that is needed later."""
        known = self._made.get(buffer, 0)
        self._made[buffer] = known + nbytes
        is_output = buffer in self._network.network_outputs
        for left in self._written:
            stays = 0 if is_output else self._network.residents.stays(left).get(buffer, 0)
            self._written[left] += max(0, known + nbytes - stays) - max(0, known - stays)

    def leaves(self) -> dict[int, list[tuple[Residents, int]]]:
        """What groups leave on chip, with the bytes that they write then, by what of it was there before."""
        found: dict[int, list[tuple[Residents, int]]] = {}
        for left, written in self._written.items():
            if left.copies and self._end - self._start >= MOST_LAYERS_WITH_COPIES:
                continue
            if all(self._network.first_def[buffer] >= self._start for buffer in left.last_rows):
                found.setdefault(self._network.residents.mask(left) & ~self._begun, []).append(
                    (left, written)
                )
        return found

    def passing_of(self, residents: Residents) -> int:
        """The residents before a group that stay there all the time, as bits; −1: nothing can leave these."""
        if any(self._network.last_use[buffer] > self._end for buffer in residents.last_rows):
            return -1
        return self._network.residents.mask(residents) & ~self._done

    def copies_fit(self, found: frozenset[str], left: frozenset[str]) -> bool:
        """Whether a group may find and leave copies: it loads new ones, and reads those that it drops.

        A copy that is of no use to it, the group before drops.
        """
        if found == left:
            return True
        new, complete = left - found, self._network.last_def
        if new and self._network.axes is not CutAxes.OUTERMOST:
            return False
        return (new | found - left) <= self._rows.keys() and all(complete[b] < self._start for b in new)

    def bytes_read(self, residents: Residents) -> int:
        """Bytes of activations that a group reads from DRAM: all but what is on chip."""
        stays, reads = self._network.residents.stays(residents), self._reads
        there = stays.keys() & reads.keys()
        whole = sum(reads[name] for name in there if name in residents.whole)
        return self._read - whole - sum(min(reads[name], stays[name]) for name in there - residents.whole)
