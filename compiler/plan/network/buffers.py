"""Buffers cut into rows, and how tensors lie in them.

A *row* of a buffer is one step along an axis of it: as a rule the outermost axis of storage (a line of a
channels-last picture, one token of a sequence, one picture of a batch).  Such rows are contiguous in memory:
a range of rows is one run of bytes in DRAM and one dense block on chip.  Along an axis further inside, a
range of rows is a run for each step of the axes outside (lines of every picture of a batch); on chip, rows
are outermost in any case.

    rows, columns of a batch of pictures nested N, H, W, C:    OUTERMOST N, H    PICTURES H, N
    rows, columns of one picture nested C, H, W:               OUTERMOST C, H    TURNED H, C

Inputs of which every layer reads one of several pieces (a batch of pictures of which each is read by layers
of its own) are as many buffers: rows of the input would be pictures, those of a piece of one picture are its
lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from math import gcd

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Copy, MacLayer, Pool
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
from nnc.compiler.plan.network.attention_axes import attention_axes, is_contraction, is_scores
from nnc.compiler.plan.network.split_views import SplitView
from nnc.compiler.tuning import TUNING


class CutAxes(Enum):
    """Along which axes the buffers of a network are cut: rows, and strips of columns.

    OUTERMOST: rows along the outermost axis of storage, columns along the next.
    PICTURES: columns are the pictures of a batch (axis 0), rows run along the outermost axis of a picture.
    TURNED: rows along the second axis of storage, columns along the outermost; tokens of two axes, for which
        there is but one way, have rows as in OUTERMOST and no columns.
    """

    OUTERMOST = "outermost"
    PICTURES = "pictures"
    TURNED = "turned"
    HEADS = "heads"


@dataclass(frozen=True, slots=True)
class RowBuffer:
    """A buffer of activations.

    Attributes:
        name: the tensor that owns it.
        axis: the axis that rows run along; None if the buffer is not cut into rows.
        column_axis: the axis that columns run along; None if it is not cut into columns.
        rows: number of rows; 1 if the buffer is not cut.
        strides: elements from step to step of each axis on chip, where rows are outermost.
        nbytes: size of the whole; row_bytes: of a row, both with padding.
    """

    name: str
    axis: int | None
    column_axis: int | None
    rows: int
    strides: tuple[int, ...]
    nbytes: int
    row_bytes: int

    def uncut(self) -> RowBuffer:
        """The buffer in one row and column; its axes must nest on chip as they do in DRAM."""
        return replace(self, axis=None, column_axis=None, rows=1, row_bytes=self.nbytes)

    @property
    def stride(self) -> int:
        """Elements from row to row in DRAM; if the buffer is not cut, more than there are."""
        return self.nbytes if self.axis is None else self.strides[self.axis]


@dataclass(frozen=True, slots=True)
class RowView:
    """How a tensor lies in its buffer.

    Attributes:
        buffer: the buffer.
        axis: the axis of the tensor that runs along rows; None if the buffer is not cut, and for other views.
        first, rows: its rows in the buffer.
        origin: where the tensor starts if it is a box of the buffer; None for other views.
        split: how its axes run along those of the buffer, if each runs along one; else see `rows_shown`.
    """

    buffer: str
    axis: int | None
    first: int
    rows: int
    origin: tuple[int, ...] | None
    split: SplitView | None


@dataclass(frozen=True)
class RowRange:
    """Ranges of rows, one per part: low ≤ row < high, empty where high ≤ low."""

    low: Ints
    high: Ints


def axes_worth_cutting(graph: Graph) -> list[CutAxes]:
    """The axes along which groups of a network are cut: of batches, wide pictures and attentions, several."""
    if any(is_scores(graph, layer) for layer in graph.layers()):
        sums = any(is_contraction(graph, layer) for layer in graph.layers())
        pictures = [CutAxes.PICTURES] if sums and _has_pictures(graph) else []
        return [CutAxes.OUTERMOST, CutAxes.HEADS, *pictures]
    if _has_pictures(graph):
        return [CutAxes.OUTERMOST, CutAxes.PICTURES]
    layers = [layer for layer in graph.layers() if isinstance(layer, MacLayer | Pool)]
    if any(_is_wide(graph.storage[graph.output_of(layer.name)]) for layer in layers):
        return [CutAxes.OUTERMOST, CutAxes.TURNED]
    return [CutAxes.OUTERMOST]


def _has_pictures(graph: Graph) -> bool:
    """Whether a network is one of batches that may be cut into pictures, and these into rows.

    Of a recurrent network, the one result of all steps looks like a batch; no step does.
    """
    pictures = {
        name for name in graph.buffers if None not in _cut_axes(graph.storage[name], CutAxes.PICTURES)
    }
    layers = [layer for layer in graph.layers() if not layer.is_view]
    touched = (
        {graph.storage[t].buffer for t in _touched(graph, layer) if t in graph.storage} for layer in layers
    )
    count = sum(not pictures.isdisjoint(buffers) for buffers in touched)
    return count * TUNING.cuts.most_layers_per_picture > len(layers)


def _touched(graph: Graph, layer: ir.Layer) -> list[str]:
    """Tensors that a layer reads, and what it makes."""
    return [*filter(None, graph.inputs_of(layer.name)), *graph.outputs_of(layer.name)]


def _is_wide(storage: Storage) -> bool:
    """Whether a tensor has far more columns than rows: a picture of few channels, if these are outermost."""
    rows, columns = _cut_axes(storage, CutAxes.OUTERMOST)
    if rows is None or columns is None:
        return False
    return storage.shape[columns] >= TUNING.cuts.wide_ratio * storage.shape[rows]


def row_buffers(graph: Graph, axes: CutAxes, pieces: Iterable[str]) -> dict[str, RowBuffer]:
    """All buffers of a network, and pieces of inputs, cut along these axes."""
    names = [*graph.buffers, *dict.fromkeys(pieces)]
    if axes is not CutAxes.HEADS:
        return {name: row_buffer(graph, name, axes) for name in names}
    buffers = {name: replace(row_buffer(graph, name), column_axis=None) for name in names}
    return buffers | {
        name: _cut_buffer(graph, name, *cut_axes) for name, cut_axes in attention_axes(graph).items()
    }


def row_buffer(graph: Graph, name: str, axes: CutAxes = CutAxes.OUTERMOST) -> RowBuffer:
    """Rows and columns along these axes, unless the one of rows is the innermost axis, too (a vector).

    Rows that the DMA cannot move one by one are no rows.
    """
    axis, column_axis = _cut_axes(graph.storage[name], axes)
    if axes is CutAxes.OUTERMOST:
        column_axis = _columns_that_are_copied(graph, name, axis) or column_axis
    buffer = _cut_buffer(graph, name, axis, column_axis)
    return (
        buffer if buffer.axis is not None or axes is CutAxes.PICTURES else replace(buffer, column_axis=None)
    )


def _cut_buffer(graph: Graph, name: str, axis: int | None, column_axis: int | None) -> RowBuffer:
    storage, size = graph.storage[name], graph.types[name].dtype.itemsize
    nbytes, unit = buffer_bytes(graph, name), graph.notes.transfer_unit
    outside = [] if axis is None else _outside(storage, axis)
    if axis is None or any(storage.strides[a] * size % unit for a in (*outside, axis)):
        return RowBuffer(name, None, column_axis, 1, storage.strides, nbytes, nbytes)
    strides = rows_first(storage, axis, storage.shape)
    return RowBuffer(name, axis, column_axis, storage.shape[axis], strides, nbytes, strides[axis] * size)


def _cut_axes(storage: Storage, axes: CutAxes) -> tuple[int | None, int | None]:
    """The axes of rows and of columns, None where there is none.

    The innermost axis is not cut, but for pictures of one channel: there it runs along columns; and for
    tokens of one feature.
    """
    *long, last = [axis for axis in storage.order if storage.shape[axis] > 1] or [0]
    if last == 1 and len(storage.shape) == 3:
        long.append(last)
    if axes is CutAxes.PICTURES:
        pictures = 0 if long[:1] == [0] else None
        return next((axis for axis in long if axis != pictures), None), pictures
    first, second = (*long, None, None)[:2]
    if axes is CutAxes.OUTERMOST and len(long) == 1 and 2 <= long[0] < last and storage.shape[1] == 1:
        return first, last
    return (first, second) if axes is CutAxes.OUTERMOST or second is None else (second, first)


def _columns_that_are_copied(graph: Graph, name: str, axis: int | None) -> int | None:
    """The axis of a copy that runs along the columns of what is copied; None if no axis does.

    Pixels shuffled into a picture of twice as many rows, in rows of two lines: H, 2, W, 2 is cut along W.
    """
    layer = graph.producer(name)
    if not isinstance(layer, Copy):
        return None
    source = graph.storage.get(required(graph.inputs_of(layer.name)[0]))
    if source is None:
        return None  # of a constant
    owner = graph.storage[source.buffer]
    columns = _cut_axes(owner, CutAxes.OUTERMOST)[1]
    if columns is None:
        return None
    wanted = owner.shape[columns], owner.strides[columns]
    axes = [
        own for own, layout in enumerate(zip(source.shape, source.strides, strict=True)) if layout == wanted
    ]
    return axes[0] if axes and axes[0] != axis else None


def _outside(storage: Storage, axis: int) -> list[int]:
    """The axes that nest outside of one, outermost first."""
    long = [long_axis for long_axis in storage.order if storage.shape[long_axis] > 1]
    return long[: long.index(axis)]


def rows_first(
    storage: Storage, axis: int, extents: Sequence[int], inside: int | None = None
) -> tuple[int, ...]:
    """Strides of some rows on chip: as in DRAM inside a row, then the axes outside of it, then rows.

    Args:
        extents: elements along every axis.
        inside: elements of what lies inside of a row; None: as in DRAM.
    """
    strides, step = _nested(storage, axis, extents, storage.strides[axis] if inside is None else inside)
    strides[axis] = step
    return tuple(strides)


def narrowed(storage: Storage, axis: int, extents: Sequence[int], inside: int) -> tuple[int, ...]:
    """Strides of a tensor with fewer elements along an axis: those of the axes outside of it shrink.

    Args:
        extents: elements along every axis.
        inside: elements of what lies inside of the axes outside.
    """
    return tuple(_nested(storage, axis, extents, inside)[0])


def _nested(storage: Storage, axis: int, extents: Sequence[int], inside: int) -> tuple[list[int], int]:
    """Strides with the axes outside of one around so many elements, and how many elements that makes."""
    strides, step = list(storage.strides), inside
    for outer in reversed(_outside(storage, axis)):
        strides[outer], step = step, step * extents[outer]
    return strides, step


def rows_shown(storage: Storage, stride: int, boxes: Boxes) -> RowRange:
    """The rows of a buffer from the first to the last element of boxes of any view of it.

    Rows follow each other, so the place of an element says in which row it is (where they do not, buffers of
    such views are not cut).

    Args:
        stride: elements from row to row.
    """
    strides = np.array(storage.strides, dtype=np.int64)
    first = storage.offset + np.minimum(boxes.low * strides, (boxes.high - 1) * strides).sum(axis=1)
    last = storage.offset + np.maximum(boxes.low * strides, (boxes.high - 1) * strides).sum(axis=1)
    return RowRange(first // stride, last // stride + 1)


def row_view(graph: Graph, tensor: str, buffer: RowBuffer, axes: CutAxes) -> RowView:
    """How a tensor lies in its buffer, which is cut along these axes: in some rows of it, if it is a box."""
    storage, owner = graph.storage[tensor], graph.storage[buffer.name]
    cut = (buffer.axis, buffer.column_axis) if axes is CutAxes.HEADS else None
    split = SplitView.of(storage, owner, cut)
    if split is not None and (
        (axes is CutAxes.PICTURES and not split.keeps_pictures)
        or (axes is CutAxes.TURNED and not split.keeps_axes)
    ):
        split = None
    if split is None or not split.is_box(storage, owner):
        return RowView(buffer.name, None, 0, buffer.rows, None, split)
    if buffer.axis is None:
        return RowView(buffer.name, None, 0, 1, split.origin, split)
    first, rows = split.origin[buffer.axis], storage.shape[buffer.axis]
    return RowView(buffer.name, buffer.axis, first, rows, split.origin, split)


def input_pieces(graph: Graph) -> dict[str, str]:
    """By tensor, the piece of an input that it shows; only of inputs of which all that is read are pieces."""
    pieces = dict[str, str]()
    for name in graph.inputs:
        if graph.types[name].shape and graph.storage[name].order[0] == 0 and name not in graph.outputs:
            pieces |= _pieces_of(graph, name)
    return pieces


def _pieces_of(graph: Graph, name: str) -> dict[str, str]:
    """The same of one input."""
    by_rows = dict[tuple[int, int], str]()
    pieces = dict[str, str]()
    for layer, _ in graph.consumers(name):
        tensor = graph.output_of(layer.name)
        if (rows := _rows_taken(graph, name, layer)) is None or tensor in graph.outputs:
            return {}
        piece = by_rows.setdefault(rows, tensor)
        pieces |= dict.fromkeys(_views_of(graph, tensor), piece)
    apart = all(end <= first for (_, end), (first, _) in pairwise(sorted(by_rows)))
    return pieces if apart else {}


def _rows_taken(graph: Graph, name: str, layer: ir.Layer) -> tuple[int, int] | None:
    """First and end of the rows along the outermost axis that a slice takes, if it does, in whole units."""
    type_, storage = graph.types[name], graph.storage[name]
    if not isinstance(layer, ir.Slice) or set(layer.step) != {1} or layer.shape[1:] != type_.shape[1:]:
        return None
    if storage.strides[0] * type_.dtype.itemsize % graph.notes.transfer_unit:
        return None
    return layer.start[0], layer.start[0] + layer.shape[0]


def _views_of(graph: Graph, tensor: str) -> Iterable[str]:
    """A tensor and all views of it (what a concat makes lies elsewhere)."""
    yield tensor
    for layer, _ in graph.consumers(tensor):
        if layer.is_view and not isinstance(layer, ir.Concat):
            yield from _views_of(graph, graph.output_of(layer.name))


def buffer_bytes(graph: Graph, name: str) -> int:
    """Bytes of a buffer, or of a piece of an input, whose outermost axis is the first."""
    if name in graph.buffers:
        return graph.buffers[name].nbytes
    storage = graph.storage[name]
    return storage.shape[0] * storage.strides[0] * graph.types[name].dtype.itemsize


def within(graph: Graph, tensor: str, owner: str) -> Storage:
    """Where a tensor lies in a buffer, or in a piece of an input, counted from the start of that."""
    storage = graph.storage[tensor]
    return replace(storage, offset=storage.offset - graph.storage[owner].offset)


def delivered_tensors(graph: Graph) -> set[str]:
    """All tensors that outputs of the network show."""
    delivered: set[str] = set()
    todo = list(graph.outputs)
    while todo:
        tensor = todo.pop()
        if tensor in delivered:
            continue
        delivered.add(tensor)
        layer = graph.producer(tensor)
        if layer is not None and layer.is_view:
            todo += [t for t in graph.inputs_of(layer.name) if t is not None]
    return delivered


@dataclass(frozen=True, slots=True)
class MadeRows:
    """Rows that layers make of a buffer: of a concat along rows, those of an operand, or of some in a row.

    Attributes:
        first, count: the rows.
        step: so many of them in a row need the same rows of every operand.
    """

    first: int
    count: int
    step: int

    @staticmethod
    def of(views: Sequence[RowView], needs: Iterable[RowRange]) -> MadeRows:
        """The rows of results.

        Args:
            views: of the results of layers in a row, the last one first.
            needs: of every operand of that, what each row of the result's buffer needs.
        """
        last = views[0]
        first, end = min(view.first for view in views), max(view.first + view.rows for view in views)
        step = gcd(*(_step(need.low[last.first : last.first + last.rows]) for need in needs))
        is_alone = end - first == last.rows
        return MadeRows(first, end - first, step if is_alone and 0 < step < last.rows else 1)

    def ends(self, parts: int) -> Ints:
        """One past the last row of each part; parts are as even as whole steps allow."""
        step = self.step if parts * self.step <= self.count else 1
        numbers = np.arange(1, parts + 1, dtype=np.int64)
        return np.asarray(self.first + numbers * (self.count // step) // parts * step)


def _step(low: Ints) -> int:
    """How many needs in a row begin at the same row, if all do so; else 1."""
    changes = np.flatnonzero(np.diff(low)) + 1
    if not len(changes):
        return len(low)
    step = int(changes[0])
    return step if len(low) % step == 0 and not (changes % step).any() else 1
