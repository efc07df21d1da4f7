"""fuse-activation: a unary function after a MAC layer becomes the activation of its epilogue.

before:  y = conv(x, W, b);  z = relu(y)
after:   z = conv(x, W, b, act=relu)
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, MacLayer
from nnc.compiler.passes.base import Pass, sole_consumer
from nnc.isa.functions import Function

ACTIVATIONS = frozenset(function for function in Function if function.record.activation)


def _run(graph: Graph) -> None:
    for layer in graph.layers():
        if not isinstance(layer, MacLayer) or layer.act is not Function.IDENTITY:
            continue
        tensor = graph.output_of(layer.name)
        user = sole_consumer(graph, tensor)
        if user is None or not isinstance(user[0], Elementwise) or user[0].function not in ACTIVATIONS:
            continue
        act = user[0]
        if (
            len(graph.inputs_of(act.name)) != 1
            or act.src_scales
            or graph.types[graph.output_of(act.name)] != graph.types[tensor]
            or not graph.types[tensor].dtype.is_float  # the epilogue computes in f32
        ):
            continue
        graph.replace(replace(layer, act=act.function, act_params=act.params))
        graph.take_over_output(layer.name, graph.output_of(act.name))


FUSE_ACTIVATION = Pass("fuse-activation", _run)
