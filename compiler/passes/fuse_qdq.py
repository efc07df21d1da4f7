"""fuse-qdq: layers between conversions to and from integers become layers of integers.

before:  y = dequantize(x);  z = conv(y, dequantize(W), dequantize(b));  q = quantize(relu(z))
after:   q = conv(x, W, b, scale, act=relu)        with integers x, W, b and q

Moves move the integers (conversions sink below them, roundings rise above them); a conversion that meets a
rounding of another scale is a change of scale; what has no form on integers stays between conversions.
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import Pass
from nnc.compiler.passes.drop_dead import drop_dead
from nnc.compiler.passes.matching import source_type
from nnc.compiler.passes.qdq.codes import code_of, converts
from nnc.compiler.passes.qdq.epilogues import fuse_epilogues
from nnc.compiler.passes.qdq.functions import fuse_function, reason_of_reals
from nnc.compiler.passes.qdq.moves import (
    fold_moved_constants,
    join_conversions,
    merge_roundings,
    raise_roundings,
    sink_conversions,
)
from nnc.compiler.passes.qdq.products import absorb_bias, fuse_product, product_of
from nnc.compiler.target.target import Target
from nnc.isa.functions import Function


def _run(graph: Graph, _target: Target) -> None:
    kinds = (Function.DEQUANTIZE, Function.QUANTIZE)
    if not any(converts(layer, kind) for layer in graph.layers() for kind in kinds):
        fuse_epilogues(graph)
        return
    _join_moves(graph)
    reasons = _fuse_products(graph)
    for layer in graph.layers():
        if layer.name in graph:
            fuse_function(graph, graph.layer(layer.name))
    drop_dead(graph)
    fuse_epilogues(graph)
    for layer in graph.layers():
        reason = reason_of_reals(graph, layer)
        if reason is not None:
            reasons.setdefault(layer.name, reason)
    _fold(graph, Function.DEQUANTIZE)
    drop_dead(graph)
    graph.annotate(replace(graph.notes, not_quantised=reasons))


def _join_moves(graph: Graph) -> None:
    """Move integers, not real numbers; conversions meet roundings, or the layers that compute."""
    _fold(graph, Function.QUANTIZE)
    merge_roundings(graph)
    sink_conversions(graph)
    fold_moved_constants(graph)
    drop_dead(graph)
    raise_roundings(graph)
    _fold(graph, Function.QUANTIZE)
    join_conversions(graph)
    drop_dead(graph)


def _fold(graph: Graph, function: Function) -> None:
    """Evaluate conversions of constants."""
    for layer in graph.layers():
        tensor = graph.output_of(layer.name)
        source = graph.operand(layer.name, 0)
        if not converts(layer, function) or not graph.is_constant(source) or tensor in graph.outputs:
            continue
        integers = tensor if function is Function.QUANTIZE else required(source)
        code = code_of(graph, layer, graph.types[integers].dtype)
        if code is not None:
            value = graph.constants[required(source)]
            folded = code.of(value) if function is Function.QUANTIZE else code.real(value)
            graph.rewire(tensor, graph.add_constant(f"{tensor}.value", folded))


def _fuse_products(graph: Graph) -> dict[str, str]:
    """Fuse what can be; why the others stay layers of real numbers."""
    reasons = {}
    for layer in graph.layers():
        if not isinstance(layer, ir.MacLayer) or not _is_real(graph, layer):
            continue
        if not isinstance(product_of(graph, layer), str):
            absorb_bias(graph, layer)
        product = product_of(graph, layer)
        if isinstance(product, str):
            reasons[layer.name] = product
        else:
            fuse_product(graph, product)
    return reasons


def _is_real(graph: Graph, layer: ir.MacLayer) -> bool:
    return source_type(graph, layer).dtype.is_float


FUSE_QDQ = Pass("fuse-qdq", _run)
