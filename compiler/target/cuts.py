"""How results may be cut where DMA transfers move whole units: every piece is stored in runs of its own.

Rows of 10 pixels of 3 channels, 32 elements from row to row, unit 16:

    rows may be cut anywhere, pixels into multiples of 16, channels not at all: quanta == (1, 16, 3)
"""

from __future__ import annotations

from math import gcd

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.runs import unit_of

Axes = tuple[int, ...]


def quanta(graph: Graph, tensor: str) -> Axes:
    """Per axis of a tensor, of how many elements the tiles that are stored must be multiples."""
    storage, unit = graph.storage[tensor], unit_of(graph.types[tensor].dtype, graph.notes.transfer_unit)
    multiples = []
    for axis, extent in enumerate(storage.shape):
        step = abs(storage.strides[axis])
        outer = (
            abs(stride)
            for n, stride in zip(storage.shape, storage.strides, strict=True)
            if n > 1 and abs(stride) > step
        )
        cuttable = not storage.offset % unit and not any(stride % unit for stride in outer)
        multiples.append(unit // gcd(unit, step) if cuttable else max(1, extent))
    return tuple(multiples)


def obeys(shape: Axes, steps: Axes, tile: Axes) -> bool:
    """Whether tiles of a result are stored in runs of their own: an axis inside one that is cut is cut too
    only if every step along the outer one is whole units.
    """
    cut = [axis for axis, extent in enumerate(tile) if extent < shape[axis]]
    return all(tile[axis] % steps[axis] == 0 for axis in cut)
