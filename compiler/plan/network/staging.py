"""Staging copies of fused groups: operands that a layer reads in another memory than the group keeps them in.

All activations of a group lie in its *home*, its constants in its *store*.  Where a layer reads an operand
elsewhere, a copy brings there what one tile needs, and the layer is computed in tiles for which this fits:

    vdsp12: home = store = am; a convolution reads its features in sm, 64 KiB
    y = conv3x3(x), 14 rows of y in a part      ->  copy rows 0..8 of x to sm, y rows 0..6 from there,
                                                    copy rows 6..15 of x to sm, y rows 7..13 from there

What two tiles need is copied for both.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staged_layer import Box, Shape, StagedLayer
from nnc.compiler.target import layer_traits, memories
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip


@dataclass(frozen=True, slots=True)
class GroupMemories:
    """Where tiles lie in fused groups: activations in `home`, constants in `store`."""

    home: str
    store: str

    @staticmethod
    def of(chip: Chip, network: PlanNetwork) -> GroupMemories | Infeasible:
        """Results stay where they are computed: that must be one memory, which the DMA engines reach."""
        layers = [layer for layer in network.layers if not layer_traits.is_read_engine(layer)]
        homes = {layer_traits.memory_for(chip, network.graph, layer, "result") for layer in layers}
        if len(homes) != 1:
            return Infeasible("one memory for the results of all layers")
        (home,) = homes
        if {chip.landing(home), chip.departure(home)} != {home} or not chip.copies(home, home):
            return Infeasible(f"a memory for results that loads, stores and copies reach, not {home}")
        stores = {layer_traits.memory_for(chip, network.graph, layer, "weight") for layer in layers}
        store = stores.pop() if len(stores) == 1 else home
        return GroupMemories(home, store if chip.landing(store) == store else home)


@dataclass(eq=False)
class Staging:
    """Which operands of layers are staged, in which tiles the layers are computed then, and what that costs.

    What is found for a layer holds for all of the same structure.
    """

    chip: Chip
    memories: GroupMemories
    _kinds: dict[Hashable, StagedLayer | None] = field(default_factory=dict)
    _layers: dict[str, StagedLayer | None] = field(default_factory=dict)

    def is_possible(self, network: PlanNetwork, position: int) -> bool:
        """Whether all operands of a layer get where it reads them, at least in its smallest tiles."""
        staged = self._layer(network, position)
        return staged is not None and staged.tile(staged.whole) is not None

    def slots(self, network: PlanNetwork, position: int) -> dict[int, str]:
        """The staged operands of a layer: slot → memory in which it is read."""
        staged = self._layer(network, position)
        return {} if staged is None else staged.slots

    def nbytes(self, network: PlanNetwork, position: int, memory: str) -> int:
        """Bytes of a memory that the staged operands of a layer take at the most."""
        slots = self.slots(network, position)
        return self._capacity(memory) if memory in slots.values() else 0

    def boxes(self, network: PlanNetwork, position: int, box: Box) -> Iterator[Box]:
        """The tiles of a box of a layer's result, in the order of their work."""
        staged = self._layer(network, position)
        return iter([box]) if staged is None else staged.boxes(box)

    def cycles(self, network: PlanNetwork, position: int, shape: Shape) -> int:
        """Cycles of a box of a layer's result with its staging copies, issue costs included."""
        staged = self._layer(network, position)
        return 0 if staged is None else staged.cycles(shape)

    def cycles_of_features(self, network: PlanNetwork, position: int, shape: Shape) -> int:
        """Cycles of copies of features that lie there for the next box, if it needs the same ones.

        That is so where the box is one tile: boxes of some channels, one block of weights after the other.
        """
        staged = self._layer(network, position)
        return 0 if staged is None else staged.cycles_of_features(shape)

    def _capacity(self, memory: str) -> int:
        nbytes, align = self.chip.memory[memory].bytes, self.chip.block_align(memory)
        if memory != self.memories.store:
            return nbytes
        return nbytes // TUNING.staging.share_beside_weights // align * align

    def _layer(self, network: PlanNetwork, position: int) -> StagedLayer | None:
        """The layer; None if an operand does not get where the layer reads it."""
        name = network.layers[position].name
        if name not in self._layers:
            kind = network.structure(position)
            if kind not in self._kinds:
                self._kinds[kind] = self._found(network, position)
            self._layers[name] = self._kinds[kind]
        return self._layers[name]

    def _found(self, network: PlanNetwork, position: int) -> StagedLayer | None:
        layer, slots = network.layers[position], {}
        inside = [(slot, self.memories.home) for slot, _ in network.operands[position]]
        inside += [(slot, self.memories.store) for slot, _ in network.constant_operands(position)]
        for slot, lies in inside:
            allowed = memories.operand_homes(self.chip, network.graph, layer, slot)
            reached = [memory for memory in allowed if self.chip.copies(lies, memory)]
            if lies in allowed:
                continue
            if not reached:
                return None
            slots[slot] = reached[0]
        capacity = {memory: self._capacity(memory) for memory in slots.values()}
        return StagedLayer(self.chip, network, position, slots, capacity, self.memories.home)
