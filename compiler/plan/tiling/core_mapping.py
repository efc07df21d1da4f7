"""The ways to spread a layer over the cores: each tiled, with what it would cost, and the reason for it."""

from __future__ import annotations

from collections.abc import Hashable

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.plan.tiling.core_split import ALONE, Way, even_way, is_fully_connected, splits_of
from nnc.compiler.plan.tiling.tile_price import Candidate, share_cycles
from nnc.compiler.plan.tiling.tile_search import candidates
from nnc.compiler.plan.tiling.tiled_choice import TiledChoice
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.isa.chip.description import Chip

Tilings = dict[Way, list[tuple[Candidate, ...]]]
"""By the way in which cores share a layer: its tilings, the fastest first, and again the leanest first."""
_MUCH_SLOWER = 1.25
"""A tiling that saves traffic but takes so much longer is for those who ask for the least traffic."""
_MOST_SPLITS = 3
"""Splits of a layer over the cores that are tiled."""


class LayersInTiles:
    """Single layers as choices of the group search; layers of the same structure are tiled once."""

    def __init__(self, chip: Chip, options: PlanOptions) -> None:
        self._chip, self._policy = chip, options.split
        self._is_time_free = options.objective == "traffic"
        self._known: dict[Hashable, Tilings] = {}
        self._banned: set[tuple[str, Tiling]] = set()

    def choices(self, order: int, network: PlanNetwork, position: int) -> list[TiledChoice]:
        """A layer of a network with its layers in some order, in every way that may be best.

        Raises:
            CapacityError: it fits in no way.
        """
        key, layer = network.structure(position), network.layers[position]
        if key not in self._known:
            self._known[key] = self._tilings(self._ways(network.graph, layer), network.graph, layer)
        found = self._known[key]
        usable = [
            (way, tilings)
            for way, sorted_ in found.items()
            for tilings in sorted_
            if (layer.name, tilings[0].tiling) not in self._banned
        ]
        if not usable:  # M2's only way cannot be carried out
            found = self._tilings([ALONE], network.graph, layer)
            usable = [(ALONE, tilings) for tilings in found[ALONE]]
        return [
            TiledChoice(order, position, tilings, way.split, _core_reason(way, found))
            for way, tilings in usable
        ]

    def ban(self, layer: Layer, best: Tiling) -> None:
        """Take the tilings of a layer of which this is the best one out of the search."""
        self._banned.add((layer.name, best))

    def _ways(self, graph: Graph, layer: Layer) -> list[Way]:
        """What M2's rule leaves; else core 0 alone, and the splits that seem fastest."""
        if self._policy == "even" and self._chip.cores > 1 and is_fully_connected(graph, layer):
            return [even_way(graph, layer, self._chip)]
        splits = splits_of(graph, layer, self._chip)
        splits.sort(key=lambda split: share_cycles(graph, layer, self._chip, split))
        return [ALONE, *(Way.by_cost(graph, layer, split) for split in splits[:_MOST_SPLITS])]

    def _tilings(self, ways: list[Way], graph: Graph, layer: Layer) -> Tilings:
        found: Tilings = {}
        failed: CapacityError | None = None
        for way in ways:
            try:
                tilings = candidates(graph, layer, self._chip, way.split)
            except CapacityError as error:
                failed = failed or error
                continue
            if way.reason:  # M2 computes a core's columns at once if they fit
                found[way] = [tuple(sorted(tilings, key=lambda candidate: candidate.tiles))]
                continue
            lean = sorted(tilings, key=lambda candidate: candidate.rank_by_traffic)
            slow = lean[0].cycles > _MUCH_SLOWER * tilings[0].cycles and not self._is_time_free
            saves = lean[0].dram_bytes < tilings[0].dram_bytes and not slow
            found[way] = [tuple(tilings), tuple(lean)] if saves else [tuple(tilings)]
        if not found and failed is not None:
            raise failed
        return found


def _core_reason(way: Way, found: Tilings) -> str:
    """Which cores, why, and what each way would cost."""
    if way.reason:
        return f"{way.name}: {way.reason}"
    if len(found) == 1:
        return f"{way.name}: there is nothing to share"
    costs = [f"{other.name} {fastest[0].cycles}" for other, (fastest, *_) in found.items()]
    return f"{way.name}; estimated cycles: {', '.join(costs)}"
