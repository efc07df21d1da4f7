"""Cycles of moves on chip: kept rows, and columns that two strips need.

in:   bytes of kept rows per part; columns of a buffer that stay between strips
out:  cycles per part
"""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.views.buffer_rows import BufferRows
from nnc.isa.chip.description import Chip


def cycles_of_moves(nbytes: Ints, chip: Chip) -> Ints:
    """Cycles of copies of so many bytes, each by one instruction."""
    each = chip.compute.issue + nbytes // chip.dma.move_bytes_per_cycle
    return np.asarray(np.where(nbytes > 0, each, 0))


def cycles_of_columns_aside(walk: RowRanges, buffer: str, rows: BufferRows, chip: Chip) -> Ints:
    """Cycles that columns of a buffer take to move aside for the next strip, per part; as many to move back.

    In the mean of the strips: the last one leaves nothing.
    """
    columns, strips = walk.columns.of(buffer), walk.cut.strips
    if columns is None or not columns.kept.any():
        return np.zeros_like(rows.low)
    each = columns.kept_bytes(walk.network.buffers[buffer].row_bytes, 1)
    return cycles_of_moves((rows.high - rows.new.low) * each, chip) * (strips - 1) // strips
