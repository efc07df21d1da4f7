"""Tiles that DMA transfers can move where they move whole units: which cuts obey, and what tiles hold then.

In: a tensor's storage, a tile.  Out: the least steps by which axes may be cut (`quanta`), whether a tile
obeys them (`obeys`), bytes on chip and over the bus.  Rows of 10 pixels of 3 channels, 32 elements from row
to row, unit 16:

    rows may be cut anywhere, pixels into multiples of 16, channels not at all: quanta == (1, 16, 3)
"""

from __future__ import annotations

from math import gcd, prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.runs import aligned_runs, most_elements, unit_of
from nnc.compiler.ir.storage import Storage
from nnc.isa.integers import round_up
from nnc.isa.types import DType

Axes = tuple[int, ...]


def quanta(graph: Graph, tensor: str) -> Axes:
    """Per axis of a tensor, of how many elements the tiles that are stored must be multiples."""
    storage, unit = graph.storage[tensor], unit_of(graph.types[tensor].dtype, graph.notes.transfer_unit)
    found = []
    for axis, extent in enumerate(storage.shape):
        step = abs(storage.strides[axis])
        outer = (
            abs(other)
            for n, other in zip(storage.shape, storage.strides, strict=True)
            if n > 1 and abs(other) > step
        )
        cuttable = not storage.offset % unit and not any(other % unit for other in outer)
        found.append(unit // gcd(unit, step) if cuttable else max(1, extent))
    return tuple(found)


def obeys(shape: Axes, steps: Axes, tile: Axes) -> bool:
    """Whether tiles of a result are stored in runs of their own: an axis inside one that is cut is cut too
    only if every step along the outer one is whole units.
    """
    cut = [axis for axis, extent in enumerate(tile) if extent < shape[axis]]
    return all(tile[axis] % steps[axis] == 0 for axis in cut)


def held_elements(storage: Storage | None, dtype: DType, tile: Axes, nbytes: int) -> int:
    """Elements that a tile takes on chip, at most; a constant (no storage) is packed without gaps."""
    unit = unit_of(dtype, nbytes)
    return prod(tile) if storage is None or unit == 1 else most_elements(storage, tile, unit)


def waste(storage: Storage, dtype: DType, tile: Axes, nbytes: int, burst: int) -> float:
    """Bytes that the bus moves for a tile that begins at a whole unit, over those of its elements."""
    runs = aligned_runs(Storage(storage.buffer, 0, tile, storage.strides), unit_of(dtype, nbytes))
    return runs.count * round_up(runs.length * dtype.itemsize, burst) / (prod(tile) * dtype.itemsize)
