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
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import identity_order
from nnc.compiler.passes.axis_orders import preferred_orders
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    constant_value,
    keeps_order,
    layers_of,
    replace_operand,
    sole_reader,
    source_of,
    source_type,
)
from nnc.compiler.target.target import Target


def _run(graph: Graph, target: Target) -> None:
    orders = preferred_orders(graph, target)
    for flat in layers_of(graph, Reshape):
        shape, order = source_type(graph, flat).shape, orders.get(source_of(graph, flat), ())
        product = flattened_for(graph, flat)
        if product is None or len(shape) < 3 or order[:1] != (0,) or order == identity_order(len(shape)):
            continue
        weight = required(graph.operand(product.name, 1))
        values = graph.constants[weight].reshape((*shape[1:], -1))
        values = values.transpose((*(axis - 1 for axis in order[1:]), values.ndim - 1))
        permuted = graph.add_constant(f"{weight}.reordered", values.reshape((flat.shape[1], -1)))
        replace_operand(graph, product.name, 1, permuted)
        graph.replace(replace(flat, order=order))


def flattened_for(graph: Graph, flat: Reshape) -> MatMul | None:
    """The product with a constant matrix that alone reads what a reshape makes: a vector of each picture."""
    product = sole_reader(graph, graph.output_of(flat.name), MatMul, slot=0)
    is_flat = len(flat.shape) == 2 and source_type(graph, flat).shape[:1] == flat.shape[:1]
    if product is None or not is_flat or not keeps_order(flat):
        return None
    weight = constant_value(graph, graph.operand(product.name, 1))
    return product if weight is not None and weight.ndim == 2 else None


REORDER_FLATTENED_WEIGHTS = Pass("reorder-flattened-weights", _run)
