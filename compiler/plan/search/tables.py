"""What all searches over one graph share: found once, whatever the objective and the sizes of memories.

tables = SearchTables(graph, chip, "O2")
tables.networks                      the graph with its layers in every order
tables.layers                        tilings of single layers, for memories of any size
tables.fused_orders(chip, …)         the orders for the search for fused groups
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Hashable, Mapping
from weakref import finalize

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.alone.core_split import fully_connected
from nnc.compiler.plan.alone.in_tiles import LayerSearches
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.structure_cache import StructureCache
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes, axes_worth_cutting
from nnc.compiler.plan.network.frontier import Prefixes
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.options import PlanOptions
from nnc.compiler.target.fully_connected import features_of
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)


class SearchTables:
    """A graph as searches see it on chips that differ in the sizes of their memories only.

    Attributes:
        effort: what is tried at the most.
        networks: the graph with its layers in each of the orders; prefixes: sets of layers that these share.
        layers: searches over tilings of single layers.
        has_few_layers: whether what moves few bytes is looked for, whatever the objective.
        is_small: whether it has small tensors, too, so that all objectives are searched together.
    """

    def __init__(self, graph: Graph, chip: Chip, effort: str, like: SearchTables | None = None) -> None:
        """Args:
        effort: a key of `EFFORTS`.
        like: of a graph with much the same layers, for the same chip: what is alike is found once.
        """
        self.graph, self.effort = graph, EFFORTS[effort].of(_size(graph))
        computed = sum(not layer.is_view for layer in graph.layers())
        nbytes = sum(type_.nbytes for type_ in graph.types.values())
        self.has_few_layers = computed <= self.effort.few_layers
        self.is_small = self.has_few_layers and nbytes <= TUNING.search.small_network_bytes
        orders = orders_of(graph, self.effort.ordered_layers)
        axes = axes_worth_cutting(graph) if self.effort.strips else [CutAxes.OUTERMOST]
        self.networks = [
            PlanNetwork(graph, order, cut_axes, chip.dram.burst, min(self.effort.longest_group, len(order)))
            for cut_axes in axes
            for order in orders
        ]
        self.prefixes = Prefixes(
            [[layer.name for layer in network.layers] for network in self.networks],
            [network.axes for network in self.networks],
            as_sets=len(orders[0]) > self.effort.ordered_layers,
        )
        self.layers: LayerSearches = {} if like is None else like.layers
        caches = defaultdict[Hashable, StructureCache](StructureCache) if like is None else like._caches
        self._caches: defaultdict[Hashable, StructureCache] = caches
        self._like = like  # whose caches these are: they are dropped with the last tables that share them
        if like is None:
            finalize(self, _forget, caches)

    def fused_orders(
        self, chip: Chip, options: PlanOptions, forced: tuple[frozenset[int], ...]
    ) -> list[FusedOrder]:
        """The orders as the search for fused groups needs them; none if this chip cannot fuse layers.

        Args:
            forced: per order, positions of layers that must be alone.
        """
        orders = list[FusedOrder]()
        if not options.fused or self.effort.longest_group == 1:
            return orders
        for number, network in enumerate(self.networks):
            capacity = Capacity.of(chip, network, orders[0].capacity if orders else None)
            if isinstance(capacity, Infeasible):
                _log.info("no groups are fused: %s", capacity)
                return []
            if options.split == "even" and chip.cores > 1:
                capacity = capacity.without(fully_connected(network))  # M2 says how cores share them
            capacity = capacity.without(_in_pixels(network, chip))  # M5 says how they are loaded
            capacity = capacity.without(forced[number])
            cache = self._caches[sizes_of(chip), network.axes, network.longest_group]
            orders.append(FusedOrder(number, network, chip, capacity, cache, self.effort))
        return orders


def sizes_of(chip: Chip) -> tuple[int, ...]:
    """Bytes of all memories: chips of one search differ in nothing else."""
    return tuple(memory.bytes for memory in chip.memory.values())


def _size(graph: Graph) -> int:
    """Layers of a network, or more if they read many tensors each."""
    layers = graph.layers()
    operands = sum(len(graph.inputs_of(layer.name)) for layer in layers)
    return max(sum(not layer.is_view for layer in layers), operands // TUNING.search.operands_per_layer)


def _in_pixels(network: PlanNetwork, chip: Chip) -> list[int]:
    """Positions of the layers that are done in groups of pixels."""
    layers = enumerate(network.layers)
    return [position for position, layer in layers if features_of(network.graph, layer, chip) is not None]


def _forget(caches: Mapping[Hashable, StructureCache]) -> None:
    """Drop the chains of caches that no tables have any more."""
    for cache in caches.values():
        cache.forget()
