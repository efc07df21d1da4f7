"""Layers that are summed chunk by chunk: ranges of the summed axis follow each other from first to last.

y.0 = start(x[:, 0:64])    y.1 = add(x[:, 64:128], y.0)    y.2 = finish(x[:, 128:197], y.1)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.verify.columns import Operands, Tiles
from nnc.compiler.ir.verify.subject import broken
from nnc.compiler.ir.verify.tile_boxes import Mask, TileBoxes
from nnc.isa.instruction import Phase

PHASES = {phase: number for number, phase in enumerate(Phase)}
"""Numbers of the phases; layers that have none do their whole."""


class Chunks:
    """The chunks of the nodes that do boxes of one layer."""

    def __init__(self, tiles: Tiles, boxes: TileBoxes, outs: Ints, phase: Ints) -> None:
        """Args:
        outs: the tiles that the nodes make.
        phase: of the node of every tile.
        """
        self._tiles, self._boxes, self._outs, self._phase = tiles, boxes, outs, phase[outs]
        self._ranges = np.zeros((len(outs), 3), dtype=np.int64)  # begin, end, extent of the whole
        self._counts = np.zeros(len(outs), dtype=np.int64)  # different ranges of a node

    def are_chunks(self, rows: Ints, tiles: Ints, tensor: int, boxes: Boxes) -> Mask:
        """Which operands are what is needed, cut along one axis; notes their ranges.

        Args:
            rows: numbers of nodes.
            tiles: their operands, which are not what they need.
            tensor, boxes: what each of all nodes needs.
        """
        rank = boxes.low.shape[1]
        low, shape = self._boxes.low(tiles, rank) - boxes.low[rows], self._boxes.extents(tiles, rank)
        extents = boxes.extents[rows]
        cut = shape != extents
        good: Mask = (self._phase[rows] != PHASES[Phase.WHOLE]) & (self._boxes.tensor[tiles] == tensor)
        good &= (np.count_nonzero(cut, axis=1) == 1) & (cut | (low == 0)).all(axis=1)
        each = np.flatnonzero(good)
        if not len(each):
            return good
        axis = cut[each].argmax(axis=1)
        ranges = np.column_stack([of[each, axis] for of in (low, low + shape, extents)])
        nodes = rows[each]
        others = (self._ranges[nodes] != ranges).any(axis=1) | (self._counts[nodes] == 0)
        self._counts[nodes] += others
        self._ranges[nodes] = ranges
        return good

    def check(self, nodes: Sequence[Layer], operands: Operands) -> None:
        """Every chunk begins where the one whose sums it takes over ends."""
        rows = np.flatnonzero(self._phase != PHASES[Phase.WHOLE])
        if not len(rows):
            return
        outs, (first, end, extent) = self._outs[rows], self._ranges[rows].T
        ends = np.full(len(self._tiles.names), -1, dtype=np.int64)
        places = np.full(len(self._tiles.names), len(self._outs), dtype=np.int64)
        ends[outs], places[outs] = end, rows
        is_start = self._phase[rows] == PHASES[Phase.START]
        sums = operands.last(outs)
        has_before = ~is_start & (sums >= 0)
        has_before[has_before] = places[sums[has_before]] < rows[has_before]
        before = np.where(is_start, 0, -1)
        before[has_before] = ends[sums[has_before]]
        misfits = np.flatnonzero(has_before)
        misfits = misfits[~self._boxes.are_the_same(sums[misfits], outs[misfits])]
        is_last = self._phase[rows] == PHASES[Phase.FINISH]
        wrong = (self._counts[rows] != 1) | (first != before) | (is_last != (end == extent))
        for index in misfits[:1].tolist():
            raise broken(nodes[int(rows[index])], f"it adds to sums of {self._tiles.names[sums[index]]}")
        for index in np.flatnonzero(wrong)[:1].tolist():
            ranges = [tuple(self._ranges[rows[index]].tolist())] if self._counts[rows[index]] else []
            raise broken(
                nodes[int(rows[index])], f"chunks {ranges} of the sum after the first {before[index]}"
            )
