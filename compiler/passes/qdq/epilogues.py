"""What follows a product of integers and works on its rounded result: part of the product's own epilogue.

before:  a = conv(x, W, b, scale);  q = rescale(a)      after:  q = conv(x, W, b, scale, sum_scale, dst_scale)
before:  a = conv(x, W, b, scale);  q = add(a, skip)    after:  q = conv(x, W, b, skip, scale, sum_scale, …)

The epilogue rounds to the steps of a first, so that not a bit changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import depths, sole_consumer
from nnc.isa.functions import Function

_BEFORE_ROUNDING = (Function.IDENTITY, Function.RELU)
"""Functions that may as well come after the rounding to steps with the same zero point."""


def fuse_epilogues(graph: Graph) -> None:
    """Let products change scales and add."""
    depth = depths(graph)
    for layer in graph.layers():
        if isinstance(layer, ir.Elementwise) and layer.src_scales and layer.dst_scale and not layer.params:
            if layer.function is Function.IDENTITY:
                _fuse_change_of_scale(graph, layer)
            elif layer.function is Function.ADD and len(layer.src_scales) == 2:
                _fuse_addition(graph, layer, depth)


def _fuse_change_of_scale(graph: Graph, layer: ir.Elementwise) -> None:
    product = _rounded_product(graph, layer, 0)
    if product is not None:
        graph.replace(replace(product, **_rounded_twice(layer, 0)))
        graph.take_over_output(product.name, graph.output_of(layer.name))


def _fuse_addition(graph: Graph, layer: ir.Elementwise, depth: dict[str, int]) -> None:
    """The later of two products adds: what it adds is there before it runs."""
    inputs = graph.inputs_of(layer.name)
    shapes = {graph.types[required(tensor)].shape for tensor in inputs}
    found = [
        (depth[product.name], slot, product)
        for slot in (0, 1)
        if (product := _rounded_product(graph, layer, slot)) is not None and product.act is Function.IDENTITY
    ]
    if not found or inputs[0] == inputs[1] or len(shapes) != 1:
        return
    _, slot, product = max(found, key=lambda item: item[:2])
    other = 1 - slot
    fields = _rounded_twice(layer, slot)
    fields |= {"residual_scale": layer.src_scales[other], "residual_zero": layer.src_zeros[other]}
    x, weight, bias, _, scale, *_ = (*graph.inputs_of(product.name), None, None, None)
    graph.replace(replace(product, **fields))
    graph.set_inputs(product.name, [x, weight, bias, inputs[other], scale])
    graph.take_over_output(product.name, graph.output_of(layer.name))


def _rounded_twice(layer: ir.Elementwise, slot: int) -> dict[str, Any]:
    """Fields of an epilogue that rounds to the steps of an operand, then to those of the result."""
    return {
        "sum_scale": layer.src_scales[slot],
        "sum_zero": layer.src_zeros[slot],
        "dst_scale": layer.dst_scale,
        "dst_zero": layer.dst_zero,
    }


def _rounded_product(graph: Graph, layer: ir.Elementwise, slot: int) -> ir.MacLayer | None:
    """The product behind an operand that nobody else reads, if its epilogue ends with the rounding."""
    tensor = required(graph.inputs_of(layer.name)[slot])
    product = graph.producer(tensor)
    if not isinstance(product, ir.MacLayer) or sole_consumer(graph, tensor) is None:
        return None
    inputs = (*graph.inputs_of(product.name), None, None, None)
    is_free = inputs[3] is None and inputs[4] is not None and not product.sum_scale
    is_free = is_free and product.dst_scale == 1.0 and product.act in _BEFORE_ROUNDING
    fits = graph.types[tensor] == graph.types[graph.output_of(layer.name)]
    fits = fits and not graph.types[tensor].dtype.is_float and product.dst_zero == layer.src_zeros[slot]
    return product if is_free and fits else None
