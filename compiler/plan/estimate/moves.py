"""Cycles of moves on chip: bytes of kept rows per part in, cycles per part out."""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.isa.chip.description import Chip


def cycles_of_moves(nbytes: Ints, chip: Chip) -> Ints:
    """Cycles of copies of so many bytes, each by one instruction."""
    each = chip.compute.issue + nbytes // chip.dma.move_bytes_per_cycle
    return np.asarray(np.where(nbytes > 0, each, 0))
