"""split-softmax: a softmax over more than a memory holds is two folds and functions of elements.

before:  y = softmax(x)
after:   e = exp(x - reduce.max(x));  y = e / reduce.sum(e)

An instruction needs the whole axis on chip, twice: scores of a large vocabulary may take more.
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Softmax
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import source_of, source_type
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType


def _run(graph: Graph, target: Target) -> None:
    for layer in graph.layers():
        if isinstance(layer, Softmax) and 0 < target.memory_bytes < _needed_at_once(graph, layer):
            _split(graph, layer)


def _needed_at_once(graph: Graph, layer: Softmax) -> int:
    """Bytes of the smallest tile, operand and result; 0 for halves, which would be rounded between."""
    source = source_type(graph, layer)
    return 2 * source.shape[layer.axis] * source.dtype.itemsize if source.dtype is DType.F32 else 0


def powers_and_sum(before: LayersBefore, tensor: str, axis: int) -> tuple[str, str, str]:
    """What a softmax is made of: x - max(x), the powers of that, and their sum."""
    below = before.function(Function.SUB, tensor, before.fold(ReduceFunction.MAX, tensor, (axis,)))
    powers = before.function(Function.EXP, below)
    return below, powers, before.fold(ReduceFunction.SUM, powers, (axis,))


def _split(graph: Graph, layer: Softmax) -> None:
    before = LayersBefore(graph, layer)
    tensor = source_of(graph, layer)
    below, powers, total = powers_and_sum(before, tensor, layer.axis)
    if layer.log:
        before.take_over(before.function(Function.SUB, below, before.function(Function.LOG, total)))
    else:
        share = before.function(Function.RECIPROCAL, total)
        before.take_over(before.function(Function.MUL, powers, share))


SPLIT_SOFTMAX = Pass("split-softmax", _run)
