"""What a layer of the network costs when some of its rows, columns or channels are computed.

Weights in blocks: a layer's output channels and a budget of bytes for one block give output channels of a
block, and cycles beyond those of the layer at once.

    512 channels, 32 lanes, 18 KiB of weights per channel:   blocks of 512, 256, 128, 64, 32, 16 or 8 channels
    a budget of 400 KiB: blocks of 16 channels, 32 of them; each takes as long as one of 32, so twice the work
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits, layer_work
from nnc.compiler.target.layer_work import block, block_order
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand
from nnc.isa.types import DType

Shape = tuple[int, ...]


def channels_of(network: PlanNetwork, position: int) -> int:
    """Output channels by which the weights of a layer can be cut; 1 if they cannot."""
    layer, shape = network.layers[position], network.graph.types[network.defines[position]].shape
    lane = layer_traits.lane_axis(layer, len(shape))
    constant = lane is not None and network.graph.is_constant(network.graph.operand(layer.name, 1))
    return shape[lane] if lane is not None and constant else 1


def block_bytes(network: PlanNetwork, position: int, channels: int) -> int:
    """Bytes of a block of weights for this many output channels (all constants if it is no MAC layer)."""
    nbytes, total = network.weight_bytes(position), channels_of(network, position)
    return ceil_div(nbytes * min(total, channels), total)


def least_lanes(chip: Chip, dtype: DType, layer: ir.Layer) -> int:
    """Lanes of the narrowest shape of the MAC array for a layer; 1 if it does not know the type."""
    shapes = chip.compute.shapes_for(dtype, layer_work.weight_bits(layer))
    return min((lanes for lanes, _ in shapes), default=1)


def part_shape(
    network: PlanNetwork, position: int, rows: int, width: float = 1.0, channels: int = 0
) -> tuple[int, ...]:
    """Extents of some rows, a share of the columns, and some channels of a layer's result (0: all).

    Args:
        rows: of the buffer, of which the result may be some alone.
    """
    tensor, layer = network.defines[position], network.layers[position]
    whole, axis = network.graph.types[tensor].shape, network.view(tensor).axis
    columns = network.column_axis(tensor) if width < 1.0 else None
    shape = list(whole)
    if axis is not None:
        shape[axis] = min(rows, whole[axis])
    if columns is not None:
        shape[columns] = max(1, round(whole[columns] * width))
    lane = layer_traits.lane_axis(layer, len(shape)) if channels else None
    if lane is not None:
        shape[lane] = channels
    return tuple(shape)


class LayerCycles:
    """Cycles of the tiles of a layer, and of all that differ from it in names and values only.

    Attributes:
        layer, whole: the layer, and the shape of its result.
    """

    def __init__(self, network: PlanNetwork, chip: Chip, position: int) -> None:
        graph, tensor = network.graph, network.defines[position]
        self.layer, self.whole = network.layers[position], graph.types[tensor].shape
        self._chip, self._dtype, self._order = chip, graph.types[tensor].dtype, graph.storage[tensor].order
        self._shapes = network.shapes[position]
        self._kinds = [
            None if name is None else (graph.types[name].dtype, block_order(graph, self.layer, slot))
            for slot, name in enumerate(graph.inputs_of(self.layer.name))
        ]
        self._tables: dict[tuple[int, int, int], Ints] = {}
        whole = Boxes.whole(self.whole, 1)
        self._needed = [
            None if shape is None else tuple(self._extents(slot, whole)[0].tolist())
            for slot, shape in enumerate(self._shapes)
        ]

    def of(self, shape: Shape) -> int:
        """Cycles of a tile of the result of this shape, issue cost included."""
        return self.of_tile(self.result(shape), self.operands(shape))

    def of_tile(self, out: Operand, ins: Sequence[Operand | None]) -> int:
        """The same of a result and operands that lie in other memories, or are summed over in chunks."""
        layer = layer_work.layer_of_tile(self.layer, self.whole, out.shape)
        return layer_work.tile_cycles(self._chip, layer, out, ins)

    def result(self, shape: Shape, memory: str = "", dtype: DType | None = None) -> Operand:
        """A dense tile of the result, or of partial sums of another type."""
        return block(dtype or self._dtype, shape, self._order, memory)

    def operands(
        self, shape: Shape, home: str = "", memories: Mapping[int, str] = MappingProxyType({})
    ) -> list[Operand | None]:
        """What a tile of the result needs; memories: of the operands that do not lie in `home`, by slot."""
        slots = range(len(self._shapes))
        return [self.operand(slot, shape, memories.get(slot, home)) for slot in slots]

    def operand(
        self, slot: int, shape: Shape, memory: str = "", chunk: Mapping[int, int] = MappingProxyType({})
    ) -> Operand | None:
        """What a tile of the result needs of an operand, as a dense tile; chunk: other extents by axis."""
        kind, extents = self._kinds[slot], self.extents(slot, shape)
        if kind is None or extents is None:
            return None
        own = tuple([chunk.get(axis, extent) for axis, extent in enumerate(extents)]) if chunk else extents
        return block(kind[0], own, kind[1], memory)

    def extents(self, slot: int, shape: Shape, beside: int = 0) -> Shape | None:
        """Extents of what a tile in the middle of the result, or so far beside, needs of an operand.

        At the ends, windows reach into padding.  Each axis of the result moves axes of the operand by itself.
        """
        extents = self._needed[slot]
        for axis, (extent, whole) in enumerate(zip(shape, self.whole, strict=True)):
            if extents is not None and extent < whole:
                along = self._table(slot, axis, beside)[extent - 1]
                extents = tuple(map(min, extents, along.tolist()))
        return extents

    def moves(self, slot: int, axis: int) -> bool:
        """Whether tiles along an axis of the result need other elements of an operand each."""
        tables = [self._table(slot, axis, beside) for beside in (0, 1) if self._shapes[slot] is not None]
        return any(bool((table[0] != table[-1]).any()) for table in tables)

    def _table(self, slot: int, axis: int, beside: int) -> Ints:
        """Extents of an operand (columns) that 1, 2, … elements of the result along an axis need (rows)."""
        key = (slot, axis, beside)
        if key not in self._tables:
            extent = self.whole[axis]
            counts = np.arange(1, extent + 1)
            boxes = Boxes.whole(self.whole, extent)
            boxes.low[:, axis] = np.minimum((extent - counts) // 2 + beside, extent - counts)
            boxes.high[:, axis] = boxes.low[:, axis] + counts
            self._tables[key] = self._extents(slot, boxes)
        return self._tables[key]

    def _extents(self, slot: int, boxes: Boxes) -> Ints:
        return needed(self.layer, slot, boxes, self._shapes, self.whole).boxes.extents


Ints = npt.NDArray[np.int64]
_MOST_SIZES = 24

NumberT = TypeVar("NumberT", int, npt.NDArray[np.int64])


def block_budget(free: NumberT, pinned: int | NumberT, parts: int) -> NumberT:
    """Most bytes of a block of streamed weights at a step of a group.

    Args:
        free: bytes for weights there; pinned: of these, bytes that stay on chip; parts: of the group.
    """
    return free // TUNING.weights.blocks_in_capacity if parts == 1 else (free - pinned) // 2


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """Sizes that blocks of a layer's weights may have, the largest first: all of them, halves of halves.

    Whole lanes of the array as long as they fit: a block of fewer channels than there are lanes takes as long
    as one that fills them.

    Attributes:
        channels: output channels; nbytes: of their weights.
    """

    channels: tuple[int, ...]
    nbytes: tuple[int, ...]

    @staticmethod
    def of(network: PlanNetwork, chip: Chip, position: int) -> BlockSizes:
        """The sizes for a layer; just one if its weights cannot be cut."""
        layer, total = network.layers[position], channels_of(network, position)
        dtype = network.graph.types[network.defines[position]].dtype
        sizes, size = [total], total
        least = TUNING.weights.min_channels
        for quantum in (max(least, least_lanes(chip, dtype, layer)), least):
            while size > quantum:
                size = max(quantum, ceil_div(size, 2 * quantum) * quantum)
                sizes.append(size)
        finer = sizes[1:]
        if finer and not layer_traits.lane_step_allowed(layer, total, size):
            finer = []
        allowed = [total, *(size for size in finer if layer_traits.lane_step_allowed(layer, total, size))]
        return BlockSizes(tuple(allowed), tuple(block_bytes(network, position, size) for size in allowed))

    def fitting(self, budget: int) -> int:
        """Channels of the largest blocks of at most `budget` bytes; of the smallest, if none are so small."""
        sizes = zip(self.channels, self.nbytes, strict=True)
        return next((channels for channels, nbytes in sizes if nbytes <= budget), self.channels[-1])


class BlockWork:
    """What the layers of an interval take more with their weights in blocks, by rows of the interval."""

    def __init__(self, rows: int) -> None:
        self._layers: dict[int, tuple[BlockSizes, Callable[[int], int]]] = {}
        self._most = 1
        self._nbytes: Ints = np.zeros((rows, _MOST_SIZES), dtype=np.int64)
        self._cycles: Ints = np.full((rows, _MOST_SIZES), -1, dtype=np.int64)
        self._cycles[:, 0] = 0
        self._rows = np.arange(rows)

    def enter(self, row: int, sizes: BlockSizes, cycles: Callable[[int], int]) -> None:
        """Take in a layer.

        Args:
            cycles: channels of a block → cycles of the layer; it lives as long as the interval does.
        """
        self._layers[row] = sizes, cycles
        levels = sizes.nbytes[: _MOST_SIZES - 1]
        self._nbytes[row] = -1  # the smallest serves any budget
        self._nbytes[row, : len(levels) - 1] = levels[:-1]
        self._most = max(self._most, len(levels))

    def cycles(self, first: int, budgets: Ints) -> Ints:
        """Cycles beyond those at once of the layers from row `first` on, with budgets for blocks.

        Args:
            budgets: bytes, in arrays of one for each layer.
        """
        rows = slice(first, first + budgets.shape[-1])
        levels = (self._nbytes[rows, : self._most] <= budgets[..., np.newaxis]).argmax(axis=-1)
        extra: Ints = self._cycles[rows][self._rows[: budgets.shape[-1]], levels]
        if extra.size and extra.min() < 0:
            for index in np.argwhere(extra < 0).tolist():
                row, level = first + index[-1], int(levels[tuple(index)])
                if self._cycles[row, level] < 0:
                    sizes, cycles = self._layers[row]
                    self._cycles[row, level] = cycles(sizes.channels[level]) - cycles(0)
                extra[tuple(index)] = self._cycles[row, level]
        return extra
