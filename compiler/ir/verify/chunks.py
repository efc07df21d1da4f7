"""Layers that are summed chunk by chunk: ranges of the summed axis follow each other from first to last.

y.0 = start(x[:, 0:64])    y.1 = add(x[:, 64:128], y.0)    y.2 = finish(x[:, 128:197], y.1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from nnc.compiler.ir.annotations import TileBox
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.required import required
from nnc.compiler.ir.verify.subject import broken
from nnc.isa.instruction import Phase

Operand = tuple[int, str]
"""An operand of a node: the node's number and the tile."""


class Compared(Protocol):
    """What is known of the tiles of a graph that is compared with its network."""

    graph: Graph
    boxes: Mapping[str, TileBox]

    def same_box(self, tile: str, other: str) -> bool:
        """Whether two tiles are the same elements."""
        ...

    def said(self, tile: str) -> str:
        """A tile in words."""
        ...


class Chunks:
    """The chunks of the nodes that do boxes of one layer."""

    def __init__(self, compared: Compared, nodes: Sequence[Layer], outs: Sequence[str]) -> None:
        self._all, self._nodes, self._outs = compared, nodes, outs
        self._ranges: dict[int, set[tuple[int, int, int]]] = {}

    def no_chunks(self, operands: Sequence[Operand], tensor: str, boxes: Boxes) -> list[Operand]:
        """The operands that are not what is needed, cut along one axis; of the others, notes the ranges.

        Args:
            tensor, boxes: what each of the nodes needs.
        """
        found = [(at, tile) for at, tile in operands if self._may_be_chunk(at, tile, tensor)]
        wrong = [operand for operand in operands if not self._may_be_chunk(*operand, tensor)]
        if not found:
            return wrong
        nodes, tiles = [at for at, _ in found], [tile for _, tile in found]
        extents = boxes.extents[nodes]
        low = np.array([self._all.boxes[tile].low for tile in tiles], dtype=np.int64) - boxes.low[nodes]
        shape = np.array([self._all.graph.types[tile].shape for tile in tiles], dtype=np.int64)
        cut = shape != extents
        is_chunk = (np.count_nonzero(cut, axis=1) == 1) & (cut | (low == 0)).all(axis=1)
        each, axis = np.arange(len(found)), cut.argmax(axis=1)
        ranges = [of[each, axis].tolist() for of in (low, low + shape, extents)]
        for at, good, *cells in zip(nodes, is_chunk.tolist(), *ranges, strict=True):
            if good:
                begin, end, extent = cells
                self._ranges.setdefault(at, set()).add((begin, end, extent))
        return wrong + [operand for operand, good in zip(found, is_chunk, strict=True) if not good]

    def _may_be_chunk(self, at: int, tile: str, tensor: str) -> bool:
        in_phases = getattr(self._nodes[at], "phase", Phase.WHOLE) is not Phase.WHOLE
        return in_phases and self._all.boxes[tile].tensor == tensor

    def check(self) -> None:
        """Every chunk begins where the one whose sums it takes over ends."""
        graph, end_of = self._all.graph, dict[str, int]()
        for at, (node, out) in enumerate(zip(self._nodes, self._outs, strict=True)):
            phase = getattr(node, "phase", Phase.WHOLE)
            if phase is Phase.WHOLE:
                continue
            ranges = self._ranges.get(at, set())
            first, end, extent = next(iter(ranges), (0, 0, 0))
            before = 0
            if phase is not Phase.START:
                sums = required(graph.inputs_of(node.name)[-1])
                before = end_of.get(sums, -1)
                if before >= 0 and not self._all.same_box(sums, out):
                    raise broken(node, f"it adds to sums of {self._all.said(sums)}")
            if len(ranges) != 1 or first != before or (phase is Phase.FINISH) != (end == extent):
                raise broken(node, f"chunks {sorted(ranges)} of the sum after the first {before}")
            end_of[out] = end
