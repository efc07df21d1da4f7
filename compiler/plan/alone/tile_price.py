"""What a tiling of a layer costs: bytes on chip, DRAM traffic and cycles.

In: a layer and a tiling of it.  Out: a `Candidate`.

    candidate = price(TiledLayer(graph, layer, chip), tiling)

The bytes are those that the tiling's steps will move: first, inner, last tiles; padding clipped; whole
bursts.  The cycles are those of a pipeline of its transfers and its work (`tile_cycles`).
"""

from __future__ import annotations

from math import prod
from typing import Any

from nnc.compiler.plan.alone.layer_alone import Candidate
from nnc.compiler.plan.alone.tile_cycles import Stream, copy_cycles, pipeline_cycles
from nnc.compiler.plan.alone.tile_table import OperandColumns, TileTable, value
from nnc.compiler.plan.alone.tiled_layer import Shape, TiledLayer, TiledOperand
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record


def usable_abreast(nbytes: int) -> int:
    """Bytes of a memory of so many that the many blocks of tiles side by side can use: others lie in gaps."""
    return nbytes * TUNING.abreast.usable_sixteenths // 16


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
        self._at, self._counts = table.place(row), layer.counts(tiling.tile)
        loads = {mine.operand: self._loads(mine) for mine in table.operands}
        self.loads = [loads[mine] for mine in layer.operands if mine in loads]
        self.stored = layer.nbytes(layer.result, [value(cells, self._at) for cells in table.result.cells])
        self.dram_bytes = sum(mine.nbytes for mine in self.loads) + self.stored + layer.gathered_bytes

    @staticmethod
    def of(layer: TiledLayer, tiling: Tiling) -> PricedTiling:
        """A tiling that is in no table."""
        return PricedTiling(TileTable(layer, [[extent] for extent in tiling.tile], [tiling.chunk]), tiling)

    def work(self, *, exact: bool = False) -> int:
        """Cycles of all computations (see `work_of`)."""
        return self._table.work(self._row, exact=exact)

    def demand(self, *, double: bool) -> dict[str, Any]:
        """Bytes that the tiling holds per memory, with two buffers for what changes or one."""
        return self._table.demand(double=double, abreast=self.tiling.abreast, at=self._at)

    def _loads(self, row: OperandColumns) -> Loads:
        """How often the loops load each piece of an operand; neighbours that need the same one count once."""
        layer, operand, at, tiling = self.layer, row.operand, self._at, self.tiling
        loops, chunks = tiling.loops, int(value(row.chunks, at))
        moved_by = {axis for axis in operand.axes if value(row.moves[axis], at)}
        pieces = [value(cells, at) for cells in row.cells]
        tile = tuple([mine.largest for mine in pieces])
        innermost = max((place for place, axis in enumerate(loops) if axis in moved_by), default=-1)
        if chunks > 1:
            innermost = len(loops)
        elif moved_by:
            axis = loops[innermost]
            for own in (own for own, mover in enumerate(operand.moved_by) if mover == axis):
                pieces[own], _ = layer.intervals(operand, own, tiling.tile[axis], collapsed=True)
        repeats = 1
        for place, axis in enumerate(loops):
            if axis not in moved_by:
                each, inside = row.loads(axis)
                every = inside if place > innermost else int(value(each, at))
                last = place < innermost and place == len(loops) - 1
                repeats *= ceil_div(every, tiling.abreast) if last else every
        period = prod(self._counts[axis] for axis in loops[innermost + 1 :])
        if tiling.abreast > 1 and chunks > 1 and loops[-1] not in moved_by:
            period = tiling.abreast
        return Loads(
            operand=operand,
            tile=tile,
            on_chip=int(value(row.on_chip, at)),
            nbytes=layer.nbytes(operand, pieces) * repeats,
            period=period,
            rounds=ceil_div(prod(self._counts), period) * chunks,
            changes=bool(moved_by) or chunks > 1,
            chunks=chunks,
        )

    def candidate(self, chip: Chip) -> Candidate:
        """Traffic and estimated cycles.

        Args:
            chip: that of the layer, or one that differs from it in the sizes of its memories.
        """
        layer, tiling = self.layer, self.tiling
        parts, chunks = prod(self._counts), max((mine.chunks for mine in self.loads), default=1)
        demand = self.demand(double=tiling.double_buffer)
        work = self.work(exact=True) + parts * copy_cycles(chip, layer.result, tiling.tile)
        work += sum(mine.rounds * copy_cycles(chip, mine.operand, mine.tile) for mine in self.loads)
        stores = self._stores(chip, demand, parts, chunks)
        loads = self._streams(chip, demand, parts, chunks)
        cycles = pipeline_cycles(chip, loads, work, parts * chunks, stores, tiling.abreast)
        least = chip.dram.latency + ceil_div(self.dram_bytes, chip.dram.bytes_per_cycle)
        first = [0, 0]
        for mine in self.loads:
            first[mine.operand.boxes is None] += mine.nbytes // mine.rounds
        ends = (first[0], first[1], stores.nbytes)
        return Candidate(tiling, demand, self.dram_bytes, max(cycles, least), parts * chunks, ends)

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
        for number, mine in sorted(enumerate(self.loads), key=lambda pair: pair[1].on_chip):
            homes, is_late = mine.operand.homes, mine.operand.is_late and self.tiling.chunk is not None
            more = mine.changes and all(mine.on_chip <= free[memory] for memory in homes)
            for memory in homes if more else ():
                free[memory] -= self._aligned(memory, mine.on_chip)
            buffers = 1 + (mine.changes and self.tiling.double_buffer and not is_late) + more
            late, period = is_late or (abreast > 1 and mine.chunks == 1), mine.period * chunks // mine.chunks
            stream = Stream(mine.nbytes // mine.rounds, mine.on_chip, period, buffers, late)
            streams.append((mine.operand.boxes is not None, number, stream))
        loads = [stream for *_, stream in sorted(streams, key=lambda item: item[:2])]
        if gathered := layer.gathered_bytes // parts:
            loads.append(Stream(gathered, self._result_bytes, 1, 2, behind=True))
        return loads

    @property
    def _result_bytes(self) -> int:
        return prod(self.tiling.tile) * self.layer.out.dtype.itemsize

    def _aligned(self, memory: str, nbytes: int) -> int:
        return round_up(nbytes, self.layer.chip.block_align(memory))


def at_once(layer: TiledLayer) -> tuple[int, int]:
    """DRAM bytes and cycles of a layer, or of the largest share of a split, in one tile: others take more.

    Cycles are those of the work, or of all transfers if they take longer.
    """
    loops = tuple(range(len(layer.shape)))
    whole = PricedTiling.of(layer, Tiling(layer.shape, loops, None, False, layer.split))
    return whole.dram_bytes, max(whole.work(), whole.dram_bytes // layer.chip.dram.bytes_per_cycle)
