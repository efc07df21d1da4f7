"""What tiles take on chip and on the bus where DMA transfers move whole units.

In: a tensor's storage, a tile.  Out: elements that it holds at most, bytes moved per byte wanted.
"""

from __future__ import annotations

from math import prod

from nnc.compiler.ir.runs import aligned_runs, most_elements, unit_of
from nnc.compiler.ir.storage import Storage
from nnc.isa.integers import round_up
from nnc.isa.types import DType

Axes = tuple[int, ...]


def held_elements(storage: Storage | None, dtype: DType, tile: Axes, nbytes: int) -> int:
    """Elements that a tile takes on chip, at most; a constant (no storage) is packed without gaps."""
    unit = unit_of(dtype, nbytes)
    return prod(tile) if storage is None or unit == 1 else most_elements(storage, tile, unit)


def waste(storage: Storage, dtype: DType, tile: Axes, nbytes: int, burst: int) -> float:
    """Bytes that the bus moves for a tile that begins at a whole unit, over those of its elements."""
    runs = aligned_runs(Storage(storage.buffer, 0, tile, storage.strides), unit_of(dtype, nbytes))
    return runs.count * round_up(runs.length * dtype.itemsize, burst) / (prod(tile) * dtype.itemsize)
