"""Buffers around attention, and the axes that run along query tokens (rows) and heads (columns) there.

in:   a canonical graph
out:  (axis of rows, axis of columns) of buffers, those of scores and of all that is made of or into them

    q [197, 768], seen as [12, 197, 64] ─ matmul ─ scores [12, 197, 197] ─ softmax ─ matmul ─ [12, 197, 64]
    rows 0, columns 1 (64 per head)                rows 1, columns 0                       rows 1, columns 0

From the scores, a product of two activations, axes go through layers that keep them: functions of elements,
softmax, copies, products of activations.  Keys and values have the columns of their heads; all of their rows
are needed, whatever axis these run along.
"""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.plan.network.split_views import SplitView

RowsColumns = tuple[int, int | None]
"""The axis of rows and that of columns, if there is one."""


def attention_axes(graph: Graph) -> dict[str, RowsColumns]:
    """By buffer: axes of its owner that run along query tokens and heads; nothing without attention."""
    return _Attention(graph).axes if any(is_scores(graph, layer) for layer in graph.layers()) else {}


def is_scores(graph: Graph, layer: ir.Layer) -> bool:
    """Whether a layer multiplies two activations, matrix by matrix of a batch."""
    if not isinstance(layer, ir.MatMul):
        return False
    shape = graph.types[graph.output_of(layer.name)].shape
    sources = graph.inputs_of(layer.name)[:2]
    return len(shape) > 2 and all(source in graph.storage for source in sources)


def is_contraction(graph: Graph, layer: ir.Layer) -> bool:
    """Whether a layer adds up products of two activations, piece by piece of their rows."""
    if not isinstance(layer, ir.Reduce):
        return False
    above = graph.producer(required(graph.inputs_of(layer.name)[0]))
    return above is not None and is_scores(graph, above)


class _Attention:
    """The axes that were found so far, going from tensor to tensor."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.axes: dict[str, RowsColumns] = {}
        self._shown: dict[str, list[str]] = {}
        for tensor, storage in graph.storage.items():
            self._shown.setdefault(storage.buffer, []).append(tensor)
        self._todo: list[str] = []
        for layer in graph.layers():
            if is_scores(graph, layer):
                tensor = graph.output_of(layer.name)
                shape = graph.types[tensor].shape
                columns = max(range(len(shape) - 2), key=lambda axis: (shape[axis], axis))
                self._enter(tensor, len(shape) - 2, columns if shape[columns] > 1 else None)
        while self._todo:
            self._spread(self._todo.pop())

    def _enter(self, tensor: str, rows: int, columns: int | None) -> bool:
        """Enter the buffer of a tensor with these axes; false if rows and columns are no axes of it."""
        storage = self.graph.storage[tensor]
        if storage.buffer in self.axes:
            return True
        owner = self.graph.storage[storage.buffer]
        view = SplitView.of(storage, owner)
        along = None if view is None else view.along[rows]
        if view is None or along is None or along[1] != 1:
            return False
        across = None if columns is None else view.along[columns]
        column_axis = None if across is None else across[0]
        if column_axis == along[0] or not _nests(self.graph, storage.buffer, along[0], column_axis):
            return False
        self.axes[storage.buffer] = (along[0], column_axis)
        self._todo.append(storage.buffer)
        return True

    def _spread(self, buffer: str) -> None:
        """Go on to what the tensors of a buffer are made of, and to what is made of them."""
        rows, columns = self.axes[buffer]
        owner = self.graph.storage[buffer]
        for tensor in self._shown[buffer]:
            view = SplitView.of(self.graph.storage[tensor], owner)
            row_axis = None if view is None else view.axis_along(rows)
            if view is None or row_axis is None:
                continue
            across = None if columns is None else view.axis_along(columns)
            layer = self.graph.producer(tensor)
            if layer is not None and not layer.is_view:
                for slot, source in enumerate(self.graph.inputs_of(layer.name)):
                    if source is not None and source in self.graph.storage:
                        self._hand_on(layer, (tensor, row_axis, across), source, slot)
            for reader, slot in self.graph.consumers(tensor):
                if not reader.is_view and slot == 0:
                    self._hand_on(reader, (tensor, row_axis, across), self.graph.output_of(reader.name), slot)

    def _hand_on(
        self, layer: ir.Layer, tensor_axes: tuple[str, int, int | None], neighbour: str, slot: int
    ) -> None:
        """Enter an operand of a layer, or its result, by the axes of its result, or of its first operand.

        Args:
            tensor_axes: a tensor, its axes of rows and columns; slot: of the operand.
        """
        tensor, rows, columns = tensor_axes
        if not is_scores(self.graph, layer):
            if _keeps_axes(layer, rows, columns) and self._are_alike(neighbour, tensor, rows, columns):
                self._enter(neighbour, rows, columns)
            return
        row, heads = self._behind(rows, neighbour, tensor), self._behind(columns, neighbour, tensor)
        rank = len(self.graph.types[neighbour].shape)
        if slot == 0 and row is not None:
            self._enter(neighbour, row, heads)
        elif slot == 1 and (heads is None or heads < rank - 2):
            _ = self._enter(neighbour, rank - 2, heads) or self._enter(neighbour, rank - 1, heads)

    def _are_alike(self, tensor: str, other: str, rows: int, columns: int | None) -> bool:
        """Whether two tensors have as many axes, rows and columns: one element each, or several."""
        shape, other_shape = (self.graph.types[name].shape for name in (tensor, other))
        if len(shape) != len(other_shape):
            return False
        return all(axis is None or shape[axis] == other_shape[axis] for axis in (rows, columns))

    def _behind(self, axis: int | None, tensor: str, reference: str) -> int | None:
        """The axis of a tensor that is as far from the last one as an axis of another; None: it has none."""
        rank, others = (len(self.graph.types[name].shape) for name in (tensor, reference))
        return None if axis is None or axis + rank < others else axis + rank - others


def _keeps_axes(layer: ir.Layer, rows: int, columns: int | None) -> bool:
    """Whether rows and columns of a result are those of its operands."""
    if isinstance(layer, ir.Reduce):
        return not {rows, columns} & {*layer.axes}
    return isinstance(layer, ir.Elementwise | ir.Softmax | ir.Copy)


def _nests(graph: Graph, buffer: str, rows: int, columns: int | None) -> bool:
    """Whether rows of some columns are dense blocks: columns outside of the rows, or right below them."""
    storage = graph.storage[buffer]
    long = [axis for axis in storage.order if storage.shape[axis] > 1]
    if rows not in long or rows == len(storage.shape) - 1:
        return False
    if columns is None:
        return True  # columns, if any, have several elements (`_Attention`)
    place, below = long.index(columns), long.index(rows) + 1
    return place < below or place == below
