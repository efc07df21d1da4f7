"""How to cut one layer so that its tiles fit the memories: the search over tile shapes and loop orders.

Every candidate is priced from the exact extents of its tiles (first, inner, last; padding clipped): regions
are separable by axis, so that the bytes of all tiles are products of sums over one axis each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from math import prod

import numpy as np

from nnc.compiler.ir.graph import Graph, TensorType
from nnc.compiler.ir.layers import Layer, SpatialMacLayer
from nnc.compiler.ir.regions import Boxes, needed
from nnc.compiler.plan import geometry
from nnc.compiler.plan.decision import Tiling
from nnc.compiler.plan.split import Split
from nnc.isa.chip import Chip
from nnc.isa.cost import ceil_div
from nnc.isa.errors import CapacityError

_CUTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024)
_MOST_CANDIDATES = 20000
_MOST_ROWS_OF_A_STRIP = 16


def cut_extents(extent: int) -> list[int]:
    """Tile extents worth trying along an axis, largest first: about even cuts, down to one element."""
    sizes = {ceil_div(extent, cut) for cut in _CUTS if cut <= extent}
    return sorted(sizes | {1}, reverse=True)


@dataclass
class LayerTiles:
    """A layer as the search sees it: operands, and which output axis moves which operand axis.

    Extents of operand boxes along the tiles of one output axis are found once per tile extent (`spans`).
    """

    graph: Graph
    layer: Layer
    chip: Chip
    split: Split | None = None
    out: TensorType = field(init=False)
    origin: tuple[int, ...] = field(init=False)
    shape: tuple[int, ...] = field(init=False)
    operands: list[TensorType | None] = field(init=False)
    shapes: list[tuple[int, ...] | None] = field(init=False)
    order: tuple[int, ...] = field(init=False)
    _spans: dict[tuple[int, int], dict[tuple[int, int], tuple[int, int]]] = field(default_factory=dict)
    _moved_by: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        name = self.layer.name
        tensor = self.graph.output_of(name)
        self.out = self.graph.types[tensor]
        self.operands = [None if t is None else self.graph.types[t] for t in self.graph.inputs_of(name)]
        self.shapes = [None if t is None else t.shape for t in self.operands]
        self.order = self.graph.storage[tensor].order
        self.origin, self.shape = (0,) * len(self.out.shape), self.out.shape
        for axis, extent in enumerate(self.shape):
            if extent > 1:
                for key in self.spans(axis, 1):
                    self._moved_by[key] = axis
        if self.split is not None:
            self._take_share(self.split)

    def _take_share(self, split: Split) -> None:
        """Look at what one core computes: a second share, which has neighbours on both sides."""
        origin, shape = list(self.origin), list(self.shape)
        for cut in split.cuts:
            extent = max(cut.extents)
            origin[cut.axis] = min(cut.borders[min(1, cut.shares - 1)], shape[cut.axis] - extent)
            shape[cut.axis] = extent
        self.origin, self.shape = tuple(origin), tuple(shape)
        self._spans.clear()

    def moves(self, slot: int) -> frozenset[int]:
        """Axes of the result along which an operand moves."""
        return frozenset(axis for (moved, _), axis in self._moved_by.items() if moved == slot)

    def copies(self, slot: int) -> int:
        """How many loads the cores together need for each tile of an operand; a broadcast counts once."""
        if self.split is None:
            return 1
        if not self.chip.dma.broadcast:
            return self.split.cores
        moves = self.moves(slot)
        return prod(cut.shares for cut in self.split.cuts if cut.axis in moves)

    def spans(self, axis: int, tile: int) -> dict[tuple[int, int], tuple[int, int]]:
        """(slot, operand axis) → (largest extent, sum of extents) over the tiles of one output axis."""
        key = (axis, tile)
        if key not in self._spans:
            self._spans[key] = self._measure(axis, tile)
        return self._spans[key]

    def _measure(self, axis: int, tile: int) -> dict[tuple[int, int], tuple[int, int]]:
        end = self.origin[axis] + self.shape[axis]
        starts = np.arange(self.origin[axis], end, tile, dtype=np.int64)
        whole, boxes = Boxes.whole(self.shape, 1), Boxes.whole(self.shape, len(starts))
        for each in (whole, boxes):
            each.low[:], each.high[:] = each.low + self.origin, each.high + self.origin
        boxes.low[:, axis] = starts
        boxes.high[:, axis] = np.minimum(starts + tile, end)
        found = {}
        for slot, shape in enumerate(self.shapes):
            if shape is None:
                continue
            extents = needed(self.layer, slot, boxes, self.shapes, self.out.shape).boxes.extents
            uncut = needed(self.layer, slot, whole, self.shapes, self.out.shape).boxes.extents[0]
            for own in range(len(shape)):
                mover = self._moved_by.get((slot, own))
                if mover == axis or (mover is None and (extents[:, own] != uncut[own]).any()):
                    found[slot, own] = (int(extents[:, own].max()), int(extents[:, own].sum()))
        return found

    def moved_by(self, slot: int, own: int) -> int | None:
        """The output axis along which an operand's axis moves; None if every tile needs all of it."""
        return self._moved_by.get((slot, own))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A priced tiling: bytes it holds per memory, DRAM bytes, cycles of the array, estimated cycles."""

    tiling: Tiling
    demand: dict[str, int]
    dram_bytes: int
    compute_cycles: int
    cycles: int
    tiles: int

    def rank(self, best: int) -> tuple[bool, int, int, int]:
        """Order of preference: within 2 % of the best cycles, then least traffic, fewest tiles, cycles."""
        slower = self.cycles * 50 > best * 51
        return (slower, self.cycles if slower else self.dram_bytes, self.tiles, self.cycles)


def candidates(graph: Graph, layer: Layer, chip: Chip, split: Split | None = None) -> list[Candidate]:
    """Tilings that fit the memories, best first; of a core's share, if cores share the layer.

    Raises:
        CapacityError: even the finest cut does not fit; tells demand, bound, gap and levers.
    """
    tiles = LayerTiles(graph, layer, chip, split)
    fitting: list[Candidate] = []
    least: tuple[int, str, int, Tiling] | None = None
    for stage in _stages(tiles):
        for tiling in islice(stage, _MOST_CANDIDATES):
            pieces = _pieces(tiles, tiling)
            for double in (True, False):
                demand = _demand(tiles, tiling, pieces, double=double)
                gap, memory = _gap(chip, demand)
                if gap <= 0:
                    fitting.append(_price(tiles, replace(tiling, double_buffer=double), pieces, demand))
                    break
                if least is None or gap < least[0]:
                    least = (gap, memory, demand[memory], tiling)
        if fitting:
            fitting = _ranked(fitting)
            if split is None or fitting[0].tiling.double_buffer:  # else all cores wait
                return fitting
    if fitting:
        return fitting
    assert least is not None
    raise _too_small(graph, layer, chip, *least[1:])


def _ranked(fitting: list[Candidate]) -> list[Candidate]:
    best = min(candidate.cycles for candidate in fitting)
    return sorted(fitting, key=lambda candidate: candidate.rank(best))


def share_cycles(graph: Graph, layer: Layer, chip: Chip, split: Split) -> int:
    """Cycles of the largest share of a split in one tile, or of all transfers if they take longer."""
    tiles = LayerTiles(graph, layer, chip, split)
    tiling = Tiling(tiles.shape, tuple(range(len(tiles.shape))), None, False, "", split)
    whole = _price(tiles, tiling, _pieces(tiles, tiling), {})
    return max(whole.compute_cycles, whole.dram_bytes // chip.dram.bytes_per_cycle)


def _gap(chip: Chip, demand: dict[str, int]) -> tuple[int, str]:
    """By how many bytes the worst memory is exceeded (negative: free), and its name."""
    return max((need - chip.memory[name].bytes, name) for name, need in demand.items())


def _too_small(
    graph: Graph, layer: Layer, chip: Chip, memory: str, need: int, tiling: Tiling
) -> CapacityError:
    have = chip.memory[memory].bytes
    chunk = "" if tiling.chunk is None else f" and chunks of {tiling.chunk} summed elements"
    return CapacityError(
        f"{memory} {have} B < {need} B needed by {layer.name} at tiles of {list(tiling.tile)}{chunk}",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"{have} B, {need - have} B too few",
        expected=f"at least {need} B for the finest cut that nnc knows for a {layer.kind}",
        remedy=f"raise memory.{memory}.bytes to {need} (--set memory.{memory}.bytes={need}), "
        "or use a smaller element type or input",
    )


def _orders(tiles: LayerTiles, tile: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Loop orders worth trying: storage order with the lane axis innermost, then outermost."""
    lane = geometry.lane_axis(tiles.layer, len(tile))
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
    lane = geometry.lane_axis(tiles.layer, len(tiles.shape))
    if lane is None:
        return [None]
    extent = tiles.shape[lane]
    sizes = {ceil_div(extent, 2**k) for k in range(extent.bit_length() + 1)}
    if isinstance(tiles.layer, SpatialMacLayer) and tiles.layer.groups > 1:
        per_group = extent // tiles.layer.groups
        sizes |= {per_group * n for n in cut_extents(tiles.layer.groups)} | set(cut_extents(per_group))
    return [*sorted((s for s in sizes if geometry.lane_step_allowed(tiles.layer, extent, s)), reverse=True)]


def _nested_tiles(tiles: LayerTiles) -> Iterator[Iterator[tuple[int, ...]]]:
    """Tiles that are contiguous in storage order, one stage per axis that is cut, outermost axis first."""
    shape = tiles.shape
    tile = list(shape)
    yield iter([shape])
    for axis in _free_axes(tiles):
        yield iter([(*tile[:axis], extent, *tile[axis + 1 :]) for extent in cut_extents(shape[axis])[1:]])
        tile[axis] = 1


def _free_axes(tiles: LayerTiles) -> list[int]:
    """Axes that may be cut, in storage order, without the one along the lanes."""
    shape = tiles.shape
    fixed = {*geometry.uncut_axes(tiles.layer, tiles.shapes), geometry.lane_axis(tiles.layer, len(shape))}
    return [axis for axis in tiles.order if axis not in fixed and shape[axis] > 1]


def _with_lanes(
    tiles: LayerTiles, shapes: Iterator[tuple[int, ...]], chunks: list[int | None]
) -> Iterator[Tiling]:
    lane = geometry.lane_axis(tiles.layer, len(tiles.out.shape))
    for shape in shapes:
        for lanes in _lane_tiles(tiles):
            tile = shape
            if lane is not None and lanes is not None:
                tile = (*shape[:lane], lanes, *shape[lane + 1 :])
            for chunk in chunks:
                if chunk is not None and not geometry.may_chunk(
                    tiles.layer, tiles.out.shape[lane or 0], lanes or 0
                ):
                    continue
                for loops in _orders(tiles, tile):
                    yield Tiling(tile, loops, chunk, True, "", tiles.split)


def _stages(tiles: LayerTiles) -> Iterator[Iterator[Tiling]]:
    """Families of tilings, the simplest first; a later one is tried only if no earlier one fits.

    Rows (nested axes, one after the other) × output channels; then rows × columns together; then the
    summed axis in chunks, with partial sums on chip.
    """
    nested = [list(stage) for stage in _nested_tiles(tiles)]
    yield _with_lanes(tiles, iter([shape for stage in nested[:2] for shape in stage]), [None])
    for first, second in pairwise(_free_axes(tiles)):
        yield _with_lanes(tiles, _two_axes(tiles, first, second), [None])
    for stage in nested[2:]:
        yield _with_lanes(tiles, iter(stage), [None])
    chunks = _chunks(tiles)
    if chunks:
        for stage in (nested[0] + [shape for more in nested[1:2] for shape in more], *nested[2:]):
            yield _with_lanes(tiles, iter(stage), chunks)


def _two_axes(tiles: LayerTiles, first: int, second: int) -> Iterator[tuple[int, ...]]:
    """Tiles that cut two neighbouring axes at once; the axes outside them are cut to single elements."""
    shape, axes = tiles.shape, _free_axes(tiles)
    outer = axes[: axes.index(first)]
    tile = [1 if axis in outer else extent for axis, extent in enumerate(shape)]
    for rows in cut_extents(shape[first]):
        for columns in cut_extents(shape[second])[1:]:
            if rows <= _MOST_ROWS_OF_A_STRIP:
                tile[first], tile[second] = rows, columns
                yield tuple(tile)


def _chunks(tiles: LayerTiles) -> list[int | None]:
    """Extents of chunks of the summed axis worth trying."""
    axes = geometry.chunk_axes(tiles.layer, tiles.shapes)
    if not axes:
        return []
    shape = tiles.shapes[0]
    assert shape is not None
    depth = shape[axes[0]]
    if isinstance(tiles.layer, SpatialMacLayer):
        depth //= tiles.layer.groups
    return [*cut_extents(depth)[1:]]


@dataclass(frozen=True, slots=True)
class _Pieces:
    """How a tiling cuts one operand.

    Attributes:
        tile: shape of the largest piece.
        elements: of all pieces together, loaded once.
        loads: pieces that are loaded, and how often each is.
        chunks: of the summed axis.
    """

    slot: int
    type: TensorType
    tile: tuple[int, ...]
    elements: int
    loads: int
    repeats: int
    chunks: int


def _pieces(tiles: LayerTiles, tiling: Tiling) -> list[_Pieces]:
    """How a tiling cuts all operands that are there."""
    counts = _counts(tiles, tiling)
    chunk_axes = geometry.chunk_axes(tiles.layer, tiles.shapes) if tiling.chunk else {}
    found = []
    for slot, type_ in enumerate(tiles.operands):
        if type_ is None:
            continue
        largest, total, (pieces, chunks), cut = _operand_tiles(tiles, slot, tiling, counts, chunk_axes)
        repeats = _reloads(tiling, counts, cut, chunks > 1 and slot in chunk_axes)
        found.append(_Pieces(slot, type_, largest, total, pieces * chunks * repeats, repeats, chunks))
    return found


def _counts(tiles: LayerTiles, tiling: Tiling) -> list[int]:
    return [ceil_div(extent, tile) for extent, tile in zip(tiles.shape, tiling.tile, strict=True)]


def _is_table(tiles: LayerTiles, slot: int) -> bool:
    """Whether an operand is a table in DRAM whose rows are gathered."""
    return slot == 0 and geometry.is_row_gather(tiles.layer)


def _demand(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[_Pieces], *, double: bool) -> dict[str, int]:
    """Bytes that a tiling holds per memory, with two buffers for what changes or one."""
    chip, layer = tiles.chip, tiles.layer
    demand: dict[str, int] = {}
    for mine in pieces:
        if _is_table(tiles, mine.slot):
            continue
        memory = geometry.memory_for(chip, layer, geometry.slot_role(layer, mine.slot))
        copies = 2 if double and mine.loads > 1 else 1
        nbytes = prod(mine.tile) * mine.type.dtype.itemsize
        demand[memory] = demand.get(memory, 0) + copies * _aligned(chip, memory, nbytes)
    parts, chunked = prod(_counts(tiles, tiling)), tiling.chunk is not None
    _add_result(tiles, tiling.tile, parts, chunked, double, demand)
    return demand


def _price(tiles: LayerTiles, tiling: Tiling, pieces: Sequence[_Pieces], demand: dict[str, int]) -> Candidate:
    """Traffic and estimated cycles of a tiling."""
    layer, chip = tiles.layer, tiles.chip
    parts = prod(_counts(tiles, tiling))
    traffic, transfers, chunks = tiles.out.nbytes, parts, 1
    tile_shapes: list[tuple[int, ...] | None] = [None] * len(tiles.operands)
    for mine in pieces:
        tile_shapes[mine.slot] = mine.tile
        chunks = max(chunks, mine.chunks)
        if _is_table(tiles, mine.slot):
            continue
        constant = tiles.graph.is_constant(_operand_name(tiles, mine.slot))
        factor = 1.0 if constant else _run_waste(tiles, mine.slot, mine.tile)
        copies = tiles.copies(mine.slot)
        traffic += int(mine.elements * mine.type.dtype.itemsize * mine.repeats * factor) * copies
        transfers += mine.loads
    dtype = geometry.rate_dtype(layer, tiles.out, tiles.operands)
    sample = _sample_layer(layer, tiles.out.shape, tiling.tile)
    each = 0
    if not geometry.is_row_gather(layer):
        each = geometry.tile_cycles(chip, sample, tiling.tile, tile_shapes, dtype)
    compute = each * parts * chunks
    dram = ceil_div(traffic, chip.dram.bytes_per_cycle)
    dram += transfers * chip.dram.latency // (chip.dma.in_flight * (2 if tiling.double_buffer else 1))
    cycles = max(compute, dram) + min(compute, dram) // parts if tiling.double_buffer else compute + dram
    return Candidate(tiling, demand, traffic, compute, cycles, parts * chunks)


def _operand_name(tiles: LayerTiles, slot: int) -> str:
    return str(tiles.graph.inputs_of(tiles.layer.name)[slot])


def _operand_tiles(
    tiles: LayerTiles, slot: int, tiling: Tiling, counts: list[int], chunk_axes: dict[int, int]
) -> tuple[tuple[int, ...], int, tuple[int, int], set[int]]:
    """Largest tile of an operand, elements of one sweep, (pieces, chunks) and the cut axes that move it."""
    shape = tiles.shapes[slot]
    assert shape is not None
    largest, total, pieces, chunks = [], 1, 1, 1
    cut: set[int] = set()
    for own, full in enumerate(shape):
        axis = tiles.moved_by(slot, own)
        extent, sum_ = full, full
        if axis is not None:
            extent, sum_ = tiles.spans(axis, tiling.tile[axis]).get((slot, own), (full, full * counts[axis]))
            if counts[axis] > 1:
                cut.add(axis)
                pieces *= counts[axis]
            else:
                sum_ = extent
        if tiling.chunk is not None and chunk_axes.get(slot) == own:
            chunks = ceil_div(extent, tiling.chunk)
            extent = min(extent, tiling.chunk)
        largest.append(extent)
        total *= sum_
    return tuple(largest), total, (pieces, chunks), cut


def _reloads(tiling: Tiling, counts: list[int], cut: set[int], chunked: bool) -> int:
    """How often each tile of an operand is loaded, when only the latest one is kept on chip."""
    inner = [place for place, axis in enumerate(tiling.loops) if axis in cut]
    last = len(tiling.loops) if chunked else (max(inner) if inner else -1)
    return prod(counts[axis] for axis in tiling.loops[: max(0, last)] if axis not in cut)


def _run_waste(tiles: LayerTiles, slot: int, tile: tuple[int, ...]) -> float:
    """Whole bursts over bytes for the contiguous runs of a tile in its tensor's storage."""
    storage = tiles.graph.storage[_operand_name(tiles, slot)]
    type_ = tiles.operands[slot]
    assert type_ is not None
    run = 1
    for axis in reversed(storage.order):
        if storage.shape[axis] == 1:
            continue
        if storage.strides[axis] != run:
            break
        run *= tile[axis]
        if tile[axis] != storage.shape[axis]:
            break
    nbytes = run * type_.dtype.itemsize
    burst = tiles.chip.dram.burst
    return ceil_div(nbytes, burst) * burst / nbytes


def _add_result(
    tiles: LayerTiles, tile: tuple[int, ...], parts: int, chunked: bool, double: bool, demand: dict[str, int]
) -> None:
    chip, layer = tiles.chip, tiles.layer
    memory = geometry.memory_for(chip, layer, "result")
    elements = prod(tile)
    copies = 2 if double and parts > 1 else 1
    nbytes = elements * tiles.out.dtype.itemsize
    demand[memory] = demand.get(memory, 0) + copies * _aligned(chip, memory, nbytes)
    if chunked:
        memory = geometry.memory_for(chip, layer, "accumulator")
        nbytes = elements * geometry.accumulator_dtype(tiles.out.dtype).itemsize
        demand[memory] = demand.get(memory, 0) + _aligned(chip, memory, nbytes)


def _aligned(chip: Chip, memory: str, nbytes: int) -> int:
    align = chip.memory[memory].align
    return ceil_div(nbytes, align) * align


def _sample_layer(layer: Layer, shape: tuple[int, ...], tile: tuple[int, ...]) -> Layer:
    """The layer of a tile as far as its cost goes: a tile of a grouped convolution has fewer groups."""
    if isinstance(layer, SpatialMacLayer) and layer.groups > 1:
        return replace(layer, groups=max(1, tile[1] * layer.groups // shape[1]))
    return layer
