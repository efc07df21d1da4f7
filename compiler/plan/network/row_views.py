"""Buffers cut into rows, and how tensors lie in them.

A *row* of a buffer is one step along its outermost axis of storage (a line of a channels-last picture, one
token of a sequence).  Rows are contiguous in memory: a range of rows is one run of bytes in DRAM and one
dense block on chip, and a box of the buffer is the same strides inside that block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.storage import Storage


@dataclass(frozen=True, slots=True)
class RowBuffer:
    """A buffer of activations.

    Attributes:
        name: the tensor that owns it.
        rows: number of rows; 1 if the buffer is not cut.
        stride: elements of a row, with its padding.
        nbytes: size of the whole; row_bytes: of a row, both with padding.
    """

    name: str
    rows: int
    stride: int
    nbytes: int
    row_bytes: int


@dataclass(frozen=True, slots=True)
class RowView:
    """How a tensor lies in its buffer.

    Attributes:
        buffer: the buffer.
        axis: the axis of the tensor that runs along rows; None if the buffer is not cut, and for other views.
        first, rows: its rows in the buffer.
        origin: where the tensor starts if it is a box of the buffer; None for other views (see `rows_shown`).
    """

    buffer: str
    axis: int | None
    first: int
    rows: int
    origin: tuple[int, ...] | None


@dataclass(frozen=True)
class RowRange:
    """Ranges of rows, one per part: low ≤ row < high, empty where high ≤ low."""

    low: Ints
    high: Ints

    @cached_property
    def slope(self) -> int:
        """How fast `high` grows on average, at least 1."""
        count = len(self.high)
        return 1 if count < 2 else max(1, round((int(self.high[-1]) - int(self.high[0])) / (count - 1)))


def row_buffer(graph: Graph, name: str) -> RowBuffer:
    """Rows along the outermost axis of storage, unless that axis is the innermost one too (a vector).

    Rows that the DMA cannot move one by one are no rows.
    """
    storage, size = graph.storage[name], graph.types[name].dtype.itemsize
    elements = graph.buffers[name].elements
    long = [axis for axis in storage.order if storage.shape[axis] > 1]
    if len(long) < 2 or storage.strides[long[0]] * size % graph.notes.transfer_unit:
        return RowBuffer(name, 1, elements, elements * size, elements * size)
    rows = storage.shape[long[0]]
    stride = storage.strides[long[0]]
    return RowBuffer(name, rows, stride, elements * size, stride * size)


def rows_shown(storage: Storage, buffer: RowBuffer, boxes: Boxes) -> RowRange:
    """The rows of a buffer from the first to the last element of boxes of any view of it.

    Rows follow each other, so the place of an element says in which row it is.
    """
    strides = np.array(storage.strides, dtype=np.int64)
    first = storage.offset + np.minimum(boxes.low * strides, (boxes.high - 1) * strides).sum(axis=1)
    last = storage.offset + np.maximum(boxes.low * strides, (boxes.high - 1) * strides).sum(axis=1)
    return RowRange(first // buffer.stride, last // buffer.stride + 1)


def row_view(graph: Graph, tensor: str, buffer: RowBuffer) -> RowView:
    """How a tensor that is a box of its buffer lies in the rows of it; of any other view, that it is none."""
    storage, owner = graph.storage[tensor], graph.storage[buffer.name]
    whole = RowView(buffer.name, None, 0, buffer.rows, None)
    if len(storage.shape) != len(owner.shape):
        return whole
    for mine, theirs, extent in zip(storage.strides, owner.strides, storage.shape, strict=True):
        if extent > 1 and mine != theirs:
            return whole
    origin = [0] * len(storage.shape)
    rest = storage.offset
    for axis in owner.order:
        if owner.shape[axis] > 1 and owner.strides[axis]:
            origin[axis], rest = divmod(rest, owner.strides[axis])
    box = tuple(origin)
    fits = all(o + n <= m for o, n, m in zip(box, storage.shape, owner.shape, strict=True))
    if rest or not fits:
        return whole
    if buffer.rows == 1:
        return RowView(buffer.name, None, 0, 1, box)
    (axis,) = [
        a for a in range(len(owner.shape)) if owner.shape[a] > 1 and owner.strides[a] == buffer.stride
    ][:1]
    return RowView(buffer.name, axis, box[axis], storage.shape[axis], box)
