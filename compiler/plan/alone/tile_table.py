"""Tilings of a layer as a table: a row per tile and chunk, columns of bytes on chip, DRAM bytes, steps.

A table has a few extents per axis of the result, and a few chunks of the summed axis.  What an operand needs
depends on the axes that move it; so each column is small, and those of all tilings are products.

In: a layer, extents and chunks.  Out: arrays with an axis per axis of the result, and the last for chunks:

    table = TileTable(layer, [[1], [64, 32, 16], [56, 28, 14], [56]], [None, 32])
    table.dram_bytes((0, 1, 2, 3))[0, 2, 1, 0, 0]       tiles of [1, 16, 28, 56], channels outside of rows

Here, runs start evenly within bursts.  What a single row costs is exact (`PricedTiling`): the bytes are those
that the tiling's steps will move, with first, inner, last tiles, padding clipped, whole bursts; the cycles
are those of a pipeline of its transfers and its work (`tile_cycles`).

    PricedTiling.of(TiledLayer(graph, layer, chip), tiling).candidate(chip)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from math import lcm, prod
from typing import Any
from weakref import proxy

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.alone.dram_bytes import Floats, Ints
from nnc.compiler.plan.alone.layer_alone import Candidate
from nnc.compiler.plan.alone.tile_cycles import Stream, copy_cycles, pipeline_cycles, work_of
from nnc.compiler.plan.alone.tiled_layer import Shape, TiledLayer, TiledOperand
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record

Bools = npt.NDArray[np.bool_]
Place = tuple[int, ...]
"""Of a row: along every axis of the columns."""


class TileTable:
    """The tilings of a layer with some extents per axis, and with some chunks (None: the whole axis).

    Attributes:
        shape: of the columns.
        tile: extents along each axis; counts: tiles along each; parts: tiles; steps: computations;
            chunks_of_part: of each tile.
        operands: each of those that differ, but tables in DRAM; result.
    """

    def __init__(
        self, layer: TiledLayer, extents: Sequence[Sequence[int]], chunks: Sequence[int | None]
    ) -> None:
        self.layer, self.extents, self.chunks = layer, extents, chunks
        self.shape = (*map(len, extents), len(chunks))
        self.tile = [self.along(axis, sizes) for axis, sizes in enumerate(extents)]
        self.counts = [np.ceil(extent / sizes) for extent, sizes in zip(layer.shape, self.tile, strict=True)]
        self.parts = _product(self.counts)
        self._chunked = self.along(len(extents), [chunk is not None for chunk in chunks]) > 0
        for axis, sizes in enumerate(extents):
            layer.measure(axis, sizes)
        number = Counter(operand for operand in layer.operands if operand and not operand.is_table)
        self.operands = [OperandColumns(self, operand, count) for operand, count in number.items()]
        self.result = OperandColumns(self, layer.result)
        self._sums = (_product(self.tile) * layer.sums_dtype.itemsize).astype(np.int64)
        self.chunks_of_part = reduce(np.maximum, [columns.chunks for columns in self.operands], np.ones(1))
        self.steps = np.broadcast_to(self.parts * self.chunks_of_part, self.shape)

    def along(self, axis: int, values: Sequence[float]) -> Floats:
        """A column along an axis of the result (that behind the last: chunks)."""
        shape = [1] * len(self.shape)
        shape[axis] = len(values)
        return np.array(values, dtype=np.float64).reshape(shape)

    def dram_bytes(self, loops: Sequence[int], abreast: Floats | int = 1) -> Floats:
        """About the DRAM bytes with one order of the loops (outermost first), so many tiles abreast."""
        total = self.result.once + float(self.layer.gathered_bytes)
        for columns in self.operands:
            total = total + columns.count * columns.once * columns.repeats(loops, abreast)
        return np.broadcast_to(total, self.shape)

    def demand(self, *, double: bool, abreast: int = 1, place: Place | None = None) -> dict[str, Any]:
        """Bytes on chip per memory, with two buffers for what changes or one, so many tiles abreast.

        Args:
            place: of the row of which the bytes are asked for; None: all.
        """
        layer, align = self.layer, self.layer.chip.block_align

        def of(column: npt.NDArray[Any]) -> Any:
            return column if place is None else value(column, place)

        chunked = of(self._chunked)
        held: list[tuple[str, Any, Any]] = []
        for columns in self.operands:
            changes = of(columns.changes)
            if columns.operand.is_late:
                changes = changes & ~chunked
            copies = columns.count * (1 + (double & changes))
            held += [(home, of(columns.on_chip), copies) for home in columns.operand.homes]
        results = np.maximum(1 + double * (of(self.parts) > 1), abreast if layer.sums_in_place else 1)
        held += [(home, of(self.result.on_chip), results) for home in layer.result.homes]
        if np.any(chunked) and not layer.sums_in_place:
            held.append((layer.sums_home, of(self._sums), chunked * abreast))
        total: dict[str, Any] = {}
        for home, nbytes, copies in held:
            aligned = -(-nbytes // align(home)) * align(home)
            total[home] = total.get(home, 0) + aligned * copies
        if place is not None:
            return {home: int(nbytes) for home, nbytes in total.items()}
        return {home: np.broadcast_to(nbytes, self.shape) for home, nbytes in total.items()}

    def edge_bytes(self) -> Floats:
        """Bytes of the first loads and the last store of all cores."""
        layer = self.layer
        cores = layer.split.cores if layer.split else 1
        total = _product(self.tile) * layer.out.dtype.itemsize * cores
        for columns in self.operands:
            total = total + columns.count * columns.on_chip * layer.copies(columns.operand)
        return np.broadcast_to(total, self.shape)

    def allowed(self) -> Bools:
        """Where chunks may be cut: a tile of a grouped convolution must lie inside one group."""
        layer = self.layer
        lane = layer_traits.lane_axis(layer.layer, len(layer.shape))
        if lane is None or not self._chunked.any():
            return np.ones(self.shape, dtype=bool)
        channels = layer.out.shape[lane]
        may = [layer_traits.may_chunk(layer.layer, channels, n) for n in self.extents[lane]]
        return np.broadcast_to(~self._chunked | (self.along(lane, may) > 0), self.shape)

    def work(self, row: int = 0, *, exact: bool = False) -> int:
        """Cycles of all computations of a row on the first core (see `work_of`)."""
        place = self.place(row)
        shapes = {columns.operand: columns.piece(place) for columns in self.operands}
        chunks = int(value(self.chunks_of_part, place))
        return work_of(self.layer, self.at(row)[0], shapes, chunks, exact=exact)

    def place(self, row: int) -> Place:
        """Where a row, numbered in the flattened columns, is in these."""
        return tuple(map(int, np.unravel_index(row, self.shape)))

    def tiling(self, row: int, loops: tuple[int, ...], *, double: bool) -> Tiling:
        """A row, numbered in the flattened columns, as a tiling."""
        tile, chunk = self.at(row)
        return Tiling(tile, loops, chunk, double, self.layer.split)

    def at(self, row: int) -> tuple[Shape, int | None]:
        """Tile and chunk of a row, numbered in the flattened columns."""
        *places, last = self.place(row)
        return (
            tuple(sizes[place] for sizes, place in zip(self.extents, places, strict=True)),
            self.chunks[last],
        )


class OperandColumns:
    """What tilings need of an operand.

    Attributes:
        count: how many operands are alike.
        cells: per axis of its own, the intervals of all tiles in chunks.
        moves: per axis of the result, whether its loop moves the operand.
        chunks: of the summed axis, of each piece; changes: whether a core loads more than one piece.
        on_chip: bytes of the largest piece there, not aligned.
    """

    def __init__(self, table: TileTable, operand: TiledOperand, count: int = 1) -> None:
        self._table, self.operand, self.count = proxy(table), operand, count  # which holds this, in turn
        layer, rank = table.layer, len(table.extents)
        self.moves = [np.zeros([1] * (rank + 1), dtype=bool) for _ in range(rank)]
        self.chunks: Floats = np.ones([1] * (rank + 1))
        self.cells: list[npt.NDArray[Any]] = []
        for own, axis in enumerate(operand.moved_by):
            extents: Sequence[int] = [0] if axis is None else table.extents[axis]
            needs = [layer.intervals(operand, own, extent) for extent in extents]
            chunks = table.chunks if own == operand.chunk_axis else [None]
            shape = [*[1] * rank, len(chunks)]
            if axis is not None:
                shape[axis] = len(extents)
                self.moves[axis] = self.moves[axis] | (table.along(axis, [moves for _, moves in needs]) > 0)
            pairs = [(need, chunk) for need, _ in needs for chunk in chunks]
            cells = np.empty(len(pairs), dtype=object)
            cells[:] = [need.in_chunks(chunk) for need, chunk in pairs]
            self.cells.append(cells.reshape(shape))
            if own == operand.chunk_axis:
                numbers = [1 if chunk is None else ceil_div(need.largest, chunk) for need, chunk in pairs]
                self.chunks = np.array(numbers, dtype=np.float64).reshape(shape)
        self.changes = self.chunks > 1
        for moves in self.moves:
            self.changes = self.changes | moves
        self.on_chip = self._held()

    def moving(self, loops: Sequence[int], row: Place) -> list[int]:
        """Places of the loops that move the operand in a row."""
        return [place for place, axis in enumerate(loops) if value(self.moves[axis], row)]

    def piece(self, row: Place) -> Shape:
        """Shape of the largest piece of a row."""
        return tuple(value(cells, row).largest for cells in self.cells)

    def _held(self) -> Ints:
        layer, operand = self._table.layer, self.operand
        is_result = operand is layer.result  # whose largest share may have smaller tiles than it might
        largest = self._table.tile if is_result else [_column(cells, "largest") for cells in self.cells]
        if layer.chip.transfer_unit == 1:
            return (_product(largest) * operand.type.dtype.itemsize).astype(np.int64)
        first, *each = np.broadcast_arrays(self.chunks, *largest)
        held = np.zeros(first.shape, dtype=np.int64)
        for place in np.ndindex(held.shape):
            held[place] = layer.held_bytes(operand, tuple(int(extents[place]) for extents in each))
        return held

    @cached_property
    def once(self) -> Floats:
        """About the DRAM bytes of all pieces."""
        chip, boxes = self._table.layer.chip, self.operand.boxes
        totals = [_column(cells, "total") for cells in self.cells]
        if boxes is None:
            pieces = _product([_column(cells, "count") for cells in self.cells])
            each = _product(totals) * self.operand.type.dtype.itemsize / pieces
            unit = lcm(chip.dram.burst, chip.transfer_unit)
            return pieces * np.ceil(each / unit) * unit
        ends, wholes = [], []
        for own, cells in enumerate(self.cells):
            figures = np.array([boxes.ends(own, cell) for cell in cells.flat], dtype=np.float64)
            ends.append(figures[:, 0].reshape(cells.shape))
            wholes.append(figures[:, 1].reshape(cells.shape))
        return boxes.average(ends, wholes, totals)

    @cached_property
    def apart(self) -> list[Floats]:
        """Per axis of the result, the share of pieces that differ from the one before: those are loaded."""
        table, operand = self._table, self.operand
        apart = [np.ones([1] * len(table.shape)) for _ in table.extents]
        for axis in operand.axes:
            own, shares = operand.moved_by.index(axis), []
            for extent in table.extents[axis]:
                every, _ = table.layer.intervals(operand, own, extent)
                few, _ = table.layer.intervals(operand, own, extent, collapsed=True)
                shares.append(few.total / every.total)
            apart[axis] = table.along(axis, shares)
        return apart

    def loads(self, axis: int) -> tuple[Floats, int]:
        """How often the cores load a piece along an axis that does not move it, outside and inside of the
        innermost loop that does: in all steps of its loop.

        Cores that need the same get it once by a broadcast; without, each loads it for its own tiles.
        """
        table, layer = self._table, self._table.layer
        if layer.chip.dma.broadcast or axis in self.operand.axes or layer.shares(axis) == 1:
            return table.counts[axis], 1
        return _column(table.result.cells[axis], "count"), layer.shares(axis)

    def repeats(self, loops: Sequence[int], abreast: Floats | int = 1) -> Floats:
        """About how often each piece is loaded, when only the latest one is kept (see `apart`)."""
        repeats, outside = np.ones([1] * len(self._table.shape)), self.chunks > 1
        for axis in reversed(loops):
            each, inside = self.loads(axis)
            if axis == loops[-1]:
                each = np.ceil(each / abreast)
            new = np.where(outside, 1.0, self.apart[axis])
            repeats = repeats * np.where(self.moves[axis], new, np.where(outside, each, inside))
            outside = outside | self.moves[axis]
        return repeats

    def repeats_in(self, row: Place, loops: Sequence[int], abreast: int) -> int:
        """How often each of the pieces is loaded in a row, if neighbours that need the same are one piece."""
        repeats, outside = 1, value(self.chunks, row) > 1
        for axis in reversed(loops):
            if value(self.moves[axis], row):
                outside = True
                continue
            every, inside = self.loads(axis)
            each = int(value(every, row))
            repeats *= (ceil_div(each, abreast) if axis == loops[-1] else each) if outside else inside
        return repeats


@record(frozen=True, slots=True)
class Loads:
    """The loads of one operand.

    Attributes:
        tile: shape of the largest piece; on_chip: its bytes, not aligned.
        nbytes: that all loads move, on all cores.
        period: tiles of the result from a load to the next, with chunks or without; rounds: loads of a core.
        changes: whether a core loads more than one piece; chunks: of the summed axis.
    """

    operand: TiledOperand
    tile: Shape
    on_chip: int
    nbytes: int
    period: int
    rounds: int
    changes: bool
    chunks: int


class PricedTiling:
    """A row of a table, with an order of the loops and what else makes it a tiling.

    Attributes:
        loads: of each operand that is there; stored: DRAM bytes of all stores.
        dram_bytes: of all loads and stores, whole bursts included: those of the tiling's steps, to the byte.
    """

    def __init__(self, table: TileTable, tiling: Tiling, row: int = 0) -> None:
        layer = table.layer
        self.layer, self.tiling, self._table, self._row = layer, tiling, table, row
        self._place, self._counts = table.place(row), layer.counts(tiling.tile)
        loads = {columns.operand: self._loads(columns) for columns in table.operands}
        self.loads = [loads[operand] for operand in layer.operands if operand in loads]
        self.stored = layer.nbytes(layer.result, [value(cells, self._place) for cells in table.result.cells])
        self.dram_bytes = sum(load.nbytes for load in self.loads) + self.stored + layer.gathered_bytes

    @staticmethod
    def of(layer: TiledLayer, tiling: Tiling) -> PricedTiling:
        """A tiling that is in no table."""
        return PricedTiling(TileTable(layer, [[extent] for extent in tiling.tile], [tiling.chunk]), tiling)

    def demand(self, *, double: bool) -> dict[str, Any]:
        """Bytes that the tiling holds per memory, with two buffers for what changes or one."""
        return self._table.demand(double=double, abreast=self.tiling.abreast, place=self._place)

    def _loads(self, columns: OperandColumns) -> Loads:
        """How often the loops load each piece of an operand; neighbours that need the same one count once."""
        operand, row, tiling, loops = columns.operand, self._place, self.tiling, self.tiling.loops
        chunks, pieces = int(value(columns.chunks, row)), [value(cells, row) for cells in columns.cells]
        tile, moving = tuple([piece.largest for piece in pieces]), columns.moving(loops, row)
        repeats, period = columns.repeats_in(row, loops, tiling.abreast), 1
        if chunks == 1:
            period = prod(self._counts[axis] for axis in loops[moving[-1] + 1 if moving else 0 :])
            inner = loops[moving[-1]] if moving else None
            for own, mover in enumerate(operand.moved_by):
                if mover is not None and mover == inner:
                    pieces[own], _ = self.layer.intervals(operand, own, tiling.tile[mover], collapsed=True)
        elif tiling.abreast > 1 and len(loops) - 1 not in moving:
            period = tiling.abreast
        return Loads(
            operand=operand,
            tile=tile,
            on_chip=int(value(columns.on_chip, row)),
            nbytes=self.layer.nbytes(operand, pieces) * repeats,
            period=period,
            rounds=ceil_div(prod(self._counts), period) * chunks,
            changes=bool(moving) or chunks > 1,
            chunks=chunks,
        )

    def candidate(self, chip: Chip) -> Candidate:
        """Traffic and estimated cycles.

        Args:
            chip: that of the layer, or one that differs from it in the sizes of its memories.
        """
        layer, tiling = self.layer, self.tiling
        parts, chunks = prod(self._counts), max((load.chunks for load in self.loads), default=1)
        demand = self.demand(double=tiling.double_buffer)
        work = self._table.work(self._row, exact=True) + parts * copy_cycles(chip, layer.result, tiling.tile)
        work += sum(load.rounds * copy_cycles(chip, load.operand, load.tile) for load in self.loads)
        stores = self._stores(chip, demand, parts, chunks)
        loads = self._streams(chip, demand, parts, chunks)
        cycles = pipeline_cycles(chip, loads, work, parts * chunks, stores, tiling.abreast)
        least = chip.dram.latency + ceil_div(self.dram_bytes, chip.dram.bytes_per_cycle)
        return Candidate(tiling, demand, self.dram_bytes, max(cycles, least), parts * chunks)

    def _stores(self, chip: Chip, demand: dict[str, int], parts: int, chunks: int) -> Stream:
        """The stores of the result; what is free where results lie are more places for it."""
        layer, abreast, memory = self.layer, self.tiling.abreast, self.layer.result.homes[0]
        in_place = chunks > 1 and layer.sums_in_place
        more = (chip.memory[memory].bytes - demand[memory]) // self._aligned(memory, self._result_bytes)
        buffers = 1 + (self.tiling.double_buffer or (in_place and more > 0))
        if in_place and abreast > 1:
            buffers = abreast + min(more, abreast)
        return Stream(self.stored // parts, self._result_bytes, chunks, buffers)

    def _streams(self, chip: Chip, demand: dict[str, int], parts: int, chunks: int) -> list[Stream]:
        """The loads of all operands, constants first.

        The order of issue uses what is free of the memories: another buffer for the smallest of what changes.
        """
        layer, abreast = self.layer, self.tiling.abreast
        free = {}
        for memory, need in demand.items():
            size = chip.memory[memory].bytes
            free[memory] = (usable_abreast(size) if abreast > 1 else size) - need
        if chunks > 1 and not layer.sums_in_place:  # most of the time there are sums, but no result
            free[layer.result.homes[0]] += self._result_bytes
        streams: list[tuple[bool, int, Stream]] = []
        for number, load in sorted(enumerate(self.loads), key=lambda pair: pair[1].on_chip):
            homes, is_late = load.operand.homes, load.operand.is_late and self.tiling.chunk is not None
            more = load.changes and all(load.on_chip <= free[memory] for memory in homes)
            for memory in homes if more else ():
                free[memory] -= self._aligned(memory, load.on_chip)
            buffers = 1 + (load.changes and self.tiling.double_buffer and not is_late) + more
            late, period = is_late or (abreast > 1 and load.chunks == 1), load.period * chunks // load.chunks
            stream = Stream(load.nbytes // load.rounds, load.on_chip, period, buffers, late)
            streams.append((load.operand.boxes is not None, number, stream))
        loads = [stream for *_, stream in sorted(streams, key=lambda item: item[:2])]
        if gathered := layer.gathered_bytes // parts:
            loads.append(Stream(gathered, self._result_bytes, 1, 2, behind=True))
        return loads

    @property
    def _result_bytes(self) -> int:
        return prod(self.tiling.tile) * self.layer.out.dtype.itemsize

    def _aligned(self, memory: str, nbytes: int) -> int:
        return round_up(nbytes, self.layer.chip.block_align(memory))


def candidates(layer: TiledLayer, tilings: Sequence[Tiling]) -> list[Candidate]:
    """Tilings that are in no table, priced on the chip of the layer."""
    return [PricedTiling.of(layer, tiling).candidate(layer.chip) for tiling in tilings]


def at_once(layer: TiledLayer) -> tuple[int, int]:
    """DRAM bytes and cycles of the work of a layer, or of the largest share of a split, in one tile."""
    table = TileTable(layer, [[extent] for extent in layer.shape], [None])
    loops = tuple(range(len(layer.shape)))
    whole = PricedTiling(table, Tiling(layer.shape, loops, None, False, layer.split))
    return whole.dram_bytes, table.work()


def usable_abreast(nbytes: int) -> int:
    """Bytes of a memory of so many that the many blocks of tiles side by side can use: others lie in gaps."""
    return nbytes * TUNING.abreast.usable_sixteenths // 16


def value(column: npt.NDArray[Any], row: Place) -> Any:
    """What a column says of a row."""
    return column[
        tuple([place if extent > 1 else 0 for place, extent in zip(row, column.shape, strict=False)])
    ]


def _column(cells: npt.NDArray[Any], name: str) -> Floats:
    """What intervals say of themselves."""
    return np.array([getattr(cell, name) for cell in cells.flat], dtype=np.float64).reshape(cells.shape)


def _product(arrays: Iterable[Floats]) -> Floats:
    return np.asarray(prod(arrays, start=np.ones(1)))
