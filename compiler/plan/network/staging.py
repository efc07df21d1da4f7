"""Staging copies of fused groups: operands that a layer reads in another memory than the group keeps them in.

All activations of a group lie in its *home*, its constants in its *store*.  Where a layer reads an operand
elsewhere, a copy brings there what one tile needs, and the layer is computed in tiles for which this fits:

    vdsp12: home = store = am; a convolution reads its features in sm, 64 KiB
    y = conv3x3(x), 14 rows of y in a part      ->  copy rows 0..8 of x to sm, y rows 0..6 from there,
                                                    copy rows 6..15 of x to sm, y rows 7..13 from there

What two tiles need is copied for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits, memories
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up


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
    _kinds: dict[str, StagedLayer | None] = field(default_factory=dict)

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
        kind = network.structure(position)
        if kind not in self._kinds:
            self._kinds[kind] = self._found(network, position)
        return self._kinds[kind]

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


Shape = tuple[int, ...]
Box = tuple[Shape, Shape]
"""Low corner and shape."""


class StagedLayer:
    """A layer some of whose operands are copied to other memories, tile by tile.

    It stands for all that differ from it in names and values only.

    Attributes:
        slots: staged operands, each with the memory in which it is read.
        whole: shape of the result.
    """

    def __init__(
        self,
        chip: Chip,
        network: PlanNetwork,
        position: int,
        slots: dict[int, str],
        capacity: dict[str, int],
        home: str,
    ) -> None:
        """Args:
        capacity: bytes for staged operands by memory; home: the memory of all others and of the result.
        """
        self.slots, self._chip, self._capacity, self._home = slots, chip, capacity, home
        self._tiles = LayerCycles(network, chip, position)
        self.whole = self._tiles.whole
        self._constants = {slot for slot, _ in network.constant_operands(position)}
        self._lane = layer_traits.lane_axis(self._tiles.layer, len(self.whole))
        axes = range(len(self.whole))
        self._moved_by = {slot: [axis for axis in axes if self._tiles.moves(slot, axis)] for slot in slots}
        self._moving = sorted({axis for axes in self._moved_by.values() for axis in axes})
        self._axes = self._cut_axes(network, position)
        self._best: dict[Shape, tuple[Shape | None, int]] = {}
        self._read: dict[tuple[int, Shape], tuple[int, int]] = {}

    def tile(self, shape: Shape) -> Shape | None:
        """In which tiles a box of these extents is computed; None if the smallest are too large."""
        return self._cheapest(shape)[0]

    def boxes(self, box: Box) -> Iterator[Box]:
        """The tiles of a box, in the order of their work."""
        low, shape = box
        tile = self.tile(shape) or shape
        cut = [axis for axis in self._axes if tile[axis] < shape[axis]]
        for corner in product(*(range(0, shape[axis], tile[axis]) for axis in cut)):
            start, extent = list(low), list(shape)
            for axis, offset in zip(cut, corner, strict=True):
                start[axis], extent[axis] = low[axis] + offset, min(tile[axis], shape[axis] - offset)
            yield tuple(start), tuple(extent)

    def cycles(self, shape: Shape) -> int:
        """Cycles of a box with its copies, issue costs included; at once if no tiles fit."""
        return self._cheapest(shape)[1]

    def cycles_of_features(self, shape: Shape) -> int:
        """Cycles of copies of features that lie there for the next box of channels, if it is one tile."""
        if self.tile(shape) != shape:
            return 0
        return sum(self._copied(slot, shape)[1] for slot in self.slots if slot not in self._constants)

    def _cut_axes(self, network: PlanNetwork, position: int) -> list[int]:
        """Axes of the result along which staged operands move: that of the lanes first if weights do."""
        layer = network.layers[position]
        uncut = {*layer_traits.uncut_axes(layer, network.shapes[position])}
        if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
            uncut.add(1)  # channels of a group belong together
        order = network.graph.storage[network.defines[position]].order
        axes = [axis for axis in order if axis in self._moving and axis not in uncut]
        if self._constants & self.slots.keys():
            axes.sort(key=lambda axis: axis != self._lane)
        return axes

    def _cheapest(self, shape: Shape) -> tuple[Shape | None, int]:
        """The cheapest tiles that fit, if any do, and cycles."""
        if shape not in self._best:
            tiles = [_cut(shape, cut) for cut in self._fitting_cuts(shape)]
            cycles, index = min(
                ((self._cycles(shape, tile), index) for index, tile in enumerate(tiles)), default=(0, -1)
            )
            self._best[shape] = (tiles[index], cycles) if tiles else (None, self._cycles(shape, shape))
        return self._best[shape]

    def _fitting_cuts(self, shape: Shape) -> list[dict[int, int]]:
        """Extents along the axes that are cut, such that staged operands fit.

        The largest tiles: axes before the two that are cut are worked through one by one.
        """
        if self._fits(shape):
            return [{}]
        axes = [axis for axis in self._axes if shape[axis] > 1]
        for first in range(len(axes)):
            outer, inner = axes[first], axes[first + 1 : first + 2]
            narrower = [{axis: extent} for axis in inner for extent in _even_extents(shape[axis])] or [{}]
            cuts, index = [], len(narrower)
            for extent in _even_extents(shape[outer]):  # of each, the largest along the inner axis
                outside = {**dict.fromkeys(axes[:first], 1), outer: extent}
                while index > 0 and self._fits(_cut(shape, outside | narrower[index - 1])):
                    index -= 1  # what fits beside more along the outer axis, fits beside less
                if index < len(narrower):
                    cuts.append(outside | narrower[index])
            if cuts:
                return cuts
        return []

    def _fits(self, tile: Shape) -> bool:
        """Whether the staged operands of a tile fit their memories."""
        used = dict.fromkeys(self._capacity, 0)
        for slot, memory in self.slots.items():
            used[memory] += self._copied(slot, tile)[0]
        return all(used[memory] <= nbytes for memory, nbytes in self._capacity.items())

    def _copied(self, slot: int, tile: Shape) -> tuple[int, int]:
        """Bytes that an operand of a tile, or of the next one, takes where it is read; cycles of its copy."""
        key = slot, tuple([tile[axis] for axis in self._moved_by[slot]])
        if key not in self._read:
            source, memory = required(self._tiles.operand(slot, tile, self._home)), self.slots[slot]
            elements = max(prod(source.shape), prod(required(self._tiles.extents(slot, tile, beside=1))))
            nbytes = round_up(elements * source.dtype.itemsize, self._chip.block_align(memory))
            self._read[key] = nbytes, memories.copy_cycles(self._chip, source, memory)
        return self._read[key]

    def _cycles(self, shape: Shape, tile: Shape) -> int:
        """Cycles of a box in tiles of these extents; what the next tile needs again is not copied again."""
        cut = [axis for axis in self._axes if tile[axis] < shape[axis]]
        cycles = sum(count * self._tile_cycles(part) for part, count in _sizes(shape, tile, cut))
        for slot in self.slots:
            moving = [number for number, axis in enumerate(cut) if axis in self._moved_by[slot]]
            outer = cut[: max(moving, default=-1) + 1]  # along the others, it lies there for all tiles
            cycles += sum(count * self._copied(slot, part)[1] for part, count in _sizes(shape, tile, outer))
        return cycles

    def _tile_cycles(self, tile: Shape) -> int:
        """Cycles of a tile without its copies."""
        ins = self._tiles.operands(tile, self._home, self.slots)
        return self._tiles.of_tile(self._tiles.result(tile, self._home), ins)


def _cut(shape: Shape, extents: dict[int, int]) -> Shape:
    """A shape with other extents along some axes."""
    return tuple([extents.get(axis, n) for axis, n in enumerate(shape)])


def _sizes(shape: Shape, tile: Shape, cut: Sequence[int]) -> list[tuple[Shape, int]]:
    """Extents of the tiles of a box that is cut along some axes, and how many have each: the last, too."""
    sizes = [(tile, 1)]
    for axis in cut:
        count, last = divmod(shape[axis], tile[axis])
        whole = [(part, n * count) for part, n in sizes]
        sizes = whole + [((*part[:axis], last, *part[axis + 1 :]), n) for part, n in sizes if last]
    return sizes


def _even_extents(extent: int) -> list[int]:
    """Extents of about even cuts, the largest first, down to one element."""
    return sorted({ceil_div(extent, cut) for cut in TUNING.staging.cuts if cut <= extent} | {1}, reverse=True)
