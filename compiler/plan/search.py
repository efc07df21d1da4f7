"""The choice of groups: dynamic programming over cuts of the topological order and what is on chip there.

A state is a cut and the set of buffers that are on chip, whole, at that cut.  A step is a group: an interval
of layers, its number of parts, and the states before and after it.  All is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from nnc.compiler.plan.intervals import (
    FusedChoice,
    Intervals,
    Residents,
    Room,
    States,
    cuts_worth_trying,
    layer_cycles,
    resident_options,
)
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.tail import tail_start
from nnc.compiler.plan.tiling import Candidate, candidates
from nnc.isa.chip import Chip

NOTHING: Residents = frozenset()
_COST_OF_A_GROUP = 1e-3
"""Breaks ties: fewer groups."""


@dataclass(frozen=True, slots=True)
class TiledChoice:
    """A single layer, cut by the tile search; nothing stays on chip before or after it."""

    position: int
    candidates: tuple[Candidate, ...]

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


@dataclass(frozen=True, slots=True)
class Objective:
    """cost = bytes · byte_weight + estimated cycles · cycle_weight."""

    name: str
    byte_weight: float
    cycle_weight: float

    def cost(self, choice: Choice, chip: Chip) -> float:
        """What the search minimises for a group."""
        dram = choice.dram_bytes / chip.dram.bytes_per_cycle
        return dram * self.byte_weight + choice.cycles * self.cycle_weight + _COST_OF_A_GROUP


class GroupSearch:
    """All groups of a network on a chip that are worth considering, collected once for every objective."""

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        room: Room | None,
        tile: Callable[[int], tuple[Candidate, ...]],
        progress: Callable[[str, int, int], None],
    ) -> None:
        self.network, self.chip, self.room, self.tile = network, chip, room, tile
        self.by_end: list[list[Choice]] = [[] for _ in network.layers]
        self.cycles_of = cache(lambda position, rows: layer_cycles(network, chip, position, rows))
        positions = range(len(network.layers) + 1)
        self.options = [[] if room is None else resident_options(network, p, room) for p in positions]
        self.reachable: list[list[Residents]] = [[NOTHING]]
        for end in range(len(network.layers)):
            progress("planning", end, len(network.layers))
            if room is not None:
                self._collect(end, room)
            self._collect_tiled(end, tile)

    def _collect(self, end: int, room: Room) -> None:
        """All fused groups that end here.  More parts are tried only where fewer load weights again."""
        network = self.network
        outsides = self.options[end + 1]
        best: dict[tuple[int, States], list[FusedChoice]] = {}
        settled: dict[int, set[States]] = {}
        for tail in sorted({end + 1, tail_start(network, self.chip, end)}, reverse=True):
            for cut in cuts_worth_trying(network, end, room):
                intervals = Intervals(network, self.chip, room, end, cut, tail, self.cycles_of)
                unsettled = False
                for start in intervals.sweep():
                    done = settled.setdefault(start, set())
                    for choice in intervals.choices(start, self.reachable[start], outsides, done):
                        states = (choice.inside, choice.outside)
                        kept = best.setdefault((start, states), [])
                        if not any(_dominates(other, choice) for other in kept):
                            kept[:] = [other for other in kept if not _dominates(choice, other)]
                            kept.append(choice)
                        if choice.reload == 0 and (choice.is_overlapped or choice.parts >= 7):
                            done.add(states)
                        else:
                            unsettled = True
                    unsettled |= (NOTHING, NOTHING) not in done  # it may not even fit yet
                if intervals.complete and not unsettled:
                    break  # more parts can neither reach farther nor load less
        self.by_end[end] = [choice for kept in best.values() for choice in kept]
        found = {NOTHING, *(choice.outside for kept in best.values() for choice in kept)}
        self.reachable.append([option for option in outsides if option in found])

    def _collect_tiled(self, end: int, tile: Callable[[int], tuple[Candidate, ...]]) -> None:
        """The single layer, if it is not well served by a fused group of its own."""
        alone = [c.dram_bytes for c in self.by_end[end] if c.start == end and _is_cold(c)]
        graph, name = self.network.graph, self.network.layers[end].name
        tensors = [*graph.inputs_of(name), *graph.outputs_of(name)]
        once = sum(graph.types[t].nbytes for t in tensors if t is not None)
        if not alone or min(alone) > 1.05 * once:
            self.by_end[end].append(TiledChoice(end, tile(end)))

    def ban(self, choices: Iterable[Choice]) -> None:
        """Take groups out of the search; a layer that has none left is cut into tiles alone."""
        for choice in choices:
            self.by_end[choice.end].remove(choice)
            if isinstance(choice, FusedChoice):
                self._ensure_tiled(choice.start)
                self._ensure_tiled(choice.end)

    def _ensure_tiled(self, position: int) -> None:
        if not any(isinstance(choice, TiledChoice) for choice in self.by_end[position]):
            self.by_end[position].append(TiledChoice(position, self.tile(position)))

    def best(self, objective: Objective) -> list[Choice]:
        """The cheapest sequence of groups that covers the network."""
        costs: list[dict[Residents, tuple[float, Choice | None, Residents]]] = [
            {} for _ in range(len(self.network.layers) + 1)
        ]
        costs[0][NOTHING] = (0.0, None, NOTHING)
        for end, choices in enumerate(self.by_end):
            for choice in choices:
                inside = choice.inside if isinstance(choice, FusedChoice) else NOTHING
                outside = choice.outside if isinstance(choice, FusedChoice) else NOTHING
                before = costs[choice.start].get(inside)
                if before is None:
                    continue
                cost = before[0] + objective.cost(choice, self.chip)
                known = costs[end + 1].get(outside)
                if known is None or cost < known[0]:
                    costs[end + 1][outside] = (cost, choice, inside)
        return self._trace(costs)

    def _trace(self, costs: list[dict[Residents, tuple[float, Choice | None, Residents]]]) -> list[Choice]:
        path: list[Choice] = []
        position, state = len(self.network.layers), NOTHING
        while position > 0:
            _, choice, before = costs[position][state]
            assert choice is not None
            path.append(choice)
            position, state = choice.start, before
        return path[::-1]


def _is_cold(choice: Choice) -> bool:
    return isinstance(choice, FusedChoice) and not choice.inside and not choice.outside


def _dominates(a: FusedChoice, b: FusedChoice) -> bool:
    """Whether a is at least as good as b in traffic and cycles (ties: fewer parts first)."""
    return a.dram_bytes <= b.dram_bytes and a.cycles <= b.cycles


def search_groups(
    network: PlanNetwork, chip: Chip, progress: Callable[[str, int, int], None], *, fused: bool = True
) -> GroupSearch:
    """Collect all groups of a network that are worth considering on a chip."""
    return GroupSearch(
        network,
        chip,
        Room.of(chip, network) if fused else None,
        lambda position: tuple(candidates(network.graph, network.layers[position], chip)),
        progress,
    )
