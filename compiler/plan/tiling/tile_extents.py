"""A layer under the tile search: which output axis moves which axis of an operand, and how far.

Regions are separable by axis, so that the bytes of all tiles are products of sums over one axis each.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.tiling.core_split import Split
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip

OperandCut = tuple[tuple[int, ...], int, tuple[int, int], frozenset[int]]
"""Largest tile of an operand, elements of one sweep, (pieces, chunks) and the cut axes that move it."""


@dataclass
class LayerTiles:
    """A layer as the search sees it: operands, and which output axis moves which operand axis.

    Extents of operand boxes along the tiles of one output axis are found once per tile extent (`spans`).

    Attributes:
        origin, shape: of the result, or of the share of one core.
        homes: memory of the tiles of each operand; result_home, sums_home: of the result and partial sums.
        storage: of each operand that is no constant.
        is_table: whether an operand is a table in DRAM whose rows are gathered.
        cuts: of operands, as they were found (see `pieces_of`).
    """

    graph: Graph
    layer: Layer
    chip: Chip
    split: Split | None = None
    out: TensorType = field(init=False)
    origin: tuple[int, ...] = field(init=False)
    shape: tuple[int, ...] = field(init=False)
    operands: list[TensorType | None] = field(init=False)
    shapes: list[tuple[int, ...] | None] = field(init=False)
    order: tuple[int, ...] = field(init=False)
    homes: list[str] = field(init=False)
    result_home: str = field(init=False)
    sums_home: str = field(init=False)
    storage: list[Storage | None] = field(init=False)
    is_table: list[bool] = field(init=False)
    cuts: dict[Hashable, OperandCut] = field(default_factory=dict)
    _spans: dict[tuple[int, int], dict[tuple[int, int], tuple[int, int]]] = field(default_factory=dict)
    _moved_by: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name = self.layer.name
        tensor = self.graph.output_of(name)
        self.out = self.graph.types[tensor]
        self.operands = [None if t is None else self.graph.types[t] for t in self.graph.inputs_of(name)]
        self.shapes = [None if t is None else t.shape for t in self.operands]
        self.order = self.graph.storage[tensor].order
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
        roles = [layer_traits.slot_role(layer, slot) for slot in range(len(inputs))]
        self.homes = [layer_traits.memory_for(chip, layer, role) for role in roles]
        self.result_home = layer_traits.memory_for(chip, layer, "result")
        self.sums_home = layer_traits.memory_for(chip, layer, "accumulator")
        self.storage = [graph.storage.get(t) if t is not None else None for t in inputs]
        self.is_table = [slot == 0 and layer_traits.is_row_gather(layer) for slot in range(len(inputs))]

    def _take_share(self, split: Split) -> None:
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
