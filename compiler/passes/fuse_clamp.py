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
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import functions_of, result_type, sole_reader
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _run(graph: Graph, _target: Target) -> None:
    for layer in functions_of(graph, Function.SCALE_SHIFT):
        if layer.params or not result_type(graph, layer).dtype.is_float:
            continue
        clamp = sole_reader(graph, graph.output_of(layer.name), Elementwise)
        bounds = None if clamp is None else _bounds(graph, clamp)
        if clamp is not None and bounds is not None:
            graph.replace(replace(layer, params=bounds))
            graph.take_over_output(layer.name, graph.output_of(clamp.name))


def _bounds(graph: Graph, layer: Elementwise) -> tuple[float, float] | None:
    """The least and the largest value that a function of one operand lets through; None for other layers."""
    match layer if len(graph.inputs_of(layer.name)) == 1 else None:
        case Elementwise(function=Function.RELU, src_scales=()):
            return (0.0, inf)
        case Elementwise(function=Function.CLIP, src_scales=(), params=(low, high)):
            return (low, high)
        case _:
            return None


FUSE_CLAMP = Pass("fuse-clamp", _run)
