"""In which order the axes nest around a reshape that has to be copied, so that the copy moves long runs.

    channels of 4 groups dealt out, N, H, W, C before and behind:   every channel is a run of its own
    N, H, C, W before and behind:                                   a line of every channel is a run

The array reads and writes tensors in any order of axes at the same price; a copy pays whole words for every
run of bytes.  In both orders rows of the picture are rows of the buffer.  Where only axes change places, the
array writes them to their places at once, and there is no copy.
"""

from __future__ import annotations

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
from nnc.compiler.passes.matching import source_of, source_type
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


def better_orders(graph: Graph, orders: dict[str, Axes], copied: list[ir.Reshape]) -> dict[str, Axes]:
    """Orders of tensors that better lie otherwise, since they are rearranged.

    Args:
        orders: of all tensors so far.
        copied: the reshapes that strides cannot say.
    """
    found: dict[str, Axes] = {}
    for layer in copied:
        chain = _views_above(graph, layer)
        root, result = source_of(graph, chain[0]), graph.output_of(layer.name)
        if root not in orders:
            continue
        free = _order_without_copy(graph, chain, root, orders)
        if free is not None:
            found |= dict.fromkeys(_products_before(graph, root), free)
        elif _is_better_in_lines(graph, chain, root, orders):
            found |= {tensor: _lines_inside(orders[tensor]) for tensor in (root, result)}
    return found


def _products_before(graph: Graph, tensor: str) -> list[str]:
    """The products that functions of elements make a tensor of: that which it lies like, then others."""
    layer, shape = graph.producer(tensor), graph.types[tensor].shape
    if isinstance(layer, ir.MacLayer):
        return [tensor]
    if not isinstance(layer, ir.Elementwise):
        return []
    first, *others = (required(source) for source in graph.inputs_of(layer.name))
    if graph.types[first].shape != shape or len(graph.consumers(first)) > 1:
        return []
    found = _products_before(graph, first)
    mine = [t for t in others if len(graph.types[t].shape) == len(shape) and len(graph.consumers(t)) == 1]
    return found + [made for t in mine if found for made in _products_before(graph, t)]


def _order_without_copy(
    graph: Graph, chain: list[ir.Layer], root: str, orders: dict[str, Axes]
) -> Axes | None:
    """The order in which the array can write the copy at once: heads of attention beside each other, say.

    Rows stay rows, or become those of the operand: what is computed row by row, and fused so, still is.
    """
    products = _products_before(graph, root)
    if not products or not _is_read_by_array(graph, root):
        return None
    last = chain[-1]
    assert isinstance(last, ir.Reshape)
    shapes = [source_type(graph, layer).shape for layer in chain]
    strides: Axes | None = ordered_strides(
        shapes[-1], order_before(shapes[-1], last, orders[graph.output_of(last.name)])
    )
    for layer, shape, above in zip(chain[-2::-1], shapes[:0:-1], shapes[-2::-1], strict=True):
        if strides is None or not isinstance(layer, ir.Reshape | ir.Transpose):
            return None
        perm = layer.perm if isinstance(layer, ir.Transpose) else layer.order
        turned = permute(above, perm)
        inside = reshape_strides(shape, strides, turned)
        strides = None if inside is None else tuple(inside[perm.index(axis)] for axis in range(len(above)))
    if strides is None:
        return None
    order = storage_order(shapes[0], strides)
    rows = [outermost_axis(shapes[0], nested) for nested in (order, orders[root])]
    return order if rows[0] in (rows[1], _rows_of_operand(graph, products[0])) else None


def _rows_of_operand(graph: Graph, product: str) -> int | None:
    """The axis of a product that runs along rows of its first operand, if that is a list of such."""
    layer, axis = required(graph.producer(product)), len(graph.types[product].shape) - 2
    if not isinstance(layer, ir.MatMul) or graph.is_constant(graph.operand(layer.name, 1)):
        return None
    return axis if elements_per_row(graph, source_of(graph, layer), axis) else None


def _is_better_in_lines(graph: Graph, chain: list[ir.Layer], root: str, orders: dict[str, Axes]) -> bool:
    """Whether pictures before and behind a copy better lie as N, rows…, C, columns."""
    pair = (root, graph.output_of(chain[-1].name))
    if any(len(orders[t]) < 4 or orders[t][0] != 0 or orders[t][-1] != 1 for t in pair):
        return False
    if not _is_written_by_array(graph, root) or not all(_is_read_by_array(graph, t) for t in pair):
        return False
    now = _run(graph, chain, root, *(orders[tensor] for tensor in pair))
    lines = _run(graph, chain, root, *(_lines_inside(orders[tensor]) for tensor in pair))
    return lines > now and now * graph.types[root].dtype.itemsize < TUNING.passes.short_run_bytes


def _views_above(graph: Graph, layer: ir.Layer) -> list[ir.Layer]:
    """The chain of views, first to last, at whose end a reshape stands."""
    chain = [layer]
    while True:
        above = graph.producer(source_of(graph, chain[0]))
        if not isinstance(above, ir.Reshape | ir.Transpose | ir.Slice):
            return chain
        chain.insert(0, above)


def _is_written_by_array(graph: Graph, tensor: str) -> bool:
    """Whether a tensor is the result of a convolution, or a concat of such and of what is copied there."""
    layer = graph.producer(tensor)
    if isinstance(layer, ir.Concat):
        parts = [graph.producer(required(part)) for part in graph.inputs_of(layer.name)]
        return all(part is not None and (part.is_view or isinstance(part, _ARRAY_OR_COPY)) for part in parts)
    return isinstance(layer, ir.Conv | ir.ConvTranspose)


def _is_read_by_array(graph: Graph, tensor: str) -> bool:
    """Whether only the array and copies read a tensor and its views."""
    todo = [tensor]
    while todo:
        name = todo.pop()
        if name in graph.outputs:
            return False
        for layer, _ in graph.consumers(name):
            if isinstance(layer, ir.Concat):
                continue  # it is copied there, if it is no concat of its own
            if layer.is_view:
                todo.append(graph.output_of(layer.name))
            elif not isinstance(layer, _ARRAY_OR_COPY):
                return False
    return True


def _run(graph: Graph, chain: list[ir.Layer], root: str, order: Axes, wanted: Axes) -> int:
    """Elements that follow each other in what is copied and in the copy; 0: strides do not say the chain."""
    shown: Storage | None = Storage.dense(root, graph.types[root].shape, order)
    *before, last = chain
    for layer in before:
        shown = shown and view_storage(shown, layer)
    if shown is None:
        return 0
    assert isinstance(last, ir.Reshape)
    nested = order_before(shown.shape, last, wanted)
    copy, run = ordered_strides(shown.shape, nested), 1
    for axis in reversed(nested):
        if shown.shape[axis] == 1:
            continue
        if shown.strides[axis] != run or copy[axis] != run:
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
