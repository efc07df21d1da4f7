"""Factors of a tensor that are the same along an axis: a sum over that axis may be multiplied by them.

Sums of products without them must keep to the range of numbers: lengths of vectors, sums of a softmax and
plain numbers are taken out, and no other factors.

q: [1,48,9216] = div(r, expand(norm)), norm: [1,48,1], along axis 2:    r, and (div, norm)
k: [1,4096,64] = softmax(r, axis=1), along axis 1:    exp(r - max(r)), and (div, their sum)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Expand, Layer, Reduce, Reshape, Softmax, Transpose
from nnc.compiler.passes.for_memory.split_softmax import powers_and_sum
from nnc.compiler.passes.layers_before import LayersBefore
from nnc.compiler.passes.matching import (
    either_way,
    has_one_reader,
    operands_of,
    result_type,
    shown_by,
    source_of,
)
from nnc.isa.functions import Function, ReduceFunction

_LARGEST = 2.0**32
"""Plain numbers below it, and above its reciprocal, leave sums three quarters of the exponents of f32."""
_OF_LENGTHS = (ReduceFunction.SUM, Function.SQRT, Function.MAX, Function.CLIP, Function.ADD)
"""What makes lengths of squares, and what is done to them: bounded from below, or a little added."""
_VIEWS = (Expand, Reshape, Transpose)


@dataclass(frozen=True)
class Factored:
    """A tensor, and by what tensors of its rank it is multiplied or divided, one after the other."""

    tensor: str
    factors: tuple[tuple[Function, str], ...] = ()


def factored(graph: Graph, before: LayersBefore, tensor: str, axis: int) -> Factored:
    """A tensor without the factors that are the same along an axis, if nobody else reads it with them."""
    layer = graph.producer(tensor)
    if layer is None or not has_one_reader(graph, tensor):
        return Factored(tensor)
    if isinstance(layer, Transpose):
        above = factored(graph, before, source_of(graph, layer), layer.perm[axis])
        return _turned(before, layer, above) if above.factors else Factored(tensor)
    if isinstance(layer, Softmax) and layer.axis == axis and not layer.log:
        _, powers, total = powers_and_sum(before, source_of(graph, layer), axis)
        return Factored(powers, ((Function.DIV, total),))
    product = _multiplied(graph, layer, axis)
    if product is None:
        return Factored(tensor)
    function, source, factor = product
    inner = factored(graph, before, source, axis)
    return Factored(inner.tensor, (*inner.factors, (function, factor)))


def _turned(before: LayersBefore, layer: Transpose, above: Factored) -> Factored:
    factors = tuple((f, before.transposed(factor, layer.perm)) for f, factor in above.factors)
    return Factored(before.transposed(above.tensor, layer.perm), factors)


def _multiplied(graph: Graph, layer: Layer, axis: int) -> tuple[Function, str, str] | None:
    """(function, what it multiplies or divides, by what) if that is the same along an axis."""
    match layer:
        case Elementwise(function=Function.MUL) | Elementwise(function=Function.DIV, swap=False):
            pairs = [] if layer.src_scales else either_way(graph, layer)
        case _:
            return None
    shape = result_type(graph, layer).shape
    for source, divisor in pairs:
        factor = _not_expanded(graph, divisor)
        extents = graph.types[factor].shape
        if graph.types[source].shape != shape or len(extents) != len(shape) or extents[axis] != 1:
            continue
        is_length = layer.function is Function.DIV and _is_length_of(graph, source, factor)
        if is_length or _is_plain(graph, factor):
            return layer.function, source, factor
    return None


def _is_plain(graph: Graph, tensor: str) -> bool:
    """Whether a tensor holds numbers that are known, none of them very large or small."""
    if not graph.is_constant(tensor):
        return False
    sizes = np.abs(np.asarray(graph.constants[tensor], dtype=np.float64))
    return bool(np.all((sizes > 1 / _LARGEST) & (sizes < _LARGEST)))


def _is_length_of(graph: Graph, divided: str, tensor: str) -> bool:
    """Whether a tensor holds lengths of what it divides: where squares keep to the range, products do."""
    layer = graph.producer(tensor)
    while layer is not None:
        computed = [t for t in operands_of(graph, layer) if not graph.is_constant(t)]
        if _is_square(layer, computed):
            return shown_by(graph, computed[0], *_VIEWS).tensor == shown_by(graph, divided, *_VIEWS).tensor
        is_passed = isinstance(layer, _VIEWS) or _function(layer) in _OF_LENGTHS
        layer = graph.producer(computed[0]) if is_passed and len(computed) == 1 else None
    return False


def _function(layer: Layer) -> Function | ReduceFunction | None:
    return layer.function if isinstance(layer, Reduce | Elementwise) else None


def _is_square(layer: Layer, computed: list[str]) -> bool:
    """Whether a layer multiplies a tensor by itself, or sums up such squares."""
    is_product = _function(layer) is Function.MUL and len({*computed}) < len(computed)
    return is_product or _function(layer) in (ReduceFunction.L2, ReduceFunction.SUM_SQUARE)


def _not_expanded(graph: Graph, tensor: str) -> str:
    layer = graph.producer(tensor)
    return source_of(graph, layer) if isinstance(layer, Expand) else tensor
