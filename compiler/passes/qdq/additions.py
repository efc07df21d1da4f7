"""Additions behind products of quantised integers: their epilogue adds, and rounds where the model rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import sole_consumer
from nnc.compiler.passes.qdq.codes import Code, coded_bytes, converts, rounding_behind
from nnc.compiler.passes.qdq.products import (
    Product,
    Tail,
    epilogue_of,
    product_of,
    put,
    tail_of,
    take_over,
)
from nnc.isa.functions import Function


@dataclass(frozen=True, slots=True, eq=False)
class _Addend:
    """An operand of an addition that a product makes, and the conversions in between, if it is rounded."""

    product: Product
    rounding: ir.Elementwise | None
    conversion: ir.Elementwise | None
    code: Code | None


def fuse_addition(graph: Graph, add: ir.Elementwise, depth: dict[str, int]) -> None:
    """Let the later of the products that an addition adds do the addition, if its result is rounded."""
    inputs = graph.inputs_of(add.name)
    is_sum = add.function is Function.ADD and not add.params and not add.src_scales
    if not is_sum or len(inputs) != 2 or inputs[0] == inputs[1]:
        return
    if len({graph.types[required(t)] for t in inputs}) != 1:
        return
    tail = tail_of(graph, graph.output_of(add.name))
    if tail.code is None:
        return
    found = []
    for slot, tensor in enumerate(inputs):
        addend = _addend(graph, required(tensor))
        other = required(inputs[1 - slot])
        if addend is not None and (addend.code is None or addend.code.dtype is tail.code.dtype):
            found.append((depth[addend.product.layer.name], slot, addend, other))
    if found:
        _, _, addend, other = max(found, key=lambda item: item[:2])
        _fuse_addend(graph, add, addend, other, tail)


def _addend(graph: Graph, tensor: str) -> _Addend | None:
    """The product that an addition alone reads, rounded or not."""
    if sole_consumer(graph, tensor) is None:
        return None
    conversion = graph.producer(tensor)
    rounding, code = None, None
    if converts(conversion, Function.DEQUANTIZE):
        source = coded_bytes(graph, tensor)
        if source is None or sole_consumer(graph, source.tensor) is None:
            return None
        rounding = graph.producer(source.tensor)
        if rounding is None or not converts(rounding, Function.QUANTIZE):
            return None
        real = required(graph.inputs_of(rounding.name)[0])
        behind = rounding_behind(graph, real)
        if behind is None or not behind[1].equals(source.code):
            return None
        code, layer = behind[1], graph.producer(real)
    else:
        layer, conversion = conversion, None
    if not isinstance(layer, ir.MacLayer) or layer.act is not Function.IDENTITY:
        return None
    product = product_of(graph, layer)
    if isinstance(product, str):
        return None
    assert rounding is None or isinstance(rounding, ir.Elementwise)
    assert conversion is None or isinstance(conversion, ir.Elementwise)
    return _Addend(product, rounding, conversion, code)


def _fuse_addend(graph: Graph, add: ir.Elementwise, addend: _Addend, other: str, tail: Tail) -> None:
    layer, code = addend.product.layer, required(tail.code)
    made = epilogue_of(graph, addend.product, Tail(None, addend.rounding, addend.code))
    residual = coded_bytes(graph, other)
    fields: dict[str, Any] = {"dst_scale": code.step, "dst_zero": code.origin}
    if addend.code is not None:
        fields |= {"sum_scale": addend.code.step, "sum_zero": addend.code.origin}
    if residual is not None:
        fields |= {"residual_scale": residual.code.step, "residual_zero": residual.code.origin}
    if tail.act is not None:
        made_layer = replace(made.layer, act=tail.act.function, act_params=tail.act.params)
    else:
        made_layer = made.layer
    tensor = other if residual is None else residual.tensor
    inputs = [addend.product.x.tensor, addend.product.weight.tensor, made.bias, tensor, made.scale]
    put(graph, replace(made_layer, **fields), inputs)
    for behind in (addend.rounding, addend.conversion, add):
        if behind is not None:
            graph.take_over_output(layer.name, graph.output_of(behind.name))
    take_over(graph, layer.name, tail)
