"""Which layers are worth a search for tiles, beside the fused groups that were found.

in:   a layer, and the least costs of states before and behind it; or a group that is slower than it seemed
out:  whether the layer alone may cost less (`of`); which layers of the group may (`after_all`)

What a layer costs in tiles at least is known without a search: each operand moves once, and its cycles are
those of the whole at once, or of the largest share of the best split if cores share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from nnc.compiler.plan.alone.in_tiles import TiledLayers
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.frontier import Frontier
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.target.fully_connected import features_of
from nnc.compiler.tuning import TUNING


class WorthTiles:
    """Tells which layers may cost less in tiles, by the prices of some frontiers."""

    def __init__(
        self,
        networks: Sequence[PlanNetwork],
        orders: Sequence[FusedOrder],
        tiled: TiledLayers,
        frontiers: Sequence[Frontier],
    ) -> None:
        """Args:
        networks: the graph with its layers in each of the orders; orders: the same for fused groups.
        """
        self._networks, self._orders, self._tiled = networks, orders, tiled
        self._frontiers = frontiers

    def of(self, order: int, position: int) -> bool:
        """Whether a layer may not be well served by the fused groups that end with it."""
        network = self._networks[order]
        graph, layer = network.graph, network.layers[position]
        if features_of(graph, layer, self._tiled.chip) is not None:
            return True
        if any(frontier.best(order, position + 1, NOTHING) == inf for frontier in self._frontiers):
            return True  # before anything is priced: where no layers are fused, that is all
        tensors = [*graph.inputs_of(layer.name), *graph.outputs_of(layer.name)]
        once = sum(graph.types[t].nbytes for t in tensors if t is not None)
        cycles = self._least_cycles(order, position)
        return any(_may_gain(frontier, (order, position), once, cycles) for frontier in self._frontiers)

    def after_all(self, choice: FusedChoice) -> list[int]:
        """Positions of the layers of a group, slower than it seemed, that may be worth tiles.

        On one core, a group of several layers that loads no weights again saves enough bytes to be slower.
        Where cores share layers, a layer is worth it if the group may cost less with it alone.
        """
        layers = range(choice.start, choice.end + 1)
        if self._tiled.chip.cores == 1:
            is_small = len(self._networks[choice.order].layers) < TUNING.estimates.few_layers
            return [*layers] if len(layers) == 1 or (choice.cost.reload > 0 and is_small) else []
        prices, above = [frontier.price for frontier in self._frontiers], TUNING.tiles.above_least
        return [
            position
            for position, nbytes, cycles in self._each_alone(choice)
            if any(above * price.cost(nbytes, cycles) < price.of_all([choice]) for price in prices)
        ]

    def _each_alone(self, choice: FusedChoice) -> Iterator[tuple[int, int, int]]:
        """DRAM bytes and cycles of a group at least, with each of its layers, by position, in tiles.

        What others hand to that layer, and it to them, is stored and loaded then.
        """
        network, order = self._networks[choice.order], self._orders[choice.order]
        layers = range(choice.start, choice.end + 1)
        made = {network.defines[position] for position in layers}
        shared = {layer: order.cycles_of_whole(layer) // self._tiled.chip.cores for layer in layers}
        for position in layers:
            handed = [tensor for _, tensor in network.operands[position] if tensor in made]
            if network.last_use[network.buffer_of(network.defines[position])] <= choice.end:
                handed.append(network.defines[position])
            moved = 2 * sum(network.graph.types[tensor].nbytes for tensor in handed)
            others = sum(cycles for layer, cycles in shared.items() if layer != position)
            cycles = others + self._least_cycles(choice.order, position)
            yield position, choice.dram_bytes - choice.cost.reload + moved, cycles

    def _least_cycles(self, order: int, position: int) -> int:
        """Cycles that a layer takes at least: on one core at once, or as the largest share of a split."""
        network = self._networks[order]
        shape = network.graph.types[network.defines[position]].shape
        whole = LayerCycles(network, self._tiled.chip, position).of(shape)
        return int(min(whole, self._tiled.least_shared(network, position)))


def _may_gain(frontier: Frontier, layer: tuple[int, int], dram_bytes: int, cycles: int) -> bool:
    """Whether a layer that costs a little more than this leads to a state at less cost than groups."""
    before, after = (frontier.best(layer[0], position, NOTHING) for position in (layer[1], layer[1] + 1))
    return before + TUNING.tiles.above_least * frontier.price.cost(dram_bytes, cycles) < after
