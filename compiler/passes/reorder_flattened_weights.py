"""reorder-flattened-weights: flatten in the order of the storage and permute the weights instead.

before:  y = reshape(x [N, C, H, W] -> [N, C·H·W]);  z = matmul(y, W)
after:   y = reshape(x, order N, H, W, C);           z = matmul(y, W with its rows in that order)

A channels-last activation then flattens without moving a byte (method M5: the weights of a fully connected
layer are stored in the order of the features).
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import MatMul, Reshape
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.axis_orders import preferred_orders
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.target.target import Target


def _run(graph: Graph, target: Target) -> None:
    orders = preferred_orders(graph, target)
    for layer in graph.layers():
        if not isinstance(layer, Reshape) or layer.order != identity_order(len(layer.order)):
            continue
        (source,) = graph.inputs_of(layer.name)
        user = sole_consumer(graph, graph.output_of(layer.name))
        if source is None or user is None or not isinstance(user[0], MatMul) or user[1] != 0:
            continue
        shape, order = graph.types[source].shape, orders.get(source, ())
        if len(layer.shape) != 2 or len(shape) < 3 or layer.shape[0] != shape[0] or order[:1] != (0,):
            continue
        if order == identity_order(len(shape)):
            continue
        weight = graph.operand(user[0].name, 1)
        if weight is None or not graph.is_constant(weight) or graph.constants[weight].ndim != 2:
            continue
        values = graph.constants[weight].reshape((*shape[1:], -1))
        values = values.transpose((*(axis - 1 for axis in order[1:]), values.ndim - 1))
        permuted = graph.add_constant(f"{weight}.reordered", values.reshape((layer.shape[1], -1)))
        inputs = list(graph.inputs_of(user[0].name))
        inputs[1] = permuted
        graph.set_inputs(user[0].name, inputs)
        graph.replace(replace(layer, order=order))


REORDER_FLATTENED_WEIGHTS = Pass("reorder-flattened-weights", _run)
