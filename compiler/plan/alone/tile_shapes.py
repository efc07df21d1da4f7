"""Which tilings of a layer are worth a look: a grid, tiles that are summed side by side, groups of pixels.

in:   a layer, and how many tilings may be looked at; of groups of pixels, what the user says
out:  extents per axis and chunks of a grid; tilings of the other kinds

A grid (`tile_sizes`) has extents along every axis of the result, and chunks of the summed one:

    a result of [1, 64, 56, 56]     [[1], [64, 32, …], [56, 28, …], [56, 28, …]], [None, 32, …]

Tiles side by side (`tilings_abreast`) serve a product of a few hundred rows and thousands of columns, of
which neither operand fits: sums of many columns stay on chip, in tiles as wide as weights come.  Rows come
once for all of these tiles, chunk by chunk, the last two chunks tile by tile: every tile is stored as soon as
its last one is added, while the others go on:

    x[197, 768] · w[768, 2304], tiles of 197 x 64, 6 abreast, chunks of 96:
    x[:, 0:96], w[0:96, 0:64], w[0:96, 64:128] … w[0:96, 320:384], x[:, 96:192], …

Groups of pixels (M5, `pixel_tilings`) are chunks of the sum of a fully connected layer, the largest that fit;
output channels come in blocks only where the weights of the least group do not fit for all of them:

    [1, 2304] f32 times [2304, 10], 64 KiB for a group's features in FRAM:  a chunk of all 72 pixels

Loads of a group run while the one before is copied and computes: where they arrive, there is space for both
if the least group allows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from math import lcm, prod

import numpy as np

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.layers.mac import SpatialMacLayer
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.plan.alone.dram_bytes import Floats
from nnc.compiler.plan.alone.tile_table import Bools, TileTable, usable_abreast
from nnc.compiler.plan.alone.tiled_layer import TiledLayer
from nnc.compiler.plan.alone.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.compiler.target.fully_connected import Features
from nnc.compiler.target.pixel_groups import PIXEL_CHANNELS, PixelGroups
from nnc.compiler.tuning import TUNING
from nnc.isa.errors import OptionError
from nnc.isa.integers import ceil_div, round_up

_ANY = np.iinfo(np.int64).max


def cut_extents(extent: int, quantum: int = 1) -> list[int]:
    """Tile extents worth trying along an axis, largest first: about even cuts, down to one element (of very
    long axes, to the finest that leaves 65,536 tiles).

    Args:
        quantum: elements whose multiples are worth trying too.
    """
    far = TUNING.tiles.far_cuts
    cuts = (*TUNING.tiles.cuts, *(far if extent > far[-1] else (extent,)))
    sizes = {ceil_div(extent, cut) for cut in cuts if cut <= extent}
    multiples = {round_up(size, quantum) for size in sizes} if quantum > 1 else set()
    return sorted(sizes | {size for size in multiples if size < extent}, reverse=True)


def tile_sizes(layer: TiledLayer, most: int) -> tuple[list[list[int]], list[int | None]]:
    """Extents of tiles per axis of the result, and of chunks: fewer along those that have most.

    Args:
        most: tilings of all these sizes.

    Raises:
        CapacityError: no share of a core is whole units of the DMA.
    """
    fixed = layer_traits.uncut_axes(layer.layer, layer.shapes)
    free = sorted({*range(len(layer.shape))} - {*fixed}, key=lambda axis: (layer.shape[axis], axis))
    extents = []
    for axis, extent in enumerate(layer.shape):
        sizes = cut_extents(extent, layer.result.quantum(axis)) if axis in free else [extent]
        extents.append(_allowed(layer, axis, sizes))
    if not all(extents):
        raise _unaligned(layer)
    chunks: list[int | None] = [None, *_chunks(layer)]
    few = min(most, TUNING.tiles.few_tilings)
    if layer.chip.transfer_unit > 1:
        most = few  # each is looked at alone
    while len(chunks) * prod(map(len, extents)) > most:
        longest = max(range(len(extents)), key=lambda axis: len(extents[axis]))
        sizes = extents[longest]
        if len(chunks) > len(sizes):
            chunks = _fewer_chunks(layer, chunks)
        else:
            extents[longest] = [*sizes[:-1:2], sizes[-1]]
    for axis in free:
        if layer.shape[axis] > TUNING.tiles.far_cuts[-1]:
            continue
        every = _allowed(layer, axis, range(1, layer.shape[axis] + 1))
        if len(chunks) * len(every) * prod(map(len, (*extents[:axis], *extents[axis + 1 :]))) <= few:
            extents[axis] = every
    if chunks[1:] and layer.depth * prod(map(len, extents)) <= few:
        chunks = [None, *range(layer.depth - 1, 0, -1)]
    return extents, chunks


def _allowed(layer: TiledLayer, axis: int, sizes: Iterable[int]) -> list[int]:
    """Extents of tiles, largest first: inside a group of channels, or whole groups; as the DMA demands."""
    lane, network_layer = layer_traits.lane_axis(layer.layer, len(layer.shape)), layer.layer
    extent, step = layer.shape[axis], layer.quanta[axis]
    every = {min(extent, round_up(size, step)) for size in sizes}
    every = {size for size in every if size == layer.out.shape[axis] or size % step == 0}
    if axis == lane and isinstance(network_layer, SpatialMacLayer) and network_layer.groups > 1:
        per_group = extent // network_layer.groups
        groups = {per_group * n for n in cut_extents(network_layer.groups)} | {*cut_extents(per_group)}
        every |= {size for size in groups if size == extent or size % step == 0}
        every = {n for n in every if layer_traits.lane_step_allowed(network_layer, extent, n)}
    return sorted(every, reverse=True)


def _chunks(layer: TiledLayer) -> list[int]:
    """Extents of chunks of the summed axis worth trying."""
    if layer.chunked is None:
        return []
    quantum, depth = _chunk_quantum(layer), layer.depth
    halves = cut_extents(depth, max(1, quantum // 2))  # where rows do not start with bursts
    return sorted({*cut_extents(depth, quantum), *halves} - {depth}, reverse=True)


def _fewer_chunks(layer: TiledLayer, chunks: list[int | None]) -> list[int | None]:
    """Half of the chunks: those whose rows do not end with bursts go first."""
    quantum = _chunk_quantum(layer)
    even = [chunk for chunk in chunks[:-1] if chunk is None or chunk % quantum == 0]
    return [*(even if len(even) < len(chunks) - 1 else chunks[:-1:2]), chunks[-1]]


def _chunk_quantum(layer: TiledLayer) -> int:
    operand, axis = required(layer.chunked)
    return operand.quantum(axis)


def _unaligned(layer: TiledLayer) -> CapacityError:
    chip = layer.chip
    return CapacityError(
        f"no share of {layer.layer.name} is whole units of {chip.transfer_unit} B",
        where=f"{layer.layer.loc} on chip {chip.name}",
        found=f"dram.align = {chip.dram.align}, dma.align = {chip.dma.align}",
        expected="results that cores store without bytes of each other",
        remedy="--set cores=1, or a smaller dram.align or dma.align",
    )


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
    tilings: dict[Tiling, None] = {}
    for more in (0, 1):
        abreast = np.ceil(grid.counts[lane] / (fewest + more))
        for place, count in grid.promising(loops, abreast):
            tile, chunk = grid.at(place)
            tilings[Tiling(tile, loops, chunk, True, layer.split, abreast=count)] = None
    return [*tilings]


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
        few = dict.fromkeys(int(number) for order in sorts for number in order[: TUNING.abreast.best_of_each])
        return [(int(near[number]), int(counts[number])) for number in few]

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


def pixel_tilings(layer: TiledLayer, features: Features, fc_oram: int | None) -> list[Tiling]:
    """Tilings in groups of pixels, the preferred one first; none if the least group does not fit.

    Groups are as large as fit in the first tiles of the result, all of it or in blocks of channels, for which
    any does; then half as large, and so on.  Last come tiles that leave room for two of all that changes.

    Args:
        features: channels, height and width of what the layer flattens.
        fc_oram: bytes that the features of a picture may take in a group; None: the most that fit.

    Raises:
        OptionError: the bytes hold no group.
        CapacityError: the memories do not hold a group of so many.
    """
    groups = _pixel_groups(layer, features, fc_oram)
    steps = (layer.quanta[0], lcm(layer.quanta[1], PIXEL_CHANNELS))
    sizes = [_pixel_sizes(extent, step) for extent, step in zip(layer.out.shape, steps, strict=True)]
    least = TileTable(layer, sizes, [_chunk_of(groups[0])])
    for ahead in (True, False):
        fits = _holds_groups(least, ahead=ahead)
        if not fits.any():
            continue
        tile, _ = least.at(int(fits.argmax()))
        of_tile = TileTable(layer, [[extent] for extent in tile], [_chunk_of(group) for group in groups])
        most = int(np.flatnonzero(_holds_groups(of_tile, ahead=ahead))[-1]) + 1
        sizes_of = dict.fromkeys(max(1, most >> halvings) for halvings in range(TUNING.tiles.pixel_halvings))
        chosen = [(tile, groups[size - 1]) for size in sizes_of]
        roomy = _fits(least, least.demand(double=True))
        if fc_oram is None and roomy.any():
            chosen.append((least.at(int(roomy.argmax()))[0], groups[0]))
        return [Tiling(of, (0, 1), _chunk_of(each), True, pixels=each) for of, each in dict.fromkeys(chosen)]
    if fc_oram is None:
        return []
    raise CapacityError(
        f"--fc-oram: features, weights and sums of a group of {groups[0].each} pixels do not fit the "
        "memories",
        where=f"{layer.layer.loc} on chip {layer.chip.name}",
        found=f"--fc-oram {fc_oram}",
        remedy="give fewer bytes, or leave the option out for the most that fit",
    )


def _pixel_groups(layer: TiledLayer, features: Features, fc_oram: int | None) -> list[PixelGroups]:
    """The groups whose features take so many bytes; of all sizes, the least first, if none are said.

    Raises:
        OptionError: the bytes hold no group.
    """
    (channels, height, width), unit = features, layer.chip.transfer_unit
    bits = 8 * required(layer.operands[0]).type.dtype.itemsize
    of_bytes = partial(PixelGroups.of, channels, height, width, bits=bits, unit=unit)
    if fc_oram is None:
        least = of_bytes(feature_bytes=lcm(unit, PIXEL_CHANNELS * bits // 8))
        steps = range(1, ceil_div(least.pixels, least.quantum) + 1)
        return [of_bytes(feature_bytes=step * least.quantum * least.pixel) for step in steps]
    try:
        return [of_bytes(feature_bytes=fc_oram)]
    except ValueError as error:
        raise OptionError(
            f"--fc-oram: {error}",
            where=f"{layer.layer.loc} on chip {layer.chip.name}",
            found=str(fc_oram),
            remedy="leave --fc-oram out, or give more bytes",
        ) from error


def _chunk_of(groups: PixelGroups) -> int | None:
    """Summed elements of a group; None if there is one."""
    return groups.each * PIXEL_CHANNELS if groups.count > 1 else None


def _holds_groups(table: TileTable, *, ahead: bool) -> Bools:
    """Where the memories hold a group, and, if it is loaded ahead, its successor where that arrives."""
    demand = table.demand(double=False)
    for columns in table.operands:
        landing = columns.operand.homes[-1]
        if ahead and len(columns.operand.homes) > 1:
            align = table.layer.chip.block_align(landing)
            demand[landing] = demand[landing] + columns.changes * (-(-columns.on_chip // align) * align)
    return _fits(table, demand)


def _fits(table: TileTable, demand: Mapping[str, Ints]) -> Bools:
    """The rows, flattened, whose demand the memories meet."""
    memory = table.layer.chip.memory
    every = [np.broadcast_to(need <= memory[name].bytes, table.shape) for name, need in demand.items()]
    return np.asarray(np.logical_and.reduce(every)).ravel()


def _pixel_sizes(extent: int, step: int) -> list[int]:
    """Extents of about even cuts in multiples of a step, the whole first."""
    cut = {round_up(ceil_div(extent, count), step) for count in TUNING.tiles.pixel_cuts}
    return [extent, *sorted((size for size in cut if size < extent), reverse=True)]
