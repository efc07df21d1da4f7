"""A layer as it is cut, on however many cores: which output axis moves which axis of an operand, and how far.

Regions are separable by axis, so that the bytes of all tiles follow from sets of intervals, one per axis.

In: a layer, the chip.  Out: intervals of operands along the tiles of an axis of the result.  A 3x3
convolution with padding, an input of [1, 8, 10, 10] and tiles of 5 rows (axis 2):

    moves.spans(2, 5, None)[0, 2].all == Intervals((0, 4), (6, 10))     two tiles of 6 rows share two of them
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm, prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Layer, MacLayer
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required
from nnc.compiler.plan.tiling.box_bytes import Intervals, StridedBoxes, held_elements, packed_bytes
from nnc.compiler.plan.tiling.core_split import AxisCut
from nnc.compiler.plan.tiling.tiling import tiles_of_shares
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.compiler.target.cuts import quanta
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div

_MOST_SLABS = 2**16
"""Positions along an axis whose needs are looked at: of longer axes, both ends and some between."""


@dataclass(frozen=True, slots=True)
class Spans:
    """Intervals of an operand's axis along the tiles of one output axis, share after share.

    Attributes:
        all: one per tile.
        distinct: without those that equal the one before in all that the output axis moves of the operand.
    """

    all: Intervals
    distinct: Intervals


class LayerMoves:
    """What is known of a layer before it is cut; intervals are found once per axis and extent of tiles.

    Attributes:
        quanta: of how many elements the tiles of the result must be multiples, per axis.
        storage: of each operand that is no constant, and last that of the result.
        out, order: type of the result and the order of its axes in DRAM; operands, shapes: by slot.
        orders: in which the axes of the tiles of each operand nest.
        homes: memories of the tiles of each operand: where they are read and, if that is another one, where
            their loads arrive; result_homes: where results are computed, and whence they are stored;
            sums_home: of partial sums; sums_in_place: whether results take the place of these.
        late_slots: operands of the epilogue that are no constants: the last chunk of a tile alone needs them.
        is_table: whether an operand is a table in DRAM whose rows are gathered.
        alike: of each operand, the first one of the same type that lies alike: what is found of it holds.
        chunk_axes: operand slot → its axis that is summed over and may be cut into chunks.
        axes: operand slot → axes of the result along which it moves.
        whole: (slot, operand axis) → what the whole result needs of it.
        moved_by: (slot, operand axis) → the output axis that moves it; none if every tile needs all of it.
    """

    def __init__(self, graph: Graph, layer: Layer, chip: Chip) -> None:
        self.graph, self.layer, self.chip = graph, layer, chip
        self.inputs, tensor = graph.inputs_of(layer.name), graph.output_of(layer.name)
        self.out, self.order = graph.types[tensor], graph.storage[tensor].order
        self.quanta = quanta(graph, tensor)
        self.storage = [None if t is None else graph.storage.get(t) for t in (*self.inputs, tensor)]
        self.operands = [None if t is None else graph.types[t] for t in self.inputs]
        self.shapes = [None if t is None else t.shape for t in self.operands]
        self.slots = [slot for slot, type_ in enumerate(self.operands) if type_ is not None]
        self.chunk_axes = layer_traits.chunk_axes(layer, self.shapes)
        homes = [memories.operand_homes(chip, graph, layer, slot)[0] for slot in range(len(self.inputs))]
        self.homes = [tuple(dict.fromkeys((home, memories.landing(chip, home)))) for home in homes]
        home = memories.result_home(chip, graph, layer)
        self.result_homes = tuple(dict.fromkeys((home, memories.departure(chip, home))))
        self.sums_dtype = layer_traits.sums_dtype(graph, layer)
        self.sums_home = layer_traits.memory_for(chip, graph, layer, "accumulator")
        self.sums_in_place = memories.sums_in_place(chip, graph, layer)
        epilogue = self.slots if isinstance(layer, MacLayer) else []
        self.late_slots = {
            slot for slot in epilogue if slot >= 2 and not graph.is_constant(self.inputs[slot])
        }
        self.is_table = [slot == 0 and layer_traits.is_row_gather(layer) for slot in range(len(self.inputs))]
        self.orders = [
            () if t is None else layer_work.block_order(graph, layer, slot)
            for slot, t in enumerate(self.inputs)
        ]
        self.alike = self._find_alike()
        self.result = self._boxes_of(tensor)
        self.boxes: list[StridedBoxes | None] = []
        for slot, t in enumerate(self.inputs):
            like = self.alike[slot]
            if t is None or graph.is_constant(t):
                self.boxes.append(None)
            else:
                self.boxes.append(self.boxes[like] if like < slot else self._boxes_of(t))
        self.whole: dict[tuple[int, int], Intervals] = {}
        self.moved_by: dict[tuple[int, int], int] = {}
        self._find_moves()
        axes: dict[int, set[int]] = {slot: set() for slot in self.slots}
        for (slot, _), axis in self.moved_by.items():
            axes[slot].add(axis)
        self.axes = {slot: frozenset(mine) for slot, mine in axes.items()}
        self._spans: dict[tuple[int, int, AxisCut | None], dict[tuple[int, int], Spans]] = {}
        self._tiles: dict[tuple[int, int, AxisCut | None], Intervals] = {}
        self._chunked: dict[tuple[Intervals, int], Intervals] = {}

    def _find_alike(self) -> list[int]:
        """Per operand, the first one that has the same type and lies alike in DRAM: all that is found of one
        holds for the other.  Only functions of elements have many operands.
        """
        first: dict[Hashable, int] = {}
        burst = lcm(self.chip.dram.burst, self.chip.transfer_unit)
        alike = [*range(len(self.inputs))]
        for slot in self.slots if isinstance(self.layer, Elementwise) else ():
            type_, storage = required(self.operands[slot]), self.storage[slot]
            lies = storage and (storage.strides, storage.offset * type_.dtype.itemsize % burst)
            alike[slot] = first.setdefault((type_, lies, self.orders[slot], self.homes[slot]), slot)
        return alike

    def _boxes_of(self, tensor: str) -> StridedBoxes:
        storage, dtype = self.graph.storage[tensor], self.graph.types[tensor].dtype
        return StridedBoxes(storage, dtype, self.chip.dram.burst, self.chip.transfer_unit)

    def _find_moves(self) -> None:
        """Find the output axis along which each axis of an operand is needed in other extents than whole."""
        different = [slot for slot in self.slots if self.alike[slot] == slot]
        for slot in different:
            boxes = self._needed(slot, Boxes.whole(self.out.shape, 1))
            for own, (low, high) in enumerate(zip(boxes.low[0], boxes.high[0], strict=True)):
                self.whole[slot, own] = Intervals((int(low),), (int(high),))
        for axis, extent in enumerate(self.out.shape):
            if extent > 1:
                step = ceil_div(extent, _MOST_SLABS)
                slabs = self._slabs(axis, [(at, at + 1) for at in (*range(0, extent - 1, step), extent - 1)])
                for slot in different:
                    extents = self._needed(slot, slabs).extents
                    for own in range(extents.shape[1]):
                        if (extents[:, own] != self.whole[slot, own].largest).any():
                            self.moved_by.setdefault((slot, own), axis)
        for slot in self.slots:
            for own in range(len(required(self.shapes[slot]))):
                like = (self.alike[slot], own)
                self.whole[slot, own] = self.whole[like]
                if like in self.moved_by:
                    self.moved_by[slot, own] = self.moved_by[like]

    def _needed(self, slot: int, boxes: Boxes) -> Boxes:
        return needed(self.layer, slot, boxes, self.shapes, self.out.shape).boxes

    def _slabs(self, axis: int, tiles: Sequence[tuple[int, int]]) -> Boxes:
        """Boxes of the result that are cut along one axis."""
        boxes = Boxes.whole(self.out.shape, len(tiles))
        boxes.low[:, axis], boxes.high[:, axis] = zip(*tiles, strict=True)
        return boxes

    def tiles_along(self, axis: int, tile: int, cut: AxisCut | None) -> Intervals:
        """The tiles of all shares along an axis of the result."""
        key = (axis, tile, cut)
        if key not in self._tiles:
            shares = tiles_of_shares(self.out.shape[axis], tile, cut)
            low, high = zip(*(box for share in shares for box in share), strict=True)
            self._tiles[key] = Intervals.of(low, high)
        return self._tiles[key]

    def spans(self, axis: int, tile: int, cut: AxisCut | None) -> dict[tuple[int, int], Spans]:
        """(slot, operand axis) → its intervals over the tiles of the output axis that moves it."""
        key = (axis, tile, cut)
        if key not in self._spans:
            self.measure(axis, [tile], cut)
        return self._spans[key]

    def measure(self, axis: int, extents: Iterable[int], cut: AxisCut | None) -> None:
        """Find the intervals along tiles of several extents at once, which takes less time."""
        new = [tile for tile in extents if (axis, tile, cut) not in self._spans]
        tiles: list[tuple[int, int]] = []
        bounds, first = [0], set()
        for tile in new:
            for share in tiles_of_shares(self.out.shape[axis], tile, cut):
                first.add(len(tiles))
                tiles += [(low, high) for low, high in share if low < high]
            bounds.append(len(tiles))
        for tile in new:
            self._spans[axis, tile, cut] = {}
        slabs = self._slabs(axis, tiles) if new else None
        for slot in self.slots:
            rank = len(required(self.shapes[slot]))
            mine = [own for own in range(rank) if self.moved_by.get((slot, own)) == axis]
            if slabs is None or not mine:
                continue
            if (like := self.alike[slot]) < slot:
                for tile, own in product(new, mine):
                    known = self._spans[axis, tile, cut]
                    known[slot, own] = known[like, own]
                continue
            boxes = self._needed(slot, slabs)
            low, high = boxes.low[:, mine], boxes.high[:, mine]
            same = ((low[1:] == low[:-1]) & (high[1:] == high[:-1])).all(axis=1).tolist()
            kept = [at for at in range(len(tiles)) if at in first or not same[at - 1]]
            for number, own in enumerate(mine):
                lows, highs = low[:, number].tolist(), high[:, number].tolist()
                for tile, begin, end in zip(new, bounds, bounds[1:], strict=False):
                    every = Intervals(tuple(lows[begin:end]), tuple(highs[begin:end]))
                    places = kept if len(kept) == len(tiles) else [at for at in kept if begin <= at < end]
                    distinct = every
                    if len(places) < end - begin:
                        distinct = Intervals(
                            tuple(lows[at] for at in places), tuple(highs[at] for at in places)
                        )
                    self._spans[axis, tile, cut][slot, own] = Spans(every, distinct)

    def homes_of(self, slot: int) -> tuple[str, ...]:
        """Memories of the tiles of an operand, of the result for slot -1."""
        return self.result_homes if slot < 0 else self.homes[slot]

    def held_bytes(self, slot: int, tile: tuple[int, ...]) -> int:
        """Bytes that a tile of an operand takes on chip, of the result for slot -1, not yet aligned."""
        dtype = required(self.out if slot < 0 else self.operands[slot]).dtype
        return held_elements(self.storage[slot], dtype, tile, self.chip.transfer_unit) * dtype.itemsize

    def in_chunks(self, mine: Intervals, chunk: int | None) -> Intervals:
        """Every interval cut into chunks; as it is, if there are none."""
        if chunk is None:
            return mine
        key = (mine, chunk)
        if key not in self._chunked:
            self._chunked[key] = mine.in_chunks(chunk)
        return self._chunked[key]

    def nbytes(self, slot: int, intervals: Sequence[Intervals]) -> int:
        """DRAM bytes of all pieces of an operand, each moved once."""
        boxes = self.boxes[slot]
        if boxes is None:
            size = required(self.operands[slot]).dtype.itemsize
            return packed_bytes(intervals, size, self.chip.dram.burst, self.chip.transfer_unit)
        return boxes.nbytes(intervals)

    def gathered_bytes(self) -> int:
        """DRAM bytes of the rows of a table that a row gather loads; 0 for other layers."""
        if not layer_traits.is_row_gather(self.layer):
            return 0
        rest = [Intervals((0,), (extent,)) for extent in required(self.shapes[0])[1:]]
        return self.nbytes(0, [Intervals((0,), (1,)), *rest]) * prod(required(self.shapes[1]))
