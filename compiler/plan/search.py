"""The choice of groups: dynamic programming over cuts of the topological order and what is on chip there.

A state is a cut and the set of buffers that are on chip, whole, at that cut.  A step is a group: an interval
of layers, its number of parts, and the states before and after it.  All is bounded by counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nnc.compiler.plan.intervals import (
    FusedChoice,
    Intervals,
    Residents,
    Room,
    parts_worth_trying,
    resident_options,
)
from nnc.compiler.plan.network import PlanNetwork
from nnc.compiler.plan.tiling import Candidate, candidates
from nnc.isa.chip import Chip

NOTHING: Residents = frozenset()


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
    def compute_cycles(self) -> int:
        """Estimated cycles of the array."""
        return self.candidates[0].compute_cycles


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
        return dram * self.byte_weight + max(dram, choice.compute_cycles) * self.cycle_weight


class GroupSearch:
    """All groups of a network on a chip that are worth considering, collected once for every objective."""

    def __init__(
        self,
        network: PlanNetwork,
        chip: Chip,
        room: Room | None,
        tile: Callable[[int], tuple[Candidate, ...]],
    ) -> None:
        self.network, self.chip, self.room = network, chip, room
        self.by_end: list[list[Choice]] = [[] for _ in network.layers]
        for end in range(len(network.layers)):
            if room is not None:
                self._collect(end, room)
            self._collect_tiled(end, tile)

    def _collect(self, end: int, room: Room) -> None:
        network = self.network
        outsides = resident_options(network, end + 1, room)
        best: dict[tuple[int, Residents, Residents], list[FusedChoice]] = {}
        for parts in parts_worth_trying(network, end):
            intervals = Intervals(network, self.chip, room, end, parts)
            for start in intervals.sweep():
                insides = resident_options(network, start, room)
                for choice in intervals.choices(start, insides, outsides):
                    kept = best.setdefault((start, choice.inside, choice.outside), [])
                    if not any(_dominates(other, choice) for other in kept):
                        kept[:] = [other for other in kept if not _dominates(choice, other)]
                        kept.append(choice)
        self.by_end[end] = [choice for kept in best.values() for choice in kept]

    def _collect_tiled(self, end: int, tile: Callable[[int], tuple[Candidate, ...]]) -> None:
        """The single layer, if it is not well served by a fused group of its own."""
        alone = [c.dram_bytes for c in self.by_end[end] if c.start == end and _is_cold(c)]
        graph, name = self.network.graph, self.network.layers[end].name
        tensors = [*graph.inputs_of(name), *graph.outputs_of(name)]
        once = sum(graph.types[t].nbytes for t in tensors if t is not None)
        if not alone or min(alone) > 1.05 * once:
            self.by_end[end].append(TiledChoice(end, tile(end)))

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
    return a.dram_bytes <= b.dram_bytes and a.compute_cycles <= b.compute_cycles


def search_groups(network: PlanNetwork, chip: Chip, fraction: float) -> GroupSearch:
    """Collect all groups; `fraction` of the memories is planned for, the rest is left for fragmentation."""
    return GroupSearch(
        network,
        chip,
        Room.of(chip, network, fraction),
        lambda position: tuple(candidates(network.graph, network.layers[position], chip)),
    )
