"""All tilings of a grid priced at once: bytes on chip, DRAM bytes and computations, as arrays.

A grid has a few extents per axis of the result, and a few chunks of the summed axis.  What an operand needs
depends on the axes that move it; so each table is small, and arrays of all tilings are their products.

In: the extents of a layer's tiles (`LayerTiles`).  Out: arrays with one axis per axis of the result, and the
last one for chunks:

    grid = TileGrid(tiles, [[1], [64, 32, 16], [56, 28, 14], [56]], [None, 32])
    grid.dram_bytes((0, 1, 2, 3))[0, 2, 1, 0, 0]       tiles of [1, 16, 28, 56], channels outside of rows

Runs are taken to start evenly within bursts: `tile_price` finds the exact bytes of the few best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm, prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.required import required
from nnc.compiler.plan.tiling.box_bytes import Floats, Ints
from nnc.compiler.plan.tiling.tile_extents import LayerTiles
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.isa.integers import ceil_div

Bools = npt.NDArray[np.bool_]
_NOTHING = np.zeros(1, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Axis:
    """Intervals of one axis of an operand, as tables over the grid."""

    largest: Floats
    total: Floats
    count: Floats
    ends: Floats
    wholes: Floats


@dataclass(frozen=True, slots=True)
class _Operand:
    """Operands that lie alike, over the grid.

    Attributes:
        slot: of the first; count: how many there are.
        axes: its own; once: DRAM bytes of all its pieces; tile: bytes of the largest on chip.
        moves: per axis of the result, whether its loop moves the operand; chunked: whether chunks do.
        apart: per axis of the result, the share of pieces that differ from the one before.
        again: loads of a piece for each step of a loop that does not move it, and for all of them if it is
            inside of the innermost loop that does.
    """

    slot: int
    count: int
    axes: list[_Axis]
    once: Floats
    tile: Ints
    moves: list[Bools]
    chunked: Bools
    apart: list[Floats]
    again: list[tuple[Floats, int]]


class TileGrid:
    """The tilings of a layer with some extents per axis, and with some chunks (None: the whole axis)."""

    def __init__(
        self, tiles: LayerTiles, extents: Sequence[Sequence[int]], chunks: Sequence[int | None]
    ) -> None:
        self.tiles, self.extents, self.chunks = tiles, extents, chunks
        self.shape = (*map(len, extents), len(chunks))
        sizes = zip(tiles.shape, extents, strict=True)
        self.counts = [
            self._along(axis, [ceil_div(n, e) for e in mine]) for axis, (n, mine) in enumerate(sizes)
        ]
        self.parts = _product(self.counts)
        self._chunked = self._along(len(extents), [chunk is not None for chunk in chunks]) > 0
        for axis, mine in enumerate(extents):
            tiles.measure(axis, mine)
        alike = Counter(tiles.moves.alike[n] for n in tiles.moves.slots if not tiles.moves.is_table[n])
        self._operands = [self._operand(slot, count) for slot, count in alike.items()]
        self._tile_extents = [self._along(axis, mine) for axis, mine in enumerate(extents)]
        self._result_tile = self._held(-1, self._tile_extents, tiles.out.dtype.itemsize)
        self.steps = self.parts * self._chunks_of_a_part()

    def _along(self, axis: int, values: Sequence[float]) -> Floats:
        """A table along an axis of the result (that behind the last: chunks)."""
        shape = [1] * len(self.shape)
        shape[axis] = len(values)
        return np.array(values, dtype=np.float64).reshape(shape)

    def _chunks_of_a_part(self) -> Floats:
        """Computations for each tile of the result."""
        most = np.ones([1] * len(self.shape))
        for mine in self._operands:
            if mine.slot in self.tiles.moves.chunk_axes:
                largest = mine.axes[self.tiles.moves.chunk_axes[mine.slot]].largest
                most = np.maximum(most, np.ceil(largest[..., :1] / largest))
        return most

    def _operand(self, slot: int, count: int) -> _Operand:
        tiles, known = self.tiles, self.tiles.moves
        shape, type_ = required(known.shapes[slot]), required(known.operands[slot])
        axes = [self._axis(slot, own) for own in range(len(shape))]
        moves = [np.zeros([1] * len(self.shape), dtype=bool) for _ in self.counts]
        for own in range(len(shape)):
            axis = known.moved_by.get((slot, own))
            if axis is not None:
                mine = [tiles.intervals(slot, own, n)[1] for n in self.extents[axis]]
                moves[axis] = moves[axis] | (self._along(axis, mine) > 0)
        chunked = np.zeros([1] * len(self.shape), dtype=bool)
        if slot in known.chunk_axes:
            axis_ = axes[known.chunk_axes[slot]]
            chunked = axis_.count > axis_.count[..., :1]
        size = type_.dtype.itemsize
        tile = self._held(slot, [axis_.largest for axis_ in axes], size)
        boxes = known.boxes[slot]
        if boxes is None:
            pieces = _product([axis_.count for axis_ in axes])
            each = _product([axis_.total for axis_ in axes]) * size / pieces
            unit = lcm(tiles.chip.dram.burst, tiles.chip.transfer_unit)
            once = pieces * np.ceil(each / unit) * unit
        else:
            once = boxes.average(
                [axis_.ends for axis_ in axes],
                [axis_.wholes for axis_ in axes],
                [axis_.total for axis_ in axes],
            )
        again = [self._again(slot, axis) for axis in range(len(self.counts))]
        apart = [self._apart(slot, axis) for axis in range(len(self.counts))]
        return _Operand(slot, count, axes, once, tile, moves, chunked, apart, again)

    def _apart(self, slot: int, axis: int) -> Floats:
        """How many of the pieces along an axis differ from the one before: those are loaded."""
        known = self.tiles.moves
        rank = len(required(known.shapes[slot]))
        mine = [own for own in range(rank) if known.moved_by.get((slot, own)) == axis]
        if not mine:
            return np.ones([1] * len(self.shape))
        found = []
        for extent in self.extents[axis]:
            every, _ = self.tiles.intervals(slot, mine[0], extent)
            few, _ = self.tiles.intervals(slot, mine[0], extent, collapsed=True)
            found.append(few.total / every.total)
        return self._along(axis, found)

    @property
    def has_same_pieces(self) -> bool:
        """Whether neighbouring tiles may need the very same piece of an operand."""
        return any((apart < 1).any() for mine in self._operands for apart in mine.apart)

    def _again(self, slot: int, axis: int) -> tuple[Floats, int]:
        """How often the cores load a piece along an axis that does not move it: see `_Operand`."""
        tiles = self.tiles
        if tiles.chip.dma.broadcast or axis in tiles.moves.axes[slot] or tiles.shares(axis) == 1:
            return self.counts[axis], 1
        every = [len(tiles.tiles_along(axis, n).low) for n in self.extents[axis]]
        return self._along(axis, every), tiles.shares(axis)

    def _axis(self, slot: int, own: int) -> _Axis:
        """Tables of one axis of an operand: along the axis that moves it, and chunks if it is cut by them."""
        tiles = self.tiles
        axis = tiles.moves.moved_by.get((slot, own))
        extents: Sequence[int] = [0] if axis is None else self.extents[axis]
        chunks = self.chunks if tiles.moves.chunk_axes.get(slot) == own else [None]
        rows = [
            [tiles.moves.in_chunks(tiles.intervals(slot, own, n)[0], chunk) for chunk in chunks]
            for n in extents
        ]
        shape = [*[1] * len(self.extents), len(chunks)]
        if axis is not None:
            shape[axis] = len(extents)
        boxes = tiles.moves.boxes[slot]
        every = [mine for row in rows for mine in row]
        ends = [(0.0, 0) if boxes is None else boxes.ends(own, mine) for mine in every]

        def table(values: list[float]) -> Floats:
            return np.array(values, dtype=np.float64).reshape(shape)

        return _Axis(
            largest=table([mine.largest for mine in every]),
            total=table([mine.total for mine in every]),
            count=table([len(mine.low) for mine in every]),
            ends=table([mean for mean, _ in ends]),
            wholes=table([whole for _, whole in ends]),
        )

    def dram_bytes(self, loops: Sequence[int], abreast: Floats | int = 1) -> Floats:
        """DRAM bytes of all tilings with one order of the loops (outermost first), so many tiles abreast."""
        total = self.result_bytes + float(self.tiles.moves.gathered_bytes())
        for mine in self._operands:
            total = total + mine.count * mine.once * self._repeats(mine, loops, abreast)
        return np.broadcast_to(total, self.shape)

    def _repeats(self, mine: _Operand, loops: Sequence[int], abreast: Floats | int) -> Floats:
        """How often each piece of an operand is loaded, when only the latest one is kept."""
        repeats, outside = np.ones([1] * len(self.shape)), mine.chunked
        for axis in reversed(loops):
            each, inside = mine.again[axis]
            if axis == loops[-1]:
                each = np.ceil(each / abreast)
            new = np.where(outside, 1.0, mine.apart[axis])
            repeats = repeats * np.where(mine.moves[axis], new, np.where(outside, each, inside))
            outside = outside | mine.moves[axis]
        return repeats

    @cached_property
    def result_bytes(self) -> Floats:
        tiles, boxes = self.tiles, self.tiles.moves.result
        ends, wholes, totals = [], [], []
        for axis, extents in enumerate(self.extents):
            mine = [tiles.tiles_along(axis, n) for n in extents]
            found = [boxes.ends(axis, each) for each in mine]
            ends.append(self._along(axis, [mean for mean, _ in found]))
            wholes.append(self._along(axis, [whole for _, whole in found]))
            totals.append(self._along(axis, [each.total for each in mine]))
        return boxes.average(ends, wholes, totals)

    def _held(self, slot: int, extents: Sequence[Floats], itemsize: int) -> Ints:
        """Bytes that the largest tile of an operand takes on chip, of the result for slot -1; not aligned."""
        if self.tiles.chip.transfer_unit == 1:
            return (_product(extents) * itemsize).astype(np.int64)
        first, *each = np.broadcast_arrays(np.ones([1] * len(self.shape)), *extents)
        found = np.zeros(first.shape, dtype=np.int64)
        for place in np.ndindex(found.shape):
            found[place] = self.tiles.moves.held_bytes(slot, tuple(int(mine[place]) for mine in each))
        return found

    def demand(self, *, double: bool, abreast: int = 1) -> dict[str, Ints]:
        """Bytes on chip per memory, with two buffers for what changes or one, so many tiles abreast."""
        moves = self.tiles.moves
        results = np.maximum(1 + double * (self.parts > 1), abreast if moves.sums_in_place else 1)
        held = [(moves.result_homes, 1, self._result_tile, results)]
        for mine in self._operands:
            changes = mine.chunked
            for moved in mine.moves:
                changes = changes | moved
            if mine.slot in moves.late_slots:
                changes = changes & ~self._chunked
            held.append((moves.homes[mine.slot], mine.count, mine.tile, 1 + (double & changes)))
        found: dict[str, Ints] = {}
        for homes, count, nbytes, copies in held:
            for memory in homes:
                aligned = _aligned(nbytes, self.tiles.chip.block_align(memory))
                found[memory] = found.get(memory, _NOTHING) + count * aligned * copies
        if any(chunk is not None for chunk in self.chunks) and not moves.sums_in_place:
            nbytes = (_product(self._tile_extents) * moves.sums_dtype.itemsize).astype(np.int64)
            sums = abreast * _aligned(nbytes, self.tiles.chip.block_align(moves.sums_home))
            found[moves.sums_home] = found.get(moves.sums_home, _NOTHING) + np.where(self._chunked, sums, 0)
        return {memory: np.broadcast_to(nbytes, self.shape) for memory, nbytes in found.items()}

    def edge_bytes(self) -> Floats:
        """Bytes of the first loads and the last store of all cores."""
        tiles = self.tiles
        cores = tiles.split.cores if tiles.split else 1
        total = _product(self._tile_extents) * tiles.out.dtype.itemsize * cores
        for mine in self._operands:
            total = total + mine.count * mine.tile * tiles.copies(mine.slot)
        return np.broadcast_to(total, self.shape)

    def allowed(self) -> Bools:
        """Where chunks may be cut: a tile of a grouped convolution must lie inside one group."""
        tiles = self.tiles
        lane = layer_traits.lane_axis(tiles.layer, len(tiles.shape))
        if lane is None or not self._chunked.any():
            return np.ones(self.shape, dtype=bool)
        channels = tiles.out.shape[lane]
        may = [layer_traits.may_chunk(tiles.layer, channels, n) for n in self.extents[lane]]
        return np.broadcast_to(~self._chunked | (self._along(lane, may) > 0), self.shape)

    def all_steps(self) -> Floats:
        """Computations of all tilings."""
        return np.broadcast_to(self.steps, self.shape)

    def tiling(self, index: int, loops: tuple[int, ...], *, double: bool) -> Tiling:
        """A place in the flattened arrays as a tiling."""
        tile, chunk = self.at(index)
        return Tiling(tile, loops, chunk, double, "", self.tiles.split)

    def at(self, index: int) -> tuple[tuple[int, ...], int | None]:
        """Tile and chunk of a place in the flattened arrays."""
        places = [int(place) for place in np.unravel_index(index, self.shape)]
        tile = tuple(mine[place] for mine, place in zip(self.extents, places[:-1], strict=True))
        return tile, self.chunks[places[-1]]


def _product(arrays: Sequence[Floats]) -> Floats:
    return np.asarray(prod(arrays, start=np.ones(1)))


def _aligned(nbytes: Ints, align: int) -> Ints:
    return np.asarray(-(-nbytes // align) * align)
