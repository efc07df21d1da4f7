"""In which order the axes nest around a reshape that has to be copied, so that the copy moves long runs.

    channels of 4 groups dealt out, N, H, W, C before and behind:   every channel is a run of its own
    N, H, C, W before and behind:                                   a line of every channel is a run

The array reads and writes tensors in any order of axes at the same price; a copy pays whole words for every
run of bytes.  In both orders rows of the picture are rows of the buffer.  Where only axes change places, the
array writes them to their places at once, and there is no copy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.views import axis_groups
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import (
    Storage,
    ordered_strides,
    outermost_axis,
    permute,
    reshape_strides,
    storage_order,
)
from nnc.compiler.passes.matching import (
    MOVES,
    made_by,
    operands_of,
    result_type,
    shown_by,
    source_of,
    source_type,
    uses_through,
)
from nnc.compiler.passes.row_axis import elements_per_row
from nnc.compiler.tuning import TUNING

Axes = tuple[int, ...]
_ARRAY_OR_COPY = (ir.MacLayer, ir.Copy)
"""Layers that take tensors in any order of axes at the same price, and those that are priced here."""


def order_before(shape: Axes, layer: ir.Reshape, order: Axes) -> Axes:
    """How a copy of this shape before a reshape nests its axes, so that the reshape lies in an order.

    Axes that become one, and those that one becomes, stay in a row; such groups nest as the order says.
    """
    groups = axis_groups(permute(shape, layer.order), layer.shape)
    outermost = [
        min((order.index(axis) for axis in new if layer.shape[axis] > 1), default=0) for _, new in groups
    ]
    nested = sorted(range(len(groups)), key=outermost.__getitem__)
    return tuple(layer.order[axis] for group in nested for axis in groups[group][0])


def _lines_inside(order: Axes) -> Axes:
    """The order N, rows…, C, columns of pictures that lie as N, rows…, columns, C."""
    return (*order[:-2], order[-1], order[-2])


class _Copied(NamedTuple):
    """A tensor, the views of it, and the reshape of these that has to be copied."""

    root: str
    views: Sequence[ir.Layer]
    last: ir.Reshape


def better_orders(graph: Graph, orders: dict[str, Axes], copied: list[ir.Reshape]) -> dict[str, Axes]:
    """Orders of tensors that better lie otherwise, since they are rearranged.

    Args:
        orders: of all tensors so far.
        copied: the reshapes that strides cannot say.
    """
    better: dict[str, Axes] = {}
    for layer in copied:
        root, views = shown_by(graph, source_of(graph, layer), ir.Reshape, ir.Transpose, ir.Slice)
        if root in orders:
            better |= _better(graph, _Copied(root, views, layer), orders)
    return better


def _better(graph: Graph, copied: _Copied, orders: dict[str, Axes]) -> dict[str, Axes]:
    """Orders without a copy, or with longer runs."""
    free = _order_without_copy(graph, copied, orders)
    if free is not None:
        return dict.fromkeys(_products_before(graph, copied.root), free)
    pair = copied.root, graph.output_of(copied.last.name)
    if _is_better_in_lines(graph, copied, pair, orders):
        return {tensor: _lines_inside(orders[tensor]) for tensor in pair}
    return {}


def _products_before(graph: Graph, tensor: str) -> list[str]:
    """The products that functions of elements make a tensor of: that which it lies like, then others."""
    layer, shape = made_by(graph, tensor, ir.Elementwise, ir.MacLayer), graph.types[tensor].shape
    if layer is None or isinstance(layer, ir.MacLayer):
        return [] if layer is None else [tensor]
    first, *others = operands_of(graph, layer)
    alike = [first] if graph.types[first].shape == shape else []
    if not alike:
        return []
    alike += [operand for operand in others if len(graph.types[operand].shape) == len(shape)]
    made = [_products_before(graph, t) if len(graph.consumers(t)) == 1 else [] for t in alike]
    return [product for products in made for product in products] if made[0] else []


def _order_without_copy(graph: Graph, copied: _Copied, orders: dict[str, Axes]) -> Axes | None:
    """The order in which the array can write the copy at once: heads of attention beside each other, say.

    Rows stay rows, or become those of the operand: what is computed row by row, and fused so, still is.
    """
    products = _products_before(graph, copied.root)
    if not products or not _is_read_by_array(graph, copied.root):
        return None
    strides = _strides_of_root(graph, copied, orders[graph.output_of(copied.last.name)])
    if strides is None:
        return None
    shape = graph.types[copied.root].shape
    order = storage_order(shape, strides)
    rows, row = outermost_axis(shape, orders[copied.root]), outermost_axis(shape, order)
    return order if row in (rows, _rows_of_operand(graph, products[0])) else None


def _strides_of_root(graph: Graph, copied: _Copied, order: Axes) -> Axes | None:
    """Strides of what views show, so that the copy at their end lies in an order; None: none say that."""
    shape = source_type(graph, copied.last).shape
    strides: Axes | None = ordered_strides(shape, order_before(shape, copied.last, order))
    for view in reversed(copied.views):
        if strides is None or not isinstance(view, MOVES):
            return None
        perm, above = _perm(view), source_type(graph, view).shape
        inside = reshape_strides(result_type(graph, view).shape, strides, permute(above, perm))
        strides = None if inside is None else tuple(inside[perm.index(axis)] for axis in range(len(above)))
    return strides


def _perm(view: ir.Layer) -> Axes:
    """In which order a reshape or a transpose takes the axes of its operand."""
    match view:
        case ir.Transpose(perm=axes) | ir.Reshape(order=axes):
            return axes
        case _:
            raise TypeError(view.kind)


def _rows_of_operand(graph: Graph, product: str) -> int | None:
    """The axis of a product that runs along rows of its first operand, if that is a list of such."""
    layer, axis = required(graph.producer(product)), len(graph.types[product].shape) - 2
    if not isinstance(layer, ir.MatMul) or graph.is_constant(graph.operand(layer.name, 1)):
        return None
    return axis if elements_per_row(graph, source_of(graph, layer), axis) else None


def _is_better_in_lines(
    graph: Graph, copied: _Copied, pair: tuple[str, str], orders: dict[str, Axes]
) -> bool:
    """Whether pictures before and behind a copy better lie as N, rows…, C, columns."""
    now = [orders[tensor] for tensor in pair]
    if any(len(order) < 4 or (order[0], order[-1]) != (0, 1) for order in now):
        return False
    if not _is_written_by_array(graph, copied.root) or not all(_is_read_by_array(graph, t) for t in pair):
        return False
    run, in_lines = _run(graph, copied, *now), _run(graph, copied, *map(_lines_inside, now))
    return in_lines > run and run * graph.types[copied.root].dtype.itemsize < TUNING.passes.short_run_bytes


def _is_written_by_array(graph: Graph, tensor: str) -> bool:
    """Whether a tensor is the result of a convolution, or a concat of such and of what is copied there."""
    layer = made_by(graph, tensor, ir.Conv, ir.ConvTranspose, ir.Concat)
    if layer is None or not isinstance(layer, ir.Concat):
        return layer is not None
    parts = [graph.producer(part) for part in operands_of(graph, layer)]
    return all(part is not None and (part.is_view or isinstance(part, _ARRAY_OR_COPY)) for part in parts)


def _is_read_by_array(graph: Graph, tensor: str) -> bool:
    """Whether only the array and copies read a tensor and its views."""
    uses = uses_through(graph, tensor, ir.Reshape, ir.Transpose, ir.Slice, ir.Expand, ir.Unfold)
    readers = (use.name and graph.layer(use.name) for use in uses)
    # Into a concat it is copied, if it is no concat of its own
    return all(isinstance(reader, (*_ARRAY_OR_COPY, ir.Concat)) for reader in readers)


def _run(graph: Graph, copied: _Copied, order: Axes, wanted: Axes) -> int:
    """Elements that follow each other in what is copied and in the copy; 0: strides do not say the views."""
    shown: Storage | None = Storage.dense(copied.root, graph.types[copied.root].shape, order)
    for view in copied.views:
        shown = shown and view_storage(shown, view)
    if shown is None:
        return 0
    nested, run = order_before(shown.shape, copied.last, wanted), 1
    copy = ordered_strides(shown.shape, nested)
    for axis in (axis for axis in reversed(nested) if shown.shape[axis] != 1):
        if (shown.strides[axis], copy[axis]) != (run, run):
            break
        run *= shown.shape[axis]
    return run


def view_storage(source: Storage, layer: ir.Layer) -> Storage | None:
    """Storage of a view of one operand over the storage of that; None if strides cannot express it."""
    match layer:
        case ir.Reshape():
            return source.transpose(layer.order).reshape(layer.shape)
        case ir.Transpose():
            return source.transpose(layer.perm)
        case ir.Slice():
            return source.slice(layer.start, layer.step, layer.shape)
        case ir.Expand():
            return source.expand(layer.shape)
        case ir.Unfold():
            return source.unfold(layer.axis, layer.count, layer.size, layer.step)
        case _:
            raise TypeError(layer.kind)
