"""Which order of axes each tensor would best be stored in (used by the passes about views)."""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import channels_last, identity_order
from nnc.compiler.target.layer_traits import AxisOrder, axis_order, is_row_gather

_VIEWS_THAT_PASS = (ir.Slice, ir.Concat)


def preferred_orders(graph: Graph) -> dict[str, tuple[int, ...]]:
    """Axes of every tensor from outermost to innermost, as the layers around it like them.

    Convolutions and pools read and write what lies along the lanes innermost: N, spatial…, C on a chip with
    lanes along channels, N, C, spatial… with lanes along pixels.  Matrix products are row-major; the rest
    follows its first operand; a network input follows the layers that read it.
    """
    orders: dict[str, tuple[int, ...]] = {}
    for name in graph.inputs:
        orders[name] = _order_of_input(graph, name)
    for layer in graph.layers():
        for tensor in graph.outputs_of(layer.name):
            orders[tensor] = _order_of_result(graph, layer, tensor, orders)
    return orders


def _order_of_input(graph: Graph, tensor: str) -> tuple[int, ...]:
    rank = len(graph.types[tensor].shape)
    frontier, seen = [tensor], {tensor}
    while frontier:
        for layer, slot in graph.consumers(frontier.pop(0)):
            order = axis_order(layer)
            if order is AxisOrder.CHANNELS_LAST and slot == 0:
                return _feature_order(graph, rank)
            if order is AxisOrder.PASSES or isinstance(layer, _VIEWS_THAT_PASS):
                result = graph.output_of(layer.name)
                if result not in seen and len(graph.types[result].shape) == rank:
                    seen.add(result)
                    frontier.append(result)
    return identity_order(rank)


def _feature_order(graph: Graph, rank: int) -> tuple[int, ...]:
    """The order of axes that convolutions and pools like, on the chip that the graph is made for."""
    return channels_last(rank) if graph.notes.map == "channels" else identity_order(rank)


def _order_of_result(
    graph: Graph, layer: ir.Layer, tensor: str, orders: dict[str, tuple[int, ...]]
) -> tuple[int, ...]:
    rank = len(graph.types[tensor].shape)
    order = axis_order(layer)
    if order is AxisOrder.CHANNELS_LAST:
        return _feature_order(graph, rank)
    if order is AxisOrder.ROW_MAJOR or is_row_gather(layer):
        return identity_order(rank)
    sources = [t for t in graph.inputs_of(layer.name) if t in orders]
    if isinstance(layer, ir.Transpose) and sources:
        position = {axis: place for place, axis in enumerate(orders[required(sources[0])])}
        return tuple(sorted(range(rank), key=lambda axis: position[layer.perm[axis]]))
    for source in sources:
        if source is not None and len(orders[source]) == rank:
            return orders[source]
    return identity_order(rank)
