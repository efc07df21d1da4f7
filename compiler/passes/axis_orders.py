"""Which order of axes each tensor would best be stored in (used by the passes about views)."""

from __future__ import annotations

from functools import partial

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.views import axis_groups
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import (
    channels_last,
    identity_order,
    ordered_strides,
    outermost_axis,
    permute,
    reshape_strides,
)
from nnc.compiler.passes.matching import (
    MOVES,
    layers_of,
    made_by,
    operands_of,
    readers_below,
    result_type,
    shown_by,
    source_of,
    source_type,
)
from nnc.compiler.passes.rearranged import better_orders
from nnc.compiler.target.layer_traits import AxisOrder, axis_order, chunk_axes, is_row_gather, uncut_axes
from nnc.compiler.target.target import Target

Axes = tuple[int, ...]
_VIEWS_THAT_PASS = (ir.Slice, ir.Concat)


def preferred_orders(graph: Graph, target: Target) -> dict[str, Axes]:
    """Axes of every tensor from outermost to innermost, as the layers around it like them.

    Convolutions and pools read and write what lies along the lanes innermost: N, spatial…, C on a chip with
    lanes along channels, N, C, spatial… with lanes along pixels.  Matrix products are row-major; the rest
    follows its first operand; a network input follows the layers that read it, and so does a reshape that
    has to be copied.
    """
    orders, copied = _orders(graph, target, {})
    better = better_orders(graph, orders, copied)
    return _orders(graph, target, better)[0] if better else orders


def _orders(graph: Graph, target: Target, given: dict[str, Axes]) -> tuple[dict[str, Axes], list[ir.Reshape]]:
    """Orders of all tensors, and the reshapes that have to be copied.

    Args:
        given: orders that are known.
    """
    orders: dict[str, Axes] = {}
    shown: dict[str, Axes] = {}  # strides of reshapes and transposes
    may_turn = not any(_lists_pixels(graph, view) for view in layers_of(graph, ir.Reshape))
    for name in graph.inputs:
        natural = identity_order(len(graph.types[name].shape))
        orders[name] = _order_of_readers(graph, target, name, may_turn) or natural
    for layer in graph.layers():
        for tensor in graph.outputs_of(layer.name):
            strides = _strides_of_view(graph, layer, orders, shown)
            if strides is not None:
                shown[tensor] = strides
            if tensor in given:
                orders[tensor] = given[tensor]
            elif isinstance(layer, ir.Reshape) and strides is None:
                liked = _order_of_readers(graph, target, tensor, may_turn)
                orders[tensor] = liked or _order_of_copy(graph, layer, orders, shown)
            else:
                orders[tensor] = _order_as_it_comes(graph, target, layer, tensor, orders, shown)
    copied = [view for view in layers_of(graph, ir.Reshape) if graph.output_of(view.name) not in shown]
    return orders, copied


def _order_as_it_comes(
    graph: Graph,
    target: Target,
    layer: ir.Layer,
    tensor: str,
    orders: dict[str, Axes],
    shown: dict[str, Axes],
) -> Axes:
    """The order of what a layer computes, or shows without a copy."""
    match layer:
        case ir.Concat():
            return _order_of_concat(graph, layer, orders, shown)
        case ir.Reshape() if _is_computed(graph, target, layer):
            return _nested(layer.shape, shown[tensor])
        case _:
            return _order_of_result(graph, target, layer, tensor, orders)


def _strides_of_view(
    graph: Graph, layer: ir.Layer, orders: dict[str, Axes], shown: dict[str, Axes]
) -> Axes | None:
    """Strides of a reshape or transpose, if what it shows is dense; None if these cannot say it."""
    if not isinstance(layer, ir.Reshape | ir.Transpose):
        return None
    source = source_of(graph, layer)
    shape = graph.types[source].shape
    strides = shown.get(source) or ordered_strides(shape, orders.get(source, identity_order(len(shape))))
    if isinstance(layer, ir.Transpose):
        return permute(strides, layer.perm)
    return reshape_strides(permute(shape, layer.order), permute(strides, layer.order), layer.shape)


def _order_of_concat(graph: Graph, layer: ir.Concat, orders: dict[str, Axes], shown: dict[str, Axes]) -> Axes:
    """Most of a concat lies as it comes: the order of its largest operand."""
    sources = [required(tensor) for tensor in graph.inputs_of(layer.name)]
    largest = max(sources, key=lambda tensor: graph.types[tensor].elements)
    shape, above = graph.types[largest].shape, graph.producer(largest)
    if isinstance(above, ir.Copy):
        largest = source_of(graph, above)
    if largest in shown:
        return _nested(shape, shown[largest])
    return orders.get(largest, identity_order(len(shape)))


def _is_computed(graph: Graph, target: Target, view: ir.Layer) -> bool:
    """Whether a reshape shows what a layer has computed, or a concat of that, and no input of the network."""
    if target.map != "channels":
        return made_by(graph, source_of(graph, view), ir.Concat) is not None
    return graph.producer(shown_by(graph, source_of(graph, view), *MOVES).tensor) is not None


def _nested(shape: Axes, strides: Axes) -> Axes:
    """The order of axes that strides say; those of one element come first."""
    order = tuple(sorted(range(len(shape)), key=lambda axis: (shape[axis] > 1, -strides[axis])))
    long = [axis for axis in order if shape[axis] > 1]
    return identity_order(len(shape)) if long == sorted(long) else order


def _order_of_readers(graph: Graph, target: Target, tensor: str, may_turn: bool) -> Axes | None:
    """The order that the layers behind a tensor like; None if they take any, element by element.

    Args:
        may_turn: whether columns of pictures may be outside of rows.
    """
    shape = graph.types[tensor].shape
    below = [*readers_below(graph, tensor, partial(_passes, graph, len(shape)))]
    if any(slot == 0 and axis_order(layer) is AxisOrder.CHANNELS_LAST for layer, slot in below):
        return _feature_order(target, len(shape), _longest_outside(shape) if may_turn else ())
    is_asked = not all(_takes_any(layer) for layer, _ in below)
    return identity_order(len(shape)) if is_asked else None


def _takes_any(layer: ir.Layer) -> bool:
    """Whether a layer takes elements in any order, and hands them on so."""
    return axis_order(layer) is AxisOrder.PASSES or isinstance(layer, _VIEWS_THAT_PASS)


def _passes(graph: Graph, rank: int, layer: ir.Layer, _slot: int) -> bool:
    return _takes_any(layer) and len(result_type(graph, layer).shape) == rank


def _order_of_copy(graph: Graph, layer: ir.Reshape, orders: dict[str, Axes], shown: dict[str, Axes]) -> Axes:
    """Of a reshape that is copied: what is outermost in its operand stays so, the rest as it is numbered."""
    source = source_of(graph, layer)
    shape = permute(graph.types[source].shape, layer.order)
    strides = shown.get(source) or ordered_strides(graph.types[source].shape, orders[source])
    strides, natural = permute(strides, layer.order), identity_order(len(layer.shape))
    outermost = max(
        (axis for axis in range(len(shape)) if shape[axis] > 1), key=strides.__getitem__, default=0
    )
    first = next((new for old, new in axis_groups(shape, layer.shape) if outermost in old), ())
    return (*first, *(axis for axis in natural if axis not in first))


def _lists_pixels(graph: Graph, view: ir.Reshape) -> bool:
    """Whether a reshape makes a list of tokens of the rows and columns of a picture: they lie row by row.

    Where all of a picture is a vector, its weights are rearranged; deeper shapes are those of shuffles.
    """
    shape = source_type(graph, view).shape
    long = [[axis for axis in old if shape[axis] > 1] for old, _ in axis_groups(shape, view.shape)]
    return len(shape) == 4 and 2 in map(len, long)


def _longest_outside(shape: Axes) -> Axes:
    """Channels last, and of the spatial axes the longest outside: its lines are the shortest rows to keep."""
    spatial = sorted(range(2, len(shape)), key=lambda axis: -shape[axis])
    return (0, *spatial, 1)


def _feature_order(target: Target, rank: int, operand: Axes = ()) -> Axes:
    """The order of axes that convolutions and pools like, on a chip.

    Args:
        operand: how the axes of the operand nest, if that is known: spatial ones stay so.
    """
    if target.map != "channels":
        return identity_order(rank)
    if len(operand) == rank > 2 and operand[-1] == 1:
        return (0, *(axis for axis in operand if axis > 1), 1)
    return channels_last(rank)


def _order_of_result(
    graph: Graph, target: Target, layer: ir.Layer, tensor: str, orders: dict[str, Axes]
) -> Axes:
    rank = len(graph.types[tensor].shape)
    order = axis_order(layer)
    if order is AxisOrder.CHANNELS_LAST:
        return _feature_order(target, rank, orders.get(source_of(graph, layer), ()))
    if order is AxisOrder.ROW_MAJOR or is_row_gather(layer):
        return identity_order(rank)
    operand_orders = [orders[tensor] for tensor in operands_of(graph, layer) if tensor in orders]
    if isinstance(layer, ir.Transpose) and operand_orders:
        return tuple(sorted(range(rank), key=lambda axis: operand_orders[0].index(layer.perm[axis])))
    nested = next((axes for axes in operand_orders if len(axes) == rank), None)
    return identity_order(rank) if nested is None else _with_free_rows(graph, layer, tensor, nested)


def _with_free_rows(graph: Graph, layer: ir.Layer, tensor: str, order: Axes) -> Axes:
    """An order, or that of the axes' numbers if only there the outermost axis can be cut.

    A layer, or one that reads its result, may need an axis whole: the tokens of attention across channels.
    """
    natural = identity_order(len(order))
    now, then = (outermost_axis(graph.types[tensor].shape, nested) for nested in (order, natural))
    if now == then:
        return order
    whole = _whole_for_readers(graph, tensor) | (set() if layer.is_view else _whole_axes(graph, layer))
    return natural if now in whole and then not in whole else order


def _whole_for_readers(graph: Graph, tensor: str) -> set[int]:
    """Axes of a tensor that a layer needs whole that reads it, or reads it transposed."""
    axes = set[int]()
    for reader, slot in graph.consumers(tensor):
        if isinstance(reader, ir.Transpose):
            axes |= {reader.perm[axis] for axis in _whole_for_readers(graph, graph.output_of(reader.name))}
        elif not reader.is_view:
            axes |= _whole_axes(graph, reader, slot)
    return axes


def _whole_axes(graph: Graph, layer: ir.Layer, slot: int = 0) -> set[int]:
    """Axes of an operand that a layer needs whole: it works along them, or the array sums over them.

    What is reduced may come row by row: these sums are kept from part to part.
    """
    shapes = [None if t is None else graph.types[t].shape for t in graph.inputs_of(layer.name)]
    summed = chunk_axes(layer, shapes) if isinstance(layer, ir.MacLayer) else {}
    return {*uncut_axes(layer, shapes), *([summed[slot]] if slot in summed else [])}
