"""Extents of the tiles of a layer on some cores: what every operand needs for a tiling.

In: a layer, and how cores share it.  Out: what every operand needs for a tiling (`LayerTiles.cut`).  A 3x3
convolution with padding, an input of [1, 8, 10, 10] and tiles of 5 rows (axis 2):

    tiles.cut(0, (1, 8, 5, 10), None).tile == (1, 8, 6, 10)      two pieces; both need two of the rows
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from math import prod

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.layers import SpatialMacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.tiling.box_bytes import Intervals
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.layer_moves import LayerMoves
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OperandCut:
    """How the tiles of a layer cut one operand, whatever the order of the loops.

    Attributes:
        tile: shape of the largest piece.
        nbytes: DRAM bytes of all pieces together, whole bursts included; what two of them need (a halo)
            counts for both.
        pieces, chunks: how many there are on all cores, and of how many chunks of the summed axis each.
        moved_by: the cut axes of the result along which the operand moves.
    """

    tile: Shape
    nbytes: int
    pieces: int
    chunks: int
    moved_by: frozenset[int]


class LayerTiles:
    """A layer as cores share it; cuts of an operand are found once per tile and chunk (`cut`).

    Attributes:
        moves: the layer; split: how cores share it (None: one core).
        shape: of the result, or of the largest share of a core.
        chip: that of the layer, or one with memories of other sizes (`on`).
        work: cycles of tilings, by tile and chunk, as `tile_cycles.work_of` finds them.
    """

    def __init__(self, moves: LayerMoves, split: CoreSplit | None = None) -> None:
        self.moves, self.split = moves, split
        self.layer, self.chip, self.out = moves.layer, moves.chip, moves.out
        self._cut_axes = {cut.axis: cut for cut in (() if split is None else split.cuts)}
        self.shape = tuple(
            max(self._cut_axes[axis].extents) if axis in self._cut_axes else extent
            for axis, extent in enumerate(moves.out.shape)
        )
        self._cuts: dict[tuple[object, ...], OperandCut] = {}
        self._largest: dict[tuple[object, ...], Shape] = {}
        self.work: dict[tuple[Shape, int | None, bool], int] = {}

    def on(self, chip: Chip) -> LayerTiles:
        """The same layer where memories have other sizes; what is found of one holds for the other."""
        other = copy(self)
        other.chip = chip
        return other

    def shares(self, axis: int) -> int:
        """Into how many shares the cores cut an axis of the result."""
        return self._cut_axes[axis].shares if axis in self._cut_axes else 1

    def copies(self, slot: int) -> int:
        """How many different pieces of an operand the cores need at a time; one each without broadcast."""
        if self.split is None:
            return 1
        axes = self.moves.axes[slot] if self.chip.dma.broadcast else self._cut_axes
        return prod(self.shares(axis) for axis in axes)

    def counts(self, tile: Shape) -> list[int]:
        """How many tiles of these extents there are along each axis of the (largest) share."""
        return [ceil_div(extent, each) for extent, each in zip(self.shape, tile, strict=True)]

    def tiles_along(self, axis: int, tile: int) -> Intervals:
        """The tiles of all shares along an axis of the result."""
        return self.moves.tiles_along(axis, tile, self._cut_axes.get(axis))

    def result_bytes(self, tile: Shape) -> int:
        """DRAM bytes of the stores of all tiles."""
        return self.moves.result.nbytes([self.tiles_along(axis, extent) for axis, extent in enumerate(tile)])

    def measure(self, axis: int, extents: Iterable[int]) -> None:
        """Find the intervals along tiles of several extents at once, which takes less time."""
        whole = self.out.shape[axis]
        self.moves.measure(axis, [n for n in extents if n < whole], self._cut_axes.get(axis))

    def intervals(
        self, slot: int, own: int, extent: int, *, collapsed: bool = False
    ) -> tuple[Intervals, bool]:
        """Intervals of an operand's axis along tiles of this extent, and whether a core needs several.

        Args:
            extent: of the tiles, along the axis of the result that moves the operand's (if any does).
            collapsed: whether neighbouring tiles that need the same piece count once.
        """
        axis = self.moves.moved_by.get((slot, own))
        if axis is None or extent >= self.out.shape[axis]:
            return self.moves.whole[slot, own], False
        spans = self.moves.spans(axis, extent, self._cut_axes.get(axis))[slot, own]
        moves = len(spans.distinct.low) > self.shares(axis)
        return (spans.all if moves and not collapsed else spans.distinct), moves

    def largest(self, slot: int, tile: Shape, chunk: int | None) -> Shape:
        """Shape of the largest piece of an operand."""
        moves, slot = self.moves, self.moves.alike[slot]
        key = (slot, *(tile[axis] for axis in moves.axes[slot]), chunk)
        if key not in self._largest:
            found = []
            for own in range(len(required(moves.shapes[slot]))):
                axis = moves.moved_by.get((slot, own))
                extent = self.intervals(slot, own, 0 if axis is None else tile[axis])[0].largest
                is_cut = chunk is not None and moves.chunk_axes.get(slot) == own
                found.append(min(extent, chunk) if is_cut and chunk is not None else extent)
            self._largest[key] = tuple(found)
        return self._largest[key]

    def cut(self, slot: int, tile: Shape, chunk: int | None, collapsed: int | None = None) -> OperandCut:
        """How tiles of these extents cut an operand that is there.

        Args:
            chunk: extent of chunks of the summed axis; None if it is whole.
            collapsed: axis of the result along which neighbouring tiles that need the same piece count once.
        """
        slot = self.moves.alike[slot]
        key = (slot, *(tile[axis] for axis in self.moves.axes[slot]), chunk, collapsed)
        if key not in self._cuts:
            self._cuts[key] = self._cut(slot, tile, chunk, collapsed)
        return self._cuts[key]

    def _cut(self, slot: int, tile: Shape, chunk: int | None, collapsed: int | None) -> OperandCut:
        intervals, pieces, chunks = [], 1, 1
        moved_by: set[int] = set()
        for own in range(len(required(self.moves.shapes[slot]))):
            axis = self.moves.moved_by.get((slot, own))
            is_collapsed = axis is not None and axis == collapsed
            mine, moves = self.intervals(slot, own, 0 if axis is None else tile[axis], collapsed=is_collapsed)
            pieces *= len(mine.low)
            if axis is not None and moves:
                moved_by.add(axis)
            if chunk is not None and self.moves.chunk_axes.get(slot) == own:
                chunks = ceil_div(mine.largest, chunk)
                mine = self.moves.in_chunks(mine, chunk)
            intervals.append(mine)
        return OperandCut(
            tile=tuple(mine.largest for mine in intervals),
            nbytes=self.moves.nbytes(slot, intervals),
            pieces=pieces,
            chunks=chunks,
            moved_by=frozenset(moved_by),
        )


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


def grid_extents(tiles: LayerTiles, most: int) -> tuple[list[list[int]], list[int | None]]:
    """Extents of tiles per axis of the result, and of chunks: fewer along those that have most.

    Args:
        most: tilings of the grid.
    """
    moves = tiles.moves
    fixed = layer_traits.uncut_axes(tiles.layer, moves.shapes)
    found = []
    for axis, extent in enumerate(tiles.shape):
        sizes = [extent] if axis in fixed else cut_extents(extent, moves.result.quantum(axis))
        found.append(_allowed(tiles, axis, sizes))
    if not all(found):
        raise _unaligned(tiles)
    chunks: list[int | None] = [None, *_chunks(tiles)]
    if tiles.chip.transfer_unit > 1:
        most = min(most, TUNING.tiles.few_tilings)  # each is looked at alone
    few = min(most, TUNING.tiles.few_tilings)
    while len(chunks) * prod(map(len, found)) > most:
        longest = max(range(len(found)), key=lambda axis: len(found[axis]))
        mine = found[longest]
        if len(chunks) > len(mine):
            chunks = _fewer_chunks(tiles, chunks)
        else:
            found[longest] = [*mine[:-1:2], mine[-1]]
    for axis in sorted(set(range(len(found))) - set(fixed), key=lambda axis: tiles.shape[axis]):
        if tiles.shape[axis] > TUNING.tiles.far_cuts[-1]:
            continue
        every = _allowed(tiles, axis, range(1, tiles.shape[axis] + 1))
        if len(chunks) * len(every) * prod(map(len, (*found[:axis], *found[axis + 1 :]))) <= few:
            found[axis] = every
    if chunks[1:] and depth_of(tiles) * prod(map(len, found)) <= few:
        chunks = [None, *range(depth_of(tiles) - 1, 0, -1)]
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
    depth = depth_of(tiles)
    boxes = tiles.moves.boxes[0]
    quantum = 1 if boxes is None else boxes.quantum(axes[0])
    halves = cut_extents(depth, max(1, quantum // 2))  # where rows do not start with bursts
    return sorted({*cut_extents(depth, quantum), *halves} - {depth}, reverse=True)


def _fewer_chunks(tiles: LayerTiles, chunks: list[int | None]) -> list[int | None]:
    """Half of the chunks: those whose rows do not end with bursts go first."""
    boxes = tiles.moves.boxes[0]
    quantum = 1 if boxes is None else boxes.quantum(tiles.moves.chunk_axes[0])
    even = [chunk for chunk in chunks[:-1] if chunk is None or chunk % quantum == 0]
    return [*(even if len(even) < len(chunks) - 1 else chunks[:-1:2]), chunks[-1]]


def depth_of(tiles: LayerTiles) -> int:
    """Elements of the summed axis that may be cut into chunks."""
    depth = required(tiles.moves.shapes[0])[tiles.moves.chunk_axes[0]]
    return depth // tiles.layer.groups if isinstance(tiles.layer, SpatialMacLayer) else depth


def _unaligned(tiles: LayerTiles) -> CapacityError:
    layer, chip = tiles.layer, tiles.chip
    return CapacityError(
        f"no share of {layer.name} is whole units of {chip.transfer_unit} B",
        where=f"{layer.loc} on chip {chip.name}",
        found=f"dram.align = {chip.dram.align}, dma.align = {chip.dma.align}",
        expected="results that cores store without bytes of each other",
        remedy="--set cores=1, or a smaller dram.align or dma.align",
    )
