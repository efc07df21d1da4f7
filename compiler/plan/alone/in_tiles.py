"""Core mappings of a single layer: each one tiled, with what it would cost, and the reason for it.

In: a layer of a network, the chip, and what the user asks for.  Out: the `LayerAlone`s among which the
search takes one, with a reason such as

    2 x 2 cores by rows x channels; estimated cycles: 2 x 2 cores by rows x channels 2490, one core at least …
"""

from __future__ import annotations

import logging
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf

from nnc.compiler.errors import CapacityError
from nnc.compiler.plan.alone.core_split import (
    ONE_CORE,
    CoreMapping,
    even_mapping,
    is_fully_connected,
)
from nnc.compiler.plan.alone.layer_alone import Candidate, LayerAlone, LayerCut, by_traffic
from nnc.compiler.plan.alone.tile_search import LayerSearch
from nnc.compiler.plan.alone.tile_shapes import pixel_tilings
from nnc.compiler.plan.alone.tile_table import candidates
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import LEAST_TRAFFIC, GroupPrice, Objective, PlanOptions
from nnc.compiler.target.fully_connected import Features, features_of
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Tilings:
    """Tilings of a layer by core mapping.

    Attributes:
        tilings: the fastest first; again, the leanest first, if that saves bytes.
        dearer: least cycles of core mappings that were left out: with these, they would hardly cost less.
    """

    tilings: dict[CoreMapping, list[tuple[Candidate, ...]]] = field(default_factory=dict)
    dearer: dict[CoreMapping, int] = field(default_factory=dict)

    def least_cost(self, price: GroupPrice) -> float:
        """Of the best tilings; infinite if there are none."""
        best = [tilings[0] for sorted_ in self.tilings.values() for tilings in sorted_]
        return min((price.cost(candidate.dram_bytes, candidate.cycles) for candidate in best), default=inf)

    def reason(self, mapping: CoreMapping) -> str:
        """Which cores, why, and what each mapping would cost."""
        if mapping.reason:
            return f"{mapping.name}: {mapping.reason}"
        costs = [
            f"{alternative.name} {fastest[0].cycles}" for alternative, (fastest, *_) in self.tilings.items()
        ]
        costs += [f"{alternative.name} at least {cycles}" for alternative, cycles in self.dearer.items()]
        if len(costs) == 1:
            return f"{mapping.name}: there is nothing to share"
        return f"{mapping.name}; estimated cycles: {', '.join(costs)}"


LayerSearches = dict[Hashable, LayerSearch]
"""By structure of a layer."""


class TiledLayers:
    """Single layers as choices of the group search; layers of the same structure are tiled once.

    Attributes:
        chip: the target.
    """

    def __init__(
        self, chip: Chip, options: PlanOptions, searches: LayerSearches, considered: Sequence[Objective]
    ) -> None:
        """Args:
        considered: the prices by which groups are worth considering.
        searches: on chips that differ from this one in the sizes of memories at most; more are added.
        """
        self.chip, self._policy, self._fc_oram = chip, options.split, options.fc_oram
        self._percent = TUNING.tiles.percent_slower
        self._effort, self._searches = EFFORTS[options.effort], searches
        much_slower = TUNING.tiles.much_slower
        self._slower = [inf if price == LEAST_TRAFFIC else much_slower for price in considered]
        objectives = [*considered, *(Objective(1.0, weight) for weight in self._effort.weights)]
        self._prices = [GroupPrice(objective, chip.dram.bytes_per_cycle) for objective in objectives]
        self._known: dict[Hashable, _Tilings] = {}
        self._banned: set[tuple[str, LayerCut]] = set()

    def choices(self, order: int, network: PlanNetwork, position: int) -> list[LayerAlone]:
        """A layer of a network with its layers in some order, under every core mapping that may be best.

        Raises:
            CapacityError: it fits under none of them.
        """
        layer = network.layers[position]
        features = features_of(network.graph, layer, self.chip)
        key = (network.structure(position), features)
        if key not in self._known:
            self._known[key] = self._found(network, position, features)
        by_mapping = self._known[key]
        usable = [
            (mapping, tilings)
            for mapping, sorted_ in by_mapping.tilings.items()
            for tilings in sorted_
            if (layer.name, tilings[0].cut) not in self._banned
        ]
        if not usable:  # M2's only mapping cannot be carried out, or none that was worth a search
            by_mapping = self._tilings([ONE_CORE], self._search(network, position))
            usable = [(ONE_CORE, tilings) for tilings in by_mapping.tilings[ONE_CORE]]
        return [LayerAlone(order, position, of, by_mapping.reason(mapping)) for mapping, of in usable]

    def least_shared(self, network: PlanNetwork, position: int) -> float:
        """Least cycles of a layer that cores share (see `LayerSearch`); infinite on one core."""
        if self.chip.cores == 1:
            return inf
        return self._search(network, position).least_shared

    def ban(self, name: str, best: LayerCut) -> None:
        """Take the tilings of a layer of which this is the best one out of the search."""
        self._banned.add((name, best))

    def _found(self, network: PlanNetwork, position: int, features: Features | None) -> _Tilings:
        if features is not None:
            moves = TiledLayer(network.graph, network.layers[position], self.chip)
            if in_pixels := pixel_tilings(moves, features, self._fc_oram):
                return _Tilings({ONE_CORE: [tuple(candidates(moves, in_pixels))]})
        search = self._search(network, position)
        return self._tilings(self._core_mappings(search), search)

    def _search(self, network: PlanNetwork, position: int) -> LayerSearch:
        structure = network.structure(position)
        if structure not in self._searches:
            moves = TiledLayer(network.graph, network.layers[position], self.chip)
            self._searches[structure] = LayerSearch(moves, self._effort)
        return self._searches[structure]

    def _core_mappings(self, search: LayerSearch) -> list[CoreMapping]:
        """Core mappings to try: with `--split even` only M2's; otherwise the fastest splits, and one core."""
        graph, layer = search.layer.graph, search.layer.layer
        if self._policy == "even" and self.chip.cores > 1 and is_fully_connected(graph, layer):
            return [even_mapping(graph, layer, self.chip)]
        return [*(CoreMapping.by_cost(graph, layer, split) for split in search.splits), ONE_CORE]

    def _tilings(self, mappings: list[CoreMapping], search: LayerSearch) -> _Tilings:
        by_mapping = _Tilings()
        failed: CapacityError | None = None
        above = TUNING.tiles.above_least
        for mapping in mappings:
            least = search.least(mapping.split)
            if not any(above * price.cost(*least) < by_mapping.least_cost(price) for price in self._prices):
                by_mapping.dearer[mapping] = least[1]
                continue
            try:
                tilings = search.candidates(mapping.split, self.chip, self._percent)
            except CapacityError as error:
                _log.debug("%s on %s: %s", search.layer.layer.name, mapping.name, error.message)
                failed = failed or error
                continue
            by_mapping.tilings[mapping] = self._sorted(mapping, tilings)
        if not by_mapping.tilings and failed is not None:
            raise failed
        return by_mapping

    def _sorted(self, mapping: CoreMapping, tilings: list[Candidate]) -> list[tuple[Candidate, ...]]:
        """Tilings, by cycles, in the orders in which a mapping offers them (see `_Tilings`)."""
        if mapping.reason:  # M2 computes a core's columns at once if they fit
            return [tuple(sorted(tilings, key=lambda candidate: candidate.steps))]
        fastest = tuple(tilings)
        orders = [fastest]
        for slower in dict.fromkeys(self._slower):
            lean = _leanest_first(tilings, slower * tilings[0].cycles)
            if lean[0].dram_bytes < min(order[0].dram_bytes for order in orders):
                orders.append(lean)
        return orders


def _leanest_first(tilings: Sequence[Candidate], limit: float) -> tuple[Candidate, ...]:
    """Tilings by traffic; those of more cycles than a limit come last."""
    near = [candidate for candidate in tilings if candidate.cycles <= limit]
    return (*by_traffic(near), *(candidate for candidate in tilings if candidate.cycles > limit))
