"""What a tiling of a layer costs: bytes on chip, DRAM traffic and cycles.

In: the extents of a layer's tiles (`LayerTiles`) and a tiling.  Out: a `Candidate`.

    tiles = LayerTiles(LayerMoves(graph, layer, chip))
    candidate = price(tiles, tiling)

The bytes are those that the tiling's steps will move: first, inner, last tiles; padding clipped; whole
bursts.  The cycles are those of a pipeline of its transfers and its work (`tile_cycles`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from nnc.compiler.plan.tiling.tile_cycles import Stream, copy_cycles, pipeline_cycles, work_of
from nnc.compiler.plan.tiling.tile_extents import LayerTiles, OperandCut
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record


@dataclass(frozen=True, slots=True)
class Candidate:
    """A priced tiling.

    Attributes:
        demand: bytes that it holds, per memory; dram_bytes: traffic.
        compute_cycles: of the array on the busiest core; cycles: estimate of work and transfers together.
        tiles: computations; ends: DRAM bytes of their first loads, of activations and of constants, and of
            the last store.
    """

    tiling: Tiling
    demand: dict[str, int]
    dram_bytes: int
    compute_cycles: int
    cycles: int
    tiles: int
    ends: tuple[int, int, int]


def by_cycles(found: Sequence[Candidate], percent: float) -> list[Candidate]:
    """Within so many percent of the fewest cycles by traffic, then the others by cycles.

    More tiles help nobody: one more must save some traffic to be worth its instructions.
    """
    limit, each = min(mine.cycles for mine in found) * (1 + percent / 100), TUNING.tiles.bytes_per_tile

    def rank(mine: Candidate) -> tuple[bool, int, int]:
        slow = mine.cycles > limit
        return (slow, mine.cycles if slow else mine.dram_bytes + each * mine.tiles, mine.cycles)

    return sorted(found, key=rank)


def by_traffic(found: Sequence[Candidate]) -> list[Candidate]:
    """Within half a percent of the least traffic by tiles and cycles, then the others by traffic."""
    limit = min(mine.dram_bytes for mine in found) * (1 + TUNING.tiles.equal_traffic_percent / 100)

    def rank(mine: Candidate) -> tuple[bool, int, int, int]:
        more = mine.dram_bytes > limit
        return (more, mine.dram_bytes if more else mine.tiles, mine.cycles, mine.dram_bytes)

    return sorted(found, key=rank)


def at_once(tiles: LayerTiles) -> tuple[int, int]:
    """DRAM bytes and cycles of a layer, or of the largest share of a split, in one tile: others take more.

    Cycles are those of the work, or of all transfers if they take longer.
    """
    whole = Tiling(tiles.shape, tuple(range(len(tiles.shape))), None, False, "", tiles.split)
    moved = traffic_of(tiles, whole, pieces_of(tiles, whole))
    return moved, max(work_of(tiles, whole.tile, None), moved // tiles.chip.dram.bytes_per_cycle)


def usable_abreast(nbytes: int) -> int:
    """Bytes of a memory of so many that the many blocks of tiles side by side can use: others lie in gaps."""
    return nbytes * TUNING.abreast.usable_sixteenths // 16


@record(frozen=True, slots=True)
class Pieces:
    """How a tiling cuts one operand.

    Attributes:
        homes: memories of its pieces; on_chip: bytes of the largest, not aligned; tile: its shape.
        nbytes: that all loads move, on all cores.
        period: tiles of the result from a load to the next, with chunks or without; rounds: loads of a core.
        changes: whether a core loads more than one piece; chunks: of the summed axis.
    """

    slot: int
    homes: tuple[str, ...]
    tile: tuple[int, ...]
    on_chip: int
    nbytes: int
    period: int
    rounds: int
    changes: bool
    chunks: int


def pieces_of(tiles: LayerTiles, tiling: Tiling) -> list[Pieces]:
    """How a tiling cuts all operands that are there, and how often its loops load each piece."""
    counts = tiles.counts(tiling.tile)
    found = []
    for slot in tiles.moves.slots:
        if tiles.moves.is_table[slot]:
            continue
        cut = tiles.cut(slot, tiling.tile, tiling.chunk)
        place = _innermost_move(tiling, cut)
        if 0 <= place < len(tiling.loops):
            cut = tiles.cut(slot, tiling.tile, tiling.chunk, tiling.loops[place])
        repeats, again = _repeats(tiles, slot, tiling, counts, cut, place)
        period = prod(counts[axis] for axis in tiling.loops[place + 1 :])
        if tiling.abreast > 1 and cut.chunks > 1 and tiling.loops[-1] not in cut.moved_by:
            period = tiling.abreast
        found.append(
            Pieces(
                slot=slot,
                homes=tiles.moves.homes[slot],
                tile=cut.tile,
                on_chip=tiles.moves.held_bytes(slot, cut.tile),
                nbytes=cut.nbytes * repeats,
                period=period,
                rounds=ceil_div(prod(counts), period) * cut.chunks,
                changes=again or cut.chunks > 1 or bool(cut.moved_by),
                chunks=cut.chunks,
            )
        )
    return found


def _innermost_move(tiling: Tiling, cut: OperandCut) -> int:
    """Place of the innermost loop along which an operand moves; behind the last if its chunks do; else -1."""
    if cut.chunks > 1:
        return len(tiling.loops)
    return max((place for place, axis in enumerate(tiling.loops) if axis in cut.moved_by), default=-1)


def _repeats(
    tiles: LayerTiles, slot: int, tiling: Tiling, counts: list[int], cut: OperandCut, innermost: int
) -> tuple[int, bool]:
    """How often the cores load each piece, when only the latest one is kept; whether one core does so again.

    Cores that need the same get it once by a broadcast; without, each loads it for its own tiles.
    """
    repeats, again, moves = 1, False, tiles.moves.axes[slot]
    for place, axis in enumerate(tiling.loops):
        if axis in cut.moved_by:
            continue
        shares = 1 if tiles.chip.dma.broadcast or axis in moves else tiles.shares(axis)
        if place >= innermost:
            repeats *= shares
            continue
        again = again or counts[axis] > 1
        every = counts[axis] if shares == 1 else len(tiles.tiles_along(axis, tiling.tile[axis]).low)
        repeats *= ceil_div(every, tiling.abreast) if place == len(tiling.loops) - 1 else every
    return repeats, again


def is_late(tiles: LayerTiles, tiling: Tiling, slot: int) -> bool:
    """Whether an operand is needed by the last chunk of a tile alone: one buffer is as good as two."""
    return tiling.chunk is not None and slot in tiles.moves.late_slots


def demand_of(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[Pieces], *, double: bool) -> dict[str, int]:
    """Bytes that a tiling holds per memory, with two buffers for what changes or one."""
    demand: dict[str, int] = {}
    for mine in pieces:
        copies = 2 if double and mine.changes and not is_late(tiles, tiling, mine.slot) else 1
        for memory in mine.homes:
            demand[memory] = demand.get(memory, 0) + copies * _aligned(tiles.chip, memory, mine.on_chip)
    _add_result(tiles, tiling, double, demand)
    return demand


def traffic_of(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[Pieces]) -> int:
    """DRAM bytes of all loads and stores, whole bursts included: those of the tiling's steps, to the byte."""
    moved = sum(mine.nbytes for mine in pieces)
    return moved + tiles.result_bytes(tiling.tile) + tiles.moves.gathered_bytes()


def price(tiles: LayerTiles, tiling: Tiling) -> Candidate:
    """Traffic and estimated cycles of a tiling."""
    chip = tiles.chip
    pieces = pieces_of(tiles, tiling)
    parts, chunks = prod(tiles.counts(tiling.tile)), max((mine.chunks for mine in pieces), default=1)
    demand = demand_of(tiles, tiling, pieces, double=tiling.double_buffer)
    traffic = traffic_of(tiles, tiling, pieces)
    work = work_of(tiles, tiling.tile, tiling.chunk, exact=True)
    work += parts * copy_cycles(tiles.moves, -1, tiling.tile)
    work += sum(mine.rounds * copy_cycles(tiles.moves, mine.slot, mine.tile) for mine in pieces)
    stores = _stores(tiles, tiling, demand, parts, chunks)
    loads = _streams(tiles, tiling, pieces, demand, parts, chunks)
    cycles = pipeline_cycles(chip, loads, work, parts * chunks, stores, tiling.abreast)
    least = chip.dram.latency + ceil_div(traffic, chip.dram.bytes_per_cycle)
    first = [0, 0]
    for mine in pieces:
        first[tiles.moves.boxes[mine.slot] is None] += mine.nbytes // mine.rounds
    ends = (first[0], first[1], stores.nbytes)
    return Candidate(tiling, demand, traffic, work, max(cycles, least), parts * chunks, ends)


def _stores(tiles: LayerTiles, tiling: Tiling, demand: dict[str, int], parts: int, chunks: int) -> Stream:
    """The stores of the result; what is free where results lie are more places for it."""
    size = prod(tiling.tile) * tiles.out.dtype.itemsize
    nbytes = tiles.result_bytes(tiling.tile) // parts
    in_place = chunks > 1 and tiles.moves.sums_in_place
    memory = tiles.moves.result_homes[0]
    more = (tiles.chip.memory[memory].bytes - demand[memory]) // _aligned(tiles.chip, memory, size)
    if in_place and tiling.abreast > 1:
        return Stream(nbytes, size, chunks, tiling.abreast + min(more, tiling.abreast))
    return Stream(nbytes, size, chunks, 1 + (tiling.double_buffer or (in_place and more > 0)))


def _streams(
    tiles: LayerTiles,
    tiling: Tiling,
    pieces: Sequence[Pieces],
    demand: dict[str, int],
    parts: int,
    chunks: int,
) -> list[Stream]:
    """The loads of all operands, constants first.

    The order of issue uses what is free of the memories: one more buffer for the smallest of what changes.
    """
    sizes = {memory: tiles.chip.memory[memory].bytes for memory in demand}
    if tiling.abreast > 1:
        sizes = {memory: usable_abreast(nbytes) for memory, nbytes in sizes.items()}
    free = {memory: sizes[memory] - need for memory, need in demand.items()}
    if chunks > 1 and not tiles.moves.sums_in_place:  # most of the time there are sums, but no result
        free[tiles.moves.result_homes[0]] += prod(tiling.tile) * tiles.out.dtype.itemsize
    buffers = {}
    for mine in sorted(pieces, key=lambda mine: mine.on_chip):
        more = mine.changes and all(mine.on_chip <= free[memory] for memory in mine.homes)
        for memory in mine.homes if more else ():
            free[memory] -= _aligned(tiles.chip, memory, mine.on_chip)
        double = mine.changes and tiling.double_buffer and not is_late(tiles, tiling, mine.slot)
        buffers[mine.slot] = 1 + double + more
    gathered = tiles.moves.gathered_bytes() // parts
    found = []
    for mine in sorted(pieces, key=lambda mine: tiles.moves.boxes[mine.slot] is not None):
        period = mine.period * chunks // mine.chunks
        late = is_late(tiles, tiling, mine.slot) or (tiling.abreast > 1 and mine.chunks == 1)
        found.append(Stream(mine.nbytes // mine.rounds, mine.on_chip, period, buffers[mine.slot], late))
    if gathered:
        size = prod(tiling.tile) * tiles.out.dtype.itemsize
        found.append(Stream(gathered, size, 1, 2, behind=True))
    return found


def _add_result(tiles: LayerTiles, tiling: Tiling, double: bool, demand: dict[str, int]) -> None:
    moves = tiles.moves
    copies = 2 if double and prod(tiles.counts(tiling.tile)) > 1 else 1
    if tiling.abreast > 1 and moves.sums_in_place:
        copies = tiling.abreast
    for memory in moves.result_homes:
        held = copies * _aligned(tiles.chip, memory, moves.held_bytes(-1, tiling.tile))
        demand[memory] = demand.get(memory, 0) + held
    if tiling.chunk is not None and not moves.sums_in_place:
        memory = moves.sums_home
        nbytes = _aligned(tiles.chip, memory, prod(tiling.tile) * moves.sums_dtype.itemsize)
        demand[memory] = demand.get(memory, 0) + tiling.abreast * nbytes


def _aligned(chip: Chip, memory: str, nbytes: int) -> int:
    return round_up(nbytes, chip.block_align(memory))
