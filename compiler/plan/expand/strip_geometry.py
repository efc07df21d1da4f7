"""Rows of a buffer as wide as a strip of columns needs them: boxes, bytes, and how they lie in a block.

8 columns in 2 strips, a 3x3 convolution behind:   strip 0 needs columns 0..4, strip 1 columns 3..7;
rows 2..5 in strip 1 are the box (2, 3) of shape (4, 5), dense: 5 elements from row to row
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.plan.expand.step_writer import OnChip, Vector
from nnc.compiler.plan.fusion.column_ranges import ColumnRanges
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.plan.step import Block
from nnc.isa.integers import round_up


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a group: its number on a core, the strip of columns it belongs to, its place in the strip."""

    number: int
    strip: int
    at: int


class StripGeometry:
    """Boxes of rows in the strips of a group; without columns that are cut, rows are whole."""

    def __init__(self, network: PlanNetwork, columns: ColumnRanges) -> None:
        self.network, self._columns = network, columns

    def row_box(self, buffer: str, low: int, high: int, part: Part) -> tuple[Vector, Vector]:
        """Corner and shape of a range of rows of a buffer."""
        shape = self.network.graph.types[buffer].shape
        axis = self.network.view(buffer).axis
        start, extent = [0] * len(shape), list(shape)
        if axis is not None:
            start[axis], extent[axis] = low, high - low
        columns = self.columns(buffer, part)
        if columns is not None:
            axis = required(column_axis(self.network, buffer))
            start[axis], extent[axis] = columns[0], columns[1] - columns[0]
        return tuple(start), tuple(extent)

    def columns(self, buffer: str, part: Part) -> tuple[int, int] | None:
        """Columns of a buffer in this strip; None if they are not cut."""
        found = self._columns.of(buffer)
        return None if found is None else (int(found.low[part.strip]), int(found.high[part.strip]))

    def row_bytes(self, buffer: str, part: Part) -> int:
        """Bytes of a row of a buffer, or of what this strip needs of it."""
        columns = self._columns.of(buffer)
        if columns is None:
            return self.network.buffers[buffer].row_bytes
        width = int(columns.high[part.strip]) - int(columns.low[part.strip])
        return self._row_elements(buffer, width) * self.network.graph.types[buffer].dtype.itemsize

    def _row_elements(self, buffer: str, columns: int) -> int:
        """Elements from row to row of so many columns on chip, in whole units."""
        graph = self.network.graph
        step = graph.storage[buffer].strides[required(column_axis(self.network, buffer))]
        return round_up(columns * step, unit_of(graph.types[buffer].dtype, graph.notes.transfer_unit))

    def rows_in(self, buffer: str, block: Block, low: int, high: int, part: Part) -> OnChip:
        """Rows of a buffer, dense in a block, as wide as this strip needs them."""
        columns, strides = self.columns(buffer, part), list(self.network.graph.storage[buffer].strides)
        base = -low * self.network.buffers[buffer].stride
        if columns is not None:
            row = required(self.network.view(buffer).axis)
            column = required(column_axis(self.network, buffer))
            strides[row] = self._row_elements(buffer, columns[1] - columns[0])
            base = -low * strides[row] - columns[0] * strides[column]
        return OnChip(block, low, high, base, tuple(strides))
