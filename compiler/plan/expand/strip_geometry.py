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
from nnc.compiler.plan.views.row_views import rows_first
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
        columns, info = self.columns(buffer, part), self.network.buffers[buffer]
        if columns is None:
            return info.row_bytes
        width, strides = columns[1] - columns[0], self._strides(buffer, columns)
        step = strides[required(info.column_axis)] * width if info.axis is None else strides[info.axis]
        return step * self.network.graph.types[buffer].dtype.itemsize

    def _strides(self, buffer: str, columns: tuple[int, int] | None) -> Vector:
        """Elements from step to step of each axis on chip; rows of some columns begin in whole units."""
        info, graph = self.network.buffers[buffer], self.network.graph
        if columns is None or info.axis is None:
            return info.strides
        width, axis, storage = columns[1] - columns[0], required(info.column_axis), graph.storage[buffer]
        shape = replaced(storage.shape, axis, width)
        if storage.strides[axis] > storage.strides[info.axis]:
            return rows_first(storage, info.axis, shape)
        unit = unit_of(graph.types[buffer].dtype, graph.notes.transfer_unit)
        return rows_first(storage, info.axis, shape, round_up(width * storage.strides[axis], unit))

    def rows_in(self, buffer: str, block: Block, low: int, high: int, part: Part) -> OnChip:
        """Rows of a buffer, dense in a block, as wide as this strip needs them."""
        columns, info = self.columns(buffer, part), self.network.buffers[buffer]
        strides = self._strides(buffer, columns)
        base = 0 if info.axis is None else -low * strides[info.axis]
        if columns is not None:
            base -= columns[0] * strides[required(info.column_axis)]
        return OnChip(block, low, high, base, strides)


def replaced(values: Vector, axis: int, value: int) -> Vector:
    """A vector with another value for an axis."""
    return (*values[:axis], value, *values[axis + 1 :])
