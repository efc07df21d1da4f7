"""How to cut one layer so that its tiles fit the memories: the search over tile shapes and loop orders.

In: a layer on a chip, and how cores share it.  Out: priced tilings that fit, best first:

    best, *others = LayerSearch(TiledLayer(graph, layer, chip), EFFORTS["O2"]).candidates(None, chip, 2.0)
    best.tiling.tile, best.tiling.loops, best.dram_bytes      (1, 16, 14, 56), (0, 2, 3, 1), 1204224

A table of about even cuts of every axis, and of chunks of the summed one, is priced at once (`tile_table`).
It does not depend on the sizes of the memories: with more memory, no tiling is lost.  The most promising few
are priced one by one, those with most promise to the byte and with their pipeline scheduled.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from functools import cached_property
from itertools import islice, permutations
from math import inf, prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.core_split import CoreSplit, core_splits
from nnc.compiler.plan.alone.dram_bytes import Floats
from nnc.compiler.plan.alone.layer_alone import Candidate, by_cycles
from nnc.compiler.plan.alone.tile_shapes import tile_sizes, tilings_abreast
from nnc.compiler.plan.alone.tile_table import PricedTiling, TileTable, at_once, candidates
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.effort import Effort
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip

_log = logging.getLogger(__name__)
Places = npt.NDArray[np.int64]


class LayerSearch:
    """Core splits and tilings of layers of one structure, for all objectives and sizes of memories.

    Something is found if any tiling fits.  The leanest candidate moves at most 5 % more bytes than the
    leanest tiling of all: so brute force finds for small layers (tests of this module).
    """

    def __init__(self, layer: TiledLayer, effort: Effort) -> None:
        """Args:
        effort: how many tilings are tried.
        """
        self.layer, self._effort = layer, effort
        self._once: dict[CoreSplit | None, tuple[int, int]] = {}

    @property
    def least_shared(self) -> float:
        """Least cycles of the layer if cores share it, a share at once; infinite if they cannot."""
        return self.least(self.splits[0])[1] if self.splits else inf

    @cached_property
    def splits(self) -> list[CoreSplit]:
        """The splits with the fewest estimated cycles of their largest share; of those alike, the first."""
        different: dict[Hashable, CoreSplit] = {}
        for split in core_splits(self.layer.graph, self.layer.layer, self.layer.chip):
            different.setdefault(self._likeness(split), split)
        return sorted(different.values(), key=lambda split: self.least(split)[1])[: self._effort.splits]

    def _likeness(self, split: CoreSplit) -> Hashable:
        """Equal for splits whose tilings cost the same: rows or columns of squares, the same cuts in turn."""
        shape, axes = split.largest_share(self.layer.out.shape), [of.axes for of in self.layer.operands if of]
        moved = [tuple(slot for slot, of in enumerate(axes) if axis in of) for axis in range(len(shape))]
        return self.least(split), *sorted(zip(shape, moved, strict=True))

    def least(self, split: CoreSplit | None) -> tuple[int, int]:
        """DRAM bytes and cycles of a share that is computed at once, its work beside its transfers."""
        dram_bytes, work = self._at_once(split)
        return dram_bytes, max(work, dram_bytes // self.layer.chip.dram.bytes_per_cycle)

    def _at_once(self, split: CoreSplit | None) -> tuple[int, int]:
        if split not in self._once:
            self._once[split] = at_once(self.layer.shared(split))
        return self._once[split]

    def candidates(self, split: CoreSplit | None, chip: Chip, percent: float) -> list[Candidate]:
        """Tilings that fit the memories, best first.

        Args:
            split: how cores share the layer; None: one core.
            chip: that of the layer, or one that differs from it in the sizes of its memories.
            percent: slower than the fastest that a tiling with less traffic may be to come before it.

        Raises:
            CapacityError: even the finest cut does not fit; tells demand, bound, gap and levers.
        """
        ranked = by_cycles(self._find(split, chip), percent)
        _log.debug("%s: best %s", self.layer.layer.name, ranked[0])
        return ranked

    def _find(self, split: CoreSplit | None, chip: Chip) -> list[Candidate]:
        shared, tuning, (once, work) = self.layer.shared(split), TUNING.tiles, self._at_once(split)
        table = TileTable(shared, *tile_sizes(shared, self._effort.tilings))
        orders = _orders(table)[: tuning.few_orders if self._effort.few_priced else None]
        rows = _Rows(table, chip, orders, work)
        _log.debug("%s: %d of %d tilings fit", self.layer.layer.name, rows.fits.sum(), rows.fits.size)
        if self._effort.few_priced:
            return [tiling.candidate(chip) for tiling in rows.few_promising()]
        priced = [tiling.candidate(chip) for tiling in rows.promising()]
        limit = min(candidate.cycles for candidate in priced) * tuning.near_fastest
        leanest = min(candidate.dram_bytes for candidate in priced if candidate.cycles <= limit)
        if leanest > tuning.much_more_traffic * once:
            layer = table.layer.on(chip)
            priced += candidates(layer, tilings_abreast(layer, self._effort.tilings))
        return priced


class _Rows:
    """The rows of a table in several orders of the loops, flattened, and what ranks them.

    Attributes:
        fits: by row, whether it fits with one buffer for everything; finest: the row that fits best.
        nbytes: DRAM bytes, infinite of what does not fit; steps: computations.
        cycles: about, as if tiles worked as fast as the whole: hardly ever more.
    """

    def __init__(self, table: TileTable, chip: Chip, orders: list[tuple[int, ...]], work: int) -> None:
        """Args:
        work: cycles of the layer as one tile.

        Raises:
            CapacityError: no row fits.
        """
        self.table, self._orders, allowed = table, orders, table.allowed()
        # Bytes by which the worst memory is exceeded with one buffer, or two; free ones are negative.
        excess, twice = (
            np.maximum.reduce([need - chip.memory[name].bytes for name, need in demand.items()])
            for demand in (table.demand(double=False), table.demand(double=True))
        )
        self.fits = (excess <= 0) & allowed
        self.finest = int(np.where(allowed, excess, np.iinfo(np.int64).max).argmin())
        if not self.fits.any():
            raise _too_small(table, self.finest, chip)
        moved = [np.where(self.fits, table.dram_bytes(loops), np.inf).ravel() for loops in orders]
        self.nbytes = np.concatenate(moved)
        self._double = np.tile(((twice <= 0) & allowed).ravel(), len(orders))
        self.steps = np.tile(table.steps.ravel(), len(orders))
        self._edges = np.tile(table.edge_bytes().ravel(), len(orders))
        issue = table.layer.chip.compute.issue * self.steps
        self.cycles = self._cycles(np.arange(len(self.nbytes)), work + issue)

    def priced(self, place: int) -> PricedTiling:
        """A row with two buffers if they fit."""
        order, row = divmod(int(place), prod(self.table.shape))
        tiling = self.table.tiling(row, self._orders[order], double=bool(self._double[place]))
        return PricedTiling(self.table, tiling, row)

    def _cycles(self, places: Places, work: Floats) -> Floats:
        """About the cycles of some rows: work and transfers side by side with two buffers, or in turn.

        Args:
            work: cycles of all computations of each.
        """
        rate, latency = self.table.layer.chip.dram.bytes_per_cycle, self.table.layer.chip.dram.latency
        dram, steps = self.nbytes[places] / rate, self.steps[places]
        beside = np.maximum(dram + latency, work + self._edges[places] / rate + 2 * latency)
        return np.where(self._double[places], beside, work + dram + steps * latency)

    def worked(self) -> tuple[Places, Floats]:
        """The fastest, and their cycles with the work of tiles as it is; the others are best in nothing."""
        tuning = TUNING.tiles
        places, exact = _smallest(self.cycles, self.nbytes, tuning.worked), np.zeros(0)
        work: dict[int, int] = {}  # of rows, which orders of the loops share
        for first in range(0, len(places), tuning.worked_at_once):
            last = tuning.best_of_each - 1
            limit = first and max(exact.min() * tuning.near_fastest, np.partition(exact, last)[last])
            if first and self.cycles[places[first]] > limit:
                break
            some = places[first : first + tuning.worked_at_once]
            rows = (some % prod(self.table.shape)).tolist()
            work.update({row: self.table.work(row) for row in {*rows} - {*work}})
            exact = np.append(exact, self._cycles(some, np.array([work[row] for row in rows])))
        return places[: len(exact)], exact

    def leanest(self) -> Places:
        """Those that move least, to the byte: averages are far off where there are few bursts."""
        tuning = TUNING.tiles
        near = _smallest(self.nbytes, self.cycles, tuning.leanest)
        near = near[self.nbytes[near] <= tuning.lean_ratio * self.nbytes[near[0]]]
        exact = np.array([self.priced(place).dram_bytes for place in near])
        return np.asarray(near[np.lexsort((self.cycles[near], exact))[: tuning.best_of_each]])

    def promising(self) -> list[PricedTiling]:
        """The tilings that may be best: fastest, near them with fewest tiles or bytes; leanest, and so on."""
        tuning, (worked, exact) = TUNING.tiles, self.worked()
        near = exact <= exact.min() * tuning.near_fastest
        few, steps, nbytes = worked[near], self.steps[worked[near]], self.nbytes[worked[near]]
        places = [
            *worked[np.lexsort((self.nbytes[worked], exact))[: tuning.best_of_each]],
            *few[np.lexsort((exact[near], nbytes, steps))[: tuning.best_of_each]],
            *few[np.lexsort((steps, nbytes + tuning.bytes_per_tile * steps))[: tuning.best_of_each]],
            *self.leanest(),
            _smallest(np.where(np.isfinite(self.cycles), self.steps, np.inf), self.cycles, 1)[0],
            self.finest,
        ]
        return [*map(self.priced, dict.fromkeys(map(int, places)))]

    def few_promising(self) -> list[PricedTiling]:
        """A tiling in few tiles that seems about as fast as any, and the one that fits best."""
        best = int((self.cycles + TUNING.tiles.cycles_per_tile * self.steps).argmin())
        return [*map(self.priced, dict.fromkeys((best, self.finest)))]


def _smallest(first: Floats, second: Floats, count: int) -> Places:
    """Places of the smallest finite values, the second deciding between equal ones."""
    few = np.flatnonzero(first <= np.partition(first, min(count, len(first) - 1))[min(count, len(first) - 1)])
    few = few[np.isfinite(first[few])]
    return few[np.lexsort((few, second[few], first[few]))[:count]]


def _orders(table: TileTable) -> list[tuple[int, ...]]:
    """Loop orders worth trying: axes that move the same operands stay together, in storage order.

    Those that move all operands are outermost, for nothing is loaded again along them.  Where neighbours need
    the very same piece, any axis may be best innermost.
    """
    layer = table.layer
    slots = [slot for slot, operand in enumerate(layer.operands) if operand is not None]
    alike: dict[tuple[int, ...], list[int]] = {}
    for axis in layer.result.order:
        moved = tuple(slot for slot in slots if axis in required(layer.operands[slot]).axes)
        alike.setdefault(moved, []).append(axis)
    outer = alike.pop(tuple(slots), [])
    cut = [axes for axes in alike.values() if any(layer.shape[axis] > 1 for axis in axes)]
    rest = [axis for axis in range(len(layer.shape)) if not any(axis in axes for axes in (outer, *cut))]
    if any((apart < 1).any() for operand in table.operands for apart in operand.apart):
        cut = [[axis] for axes in (outer, *cut) for axis in axes]
        outer = []
    return [
        (*rest, *outer, *(axis for axes in order for axis in axes))
        for order in islice(permutations(cut), TUNING.tiles.max_orders)
    ]


def _too_small(table: TileTable, row: int, chip: Chip) -> CapacityError:
    layer, (tile, chunk) = table.layer.layer, table.at(row)
    demand = table.demand(double=False, place=table.place(row))
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
