"""What tiles take on chip where DMA transfers move whole units.

In: a tensor's storage, a tile.  Out: elements that it holds at most.
"""

from __future__ import annotations

from math import prod

from nnc.compiler.ir.runs import most_elements, unit_of
from nnc.compiler.ir.storage import Storage
from nnc.isa.types import DType

Axes = tuple[int, ...]


def held_elements(storage: Storage | None, dtype: DType, tile: Axes, nbytes: int) -> int:
    """Elements that a tile takes on chip, at most; a constant (no storage) is packed without gaps."""
    unit = unit_of(dtype, nbytes)
    return prod(tile) if storage is None or unit == 1 else most_elements(storage, tile, unit)
