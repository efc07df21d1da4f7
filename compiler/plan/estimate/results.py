"""Bytes on chip by layer and part of a fused group: of all activations, of results that leave it.

in:   a chosen group, the rows that its layers compute
out:  bytes of activations, residents from when they are made to when they are read last; bytes of results
      whose place is free again when they are stored: 0 where a later layer reads the result, or it stays;
      bytes of their tiles that are not that layer's to write
"""

from __future__ import annotations

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.fusion.group_cost import Interval
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.network.residents import ResidentKey


def results_on_chip(
    order: FusedOrder, choice: FusedChoice, walk: RowRanges, slice_bytes: int
) -> tuple[Ints, Ints]:
    """Bytes of the result of each layer (rows) in each part (columns), and of what others write in tiles.

    Args:
        slice_bytes: of the slices of channels in which the last layers are computed.

    Layers whose results are joined each write and store a share of one tile.
    """
    network = order.network
    found = np.zeros((choice.end + 1 - choice.start, choice.cut.parts), dtype=np.int64)
    others = np.zeros_like(found)
    for position in range(choice.start, choice.end + 1):
        tensor, row = network.defines[position], position - choice.start
        buffer = network.buffer_of(tensor)
        if position >= choice.sliced_from:
            found[row] = slice_bytes
            continue
        touched, makers = network.touched(buffer, choice.start, choice.end), network.definitions[buffer]
        is_read = not {p for p in touched if p >= position} <= {p for p, _ in makers}
        if is_read or buffer in choice.residents_out.whole or walk.rows[buffer].kept(1).any():
            continue
        held = walk.rows[buffer].held(walk.columns.row_bytes(buffer))
        of_all = network.buffers[buffer].rows * network.buffers[buffer].row_bytes
        mine = held * network.graph.types[tensor].nbytes // of_all
        found[row] = mine if len(makers) > 1 else held
        others[touched[0] - choice.start : touched[-1] - choice.start + 1] += mine
        others[row] -= mine
    return found, others


def activations_on_chip(interval: Interval, residents_in: ResidentKey, residents_out: ResidentKey) -> Ints:
    """Bytes of activations in use, per layer (rows) and part (columns)."""
    return interval.memory.taken(residents_in, residents_out)
