"""A layer alone as a choice of the search, and the priced ways to compute it.

In: cuts of one layer, into tiles or rows in two buffers, and what each costs.  Out: what the search adds up:

    choice = LayerAlone(order, start, (best, *others), "one core: there is nothing to share")
    choice.dram_bytes, choice.cycles, choice.best.cut          1204224, 80112, Tiling(tile=(1, 16, 14, 56), …)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers.layer import Layer
from nnc.compiler.plan.alone.m3_steps import BufferedSteps
from nnc.compiler.plan.alone.steps import TileSteps
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.plan.alone.two_buffers import BufferedConv
from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.step import Keyed
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

LayerCut = Tiling | BufferedConv


@dataclass(frozen=True, slots=True)
class Candidate:
    """A priced way to compute a layer alone.

    Attributes:
        demand: bytes that it holds, per memory; dram_bytes: traffic, to the byte.
        cycles: estimate of work and transfers together.
        steps: computations; with two buffers, loads of a buffer.
    """

    cut: LayerCut
    demand: Mapping[str, int]
    dram_bytes: int
    cycles: int
    steps: int


@dataclass(frozen=True, slots=True)
class LayerAlone:
    """A single layer as a choice of the search; nothing stays on chip before or after it.

    Attributes:
        order: number of the order of the layers that positions refer to; start: position of the layer.
        candidates: ways to compute it, best first; later ones are for when the blocks of earlier ones fit
            nowhere.
        core_reason: which cores work on it, why, and what the other core mappings would cost.
        behind: cycles behind the group before it, if these are known (not negative); else it is taken alone.
    """

    order: int
    start: int
    candidates: tuple[Candidate, ...]
    core_reason: str
    residents_in: Residents = NOTHING
    residents_out: Residents = NOTHING
    behind: int = field(default=-1, compare=False)

    @property
    def end(self) -> int:
        """Position of the layer."""
        return self.start

    @property
    def best(self) -> Candidate:
        """The way that is taken if its blocks fit."""
        return self.candidates[0]

    @property
    def is_optional(self) -> bool:
        """Whether others take its place if its blocks fit nowhere: tiles on one core are the last resort."""
        return isinstance(self.best.cut, BufferedConv) or self.best.cut.split is not None

    @property
    def cores(self) -> int:
        """How many work on it."""
        return self.best.cut.cores

    @property
    def dram_bytes(self) -> int:
        """Estimated traffic."""
        return self.best.dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.best.cycles if self.behind < 0 else self.behind


def has_buffers(choice: object) -> bool:
    """Whether a choice is a layer alone with its input in two buffers of rows (M3)."""
    return isinstance(choice, LayerAlone) and isinstance(choice.best.cut, BufferedConv)


def steps_of_cores(graph: Graph, layer: Layer, chip: Chip, cut: LayerCut) -> list[Keyed]:
    """The steps of a layer alone in the order of demand, by core, with keys (see `CoreSteps`)."""
    tiled = TiledLayer(graph, layer, chip)
    if isinstance(cut, BufferedConv):
        return [BufferedSteps(tiled, cut, core).all() for core in range(cut.cores)]
    return [TileSteps(tiled, cut, core).all() for core in range(cut.cores)]


def by_cycles(candidates: Sequence[Candidate], percent: float) -> list[Candidate]:
    """Within so many percent of the fewest cycles by traffic, then the others by cycles.

    More tiles help nobody: one more must save some traffic to be worth its instructions.
    """
    limit, each = (
        min(candidate.cycles for candidate in candidates) * (1 + percent / 100),
        TUNING.tiles.bytes_per_tile,
    )

    def rank(candidate: Candidate) -> tuple[bool, int, int]:
        slow = candidate.cycles > limit
        return (
            slow,
            candidate.cycles if slow else candidate.dram_bytes + each * candidate.steps,
            candidate.cycles,
        )

    return sorted(candidates, key=rank)


def by_traffic(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Within half a percent of the least traffic by tiles and cycles, then the others by traffic."""
    limit = min(candidate.dram_bytes for candidate in candidates) * (
        1 + TUNING.tiles.equal_traffic_percent / 100
    )

    def rank(candidate: Candidate) -> tuple[bool, int, int, int]:
        more = candidate.dram_bytes > limit
        return (
            more,
            candidate.dram_bytes if more else candidate.steps,
            candidate.cycles,
            candidate.dram_bytes,
        )

    return sorted(candidates, key=rank)
