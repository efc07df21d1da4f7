"""How to cut one layer so that its tiles fit the memories: the search over tile shapes and loop orders.

In: a layer, a chip, and how cores share the layer.  Out: priced tilings that fit, best first (`candidates`):

    best, *others = candidates(graph, layer, chip)
    best.tiling.tile, best.tiling.loops, best.dram_bytes      (1, 16, 14, 56), (0, 2, 3, 1), 1204224

Tiles are tried in families, the simplest first (`_families`), about even cuts of every axis (`cut_extents`),
up to a bound on their number.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer, SpatialMacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.tile_extents import LayerTiles
from nnc.compiler.plan.tiling.tile_price import Candidate, demand_of, pieces_of, price, with_exact_work
from nnc.compiler.plan.tiling.tiling import Tiling
from nnc.compiler.target import layer_traits
from nnc.compiler.target.cuts import obeys
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up

_log = logging.getLogger(__name__)

_CUTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
_MOST_CANDIDATES = 20000
_LEAN = 1.5
"""Traffic of a tiling beside that of every byte once, up to which no further family of tilings is tried."""
_PRICED_EXACTLY = 32
_LEAST_LANES_OF_CHUNKS = 8
"""Fewer output channels at a time are tried only where nothing else fits."""
_MOST_ROWS_OF_A_STRIP = 16


def cut_extents(extent: int, quantum: int = 1) -> list[int]:
    """Tile extents worth trying along an axis, largest first: about even cuts, down to one element.

    Args:
        quantum: of how many elements they are multiples, but for the whole axis.
    """
    sizes = {ceil_div(extent, cut) for cut in _CUTS if cut <= extent} | {1}
    return sorted({min(extent, round_up(size, quantum)) for size in sizes}, reverse=True)


def candidates(graph: Graph, layer: Layer, chip: Chip, split: CoreSplit | None = None) -> list[Candidate]:
    """Tilings that fit the memories, best first; of a core's share, if cores share the layer.

    Something is found if any tiling fits.  The leanest candidate moves at most 1.5 times the bytes of the
    leanest tiling of all where the memory holds a quarter of what the layer touches, or more, and 4 times
    where it holds a sixteenth: so brute force finds for small layers (tests of this module).

    Raises:
        CapacityError: even the finest cut does not fit; tells demand, bound, gap and levers.
    """
    tiles = LayerTiles(graph, layer, chip, split)
    fitting: list[Candidate] = []
    nearest: tuple[int, str, int, Tiling] | None = None  # that exceeds a memory by the fewest bytes
    for family in _families(tiles):
        if fitting and family.is_last_resort:
            break
        for tiling in islice(family.tilings, _MOST_CANDIDATES):
            if not obeys(tiles.out.shape, tiles.quanta, tiling.tile):
                continue
            pieces = pieces_of(tiles, tiling)
            for double in (True, False):
                demand = demand_of(tiles, tiling, pieces, double=double)
                gap, memory = _gap(chip, demand)
                if gap <= 0:
                    fitting.append(price(tiles, replace(tiling, double_buffer=double), pieces, demand))
                    break
                if nearest is None or gap < nearest[0]:
                    nearest = (gap, memory, demand[memory], tiling)
        if _are_good(tiles, fitting):
            break
    if not fitting and nearest is None:
        raise _unaligned(layer, chip)
    if not fitting:
        raise _too_small(layer, chip, *required(nearest)[1:])
    ranked = _ranked(tiles, fitting)
    _log.debug("%s: %d tilings fit, best %s", layer.name, len(ranked), ranked[0])
    return ranked


def _are_good(tiles: LayerTiles, fitting: list[Candidate]) -> bool:
    """Whether finer cuts would gain little: every byte moves about once, and cores that share do not wait."""
    once = tiles.out.nbytes + sum(operand.nbytes for operand in tiles.operands if operand is not None)
    if not any(candidate.dram_bytes <= _LEAN * once for candidate in fitting):
        return False
    return tiles.split is None or min(fitting, key=lambda c: c.cycles).tiling.double_buffer


def _ranked(tiles: LayerTiles, fitting: list[Candidate]) -> list[Candidate]:
    """The tilings, best first; the best ones by the cycles of each of their tiles."""

    def ranked(found: list[Candidate]) -> list[Candidate]:
        best = min(candidate.cycles for candidate in found)
        return sorted(found, key=lambda candidate: candidate.rank(best))

    rough = ranked(fitting)
    exact = [with_exact_work(tiles, candidate) for candidate in rough[:_PRICED_EXACTLY]]
    return ranked(exact) + rough[_PRICED_EXACTLY:]


def _gap(chip: Chip, demand: dict[str, int]) -> tuple[int, str]:
    """By how many bytes the worst memory is exceeded (negative: free), and its name."""
    return max((need - chip.memory[name].bytes, name) for name, need in demand.items())


def _unaligned(layer: Layer, chip: Chip) -> CapacityError:
    return CapacityError(
        f"no share of {layer.name} is whole units of {chip.transfer_unit} B",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"dram.align = {chip.dram.align}, dma.align = {chip.dma.align}",
        expected="results that cores store without bytes of each other",
        remedy="--set cores=1, or a smaller dram.align or dma.align",
    )


def _too_small(layer: Layer, chip: Chip, memory: str, need: int, tiling: Tiling) -> CapacityError:
    chunk = "" if tiling.chunk is None else f" and chunks of {tiling.chunk} summed elements"
    what = f"{layer.name} at tiles of {list(tiling.tile)}{chunk}"
    failed = Infeasible(what, need, chip.memory[memory].bytes)
    return CapacityError(
        f"{memory} {failed.bound} B < {failed.demand} B needed by {failed.what}",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"{failed.bound} B, {failed.demand - failed.bound} B too few",
        expected=f"at least {need} B for the finest cut that nnc knows for a {layer.kind}",
        remedy=f"raise memory.{memory}.bytes to {need} (--set memory.{memory}.bytes={need}), "
        "or use a smaller element type or input",
    )


def _orders(tiles: LayerTiles, tile: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Loop orders worth trying: storage order with the lane axis innermost, then outermost."""
    lane = layer_traits.lane_axis(tiles.layer, len(tile))
    rest = tuple(axis for axis in tiles.order if axis != lane)
    if lane is None:
        yield rest
        return
    yield (*rest, lane)
    cut = [axis for axis, extent in enumerate(tiles.shape) if tile[axis] < extent]
    if lane in cut and len(cut) > 1:
        yield (lane, *rest)


def _lane_tiles(tiles: LayerTiles) -> list[int | None]:
    """Extents of tiles along the lanes: halves of halves, and whole channel groups."""
    lane = layer_traits.lane_axis(tiles.layer, len(tiles.shape))
    if lane is None:
        return [None]
    extent = tiles.shape[lane]
    quantum = tiles.quanta[lane]
    sizes = {min(extent, round_up(ceil_div(extent, 2**k), quantum)) for k in range(extent.bit_length() + 1)}
    if isinstance(tiles.layer, SpatialMacLayer) and tiles.layer.groups > 1:
        per_group = extent // tiles.layer.groups
        sizes |= {per_group * n for n in cut_extents(tiles.layer.groups)} | set(cut_extents(per_group))
    return [
        *sorted((s for s in sizes if layer_traits.lane_step_allowed(tiles.layer, extent, s)), reverse=True)
    ]


def _nested_tiles(tiles: LayerTiles) -> Iterator[Iterator[tuple[int, ...]]]:
    """Tiles that are contiguous in storage order, one stage per axis that is cut, outermost axis first."""
    shape = tiles.shape
    tile = list(shape)
    yield iter([shape])
    for axis in _free_axes(tiles):
        extents = cut_extents(shape[axis], tiles.quanta[axis])
        yield iter([(*tile[:axis], extent, *tile[axis + 1 :]) for extent in extents[1:]])
        tile[axis] = extents[-1]


def _free_axes(tiles: LayerTiles) -> list[int]:
    """Axes that may be cut, in storage order, without the one along the lanes."""
    shape = tiles.shape
    fixed = {
        *layer_traits.uncut_axes(tiles.layer, tiles.shapes),
        layer_traits.lane_axis(tiles.layer, len(shape)),
    }
    return [axis for axis in tiles.order if axis not in fixed and shape[axis] > 1]


def _with_lanes(
    tiles: LayerTiles, shapes: Iterator[tuple[int, ...]], chunks: Sequence[int | None], least: int = 1
) -> Iterator[Tiling]:
    """Tilings of some shapes in rows and columns, with `least` or more lanes at a time."""
    lane = layer_traits.lane_axis(tiles.layer, len(tiles.out.shape))
    for shape in shapes:
        for lanes in _lane_tiles(tiles):
            if lanes is not None and lanes < min(least, tiles.shape[lane or 0]):
                continue
            tile = shape
            if lane is not None and lanes is not None:
                tile = (*shape[:lane], lanes, *shape[lane + 1 :])
            for chunk in chunks:
                if chunk is not None and not layer_traits.may_chunk(
                    tiles.layer, tiles.out.shape[lane or 0], lanes or 0
                ):
                    continue
                for loops in _orders(tiles, tile):
                    yield Tiling(tile, loops, chunk, True, "", tiles.split)


@dataclass(frozen=True, slots=True)
class _Family:
    """Tilings of one kind; those of a last resort are not tried if any other fits."""

    tilings: Iterator[Tiling]
    is_last_resort: bool = False


def _families(tiles: LayerTiles) -> Iterator[_Family]:
    """Families of tilings, the simplest first; a later one is tried only if no earlier one is good.

    Rows (nested axes, one after the other) × output channels; then rows × columns together; then the
    summed axis in chunks, with partial sums on chip.
    """
    nested = [list(stage) for stage in _nested_tiles(tiles)]
    yield _Family(_with_lanes(tiles, iter([shape for stage in nested[:2] for shape in stage]), [None]))
    for first, second in pairwise(_free_axes(tiles)):
        yield _Family(_with_lanes(tiles, _two_axes(tiles, first, second), [None]))
    for stage in nested[2:]:
        yield _Family(_with_lanes(tiles, iter(stage), [None]))
    chunks = _chunks(tiles)
    if chunks:
        coarse = nested[0] + [shape for more in nested[1:2] for shape in more]
        for least in (_LEAST_LANES_OF_CHUNKS, 1):
            for stage in (coarse, *nested[2:]):
                yield _Family(_with_lanes(tiles, iter(stage), chunks, least), is_last_resort=least == 1)


def _two_axes(tiles: LayerTiles, first: int, second: int) -> Iterator[tuple[int, ...]]:
    """Tiles that cut two neighbouring axes at once; the axes outside them are cut to single elements."""
    shape, axes = tiles.shape, _free_axes(tiles)
    outer = axes[: axes.index(first)]
    steps = tiles.quanta
    tile = [min(extent, steps[axis]) if axis in outer else extent for axis, extent in enumerate(shape)]
    for rows in cut_extents(shape[first], steps[first]):
        for columns in cut_extents(shape[second], steps[second])[1:]:
            if rows <= _MOST_ROWS_OF_A_STRIP:
                tile[first], tile[second] = rows, columns
                yield tuple(tile)


def _chunks(tiles: LayerTiles) -> Sequence[int]:
    """Extents of chunks of the summed axis worth trying: halves of halves."""
    axes = layer_traits.chunk_axes(tiles.layer, tiles.shapes)
    if not axes:
        return []
    depth = required(tiles.shapes[0])[axes[0]]
    if isinstance(tiles.layer, SpatialMacLayer):
        depth //= tiles.layer.groups
    halves = {ceil_div(depth, 2**k) for k in range(1, depth.bit_length() + 1)}
    return sorted(halves - {depth}, reverse=True)
