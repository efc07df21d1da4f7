"""fuse-activation: a unary function after a MAC layer becomes the activation of its epilogue.

before:  y = conv(x, W, b);  z = relu(y)
after:   z = conv(x, W, b, act=relu)

Reshapes, transposes and concats may stand between: all layers whose results they show compute the function.
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Elementwise, MacLayer, Reshape, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.matching import (
    functions_of,
    made_for_one,
    operands_of,
    result_type,
    source_of,
    source_type,
)
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function

ACTIVATIONS = frozenset(function for function in Function if function.record.activation)


def _run(graph: Graph, _target: Target) -> None:
    for act in functions_of(graph, *ACTIVATIONS):
        tensor = source_of(graph, act)
        products = _products(graph, tensor) if _is_of_reals(graph, act) else []
        for layer in products:
            graph.replace(replace(layer, act=act.function, act_params=act.params))
        if products:
            graph.take_over_output(required(graph.producer(tensor)).name, graph.output_of(act.name))


def _is_of_reals(graph: Graph, act: Elementwise) -> bool:
    """Whether a function of one tensor keeps its type; the epilogue computes in f32."""
    type_, is_unary = source_type(graph, act), len(graph.inputs_of(act.name)) == 1
    return is_unary and result_type(graph, act) == type_ and type_.dtype.is_float


def _products(graph: Graph, tensor: str) -> list[MacLayer]:
    """The products without a function whose results a tensor shows, in views that nobody else reads.

    Nothing if it shows anything else.
    """
    left, products = [tensor], list[MacLayer]()
    while left:
        layer = made_for_one(graph, left.pop(), MacLayer, Reshape, Transpose, Concat)
        match layer:
            case MacLayer(act=Function.IDENTITY):
                products.append(layer)
            case Reshape() | Transpose() | Concat():
                left += operands_of(graph, layer)
            case _:
                return []
    return products


FUSE_ACTIVATION = Pass("fuse-activation", _run)
