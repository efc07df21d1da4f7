"""The room of a chip for fused groups, and what may stay in it from one group to the next."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Residents, last_rows
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip

LARGE_SHARE = (3, 5)
"""A buffer that takes more than this share of the memory may stay in part."""
EIGHTHS_THAT_STAY = (1, 3)


@dataclass(frozen=True, slots=True)
class Room:
    """Memories of a chip for fused groups.

    Attributes:
        activations, weights: bytes for activations and for weights; weights is None if one serves both.
        alone: positions of layers that cannot be fused: row gathers are the DMA engine's own work, and an
            activation that is the weight of a product may have to lie in another memory than results.
    """

    activations: int
    weights: int | None
    alone: frozenset[int]

    def beside(self, nbytes: int) -> int:
        """Bytes that weights may take beside activations of some bytes."""
        return self.activations - nbytes if self.weights is None else self.weights

    @staticmethod
    def of(chip: Chip, network: PlanNetwork) -> Room | None:
        """The room of a chip; None if features and results of its layers lie in different memories."""
        homes = {
            layer_traits.memory_for(chip, layer, role)
            for layer in network.layers
            for role in ("feature", "result")
        }
        stores = {layer_traits.memory_for(chip, layer, "weight") for layer in network.layers}
        if len(homes) != 1 or len(stores) != 1:
            return None
        home, store = homes.pop(), stores.pop()
        alone = {
            position
            for position, layer in enumerate(network.layers)
            if layer_traits.is_row_gather(layer)
            or any(
                layer_traits.memory_for(chip, layer, layer_traits.slot_role(layer, slot)) != home
                for slot, _ in network.operands[position]
            )
        }
        weights = None if home == store else chip.memory[store].bytes
        return Room(chip.memory[home].bytes, weights, frozenset(alone))


def resident_options(network: PlanNetwork, position: int, room: Room) -> list[Residents]:
    """Sets of buffers that may be on chip when the layer at `position` starts: all, none, and few others."""
    crossing = network.crossings[position]
    if position == 0 or position == len(network.layers):
        return [frozenset()]
    options = [frozenset(), frozenset(crossing), *(frozenset({b}) for b in crossing)]
    if len(crossing) <= 3:
        options += [frozenset(pair) for pair in combinations(crossing, 2)]
    for buffer in crossing:
        others = frozenset(crossing) - {buffer}
        for rows in _rows_that_may_stay(network, buffer, room):
            mine = frozenset({last_rows(buffer, rows)})
            options.append(mine | others)
    fitting = {o for o in options if network.nbytes_of(o) <= room.activations}
    return sorted(fitting, key=lambda o: (len(o), sorted(o)))


def _rows_that_may_stay(network: PlanNetwork, buffer: str, room: Room) -> list[int]:
    """Numbers of last rows of a large boundary buffer that are worth keeping on chip."""
    info, definitions = network.buffers[buffer], network.definitions.get(buffer, [])
    ends = network.network_inputs | network.network_outputs
    if len(definitions) != 1 or definitions[0][1] != buffer or buffer in ends:
        return []
    if info.nbytes * LARGE_SHARE[1] <= room.activations * LARGE_SHARE[0]:
        return []
    numbers = {room.activations * eighths // 8 // info.row_bytes for eighths in EIGHTHS_THAT_STAY}
    return sorted(rows for rows in numbers if 0 < rows < info.rows)
