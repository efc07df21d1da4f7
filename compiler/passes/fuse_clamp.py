"""fuse-clamp: what bounds the result of a scale and shift is done with it.

before:  y = scale_shift(x, s, t);  z = relu(y)
after:   z = scale_shift(x, s, t) between 0 and infinity

So a batch norm in front of a convolution makes one tensor, not two.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _run(graph: Graph, _target: Target) -> None:
    for layer in graph.layers():
        if not isinstance(layer, Elementwise) or layer.function is not Function.SCALE_SHIFT:
            continue
        tensor = graph.output_of(layer.name)
        user = sole_consumer(graph, tensor)
        bounds = None if user is None or layer.params else _bounds(graph, user[0])
        if user is None or bounds is None or layer.src_scales or not graph.types[tensor].dtype.is_float:
            continue
        graph.replace(replace(layer, params=bounds))
        graph.take_over_output(layer.name, graph.output_of(user[0].name))


def _bounds(graph: Graph, layer: object) -> tuple[float, float] | None:
    """The least and the largest value that a function of one operand lets through; None for other layers."""
    if not isinstance(layer, Elementwise) or layer.src_scales or len(graph.inputs_of(layer.name)) != 1:
        return None
    if layer.function is Function.RELU:
        return (0.0, inf)
    return (layer.params[0], layer.params[1]) if layer.function is Function.CLIP else None


FUSE_CLAMP = Pass("fuse-clamp", _run)
