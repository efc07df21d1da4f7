"""Extents of the tiles of a layer on some cores: what every operand needs for a tiling.

In: a layer, and how cores share it.  Out: what every operand needs for a tiling (`LayerTiles.cut`).  A 3x3
convolution with padding, an input of [1, 8, 10, 10] and tiles of 5 rows (axis 2):

    tiles.cut(0, (1, 8, 5, 10), None).tile == (1, 8, 6, 10)      two pieces; both need two of the rows
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from nnc.compiler.ir.required import required
from nnc.compiler.plan.tiling.box_bytes import Intervals
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.layer_moves import LayerMoves
from nnc.isa.integers import ceil_div

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
        moves = self.moves
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
