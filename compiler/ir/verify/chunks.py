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

    def are_chunks(self, at: Ints, tiles: Ints, tensor: int, boxes: Boxes) -> Mask:
        """Which operands are what is needed, cut along one axis; notes their ranges.

        Args:
            at: numbers of nodes.
            tiles: their operands, which are not what they need.
            tensor, boxes: what each of all nodes needs.
        """
        rank = boxes.low.shape[1]
        low, shape = self._boxes.low(tiles, rank) - boxes.low[at], self._boxes.extents(tiles, rank)
        extents = boxes.extents[at]
        cut = shape != extents
        good: Mask = (self._phase[at] != PHASES[Phase.WHOLE]) & (self._boxes.tensor[tiles] == tensor)
        good &= (np.count_nonzero(cut, axis=1) == 1) & (cut | (low == 0)).all(axis=1)
        each = np.flatnonzero(good)
        if not len(each):
            return good
        axis = cut[each].argmax(axis=1)
        found = np.column_stack([of[each, axis] for of in (low, low + shape, extents)])
        nodes = at[each]
        others = (self._ranges[nodes] != found).any(axis=1) | (self._counts[nodes] == 0)
        self._counts[nodes] += others
        self._ranges[nodes] = found
        return good

    def check(self, nodes: Sequence[Layer], operands: Operands) -> None:
        """Every chunk begins where the one whose sums it takes over ends."""
        at = np.flatnonzero(self._phase != PHASES[Phase.WHOLE])
        if not len(at):
            return
        outs, (first, end, extent) = self._outs[at], self._ranges[at].T
        ends = np.full(len(self._tiles.names), -1, dtype=np.int64)
        places = np.full(len(self._tiles.names), len(self._outs), dtype=np.int64)
        ends[outs], places[outs] = end, at
        is_start = self._phase[at] == PHASES[Phase.START]
        sums = operands.last(outs)
        known = ~is_start & (sums >= 0)
        known[known] = places[sums[known]] < at[known]
        before = np.where(is_start, 0, -1)
        before[known] = ends[sums[known]]
        other = np.flatnonzero(known)
        other = other[~self._boxes.are_the_same(sums[other], outs[other])]
        is_last = self._phase[at] == PHASES[Phase.FINISH]
        wrong = (self._counts[at] != 1) | (first != before) | (is_last != (end == extent))
        for one in other[:1].tolist():
            raise broken(nodes[int(at[one])], f"it adds to sums of {self._tiles.names[sums[one]]}")
        for one in np.flatnonzero(wrong)[:1].tolist():
            ranges = [tuple(self._ranges[at[one]].tolist())] if self._counts[at[one]] else []
            raise broken(nodes[int(at[one])], f"chunks {ranges} of the sum after the first {before[one]}")
