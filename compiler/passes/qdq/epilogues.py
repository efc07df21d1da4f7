"""What follows a product of integers becomes part of its epilogue: another scale, and additions.

before:  a = conv(x, W, b, scale);  q = rescale(a)      after:  q = conv(x, W, b, scale, sum_scale, dst_scale)
before:  a = conv(x, W, b, scale);  q = add(a, skip)    after:  q = conv(x, W, b, skip, scale, sum_scale, …)

The epilogue rounds to the steps of a first, so that not a bit changes.  An addition is one of integers, or
one of real numbers whose result, or a function of it, is rounded; then a may be real, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.passes.base import depths
from nnc.compiler.passes.matching import has_one_reader, layers_of, operands_of
from nnc.compiler.passes.qdq.codes import F32, Code, Coded, coded_bytes
from nnc.compiler.passes.qdq.products import Tail, tail_of, take_over
from nnc.isa.functions import Function
from nnc.isa.types import DType

_BEFORE_ROUNDING = (Function.IDENTITY, Function.RELU)
"""Functions that may as well come after the rounding to steps with the same zero point."""


def fuse_epilogues(graph: Graph) -> None:
    """Let products change scales and add."""
    depth = depths(graph)
    for layer in layers_of(graph, ir.Elementwise):
        match layer:
            case ir.Elementwise(function=Function.ADD, params=()):
                _fuse_addition(graph, layer, depth)
            case ir.Elementwise(function=Function.IDENTITY, params=(), src_scales=(_, *_)) if layer.dst_scale:
                _fuse_change_of_scale(graph, layer)


# --- changes of scale --------------------------------------------------------------------------------------


def _fuse_change_of_scale(graph: Graph, layer: ir.Elementwise) -> None:
    source, out = _integers(graph, layer, 0), graph.output_of(layer.name)
    product = _product(graph, source.tensor)
    if product is None or not has_one_reader(graph, source.tensor):
        return
    if product.act in _BEFORE_ROUNDING and _rounds(graph, product, source, out):
        graph.replace(replace(product, **_rounded_twice(source.code, _own_code(graph, layer))))
        graph.take_over_output(product.name, out)


def _rounded_twice(first: Code | None, result: Code) -> dict[str, Any]:
    """Fields of an epilogue that rounds to a first code, if there is one, then to that of the result."""
    fields = {} if first is None else {"sum_scale": first.step, "sum_zero": first.origin}
    return fields | {"dst_scale": result.step, "dst_zero": result.origin}


# --- additions ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Addend:
    """An operand of an addition that a product makes, which nobody else reads.

    Attributes:
        code: how it is rounded; None: it is real.
        conversion: that to real numbers before the addition.
    """

    product: ir.MacLayer
    code: Code | None
    conversion: ir.Layer | None


def _fuse_addition(graph: Graph, add: ir.Elementwise, depth: dict[str, int]) -> None:
    """Let the later of the products that an addition adds do it: what it adds is there before it runs."""
    out = graph.output_of(add.name)
    shapes = {graph.types[tensor].shape for tensor in (out, *operands_of(graph, add))}
    if len({*graph.inputs_of(add.name)}) != 2 or len(graph.inputs_of(add.name)) != 2 or len(shapes) != 1:
        return
    tail = Tail(None, None, _own_code(graph, add)) if add.dst_scale else tail_of(graph, out)
    if tail.code is None:
        return
    rounded = out if tail.rounding is None else graph.output_of(tail.rounding.name)
    addends = [(slot, _addend(graph, add, slot, rounded)) for slot in (0, 1)]
    fitting = [(depth[addend.product.name], slot, addend) for slot, addend in addends if addend is not None]
    if fitting:
        _, slot, addend = max(fitting, key=lambda item: item[:2])
        _add_in_epilogue(graph, add, addend, 1 - slot, tail)


def _addend(graph: Graph, add: ir.Elementwise, slot: int, rounded: str) -> _Addend | None:
    """The product behind an operand; `rounded` is the integer result."""
    tensor = required(graph.inputs_of(add.name)[slot])
    integers = _read(graph, add, slot)
    made = tensor if integers is None else integers.tensor
    product = _product(graph, made)
    is_alone = has_one_reader(graph, tensor) and has_one_reader(graph, made)
    if product is None or product.act is not Function.IDENTITY or not is_alone:
        return None
    if integers is None or graph.types[made].dtype.is_float:
        return _Addend(product, None, None) if graph.types[made].dtype is DType.F32 else None
    conversion = None if add.src_scales else graph.producer(tensor)
    return _Addend(product, integers.code, conversion) if _rounds(graph, product, integers, rounded) else None


def _read(graph: Graph, add: ir.Elementwise, slot: int) -> Coded | None:
    """The integers that an addition reads, or that are converted for it; None if they are real numbers."""
    if add.src_scales:
        return _integers(graph, add, slot)
    return coded_bytes(graph, graph.inputs_of(add.name)[slot])


def _add_in_epilogue(
    graph: Graph, add: ir.Elementwise, addend: _Addend, residual_slot: int, tail: Tail
) -> None:
    product, code = addend.product, required(tail.code)
    tensor = required(graph.inputs_of(add.name)[residual_slot])
    residual = _read(graph, add, residual_slot)
    fields = _rounded_twice(addend.code, code)
    if residual is not None:
        tensor = residual.tensor
        fields |= {"residual_scale": residual.code.step, "residual_zero": residual.code.origin}
    if tail.act is not None:
        fields |= {"act": tail.act.function, "act_params": tail.act.params}
    x, weight, bias, _, scale = _operands(graph, product)
    graph.replace(replace(product, **fields))
    graph.set_inputs(product.name, [x, weight, bias, tensor, scale])
    for behind in (addend.conversion, add):
        if behind is not None:
            graph.take_over_output(product.name, graph.output_of(behind.name))
    take_over(graph, product.name, tail)


# --- products and codes ------------------------------------------------------------------------------------


def _product(graph: Graph, tensor: str) -> ir.MacLayer | None:
    """The product of integers that makes a tensor and adds nothing yet, with a scale."""
    layer = graph.producer(tensor)
    if not isinstance(layer, ir.MacLayer) or layer.sum_scale:
        return None
    x, _, _, residual, scale = _operands(graph, layer)
    is_integer = not graph.types[required(x)].dtype.is_float
    return layer if is_integer and residual is None and scale is not None else None


def _rounds(graph: Graph, product: ir.MacLayer, made: Coded, out: str) -> bool:
    """Whether a product ends with the rounding to a code, of the type of a result."""
    same = graph.types[made.tensor] == graph.types[out] and not graph.types[out].dtype.is_float
    return same and product.dst_scale == 1.0 and product.dst_zero == made.code.origin


def _operands(graph: Graph, layer: ir.MacLayer) -> tuple[str | None, ...]:
    """Features, weights, bias, residual and scale."""
    return (*graph.inputs_of(layer.name), None, None, None)[:5]


def _integers(graph: Graph, layer: ir.Elementwise, slot: int) -> Coded:
    """An operand of a function of integers."""
    tensor = required(graph.inputs_of(layer.name)[slot])
    return Coded(tensor, _code(graph, tensor, layer.src_scales[slot], layer.src_zeros[slot]))


def _own_code(graph: Graph, layer: ir.Elementwise) -> Code:
    """How a function of integers rounds its result."""
    return _code(graph, graph.output_of(layer.name), layer.dst_scale, layer.dst_zero)


def _code(graph: Graph, tensor: str, scale: float, zero: int) -> Code:
    return Code(graph.types[tensor].dtype, np.asarray(scale, F32), np.asarray(zero))
