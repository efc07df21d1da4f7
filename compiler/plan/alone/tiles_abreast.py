"""Tilings whose tiles are summed side by side: what they share of a chunk is loaded once for all of them.

A product of a few hundred rows and thousands of columns, of which neither operand fits: sums of many columns
stay on chip, in tiles as wide as weights come.  The rows come once for all of these tiles, chunk by chunk,
the last two chunks tile by tile: every tile is stored as soon as its last one is added, while the others go
on:

    x[197, 768] · w[768, 2304], tiles of 197 x 64, 6 abreast, chunks of 96:
    x[:, 0:96], w[0:96, 0:64], w[0:96, 64:128] … w[0:96, 320:384], x[:, 96:192], …

In: the extents of a layer's tiles (`TiledLayer`).  Out: the tilings of this kind that may be best.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from nnc.compiler.plan.alone.dram_bytes import Floats, Ints
from nnc.compiler.plan.alone.tile_price import usable_abreast
from nnc.compiler.plan.alone.tile_sizes import tile_sizes
from nnc.compiler.plan.alone.tile_table import TileTable
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div

_ANY = np.iinfo(np.int64).max


def tilings_abreast(layer: TiledLayer, most: int) -> list[Tiling]:
    """The tilings with tiles abreast that may be best; none where nothing can be shared.

    Args:
        most: tilings that are looked at.
    """
    lane = layer_traits.lane_axis(layer.layer, len(layer.shape))
    if lane is None or (layer.split is not None and not layer.chip.dma.broadcast):
        return []
    extents, chunks = tile_sizes(layer, most)
    channels = [n for n in TUNING.abreast.channels if n % layer.quanta[lane] == 0]
    extents[lane] = _even(layer.shape[lane], channels)
    if not chunks[1:] or not extents[lane]:
        return []
    grid = _Grid(layer, extents, [None, *(_even(layer.depth, TUNING.abreast.depths) or chunks[1:])])
    loops = (*(axis for axis in range(len(layer.shape)) if axis != lane), lane)
    fewest = np.ceil(grid.counts[lane] / np.maximum(1, grid.most_abreast))
    found: dict[Tiling, None] = {}
    for more in (0, 1):
        abreast = np.ceil(grid.counts[lane] / (fewest + more))
        for place, count in grid.promising(loops, abreast):
            tile, chunk = grid.at(place)
            found[Tiling(tile, loops, chunk, True, layer.split, abreast=count)] = None
    return [*found]


def _even(extent: int, sizes: Sequence[int]) -> list[int]:
    """The sizes that cut an extent about evenly, largest first."""
    most = TUNING.abreast.max_waste * extent
    return [n for n in reversed(sizes) if n < extent and ceil_div(extent, n) * n <= most]


class _Grid(TileTable):
    """Tilings with two buffers of what is loaded, and how many tiles abreast fit."""

    @cached_property
    def _free(self) -> list[tuple[Ints, Ints]]:
        """Per memory: bytes that are free beside two tiles abreast, and what each further one takes."""
        two, three = (self.demand(double=True, abreast=count) for count in (2, 3))
        sizes = {name: usable_abreast(memory.bytes) for name, memory in self.layer.chip.memory.items()}
        return [(sizes[memory] - need, three[memory] - need) for memory, need in two.items()]

    @cached_property
    def most_abreast(self) -> Ints:
        """How many tiles side by side fit; 0: not even two."""
        most = np.full(self.shape, _ANY)
        for free, each in self._free:
            more = np.where(each > 0, free // np.maximum(1, each), _ANY)
            most = np.minimum(most, np.where(free < 0, 0, 2 + more))
        return most

    def promising(self, loops: tuple[int, ...], abreast: Floats) -> list[tuple[int, int]]:
        """Places of the leanest and the fastest of those that fill the array, and how many tiles abreast."""
        chunked = np.arange(len(self.chunks)) > 0
        fits = chunked & (abreast > 1) & (abreast <= self.most_abreast) & self.allowed()
        flat = np.where(fits, self.dram_bytes(loops, abreast), np.inf).ravel()
        if not np.isfinite(flat).any():
            return []
        cost = flat + TUNING.tiles.bytes_per_tile * self.steps.ravel()
        near = np.argsort(cost, kind="stable")[: TUNING.abreast.worked]
        near = near[flat[near] <= TUNING.tiles.lean_ratio * flat.min()]
        work = np.array([self.work(int(place)) for place in near])
        is_filled = work <= TUNING.abreast.max_work * work.min()
        near, work = near[is_filled], work[is_filled]
        counts = np.broadcast_to(abreast, self.shape).ravel()[near]
        cycles = self._rough_cycles(near, work, flat[near], counts)
        sorts = (np.lexsort((cycles, flat[near])), np.argsort(cycles), np.argsort(cost[near]))
        few = dict.fromkeys(int(at) for order in sorts for at in order[: TUNING.abreast.best_of_each])
        return [(int(near[at]), int(counts[at])) for at in few]

    def _rough_cycles(self, places: Ints, work: Ints, nbytes: Floats, abreast: Floats) -> Floats:
        """About the cycles of some tilings: work, and what stores take longer than the last two chunks.

        Loads come meanwhile, but for what found space before.
        """
        rate, steps = self.layer.chip.dram.bytes_per_cycle, self.steps.ravel()[places]
        runs = np.broadcast_to(self.parts, self.shape).ravel()[places] / abreast
        stored = np.broadcast_to(self.result.once, self.shape).ravel()[places]
        free, each = self._free[0]
        spare = free.ravel()[places] - (abreast - 2) * each.ravel()[places]
        loaded = 2 * (nbytes - stored) / steps * abreast
        late = (stored / runs + loaded - spare) / rate - 2 * work / steps * abreast
        return np.maximum(nbytes / rate, work + runs * np.maximum(0, late))
