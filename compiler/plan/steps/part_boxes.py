"""Which box of every buffer a part holds, and which box of its result a layer computes in it.

in:   rows per part (`RowRanges`) and columns per strip of every buffer
out:  boxes of buffers, how they lie in a block, boxes of results and of what these need

    y = conv3x3(x), 8 columns in 2 strips, 2 rows per part      strip 0 needs columns 0..4 of x, strip 1 3..7
    part 1 of strip 1: rows 2..3 of y need rows 1..4 of x       box (1, 3) of shape (4, 5): 5 elements a row
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import mul

import numpy as np

from nnc.compiler.ir.regions.boxes import Box, ranged, shifted
from nnc.compiler.ir.regions.operand_boxes import Boxes, Need, needed
from nnc.compiler.ir.required import required
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.alone.tiling import vector
from nnc.compiler.plan.fusion.channel_slices import channel_axis
from nnc.compiler.plan.fusion.row_ranges import RowRanges
from nnc.compiler.plan.network.buffers import RowBuffer, narrowed, rows_first
from nnc.compiler.plan.network.plan_network import Vector
from nnc.compiler.plan.step import Block
from nnc.compiler.plan.steps.step_writer import OnChip, StepWriter
from nnc.isa.integers import round_up

Needs = dict[int, Need]
"""What a box of a result needs of every operand, constants too, by slot."""


class PartBoxes:
    """The boxes of a core in the part that its writer is in; those of a strip are found at once."""

    def __init__(self, writer: StepWriter) -> None:
        self._writer, self._network, choice = writer, writer.network, writer.choice
        self.walk = RowRanges(writer.network, choice.end, choice.cut, writer.core // choice.cut.column_shards)
        for position in range(choice.end, choice.start - 1, -1):
            self.walk.extend(position)
        self.rows = {buffer: self.walk.input_rows(buffer) for buffer in self.walk.pending} | self.walk.rows
        self._layers: dict[tuple[int, int], list[tuple[Box, Needs]]] = {}

    # --- buffers --------------------------------------------------------------------------------------------

    def held(self, buffer: str) -> tuple[int, int]:
        """The rows of a buffer that the part holds."""
        rows, place = self.rows[buffer], self._writer.part.place
        return int(rows.low[place]), int(rows.high[place])

    def columns(self, buffer: str) -> tuple[int, int] | None:
        """Columns of a buffer in this strip; None if they are not cut."""
        columns, strip = self.walk.columns.of(buffer), self._writer.part.strip
        return None if columns is None else (int(columns.low[strip]), int(columns.high[strip]))

    def row_box(self, buffer: str, low: int, high: int) -> Box:
        """A range of rows of a buffer, as wide as this strip needs them."""
        shape, info = self._network.graph.types[buffer].shape, self._network.buffers[buffer]
        box, axis = ((0,) * len(shape), shape), self._network.view(buffer).axis
        if axis is not None:
            box = ranged(box, axis, low, high)
        if (columns := self.columns(buffer)) is not None:
            box = ranged(box, required(info.column_axis), *columns)
        return box

    def row_bytes(self, buffer: str) -> int:
        """Bytes of a row of a buffer, or of what this strip needs of it."""
        info, columns = self._network.buffers[buffer], self.columns(buffer)
        if columns is None:
            return info.row_bytes
        strides = self._strides(buffer)
        if info.axis is None:  # all of it is a row
            shape = self.row_box(buffer, 0, 0)[1]
            elements = max(stride * extent for stride, extent in zip(strides, shape, strict=True))
        else:
            elements = strides[info.axis]
        return elements * self._network.graph.types[buffer].dtype.itemsize

    def rows_in(self, buffer: str, block: Block, low: int, high: int) -> OnChip:
        """Rows of a buffer, dense in a block, as wide as this strip needs them."""
        strides, corner = self._strides(buffer), self.row_box(buffer, low, high)[0]
        return OnChip(block, -sum(map(mul, corner, strides)), strides)

    def _strides(self, buffer: str) -> Vector:
        """Elements from step to step of each axis on chip; rows of some columns begin in whole units."""
        info, graph, columns = self._network.buffers[buffer], self._network.graph, self.columns(buffer)
        if columns is None:
            return info.strides
        unit = unit_of(graph.types[buffer].dtype, graph.notes.transfer_unit)
        return _narrow_strides(info, graph.storage[buffer], columns[1] - columns[0], unit)

    # --- layers ---------------------------------------------------------------------------------------------

    def new(self, position: int) -> tuple[Box, Needs] | None:
        """What a layer computes in the part, and what that needs; None if that is nothing."""
        rows, place = self.walk.new[position], self._writer.part.place
        if rows.high[place] <= rows.low[place]:
            return None  # the box of a scalar has no axis that could be empty
        key = (position, self._writer.part.strip)
        if key not in self._layers:
            self._layers[key] = self._of_strip(position)
        box, needs = self._layers[key][place]
        return (box, needs) if min(box[1], default=1) > 0 else None

    def needs_of(self, position: int, boxes: Sequence[Box]) -> list[Needs]:
        """What each of several boxes of a layer's result needs, found at once."""
        if not boxes:
            return []
        return self._needs(position, Boxes.of(*((low, shifted(low, shape)) for low, shape in boxes)))

    def channels(self, position: int, box: Box, channels: tuple[int, int]) -> Box | None:
        """What a box of a layer's result has of a range of output channels; None if that is nothing.

        A result without an axis of channels (a scalar, a vector) is computed as a whole.
        """
        axis = channel_axis(self._network, position)
        return box_within(box, axis, channels) if axis < len(box[0]) else box

    def _of_strip(self, position: int) -> list[tuple[Box, Needs]]:
        """What a layer computes in each part of the strip, and what that needs."""
        network, tensor = self._network, self._network.defines[position]
        boxes = network.out_boxes(position, self.walk.new[position])
        if (columns := self.columns(network.buffer_of(tensor))) is not None:
            axis = network.column_axis(tensor)
            boxes.low[:, axis] = np.maximum(boxes.low[:, axis], columns[0])
            boxes.high[:, axis] = np.minimum(boxes.high[:, axis], columns[1])
        corners, shapes = (map(tuple, of.tolist()) for of in (boxes.low, boxes.extents))
        return [*zip(zip(corners, shapes, strict=True), self._needs(position, boxes), strict=True)]

    def _needs(self, position: int, boxes: Boxes) -> list[Needs]:
        network, layer, shapes = self._network, self._network.layers[position], self._network.shapes[position]
        whole = network.graph.types[network.defines[position]].shape
        slots = [slot for slot, shape in enumerate(shapes) if shape is not None]
        needs = {slot: needed(layer, slot, boxes, shapes, whole) for slot in slots}
        return [{slot: need.only(number) for slot, need in needs.items()} for number in range(len(boxes))]


def box_of(boxes: Boxes) -> Box:
    """The first of several boxes in plain numbers."""
    return vector(boxes.low[0]), vector(boxes.high[0] - boxes.low[0])


def box_within(box: Box, axis: int, limits: tuple[int, int]) -> Box | None:
    """What a box has of a range along an axis; None if that is nothing."""
    low, shape = box
    first, end = max(limits[0], low[axis]), min(limits[1], low[axis] + shape[axis])
    return ranged(box, axis, first, end) if first < end else None  # parts are cut along the channels, too


def _narrow_strides(info: RowBuffer, storage: Storage, width: int, unit: int) -> Vector:
    """Strides of rows of a buffer of so many columns."""
    axis = required(info.column_axis)
    shape = (*storage.shape[:axis], width, *storage.shape[axis + 1 :])
    if info.axis is not None and storage.strides[axis] > storage.strides[info.axis]:
        return rows_first(storage, info.axis, shape)
    strides = narrowed(storage, axis, shape, round_up(width * storage.strides[axis], unit))
    return strides if info.axis is None else rows_first(replace(storage, strides=strides), info.axis, shape)
