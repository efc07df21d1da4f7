"""How to cut one layer so that its tiles fit the memories: the search over tile shapes and loop orders.

In: a layer on a chip, and how cores share it.  Out: priced tilings that fit, best first (`candidates`):

    best, *others = candidates(LayerMoves(graph, layer, chip))
    best.tiling.tile, best.tiling.loops, best.dram_bytes      (1, 16, 14, 56), (0, 2, 3, 1), 1204224

A grid of about even cuts of every axis, and of chunks of the summed one, is priced at once (`tile_grid`).  It
does not depend on the sizes of the memories: with more memory, no tiling is lost.  The most promising few are
priced one by one, those with most promise to the byte and with their pipeline scheduled.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, permutations
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.layers import SpatialMacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.tiling.box_bytes import Floats
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.layer_moves import LayerMoves
from nnc.compiler.plan.tiling.tile_cycles import work_of
from nnc.compiler.plan.tiling.tile_extents import LayerTiles
from nnc.compiler.plan.tiling.tile_grid import TileGrid
from nnc.compiler.plan.tiling.tile_price import (
    BYTES_OF_A_TILE,
    Candidate,
    by_cycles,
    pieces_of,
    price,
    traffic_of,
)
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up

_log = logging.getLogger(__name__)

_CUTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
_MOST_TILINGS, _FEW_TILINGS = 24000, 6000
"""Shapes of tiles, with chunks, in a grid: where there would be more, axes get fewer extents; where there are
few, axes get all."""
_MOST_ORDERS = 6
_WORKED, _OF_EACH = 128, 4
"""How many of the fastest have the cycles of a tile found; how many of each sort are priced exactly."""
_LEAN, _LEANER = 24, 1.5
"""How many of the leanest on the average have their bytes counted; up to how many times the least."""
_NEAR = 1.02
"""Cycles beside the fastest up to which fewer tiles, or fewer bytes, may be better."""

Bools = npt.NDArray[np.bool_]


def cut_extents(extent: int, quantum: int = 1) -> list[int]:
    """Tile extents worth trying along an axis, largest first: about even cuts, down to one element.

    Args:
        quantum: elements whose multiples are worth trying too.
    """
    sizes = {ceil_div(extent, cut) for cut in _CUTS if cut <= extent} | {1}
    multiples = {round_up(size, quantum) for size in sizes} if quantum > 1 else set()
    return sorted(sizes | {size for size in multiples if size < extent}, reverse=True)


def candidates(moves: LayerMoves, split: CoreSplit | None = None, percent: float = 2.0) -> list[Candidate]:
    """Tilings that fit the memories, best first; of a core's share, if cores share the layer.

    Args:
        percent: slower than the fastest that a tiling with less traffic may be to come before it.

    Something is found if any tiling fits.  The leanest candidate moves at most 5 % more bytes than the
    leanest tiling of all: so brute force finds for small layers (tests of this module).

    Raises:
        CapacityError: even the finest cut does not fit; tells demand, bound, gap and levers.
    """
    tiles, chip = LayerTiles(moves, split), moves.chip
    grid = TileGrid(tiles, *_extents(tiles))
    fits = _Fits.of(grid, chip)
    if not fits.single.any():
        raise _too_small(tiles, grid, fits)
    found = [price(tiles, tiling) for tiling in _promising(grid, fits)]
    ranked = by_cycles(found, percent)
    _log.debug(
        "%s: %d of %d tilings fit, best %s", tiles.layer.name, fits.single.sum(), fits.single.size, ranked[0]
    )
    return ranked


@dataclass(frozen=True, slots=True)
class _Fits:
    """Which tilings of a grid fit, with one buffer for everything or two for what changes.

    Attributes:
        excess: bytes by which the worst memory is exceeded with one buffer (negative: free).
    """

    single: Bools
    double: Bools
    excess: npt.NDArray[np.int64]

    @staticmethod
    def of(grid: TileGrid, chip: Chip) -> _Fits:
        """Compare demand and sizes of the memories; chunks that may not be do not fit."""
        excess = [
            np.maximum.reduce([need - chip.memory[name].bytes for name, need in demand.items()])
            for demand in (grid.demand(double=False), grid.demand(double=True))
        ]
        allowed = grid.allowed()
        single, double = ((mine <= 0) & allowed for mine in excess)
        return _Fits(single, double, np.where(allowed, excess[0], np.iinfo(np.int64).max))


def _promising(grid: TileGrid, fits: _Fits) -> list[Tiling]:
    """The tilings that may be best: fastest, near them with fewest tiles or bytes; leanest, and so on."""
    orders, size, tiles = _orders(grid), fits.single.size, grid.tiles
    double = np.tile(fits.double.ravel(), len(orders))
    moved = [np.where(fits.single, grid.dram_bytes(loops), np.inf).ravel() for loops in orders]
    nbytes = np.concatenate(moved)
    everywhere = np.tile(np.arange(size), len(orders))
    as_fast_as_whole = work_of(tiles, tiles.shape, None) + tiles.chip.compute.issue * grid.all_steps().ravel()
    rough = _rough_cycles(grid, everywhere, nbytes, double, as_fast_as_whole[everywhere])
    worked = _smallest(rough, nbytes, _WORKED)
    shapes = [grid.at(int(place) % size) for place in worked]
    known = {shape: work_of(tiles, *shape) for shape in dict.fromkeys(shapes)}
    work = np.array([known[shape] for shape in shapes])
    exact = _rough_cycles(grid, worked % size, nbytes[worked], double[worked], work)
    near = exact <= exact.min() * _NEAR
    few, steps = worked[near], grid.all_steps().ravel()[worked[near] % size]
    places = [
        *worked[np.lexsort((nbytes[worked], exact))[:_OF_EACH]],
        *few[np.lexsort((exact[near], nbytes[few], steps))[:_OF_EACH]],
        *few[np.lexsort((steps, nbytes[few] + BYTES_OF_A_TILE * steps))[:_OF_EACH]],
        *_leanest(grid, orders, nbytes, rough),
        _smallest(np.where(np.isfinite(rough), grid.all_steps().ravel()[everywhere], np.inf), rough, 1)[0],
        fits.excess.argmin(),
    ]
    found: dict[Tiling, None] = {}
    for place in places:
        order, index = divmod(int(place), size)
        found[grid.tiling(index, orders[order], double=bool(double[place]))] = None
    return [*found]


def _leanest(
    grid: TileGrid, orders: list[tuple[int, ...]], nbytes: Floats, rough: Floats
) -> npt.NDArray[np.int64]:
    """Places of the tilings that move least, to the byte: averages are far off where there are few bursts."""
    near = _smallest(nbytes, rough, _LEAN)
    near = near[nbytes[near] <= _LEANER * nbytes[near[0]]]
    places = [divmod(int(place), prod(grid.shape)) for place in near]
    tilings = [grid.tiling(index, orders[order], double=False) for order, index in places]
    exact = [traffic_of(grid.tiles, tiling, pieces_of(grid.tiles, tiling)) for tiling in tilings]
    return np.asarray(near[np.lexsort((rough[near], exact))[:_OF_EACH]])


def _rough_cycles(
    grid: TileGrid, places: npt.NDArray[np.int64], dram_bytes: Floats, double: Bools, work: Floats
) -> Floats:
    """About the cycles of some tilings: work and transfers side by side with two buffers, or in turn.

    Args:
        places: in the flattened grid.
        dram_bytes, double, work: of each: traffic, whether there are two buffers, cycles of all computations.
    """
    chip = grid.tiles.chip
    steps, edges = grid.all_steps().ravel()[places], grid.edge_bytes().ravel()[places]
    dram, latency = dram_bytes / chip.dram.bytes_per_cycle, chip.dram.latency
    beside = np.maximum(dram + latency, work + edges / chip.dram.bytes_per_cycle + 2 * latency)
    return np.where(double, beside, work + dram + steps * latency)


def _smallest(first: Floats, second: Floats, count: int) -> npt.NDArray[np.int64]:
    """Places of the smallest finite values, the second deciding between equal ones."""
    few = np.flatnonzero(first <= np.partition(first, min(count, len(first) - 1))[min(count, len(first) - 1)])
    few = few[np.isfinite(first[few])]
    return few[np.lexsort((few, second[few], first[few]))[:count]]


def _orders(grid: TileGrid) -> list[tuple[int, ...]]:
    """Loop orders worth trying: axes that move the same operands stay together, in storage order.

    Those that move all operands are outermost, for nothing is loaded again along them.  Where neighbours need
    the very same piece, any axis may be best innermost.
    """
    tiles = grid.tiles
    rank = len(tiles.shape)
    moves = tiles.moves
    alike: dict[frozenset[int], list[int]] = {}
    for axis in moves.order:
        alike.setdefault(frozenset(s for s in moves.slots if axis in moves.axes[s]), []).append(axis)
    outer = alike.pop(frozenset(moves.slots), [])
    cut = [axes for axes in alike.values() if any(tiles.shape[axis] > 1 for axis in axes)]
    rest = [axis for axis in range(rank) if not any(axis in axes for axes in (outer, *cut))]
    if grid.has_same_pieces:
        cut = [[axis] for axes in (outer, *cut) for axis in axes]
        outer = []
    return [
        (*rest, *outer, *(axis for axes in order for axis in axes))
        for order in islice(permutations(cut), _MOST_ORDERS)
    ]


def _unaligned(tiles: LayerTiles) -> CapacityError:
    layer, chip = tiles.layer, tiles.chip
    return CapacityError(
        f"no share of {layer.name} is whole units of {chip.transfer_unit} B",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"dram.align = {chip.dram.align}, dma.align = {chip.dma.align}",
        expected="results that cores store without bytes of each other",
        remedy="--set cores=1, or a smaller dram.align or dma.align",
    )


def _too_small(tiles: LayerTiles, grid: TileGrid, fits: _Fits) -> CapacityError:
    layer, chip = tiles.layer, tiles.chip
    place = int(fits.excess.argmin())
    tile, chunk = grid.at(place)
    demand = {name: int(need.ravel()[place]) for name, need in grid.demand(double=False).items()}
    memory = max(demand, key=lambda name: (demand[name] - chip.memory[name].bytes, name))
    need = demand[memory]
    said = "" if chunk is None else f" and chunks of {chunk} summed elements"
    failed = Infeasible(f"{layer.name} at tiles of {list(tile)}{said}", need, chip.memory[memory].bytes)
    return CapacityError(
        f"{memory} {failed.bound} B < {failed.demand} B needed by {failed.what}",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"{failed.bound} B, {failed.demand - failed.bound} B too few",
        expected=f"at least {need} B for the finest cut that nnc knows for a {layer.kind}",
        remedy=f"raise memory.{memory}.bytes to {need} (--set memory.{memory}.bytes={need}), "
        "or use a smaller element type or input",
    )


def _extents(tiles: LayerTiles) -> tuple[list[list[int]], list[int | None]]:
    """Extents of tiles per axis of the result, and of chunks: fewer along those that have most."""
    moves = tiles.moves
    fixed = layer_traits.uncut_axes(tiles.layer, moves.shapes)
    found = []
    for axis, extent in enumerate(tiles.shape):
        sizes = [extent] if axis in fixed else cut_extents(extent, moves.result.quantum(axis))
        found.append(_allowed(tiles, axis, sizes))
    if not all(found):
        raise _unaligned(tiles)
    chunks: list[int | None] = [None, *_chunks(tiles)]
    most = _MOST_TILINGS if tiles.chip.transfer_unit == 1 else _FEW_TILINGS  # each is looked at alone
    while len(chunks) * prod(map(len, found)) > most:
        longest = max(range(len(found)), key=lambda axis: len(found[axis]))
        mine = found[longest]
        if len(chunks) > len(mine):
            chunks = [*chunks[:-1:2], chunks[-1]]
        else:
            found[longest] = [*mine[:-1:2], mine[-1]]
    for axis in sorted(set(range(len(found))) - set(fixed), key=lambda axis: tiles.shape[axis]):
        every = _allowed(tiles, axis, range(1, tiles.shape[axis] + 1))
        if len(chunks) * len(every) * prod(map(len, (*found[:axis], *found[axis + 1 :]))) <= _FEW_TILINGS:
            found[axis] = every
    if chunks[1:] and _depth(tiles) * prod(map(len, found)) <= _FEW_TILINGS:
        chunks = [None, *range(_depth(tiles) - 1, 0, -1)]
    return found, chunks


def _allowed(tiles: LayerTiles, axis: int, sizes: Iterable[int]) -> list[int]:
    """Extents of tiles, largest first: inside a group of channels, or whole groups; as the DMA demands."""
    lane, layer = layer_traits.lane_axis(tiles.layer, len(tiles.shape)), tiles.layer
    extent, step = tiles.shape[axis], tiles.moves.quanta[axis]
    every = {min(extent, round_up(size, step)) for size in sizes}
    every = {size for size in every if size == tiles.out.shape[axis] or size % step == 0}
    if axis == lane and isinstance(layer, SpatialMacLayer) and layer.groups > 1:
        per_group = extent // layer.groups
        groups = {per_group * n for n in cut_extents(layer.groups)} | set(cut_extents(per_group))
        every |= {size for size in groups if size == extent or size % step == 0}
        every = {n for n in every if layer_traits.lane_step_allowed(layer, extent, n)}
    return sorted(every, reverse=True)


def _chunks(tiles: LayerTiles) -> list[int]:
    """Extents of chunks of the summed axis worth trying."""
    axes = tiles.moves.chunk_axes
    if not axes:
        return []
    depth = _depth(tiles)
    boxes = tiles.moves.boxes[0]
    quantum = 1 if boxes is None else boxes.quantum(axes[0])
    halves = cut_extents(depth, max(1, quantum // 2))  # where rows do not start with bursts
    return sorted({*cut_extents(depth, quantum), *halves} - {depth}, reverse=True)


def _depth(tiles: LayerTiles) -> int:
    depth = required(tiles.moves.shapes[0])[tiles.moves.chunk_axes[0]]
    return depth // tiles.layer.groups if isinstance(tiles.layer, SpatialMacLayer) else depth
