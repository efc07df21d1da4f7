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
from dataclasses import dataclass
from itertools import islice, permutations
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.errors import CapacityError
from nnc.compiler.plan.effort import EFFORTS, Effort
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.tiling.box_bytes import Floats
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.layer_moves import LayerMoves
from nnc.compiler.plan.tiling.tile_cycles import work_of
from nnc.compiler.plan.tiling.tile_extents import LayerTiles, grid_extents
from nnc.compiler.plan.tiling.tile_grid import TileGrid
from nnc.compiler.plan.tiling.tile_price import (
    Candidate,
    at_once,
    by_cycles,
    pieces_of,
    price,
    traffic_of,
)
from nnc.compiler.plan.tiling.tiles_abreast import tilings_abreast
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)


Bools = npt.NDArray[np.bool_]


def candidates(moves: LayerMoves, split: CoreSplit | None = None) -> list[Candidate]:
    """Tilings of a layer on its chip, best first (see `TileSearch`)."""
    return TileSearch(moves, split).candidates(moves.chip, TUNING.tiles.percent_slower)


class TileSearch:
    """Tilings of a layer, or of a core's share, if cores share it; what is found serves memories of any size.

    Something is found if any tiling fits.  The leanest candidate moves at most 5 % more bytes than the
    leanest tiling of all: so brute force finds for small layers (tests of this module).
    """

    def __init__(
        self, moves: LayerMoves, split: CoreSplit | None = None, effort: Effort = EFFORTS["O2"]
    ) -> None:
        """Args:
        effort: how many tilings are tried.
        """
        self._tiles, self._effort = LayerTiles(moves, split), effort
        self._priced: dict[tuple[int, ...], list[Candidate]] = {}

    def candidates(self, chip: Chip, percent: float) -> list[Candidate]:
        """Tilings that fit the memories, best first.

        Args:
            chip: that of the layer, or one that differs from it in the sizes of its memories.
            percent: slower than the fastest that a tiling with less traffic may be to come before it.

        Raises:
            CapacityError: even the finest cut does not fit; tells demand, bound, gap and levers.
        """
        sizes = tuple(memory.bytes for memory in chip.memory.values())
        if sizes not in self._priced:
            self._priced[sizes] = self._find(chip)
        ranked = by_cycles(self._priced[sizes], percent)
        _log.debug("%s: best %s", self._tiles.layer.name, ranked[0])
        return ranked

    def _find(self, chip: Chip) -> list[Candidate]:
        tiles = self._tiles.on(chip)
        grid = TileGrid(tiles, *grid_extents(tiles, self._effort.tilings))
        fits = _Fits.of(grid, chip)
        if not fits.single.any():
            raise _too_small(tiles, grid, fits)
        promising = _few_promising if self._effort.few_priced else _promising
        found = [price(tiles, tiling) for tiling in promising(grid, fits)]
        if not self._effort.few_priced and _moves_more(tiles, found):
            found += [price(tiles, tiling) for tiling in tilings_abreast(tiles, self._effort.tilings)]
        _log.debug("%s: %d of %d tilings fit", tiles.layer.name, fits.single.sum(), fits.single.size)
        return found


def _moves_more(tiles: LayerTiles, found: list[Candidate]) -> bool:
    """Whether the leanest of those near the fastest moves much more than every operand once."""
    tuning = TUNING.tiles
    once, _ = at_once(tiles)
    limit = min(mine.cycles for mine in found) * tuning.near_fastest
    return min(mine.dram_bytes for mine in found if mine.cycles <= limit) > tuning.much_more_traffic * once


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
    tuning = TUNING.tiles
    orders, size, tiles = _orders(grid), fits.single.size, grid.tiles
    double = np.tile(fits.double.ravel(), len(orders))
    moved = [np.where(fits.single, grid.dram_bytes(loops), np.inf).ravel() for loops in orders]
    nbytes = np.concatenate(moved)
    everywhere = np.tile(np.arange(size), len(orders))
    as_fast_as_whole = work_of(tiles, tiles.shape, None) + tiles.chip.compute.issue * grid.all_steps().ravel()
    rough = _rough_cycles(grid, everywhere, nbytes, double, as_fast_as_whole[everywhere])
    worked = _smallest(rough, nbytes, tuning.worked)
    exact = _exact_cycles(grid, worked % size, nbytes[worked], double[worked], rough[worked])
    worked = worked[: len(exact)]
    near = exact <= exact.min() * tuning.near_fastest
    few, steps = worked[near], grid.all_steps().ravel()[worked[near] % size]
    places = [
        *worked[np.lexsort((nbytes[worked], exact))[: tuning.best_of_each]],
        *few[np.lexsort((exact[near], nbytes[few], steps))[: tuning.best_of_each]],
        *few[np.lexsort((steps, nbytes[few] + tuning.bytes_per_tile * steps))[: tuning.best_of_each]],
        *_leanest(grid, orders, nbytes, rough),
        _smallest(np.where(np.isfinite(rough), grid.all_steps().ravel()[everywhere], np.inf), rough, 1)[0],
        fits.excess.argmin(),
    ]
    found: dict[Tiling, None] = {}
    for place in places:
        order, index = divmod(int(place), size)
        found[grid.tiling(index, orders[order], double=bool(double[place]))] = None
    return [*found]


def _exact_cycles(
    grid: TileGrid, places: npt.NDArray[np.int64], nbytes: Floats, double: Bools, rough: Floats
) -> Floats:
    """Cycles with the work of tiles as it is, of the first places: those behind are best in nothing.

    Args:
        rough: cycles as if tiles worked as fast as the whole, ascending: hardly ever more than exact.
    """
    tuning = TUNING.tiles
    exact = np.zeros(0)
    for first in range(0, len(places), tuning.worked_at_once):
        last = tuning.best_of_each - 1
        if first and rough[first] > max(exact.min() * tuning.near_fastest, np.partition(exact, last)[last]):
            break
        some = slice(first, first + tuning.worked_at_once)
        shapes = [grid.at(int(place)) for place in places[some]]
        work = np.array([work_of(grid.tiles, *shape) for shape in shapes])
        exact = np.append(exact, _rough_cycles(grid, places[some], nbytes[some], double[some], work))
    return exact


def _few_promising(grid: TileGrid, fits: _Fits) -> list[Tiling]:
    """A tiling in few tiles that seems about as fast as any, and the one that fits best."""
    orders, size, tiles = _orders(grid)[: TUNING.tiles.few_orders], fits.single.size, grid.tiles
    double = np.tile(fits.double.ravel(), len(orders))
    moved = [np.where(fits.single, grid.dram_bytes(loops), np.inf).ravel() for loops in orders]
    steps = np.tile(grid.all_steps().ravel(), len(orders))
    work = work_of(tiles, tiles.shape, None) + tiles.chip.compute.issue * steps
    everywhere = np.tile(np.arange(size), len(orders))
    rough = _rough_cycles(grid, everywhere, np.concatenate(moved), double, work)
    found = [int((rough + TUNING.tiles.cycles_per_tile * steps).argmin()), int(fits.excess.argmin())]
    places = [divmod(place, size) for place in dict.fromkeys(found)]
    return [grid.tiling(at, orders[order], double=bool(double[order * size + at])) for order, at in places]


def _leanest(
    grid: TileGrid, orders: list[tuple[int, ...]], nbytes: Floats, rough: Floats
) -> npt.NDArray[np.int64]:
    """Places of the tilings that move least, to the byte: averages are far off where there are few bursts."""
    tuning = TUNING.tiles
    near = _smallest(nbytes, rough, tuning.leanest)
    near = near[nbytes[near] <= tuning.lean_ratio * nbytes[near[0]]]
    places = [divmod(int(place), prod(grid.shape)) for place in near]
    tilings = [grid.tiling(index, orders[order], double=False) for order, index in places]
    exact = np.array([traffic_of(grid.tiles, tiling, pieces_of(grid.tiles, tiling)) for tiling in tilings])
    return np.asarray(near[np.lexsort((rough[near], exact))[: tuning.best_of_each]])


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
        for order in islice(permutations(cut), TUNING.tiles.max_orders)
    ]


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
