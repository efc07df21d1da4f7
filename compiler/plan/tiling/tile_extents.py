"""Extents of the tiles of a layer: which output axis moves which axis of an operand, and how far.

Regions are separable by axis, so that the elements of all tiles are products of sums over one axis each.

In: a layer, and how cores share it.  Out: what every operand needs for a tiling (`LayerTiles.cut`).  A 3x3
convolution with padding, an input of [1, 8, 10, 10] and tiles of 5 rows (axis 2):

    tiles.spans(2, 5)[0, 2] == (6, 12)       two tiles of 6 input rows, one of which both need twice
    tiles.cut(0, tiling).tile == (1, 8, 6, 10)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.compiler.target.cuts import quanta
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div


@dataclass(frozen=True, slots=True)
class OperandCut:
    """How the tiles of a layer cut one operand, whatever the order of the loops.

    Attributes:
        tile: shape of the largest piece.
        elements: of all pieces together; what two of them need (a halo) counts for both.
        pieces, chunks: how many there are, and of how many chunks of the summed axis each.
        moved_by: the cut axes of the result along which the operand moves.
    """

    tile: tuple[int, ...]
    elements: int
    pieces: int
    chunks: int
    moved_by: frozenset[int]


@dataclass
class LayerTiles:
    """A layer as the tile search sees it: operands, and which output axis moves which operand axis.

    Extents of operand boxes along the tiles of one output axis are found once per tile extent (`spans`), cuts
    of an operand once per tile and chunk (`cut`).

    Attributes:
        origin, shape: of the result, or of the share of one core.
        orders: in which the axes of the tiles of each operand nest.
        homes: memories of the tiles of each operand: where they are read and, if that is another one, where
            their loads arrive; result_homes: where results are computed, and whence they are stored;
            sums_home: of partial sums.
        storage: of each operand that is no constant; out_storage: of the result.
        quanta: of how many elements the tiles of the result must be multiples, per axis.
        is_table: whether an operand is a table in DRAM whose rows are gathered.
        chunk_axes: operand slot → its axis that is summed over and may be cut into chunks.
    """

    graph: Graph
    layer: Layer
    chip: Chip
    split: CoreSplit | None = None
    out: TensorType = field(init=False)
    origin: tuple[int, ...] = field(init=False)
    shape: tuple[int, ...] = field(init=False)
    operands: list[TensorType | None] = field(init=False)
    shapes: list[tuple[int, ...] | None] = field(init=False)
    order: tuple[int, ...] = field(init=False)
    orders: list[tuple[int, ...]] = field(init=False)
    homes: list[tuple[str, ...]] = field(init=False)
    result_homes: tuple[str, ...] = field(init=False)
    sums_home: str = field(init=False)
    storage: list[Storage | None] = field(init=False)
    out_storage: Storage = field(init=False)
    quanta: tuple[int, ...] = field(init=False)
    is_table: list[bool] = field(init=False)
    chunk_axes: dict[int, int] = field(init=False)
    _cuts: dict[tuple[int, tuple[int, ...], int | None], OperandCut] = field(default_factory=dict)
    _spans: dict[tuple[int, int], dict[tuple[int, int], tuple[int, int]]] = field(default_factory=dict)
    _moved_by: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name = self.layer.name
        tensor = self.graph.output_of(name)
        self.out = self.graph.types[tensor]
        self.operands = [None if t is None else self.graph.types[t] for t in self.graph.inputs_of(name)]
        self.shapes = [None if t is None else t.shape for t in self.operands]
        self.out_storage = self.graph.storage[tensor]
        self.order = self.out_storage.order
        self.quanta = quanta(self.graph, tensor)
        self.chunk_axes = layer_traits.chunk_axes(self.layer, self.shapes)
        self.origin, self.shape = (0,) * len(self.out.shape), self.out.shape
        for axis, extent in enumerate(self.shape):
            if extent > 1:
                for key in self.spans(axis, 1):
                    self._moved_by[key] = axis
        if self.split is not None:
            self._take_share(self.split)
        self._find_homes()

    def _find_homes(self) -> None:
        """Where operands and results live on chip, and which constants and tables never move as tiles."""
        graph, layer, chip = self.graph, self.layer, self.chip
        inputs = graph.inputs_of(layer.name)
        homes = [memories.operand_homes(chip, graph, layer, slot)[0] for slot in range(len(inputs))]
        self.homes = [tuple(dict.fromkeys((home, memories.landing(chip, home)))) for home in homes]
        home = memories.result_home(chip, graph, layer)
        self.result_homes = tuple(dict.fromkeys((home, memories.departure(chip, home))))
        self.sums_home = layer_traits.memory_for(chip, graph, layer, "accumulator")
        self.orders = [
            () if t is None else layer_work.block_order(graph, layer, slot) for slot, t in enumerate(inputs)
        ]
        self.storage = [graph.storage.get(t) if t is not None else None for t in inputs]
        self.is_table = [slot == 0 and layer_traits.is_row_gather(layer) for slot in range(len(inputs))]

    def _take_share(self, split: CoreSplit) -> None:
        """Look at what one core computes: a second share, which has neighbours on both sides."""
        origin, shape = list(self.origin), list(self.shape)
        for cut in split.cuts:
            extent = max(cut.extents)
            origin[cut.axis] = min(cut.borders[min(1, cut.shares - 1)], shape[cut.axis] - extent)
            shape[cut.axis] = extent
        self.origin, self.shape = tuple(origin), tuple(shape)
        self._spans.clear()

    def moves(self, slot: int) -> frozenset[int]:
        """Axes of the result along which an operand moves."""
        return frozenset(axis for (moved, _), axis in self._moved_by.items() if moved == slot)

    def copies(self, slot: int) -> int:
        """How many loads the cores together need for each tile of an operand; a broadcast counts once."""
        if self.split is None:
            return 1
        if not self.chip.dma.broadcast:
            return self.split.cores
        moves = self.moves(slot)
        return prod(cut.shares for cut in self.split.cuts if cut.axis in moves)

    def counts(self, tile: tuple[int, ...]) -> list[int]:
        """How many tiles of these extents there are along each axis of the result."""
        return [ceil_div(extent, each) for extent, each in zip(self.shape, tile, strict=True)]

    def cut(self, slot: int, tiling: Tiling) -> OperandCut:
        """How a tiling cuts an operand that is there."""
        key = (slot, tiling.tile, tiling.chunk)
        if key not in self._cuts:
            self._cuts[key] = self._cut(slot, tiling.tile, tiling.chunk)
        return self._cuts[key]

    def _cut(self, slot: int, tile: tuple[int, ...], chunk: int | None) -> OperandCut:
        shape = required(self.shapes[slot])
        counts = self.counts(tile)
        largest, total, pieces, chunks = [], 1, 1, 1
        moved_by: set[int] = set()
        for own, full in enumerate(shape):
            axis = self.moved_by(slot, own)
            extent, sum_ = full, full
            if axis is not None:
                extent, sum_ = self.spans(axis, tile[axis]).get((slot, own), (full, full * counts[axis]))
                if counts[axis] > 1:
                    moved_by.add(axis)
                    pieces *= counts[axis]
                else:
                    sum_ = extent
            if chunk is not None and self.chunk_axes.get(slot) == own:
                chunks = ceil_div(extent, chunk)
                extent = min(extent, chunk)
            largest.append(extent)
            total *= sum_
        return OperandCut(tuple(largest), total, pieces, chunks, frozenset(moved_by))

    def spans(self, axis: int, tile: int) -> dict[tuple[int, int], tuple[int, int]]:
        """(slot, operand axis) → (largest extent, sum of extents) over the tiles of one output axis."""
        key = (axis, tile)
        if key not in self._spans:
            self._spans[key] = self._measure(axis, tile)
        return self._spans[key]

    def _measure(self, axis: int, tile: int) -> dict[tuple[int, int], tuple[int, int]]:
        end = self.origin[axis] + self.shape[axis]
        starts = np.arange(self.origin[axis], end, tile, dtype=np.int64)
        whole, boxes = Boxes.whole(self.shape, 1), Boxes.whole(self.shape, len(starts))
        for each in (whole, boxes):
            each.low[:], each.high[:] = each.low + self.origin, each.high + self.origin
        boxes.low[:, axis] = starts
        boxes.high[:, axis] = np.minimum(starts + tile, end)
        found = {}
        for slot, shape in enumerate(self.shapes):
            if shape is None:
                continue
            extents = needed(self.layer, slot, boxes, self.shapes, self.out.shape).boxes.extents
            uncut = needed(self.layer, slot, whole, self.shapes, self.out.shape).boxes.extents[0]
            for own in range(len(shape)):
                mover = self._moved_by.get((slot, own))
                if mover == axis or (mover is None and (extents[:, own] != uncut[own]).any()):
                    found[slot, own] = (int(extents[:, own].max()), int(extents[:, own].sum()))
        return found

    def moved_by(self, slot: int, own: int) -> int | None:
        """The output axis along which an operand's axis moves; None if every tile needs all of it."""
        return self._moved_by.get((slot, own))
