"""The choice of groups: dynamic programming over cuts of the topological order and what is on chip there.

A state is a cut and the set of buffers that are on chip, whole, at that cut.  A step is a group: an interval
of layers, its number of parts, and the states before and after it.  All is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from nnc.compiler.plan.bounds import Costs, OpenPairs, Pair
from nnc.compiler.plan.intervals import (
    FusedChoice,
    Intervals,
    Room,
    cuts_worth_trying,
    layer_cycles,
    resident_options,
    strips_worth_trying,
)
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.options import OBJECTIVES, PlanOptions
from nnc.compiler.plan.residents import Residents
from nnc.compiler.plan.tail import tail_start
from nnc.compiler.plan.tiling import Candidate, candidates
from nnc.compiler.plan.walk import Cut
from nnc.isa.chip import Chip

NOTHING: Residents = frozenset()
LONGEST_GROUP = 40
"""Most layers of a group."""
FEW_PARTS = 7
"""Most parts for which a tail in slices of channels is tried; with more, slices of rows are small enough."""


@dataclass(frozen=True, slots=True)
class TiledChoice:
    """A single layer, cut by the tile search; nothing stays on chip before or after it."""

    position: int
    candidates: tuple[Candidate, ...]
    inside: Residents = NOTHING
    outside: Residents = NOTHING

    @property
    def start(self) -> int:
        """Position of the layer."""
        return self.position

    @property
    def end(self) -> int:
        """Position of the layer."""
        return self.position

    @property
    def dram_bytes(self) -> int:
        """Estimated traffic."""
        return self.candidates[0].dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.candidates[0].cycles


Choice = FusedChoice | TiledChoice
_Entry = tuple[float, Choice | None, Residents]
"""Least cost up to a cut, the group before it, and what is on chip where that group starts."""


class GroupSearch:
    """Groups of a network on a chip that may be part of the cheapest sequence, and that sequence."""

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        options: PlanOptions,
        room: Room | None,
        tile: Callable[[int], tuple[Candidate, ...]],
        progress: Callable[[str, int, int], None],
    ) -> None:
        self.network, self.chip, self.room, self.tile = network, chip, room, tile
        self.objective, self.overlap = OBJECTIVES[options.objective], options.overlap
        self._pairs_of: OpenPairs | None = None
        self.banned: set[FusedChoice] = set()
        self.by_end: list[list[Choice]] = [[] for _ in network.layers]
        self.cycles_of = cache(partial(layer_cycles, network, chip))
        positions = range(len(network.layers) + 1)
        self.options = [[] if room is None else resident_options(network, p, room) for p in positions]
        self.costs: list[Costs] = [{NOTHING: 0.0}, *({} for _ in network.layers)]
        for end in range(len(network.layers)):
            progress("planning", end, len(network.layers))
            self._collect_all(end)

    def _collect_all(self, end: int) -> None:
        if self.room is not None:
            self._collect(end, self.room)
        self._collect_tiled(end)

    def _cost(self, dram_bytes: int, cycles: int) -> float:
        """Cost of a group; its transfers take their time even behind work."""
        rate = self.chip.dram.bytes_per_cycle
        return self.objective.cost(dram_bytes, max(cycles, dram_bytes // rate), rate)

    def _collect(self, end: int, room: Room) -> None:
        """Fused groups that end here; more parts are tried only while they may lower the cost.

        The finest cut comes early: what does not fit there, or loads weights again, will do so in any parts.
        """
        whole, *rows = cuts_worth_trying(self.network, end)
        if self.overlap == "recompute":
            rows = [replace(cut, recompute=True) for cut in rows if not cut.warm_up]
        served: set[tuple[int, Pair]] = set()
        again = [replace(cut, recompute=True) for cut in rows if cut.parts <= FEW_PARTS]
        self._try(end, end + 1, [whole, *rows, *(again if self.overlap == "auto" else ())], room, served)
        tail, large = tail_start(self.network, self.chip, end), self._is_large(end, room)
        few = [cut for cut in rows if not cut.recompute and (cut.parts <= FEW_PARTS or large)]
        if tail <= end:
            self._try(end, tail, [whole, *few], room, served)
        if large:
            for strips in strips_worth_trying(rows):
                self._try(end, end + 1, strips, room, served)
                if tail <= end and few:
                    self._try(end, tail, strips, room, served)

    def _try(self, end: int, tail: int, cuts: list[Cut], room: Room, served: set[tuple[int, Pair]]) -> None:
        """Fused groups in some cuts, from few parts to many, but those that were `served` well before."""
        finest = max(cuts, key=lambda cut: cut.passes, default=None)
        pairs = self._pairs(end, room).without(served)
        for cut in (*cuts[:1], *([finest] if finest and len(cuts) > 1 else ()), *cuts[1:]):
            parts = 1 if cut is finest else cut.passes
            farthest = pairs.farthest(parts)
            if farthest is None:
                return
            intervals = Intervals(self.network, self.chip, room, end, cut, tail, farthest, self.cycles_of)
            reload: dict[int, dict[Pair, float]] = {}
            for start in intervals.sweep():
                reload[start] = {}
                for choice in intervals.choices(start, pairs.at(start, parts)):
                    self._enter(choice)
                    pair = (choice.inside, choice.outside)
                    if not choice.reload:
                        served.add((start, pair))
                    reload[start][pair] = self._cost(choice.reload // max(1, choice.parts - 1), 0)
            if cut is finest:
                pairs.narrow(reload)

    def _is_large(self, position: int, room: Room) -> bool:
        """Whether the result of a layer takes much of the memory."""
        buffer = self.network.buffer_of(self.network.defines[position])
        return 2 * self.network.buffers[buffer].nbytes > room.activations

    def _pairs(self, end: int, room: Room) -> OpenPairs:
        """All pairs of residents of groups that end here."""
        if self._pairs_of is not None and self._pairs_of.end == end:
            return self._pairs_of
        pairs = OpenPairs(
            self.network, end, self.options[end + 1], self.costs, self._cost, self._cycles_of_whole
        )
        for start in range(end, max(-1, end - LONGEST_GROUP), -1):
            if start in room.alone:
                break
            pairs.extend(start)
        self._pairs_of = pairs
        return pairs

    def _cycles_of_whole(self, position: int) -> int:
        """Cycles of a layer in one part."""
        view = self.network.view(self.network.defines[position])
        return self.cycles_of(position, view.rows, 1.0)

    def _enter(self, choice: Choice) -> None:
        """Keep a group, and what the network costs up to its end."""
        if isinstance(choice, FusedChoice) and choice in self.banned:
            return
        self.by_end[choice.end].append(choice)
        before = self.costs[choice.start].get(choice.inside)
        if before is not None:
            cost = before + self._cost(choice.dram_bytes, choice.cycles)
            after = self.costs[choice.end + 1]
            after[choice.outside] = min(cost, after.get(choice.outside, cost))

    def _collect_tiled(self, end: int) -> None:
        """The single layer, if it is not well served by a fused group of its own."""
        graph, name = self.network.graph, self.network.layers[end].name
        tensors = [*graph.inputs_of(name), *graph.outputs_of(name)]
        once = sum(graph.types[t].nbytes for t in tensors if t is not None)
        least = self._cost(once, self._cycles_of_whole(end))
        found = self.costs[end + 1].get(NOTHING)
        if found is None or self.costs[end][NOTHING] + 1.05 * least < found:
            self._enter(TiledChoice(end, self.tile(end)))

    def ban(self, choices: Sequence[Choice]) -> None:
        """Take groups out of the search, and look again for groups that end where they did."""
        self.banned.update(choice for choice in choices if isinstance(choice, FusedChoice))
        for end in sorted({choice.end for choice in choices}):
            self.by_end[end], self.costs[end + 1], self._pairs_of = [], {}, None
            self._collect_all(end)

    def best(self) -> list[Choice]:
        """The cheapest sequence of groups that covers the network."""
        costs: list[dict[Residents, _Entry]] = [{} for _ in range(len(self.network.layers) + 1)]
        costs[0][NOTHING] = (0.0, None, NOTHING)
        for end in range(len(self.network.layers)):
            for choice in self._ways(end, costs):
                before = costs[choice.start].get(choice.inside)
                if before is None:
                    continue
                cost = before[0] + self._cost(choice.dram_bytes, choice.cycles)
                known = costs[end + 1].get(choice.outside)
                if known is None or cost < known[0]:
                    costs[end + 1][choice.outside] = (cost, choice, choice.inside)
        return self._trace(costs)

    def _ways(self, end: int, costs: list[dict[Residents, _Entry]]) -> list[Choice]:
        """All groups that end here; the single layer in tiles too, if no other would leave the chip empty."""
        ways = self.by_end[end]
        if not any(way.outside == NOTHING and way.inside in costs[way.start] for way in ways):
            ways.append(TiledChoice(end, self.tile(end)))
        return ways

    def _trace(self, costs: list[dict[Residents, _Entry]]) -> list[Choice]:
        path: list[Choice] = []
        position, state = len(self.network.layers), NOTHING
        while position > 0:
            _, choice, before = costs[position][state]
            assert choice is not None
            path.append(choice)
            position, state = choice.start, before
        return path[::-1]


def search_groups(
    network: PlanNetwork,
    chip: Chip,
    options: PlanOptions,
    progress: Callable[[str, int, int], None],
) -> GroupSearch:
    """Find the groups of a network on a chip that are worth considering."""
    known: dict[Hashable, tuple[Candidate, ...]] = {}

    def tile(position: int) -> tuple[Candidate, ...]:
        key = network.structure(position)
        if key not in known:
            known[key] = tuple(candidates(network.graph, network.layers[position], chip))
        return known[key]

    room = Room.of(chip, network) if options.fused else None
    return GroupSearch(network, chip, options, room, tile, progress)
