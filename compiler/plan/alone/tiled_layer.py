"""A layer as it is cut into tiles: which axis of its result moves which axis of an operand, and how far.

Regions are separable by axis, so that the bytes of all tiles follow from sets of intervals, one per axis.

In: a layer, the chip, how cores share the layer.  Out: intervals of operands along the tiles of an axis.  A
3x3 convolution with padding, an input of [1, 8, 10, 10] and tiles of 5 rows (axis 2):

    layer.intervals(layer.operands[0], 2, 5) == (Intervals((0, 4), (6, 10)), True)
                                                two tiles of 6 rows share two of them
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import compress, pairwise
from math import lcm, prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer, SpatialMacLayer
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import most_elements, unit_of
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.alone.core_split import AxisCut, CoreSplit
from nnc.compiler.plan.alone.dram_bytes import Intervals, StridedBoxes, packed_bytes
from nnc.compiler.plan.alone.tiling import axis_tiles
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.compiler.target.cuts import quanta
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div

Shape = tuple[int, ...]
_MOST_SLABS = 2**16
"""Positions along an axis whose needs are looked at: of longer axes, both ends and some between."""


@dataclass(eq=False)
class TiledOperand:
    """An operand of a layer, or several that have the same type and lie alike; or its result (slot -1).

    Attributes:
        slot: of the first.
        order: in which the axes of its tiles nest.
        homes: memories of its tiles: where they are read (of results: computed) and, if that is another one,
            where loads arrive (whence results are stored).
        storage: where it lies in DRAM; boxes: bytes of its boxes there; None for constants, which are packed.
        chunk_axis: its axis that is summed over and may be cut into chunks.
        is_late: whether it is of the epilogue and no constant: the last chunk of a tile alone needs it.
        is_table: whether it is a table in DRAM whose rows are gathered.
        whole: per axis, what the whole result needs of it.
        moved_by: per axis, the axis of the result that moves it; None if every tile needs all of it.
        spans: (own axis, extent of tiles, cut) → intervals of all tiles, and without those that equal the one
            before in all that the axis of the result moves; found once.
    """

    slot: int
    type: TensorType
    order: Shape
    homes: tuple[str, ...]
    storage: Storage | None
    boxes: StridedBoxes | None
    chunk_axis: int | None = None
    is_late: bool = False
    is_table: bool = False
    whole: list[Intervals] = field(default_factory=list)
    moved_by: list[int | None] = field(default_factory=list)
    spans: dict[tuple[int, int, AxisCut | None], tuple[Intervals, Intervals]] = field(default_factory=dict)

    @property
    def axes(self) -> frozenset[int]:
        """Axes of the result along which it moves."""
        return frozenset(axis for axis in self.moved_by if axis is not None)

    def quantum(self, own: int) -> int:
        """Elements along an axis after which runs start alike within a burst; 1 for constants."""
        return 1 if self.boxes is None else self.boxes.quantum(own)


class TiledLayer:
    """A layer before it is cut, on one core or as cores share it.

    Attributes:
        out: type of the result; shape: that of the result, or of the largest share of a core.
        quanta: of how many elements the tiles of the result must be multiples, per axis.
        operands: by slot; those alike are the same object.  different: each once.
        result: as an operand that every axis moves.
        shapes: of the operands.
        sums_dtype, sums_home: of partial sums; sums_in_place: whether results take their place.
        gathered_bytes: DRAM bytes of the rows of a table that a row gather loads; 0 for other layers.
        split: how cores share the layer; cuts: of its axes.
    """

    def __init__(self, graph: Graph, layer: Layer, chip: Chip) -> None:
        self.graph, self.layer, self.chip = graph, layer, chip
        tensor = graph.output_of(layer.name)
        self.out, self.quanta = graph.types[tensor], quanta(graph, tensor)
        inputs = graph.inputs_of(layer.name)
        self.shapes = [None if t is None else graph.types[t].shape for t in inputs]
        self.sums_dtype = layer_traits.sums_dtype(graph, layer)
        self.sums_home = layer_traits.memory_for(chip, graph, layer, "accumulator")
        self.sums_in_place = memories.sums_in_place(chip, graph, layer)
        self.operands: list[TiledOperand | None] = []
        first: dict[Hashable, TiledOperand] = {}
        for slot, name in enumerate(inputs):
            self.operands.append(None if name is None else self._operand(slot, name, first))
        home = memories.result_home(chip, graph, layer)
        self.different = [*dict.fromkeys(operand for operand in self.operands if operand is not None)]
        self.result = self._as_tiled(-1, tensor, graph.storage[tensor].order, home, memories.departure)
        self.split: CoreSplit | None = None
        self.cuts: dict[int, AxisCut] = {}
        self.shape = self.out.shape
        self._find_moves()
        self.gathered_bytes = 0
        table = self.operands[0] if self.operands else None
        if table is not None and table.is_table:
            row = [Intervals((0,), (extent,)) for extent in (1, *table.type.shape[1:])]
            index = self.shapes[1]
            self.gathered_bytes = self.nbytes(table, row) * prod(index or ())

    def shared(self, split: CoreSplit | None) -> TiledLayer:
        """The layer as cores share it; what is found of one holds for the other."""
        shared = copy(self)
        shared.split = split
        shared.cuts = {cut.axis: cut for cut in (() if split is None else split.cuts)}
        shared.shape = self.out.shape if split is None else split.largest_share(self.out.shape)
        return shared

    def on(self, chip: Chip) -> TiledLayer:
        """The layer where memories have other sizes; what is found of one holds for the other."""
        resized = copy(self)
        resized.chip = chip
        return resized

    @property
    def chunked(self) -> tuple[TiledOperand, int] | None:
        """The first operand that may be cut into chunks of the summed axis, and that axis of it."""
        return next(((of, of.chunk_axis) for of in self.different if of.chunk_axis is not None), None)

    @property
    def depth(self) -> int:
        """Elements of the summed axis that may be cut into chunks; 1 if there is none."""
        if self.chunked is None:
            return 1
        operand, axis = self.chunked
        groups = self.layer.groups if isinstance(self.layer, SpatialMacLayer) else 1
        return operand.type.shape[axis] // groups

    def _operand(self, slot: int, tensor: str, first: dict[Hashable, TiledOperand]) -> TiledOperand:
        """An operand; for one that has the type of another and lies alike, that one.

        Only functions of elements have many operands.
        """
        graph, layer, type_ = self.graph, self.layer, self.graph.types[tensor]
        home = memories.operand_homes(self.chip, graph, layer, slot)[0]
        order = layer_work.block_order(graph, layer, slot)
        storage = graph.storage.get(tensor)
        phase = 0 if storage is None else storage.offset * type_.dtype.itemsize
        phase %= lcm(self.chip.dram.burst, self.chip.transfer_unit)
        key = type_, order, home, storage and (storage.strides, phase)
        if isinstance(layer, Elementwise) and key in first:
            return first[key]
        operand = self._as_tiled(slot, tensor, order, home, memories.landing)
        operand.chunk_axis = layer_traits.chunk_axes(layer, self.shapes).get(slot)
        operand.is_late = slot >= 2 and isinstance(layer, MacLayer) and storage is not None
        operand.is_table = slot == 0 and layer_traits.is_row_gather(layer)
        first[key] = operand
        return operand

    def _as_tiled(
        self, slot: int, tensor: str, order: Shape, home: str, edge: Callable[[Chip, str], str]
    ) -> TiledOperand:
        """Args:
        edge: tells the memory by which tiles with this home come or go.
        """
        dram, storage, type_ = self.chip.dram, self.graph.storage.get(tensor), self.graph.types[tensor]
        boxes = None
        if storage is not None:
            boxes = StridedBoxes(storage, type_.dtype, dram.burst, self.chip.transfer_unit)
        homes = tuple(dict.fromkeys((home, edge(self.chip, home))))
        return TiledOperand(slot, type_, order, homes, storage, boxes)

    def _find_moves(self) -> None:
        """Find the axis of the result along which each axis of an operand is needed only in part."""
        whole = Boxes.whole(self.out.shape, 1)
        for operand in (self.result, *self.different):
            boxes = self._needed(operand, whole)
            for low, high in zip(boxes.low[0].tolist(), boxes.high[0].tolist(), strict=True):
                operand.whole.append(Intervals((low,), (high,)))
            operand.moved_by = [None] * len(operand.whole)
        self.result.moved_by = [*range(len(self.out.shape))]
        for axis, extent in enumerate(self.out.shape):
            if extent == 1:
                continue
            step = ceil_div(extent, _MOST_SLABS)
            elements = (*range(0, extent - 1, step), extent - 1)
            slabs = self._slabs(axis, [(element, element + 1) for element in elements])
            for operand in self.different:
                extents = self._needed(operand, slabs).extents
                for own, interval in enumerate(operand.whole):
                    if operand.moved_by[own] is None and (extents[:, own] != interval.largest).any():
                        operand.moved_by[own] = axis

    def _needed(self, operand: TiledOperand, boxes: Boxes) -> Boxes:
        if operand is self.result:
            return boxes
        return needed(self.layer, operand.slot, boxes, self.shapes, self.out.shape).boxes

    def _slabs(self, axis: int, tiles: Sequence[tuple[int, int]]) -> Boxes:
        """Boxes of the result that are cut along one axis."""
        boxes = Boxes.whole(self.out.shape, len(tiles))
        boxes.low[:, axis], boxes.high[:, axis] = zip(*tiles, strict=True)
        return boxes

    def measure(self, axis: int, extents: Iterable[int]) -> None:
        """Find the intervals along tiles of several extents at once, which takes less time."""
        cut, whole, spans = self.cuts.get(axis), self.out.shape[axis], self.result.spans
        new = [extent for extent in extents if extent < whole and (axis, extent, cut) not in spans]
        tiles: list[tuple[int, int]] = []
        bounds, first = [0], set()
        for extent in new:
            for share in range(self.shares(axis)):
                first.add(len(tiles))
                tiles += [(low, high) for low, high in axis_tiles(whole, extent, cut, share) if low < high]
            bounds.append(len(tiles))
        slabs = self._slabs(axis, tiles) if new else None
        for operand in (self.result, *self.different):
            owns = [own for own, mover in enumerate(operand.moved_by) if mover == axis]
            if slabs is None or not owns:
                continue
            boxes = self._needed(operand, slabs)
            low, high = boxes.low[:, owns], boxes.high[:, owns]
            same = ((low[1:] == low[:-1]) & (high[1:] == high[:-1])).all(axis=1).tolist()
            differs = [tile in first or not same[tile - 1] for tile in range(len(tiles))]
            for own, lows, highs in zip(owns, low.T.tolist(), high.T.tolist(), strict=True):
                for extent, (begin, end) in zip(new, pairwise(bounds), strict=True):
                    every = distinct = Intervals(tuple(lows[begin:end]), tuple(highs[begin:end]))
                    kept = differs[begin:end]
                    if not all(kept):
                        distinct = Intervals(*(tuple(compress(of, kept)) for of in (every.low, every.high)))
                    operand.spans[own, extent, cut] = every, distinct

    def intervals(
        self, operand: TiledOperand, own: int, extent: int, *, collapsed: bool = False
    ) -> tuple[Intervals, bool]:
        """Intervals of an axis of an operand along tiles of this extent, and whether a core needs several.

        Args:
            extent: of the tiles, along the axis of the result that moves the operand's (if any does).
            collapsed: whether neighbouring tiles that need the same piece count once.
        """
        axis = operand.moved_by[own]
        if axis is None or extent >= self.out.shape[axis]:
            return operand.whole[own], False
        key = own, extent, self.cuts.get(axis)
        if key not in operand.spans:
            self.measure(axis, [extent])
        every, distinct = operand.spans[key]
        moves = len(distinct.low) > self.shares(axis)
        return (every if moves and not collapsed else distinct), moves

    def shares(self, axis: int) -> int:
        """Into how many shares the cores cut an axis of the result."""
        return self.cuts[axis].shares if axis in self.cuts else 1

    def copies(self, operand: TiledOperand) -> int:
        """How many different pieces of an operand the cores need at a time; one each without broadcast."""
        return prod(self.shares(axis) for axis in (operand.axes if self.chip.dma.broadcast else self.cuts))

    def counts(self, tile: Shape) -> list[int]:
        """How many tiles of these extents there are along each axis of the (largest) share."""
        return [ceil_div(extent, each) for extent, each in zip(self.shape, tile, strict=True)]

    def held_bytes(self, operand: TiledOperand, tile: Shape) -> int:
        """Bytes that a tile of an operand takes on chip at most, not yet aligned.

        A constant (no storage) is packed without gaps.
        """
        dtype, storage = operand.type.dtype, operand.storage
        unit = unit_of(dtype, self.chip.transfer_unit)
        is_dense = storage is None or unit == 1
        return dtype.itemsize * (prod(tile) if is_dense else most_elements(required(storage), tile, unit))

    def nbytes(self, operand: TiledOperand, intervals: Sequence[Intervals]) -> int:
        """DRAM bytes of all pieces of an operand, each moved once, whole bursts included."""
        if operand.boxes is not None:
            return operand.boxes.nbytes(intervals)
        size, dram = operand.type.dtype.itemsize, self.chip.dram
        return packed_bytes(intervals, size, dram.burst, self.chip.transfer_unit)
