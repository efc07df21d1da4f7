"""fuse-activation: a unary function after a MAC layer becomes the activation of its epilogue.

before:  y = conv(x, W, b);  z = relu(y)
after:   z = conv(x, W, b, act=relu)

Reshapes, transposes and concats may stand between: all layers whose results they show compute the function.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Elementwise, Layer, MacLayer, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function

ACTIVATIONS = frozenset(function for function in Function if function.record.activation)


def _run(graph: Graph, _target: Target) -> None:
    for act in graph.layers():
        if not isinstance(act, Elementwise) or act.function not in ACTIVATIONS or act.src_scales:
            continue
        inputs, result = graph.inputs_of(act.name), graph.output_of(act.name)
        tensor = required(inputs[0])
        if (
            len(inputs) != 1
            or graph.types[result] != graph.types[tensor]
            or not graph.types[tensor].dtype.is_float  # the epilogue computes in f32
        ):
            continue
        above = list(_computed_by(graph, tensor))
        products = [layer for layer in above if isinstance(layer, MacLayer)]
        if len(products) < len(above) or any(layer.act is not Function.IDENTITY for layer in products):
            continue
        for layer in products:
            graph.replace(replace(layer, act=act.function, act_params=act.params))
        graph.take_over_output(required(graph.producer(tensor)).name, result)


def _computed_by(graph: Graph, tensor: str) -> Iterator[Layer | None]:
    """The layers whose results a tensor shows, in views that nobody else reads; None for any other tensor."""
    left = [tensor]
    while left:
        shown = left.pop()
        layer = graph.producer(shown)
        if sole_consumer(graph, shown) is None:
            yield None
        elif isinstance(layer, Reshape | Transpose | Concat):
            left += map(required, graph.inputs_of(layer.name))
        else:
            yield layer


FUSE_ACTIVATION = Pass("fuse-activation", _run)
