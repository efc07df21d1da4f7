"""Factors of a tensor that are the same along an axis: a sum over that axis may be multiplied by them.

q: [1,48,9216] = div(r, expand(norm)), norm: [1,48,1], along axis 2:    r, and (div, norm)
k: [1,4096,64] = softmax(r, axis=1), along axis 1:    exp(r - max(r)), and (div, their sum)
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Expand, Layer, Softmax, Transpose
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import sole_consumer
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.split_softmax import powers_and_sum
from nnc.isa.functions import Function


@dataclass(frozen=True)
class Factored:
    """A tensor, and by what tensors of its rank it is multiplied or divided, one after the other."""

    tensor: str
    factors: tuple[tuple[Function, str], ...] = ()


def factored(graph: Graph, before: LayersBefore, tensor: str, axis: int) -> Factored:
    """A tensor without the factors that are the same along an axis, if nobody else reads it with them."""
    layer = graph.producer(tensor)
    if layer is None or sole_consumer(graph, tensor) is None:
        return Factored(tensor)
    if isinstance(layer, Transpose):
        above = factored(graph, before, _source(graph, layer), layer.perm[axis])
        return _turned(before, layer, above) if above.factors else Factored(tensor)
    if isinstance(layer, Softmax) and layer.axis == axis and not layer.log:
        _, powers, total = powers_and_sum(before, _source(graph, layer), axis)
        return Factored(powers, ((Function.DIV, total),))
    found = _multiplied(graph, layer, axis)
    if found is None:
        return Factored(tensor)
    function, source, factor = found
    inner = factored(graph, before, source, axis)
    return Factored(inner.tensor, (*inner.factors, (function, factor)))


def _turned(before: LayersBefore, layer: Transpose, above: Factored) -> Factored:
    factors = tuple((f, before.transposed(factor, layer.perm)) for f, factor in above.factors)
    return Factored(before.transposed(above.tensor, layer.perm), factors)


def _multiplied(graph: Graph, layer: Layer, axis: int) -> tuple[Function, str, str] | None:
    """(function, what it multiplies or divides, by what) if that is the same along an axis."""
    operands = graph.inputs_of(layer.name)
    if not isinstance(layer, Elementwise) or layer.src_scales or len(operands) != 2:
        return None
    shape = graph.types[graph.output_of(layer.name)].shape
    swaps = layer.function is Function.MUL
    if swaps or (layer.function is Function.DIV and not layer.swap):
        for source, factor in [operands, operands[::-1]][: 1 + swaps]:
            mine, found = required(source), _not_expanded(graph, required(factor))
            extents = graph.types[found].shape
            if graph.types[mine].shape == shape and len(extents) == len(shape) and extents[axis] == 1:
                return layer.function, mine, found
    return None


def _not_expanded(graph: Graph, tensor: str) -> str:
    layer = graph.producer(tensor)
    return _source(graph, layer) if isinstance(layer, Expand) else tensor


def _source(graph: Graph, layer: Layer) -> str:
    return required(graph.inputs_of(layer.name)[0])
