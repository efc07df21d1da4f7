"""What a tiling of a layer costs: bytes on chip, DRAM traffic and cycles.

In: the extents of a layer's tiles (`LayerTiles`) and a tiling.  Out: a `Candidate`.

    tiles = LayerTiles(graph, layer, chip)
    pieces = pieces_of(tiles, tiling)
    candidate = price(tiles, tiling, pieces, demand_of(tiles, tiling, pieces, double=False))

The bytes are those of the exact extents of its tiles: first, inner, last; padding clipped.  What an operand
that is no constant costs is rounded up by the whole bursts of the runs of its largest tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.tile_extents import LayerTiles, OperandCut
from nnc.compiler.plan.tiling.tile_runs import held_elements, waste
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.target import layer_traits, layer_work, memories
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up

_BYTES_OF_A_TILE = 4096
"""Traffic that one more tile must save to be worth its instructions."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A priced tiling.

    Attributes:
        demand: bytes that it holds, per memory; dram_bytes: traffic.
        compute_cycles, transfer_cycles: of the array and of the DRAM; edge_cycles: of the first tile's
            loads and the last one's store; cycles: estimate of all together.
        tiles: computations.
    """

    tiling: Tiling
    demand: dict[str, int]
    dram_bytes: int
    compute_cycles: int
    transfer_cycles: int
    edge_cycles: int
    cycles: int
    tiles: int

    @property
    def rank_by_traffic(self) -> tuple[int, int]:
        """Order of preference: least traffic, with some for each tile, since more of them help nobody."""
        return (self.dram_bytes + _BYTES_OF_A_TILE * self.tiles, self.cycles)

    def rank(self, best: int) -> tuple[bool, int, int, int]:
        """Order of preference: within 2 % of the best cycles, then least traffic, fewest tiles, cycles."""
        slower = self.cycles * 50 > best * 51
        return (slower, self.cycles if slower else self.dram_bytes, self.tiles, self.cycles)


def share_cycles(graph: Graph, layer: Layer, chip: Chip, split: CoreSplit) -> int:
    """Cycles of the largest share of a split in one tile, or of all transfers if they take longer."""
    tiles = LayerTiles(graph, layer, chip, split)
    tiling = Tiling(tiles.shape, tuple(range(len(tiles.shape))), None, False, "", split)
    whole = price(tiles, tiling, pieces_of(tiles, tiling), {})
    return max(whole.compute_cycles, whole.dram_bytes // chip.dram.bytes_per_cycle)


@dataclass(frozen=True, slots=True)
class Pieces:
    """How a tiling cuts one operand.

    Attributes:
        tile: shape of the largest piece.
        elements: of all pieces together, each loaded once.
        loads: number of loads; repeats: how often each piece is loaded.
        chunks: of the summed axis.
    """

    slot: int
    type: TensorType
    tile: tuple[int, ...]
    elements: int
    loads: int
    repeats: int
    chunks: int


def pieces_of(tiles: LayerTiles, tiling: Tiling) -> list[Pieces]:
    """How a tiling cuts all operands that are there, and how often its loops load each piece."""
    counts = tiles.counts(tiling.tile)
    found = []
    for slot, type_ in enumerate(tiles.operands):
        if type_ is None:
            continue
        cut = tiles.cut(slot, tiling)
        repeats = _reloads(tiling, counts, cut)
        loads = cut.pieces * cut.chunks * repeats
        found.append(Pieces(slot, type_, cut.tile, cut.elements, loads, repeats, cut.chunks))
    return found


def demand_of(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[Pieces], *, double: bool) -> dict[str, int]:
    """Bytes that a tiling holds per memory, with two buffers for what changes or one."""
    chip = tiles.chip
    demand: dict[str, int] = {}
    for mine in pieces:
        if tiles.is_table[mine.slot]:
            continue
        copies = 2 if double and mine.loads > 1 else 1
        elements = held_elements(tiles.storage[mine.slot], mine.type.dtype, mine.tile, chip.transfer_unit)
        nbytes = elements * mine.type.dtype.itemsize
        for memory in tiles.homes[mine.slot]:
            demand[memory] = demand.get(memory, 0) + copies * _aligned(chip, memory, nbytes)
    parts, chunked = prod(tiles.counts(tiling.tile)), tiling.chunk is not None
    _add_result(tiles, tiling.tile, parts, chunked, double, demand)
    return demand


def price(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[Pieces], demand: dict[str, int]) -> Candidate:
    """Traffic and estimated cycles of a tiling.

    On one core and but for whole bursts, the traffic is that of the tiling's steps, to the byte; it is a
    bound from above where neighbouring tiles need the very same piece of an operand (channels of one group,
    rows that a transposed convolution makes from one row), which the steps load once.
    """
    layer, chip = tiles.layer, tiles.chip
    parts = prod(tiles.counts(tiling.tile))
    traffic, transfers = tiles.out.nbytes, parts
    if chip.transfer_unit > 1:
        burst, dtype = chip.dram.burst, tiles.out.dtype
        traffic = int(traffic * waste(tiles.out_storage, dtype, tiling.tile, chip.transfer_unit, burst))
    edges = prod(tiling.tile) * tiles.out.dtype.itemsize * (tiles.split.cores if tiles.split else 1)
    largest, chunks = _largest_tiles(tiles, pieces)
    for mine in pieces:
        if tiles.is_table[mine.slot]:
            continue
        storage = tiles.storage[mine.slot]
        factor = 1.0 if storage is None else _run_waste(tiles, storage, mine)
        copies = tiles.copies(mine.slot)
        traffic += int(mine.elements * mine.type.dtype.itemsize * mine.repeats * factor) * copies
        transfers += mine.loads
        edges += prod(mine.tile) * mine.type.dtype.itemsize * copies
    each = 0
    if not layer_traits.is_read_engine(layer):
        each = _tile_cycles(tiles, tiling.tile, largest)
    compute = each * parts * chunks + _copy_cycles(tiles, tiling, pieces)
    dram = ceil_div(traffic, chip.dram.bytes_per_cycle)
    dram += transfers * chip.dram.latency // (chip.dma.in_flight * (2 if tiling.double_buffer else 1))
    edge = edges // chip.dram.bytes_per_cycle
    cycles = _overlapped(tiling, compute, dram, edge, parts)
    return Candidate(tiling, demand, traffic, compute, dram, edge, cycles, parts * chunks)


def _copy_cycles(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[Pieces]) -> int:
    """Cycles of the copies between the homes of tiles and the memories that the DMA engines reach."""
    chip, cycles = tiles.chip, 0
    for mine in pieces:
        home, *others = tiles.homes[mine.slot]
        for landing in others:
            source = layer_work.block(mine.type.dtype, mine.tile, tiles.orders[mine.slot], landing)
            cycles += mine.loads * memories.copy_cycles(chip, source, home)
    home, *others = tiles.result_homes
    for departure in others:
        source = layer_work.block(tiles.out.dtype, tiling.tile, tiles.order, home)
        cycles += prod(tiles.counts(tiling.tile)) * memories.copy_cycles(chip, source, departure)
    return cycles


def _overlapped(tiling: Tiling, compute: int, dram: int, edge: int, parts: int) -> int:
    """Cycles of work and transfers: with two buffers, all but the first loads and the last store overlap."""
    if not tiling.double_buffer:
        return compute + dram
    return max(compute + edge, dram + compute // parts)


def _largest_tiles(tiles: LayerTiles, pieces: Sequence[Pieces]) -> tuple[list[tuple[int, ...] | None], int]:
    """The largest tile of each operand, by slot, and the chunks of the summed axis."""
    largest: list[tuple[int, ...] | None] = [None] * len(tiles.operands)
    for mine in pieces:
        largest[mine.slot] = mine.tile
    return largest, max((mine.chunks for mine in pieces), default=1)


def _tile_cycles(tiles: LayerTiles, tile: tuple[int, ...], operands: list[tuple[int, ...] | None]) -> int:
    """Cycles of a tile of the result whose operands are dense tiles of these shapes."""
    sample = layer_work.layer_of_tile(tiles.layer, tiles.out.shape, tile)
    ins = [
        None if shape is None or type_ is None else layer_work.block(type_.dtype, shape, order, home)
        for shape, type_, order, (home, *_) in zip(
            operands, tiles.operands, tiles.orders, tiles.homes, strict=True
        )
    ]
    out = layer_work.block(tiles.out.dtype, tile, tiles.order, tiles.result_homes[0])
    return layer_work.tile_cycles(tiles.chip, sample, out, ins)


def with_exact_work(tiles: LayerTiles, candidate: Candidate) -> Candidate:
    """The candidate with the cycles of each of its tiles: first, inner and last ones differ in size."""
    tiling, layer = candidate.tiling, tiles.layer
    if layer_traits.is_read_engine(layer):
        return candidate
    counts = tiles.counts(tiling.tile)
    pieces = pieces_of(tiles, tiling)
    largest, chunks = _largest_tiles(tiles, pieces)
    sizes = [
        _sizes(tiles, axis, tile, count)
        for axis, (tile, count) in enumerate(zip(tiling.tile, counts, strict=True))
    ]
    work = _copy_cycles(tiles, tiling, pieces)
    for combination in product(*sizes):
        tile = tuple(extent for extent, _ in combination)
        work += _tile_cycles(tiles, tile, largest) * chunks * prod(count for _, count in combination)
    cycles = _overlapped(tiling, work, candidate.transfer_cycles, candidate.edge_cycles, prod(counts))
    return replace(candidate, compute_cycles=work, cycles=cycles)


def _sizes(tiles: LayerTiles, axis: int, tile: int, count: int) -> list[tuple[int, int]]:
    """Extents of the tiles along an axis, and how many tiles have each: even ones if cores share the axis."""
    extent = tiles.shape[axis]
    if tiles.split is not None and any(cut.axis == axis for cut in tiles.split.cuts):
        each, more = divmod(extent, count)
        return [
            (size, number) for size, number in ((each + 1, more), (each, count - more)) if number and size
        ]
    last = extent - tile * (count - 1)
    return [(tile, count)] if last == tile else [(tile, count - 1), (last, 1)][count == 1 :]


def _reloads(tiling: Tiling, counts: list[int], cut: OperandCut) -> int:
    """How often each tile of an operand is loaded, when only the latest one is kept on chip."""
    inner = [place for place, axis in enumerate(tiling.loops) if axis in cut.moved_by]
    last = len(tiling.loops) if cut.chunks > 1 else (max(inner) if inner else -1)
    return prod(counts[axis] for axis in tiling.loops[: max(0, last)] if axis not in cut.moved_by)


def _run_waste(tiles: LayerTiles, storage: Storage, pieces: Pieces) -> float:
    """Whole bursts over bytes for the contiguous runs of a tile in its tensor's storage."""
    tile, run = pieces.tile, 1
    if (unit := tiles.chip.transfer_unit) > 1:
        return waste(storage, pieces.type.dtype, tile, unit, tiles.chip.dram.burst)
    for axis in reversed(storage.order):
        if storage.shape[axis] == 1:
            continue
        if storage.strides[axis] != run:
            break
        run *= tile[axis]
        if tile[axis] != storage.shape[axis]:
            break
    nbytes = run * pieces.type.dtype.itemsize
    burst = tiles.chip.dram.burst
    return round_up(nbytes, burst) / nbytes


def _add_result(
    tiles: LayerTiles, tile: tuple[int, ...], parts: int, chunked: bool, double: bool, demand: dict[str, int]
) -> None:
    chip, elements = tiles.chip, prod(tile)
    copies = 2 if double and parts > 1 else 1
    dtype = tiles.out.dtype
    nbytes = held_elements(tiles.out_storage, dtype, tile, chip.transfer_unit) * dtype.itemsize
    for memory in tiles.result_homes:
        demand[memory] = demand.get(memory, 0) + copies * _aligned(chip, memory, nbytes)
    if chunked:
        memory = tiles.sums_home
        nbytes = elements * tiles.layer.partial_type(tiles.out.dtype).itemsize
        demand[memory] = demand.get(memory, 0) + _aligned(chip, memory, nbytes)


def _aligned(chip: Chip, memory: str, nbytes: int) -> int:
    return round_up(nbytes, chip.block_align(memory))
