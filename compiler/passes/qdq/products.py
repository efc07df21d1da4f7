"""Convolutions and matrix products of quantised integers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.affine import channel_vector
from nnc.compiler.passes.matching import computes, constant_value, either_way, result_type, sole_reader
from nnc.compiler.passes.qdq.codes import (
    F32,
    Array,
    Code,
    Coded,
    coded,
    rounding_behind,
)
from nnc.isa.functions import Function
from nnc.isa.instructions.shape_checks import QUANTISED_TYPES
from nnc.isa.types import DType

_SCALED_ALONG = frozenset({Function.IDENTITY, Function.RELU, Function.LEAKY_RELU})
"""Functions with f(x)/s = f(x/s) for a positive s."""
_BIAS_TOLERANCE = 1e-6
"""Relative difference up to which the scale of an integer bias is that of the products."""


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """A layer of real numbers that can be one of integers.

    Attributes:
        x, weight: its operands.
        scale: real value of one product, per output channel or one for all.
        bias: an integer bias, which counts in products, or a float one; None: there is none.
    """

    layer: ir.MacLayer
    x: Coded
    weight: Coded
    scale: Array
    bias: str | None


def product_of(graph: Graph, layer: ir.MacLayer) -> Product | str:
    """The integers of a layer; a reason where it has to stay one of real numbers."""
    x, weight = (coded(graph, graph.operand(layer.name, slot)) for slot in (0, 1))
    if x is None:
        return "only its weights are quantised" if weight is not None else "its operands are not quantised"
    if weight is None:
        return "its weights are not quantised"
    if reason := _reason_of_codes(x.code, weight.code):
        return reason
    along = _per_channel(graph, layer, weight)
    if along is None:
        return "scales of its weights vary along another axis than the output channels"
    with np.errstate(over="ignore", under="ignore"):
        scale = (x.code.scale.reshape(-1) * along).astype(F32)
    if not (np.all(np.isfinite(scale)) and np.all(scale > 0)):
        return "the scale of its products is beyond f32"
    return Product(layer, x, weight, scale, _integer_bias(graph, graph.operand(layer.name, 2), scale))


def _reason_of_codes(x: Code, weight: Code) -> str:
    """Why integers of these codes cannot be multiplied; empty if they can."""
    if {x.dtype, weight.dtype} - set(QUANTISED_TYPES):
        return "products are of 8-bit integers"
    if not x.is_bytes:
        return "its input has a scale per channel"
    return "zero points of its weights differ" if len(np.unique(weight.zero)) != 1 else ""


def _per_channel(graph: Graph, layer: ir.MacLayer, weight: Coded) -> Array | None:
    """The scales of weights as a vector over output channels, or one; None if they vary otherwise."""
    scale = weight.code.scale
    if scale.size == 1:
        return scale.reshape(-1)
    rank = len(graph.types[weight.tensor].shape)
    channel = 0 if isinstance(layer, ir.Conv) else 1 if isinstance(layer, ir.ConvTranspose) else rank - 1
    shape = (1,) * (rank - scale.ndim) + scale.shape
    if any(extent != 1 for axis, extent in enumerate(shape) if axis != channel):
        return None
    groups = layer.groups if isinstance(layer, ir.ConvTranspose) else 1
    return np.tile(scale.reshape(-1), groups)


def _integer_bias(graph: Graph, bias: str | None, scale: Array) -> str | None:
    """The integers of a bias that counts in products; else the bias."""
    integers = coded(graph, bias)
    if integers is None or integers.code.dtype is not DType.I32 or np.any(integers.code.zero):
        return bias
    if not graph.is_constant(integers.tensor):
        return bias
    of_bias = np.broadcast_to(
        integers.code.scale.reshape(-1),
        np.broadcast_shapes(integers.code.scale.reshape(-1).shape, scale.shape),
    )
    close = np.abs(of_bias.astype(np.float64) - scale) <= _BIAS_TOLERANCE * scale
    return integers.tensor if np.all(close) else bias


def absorb_bias(graph: Graph, layer: ir.MacLayer) -> None:
    """Let a product without a bias add the constant per channel that is added behind it."""
    tensor = graph.output_of(layer.name)
    add = sole_reader(graph, tensor, ir.Elementwise) if graph.operand(layer.name, 2) is None else None
    if add is None or not computes(add, Function.ADD) or result_type(graph, add) != graph.types[tensor]:
        return
    shape = graph.types[tensor].shape
    channel = 1 if isinstance(layer, ir.SpatialMacLayer) else len(shape) - 1
    vector = channel_vector(_added_constant(graph, add, tensor), shape, channel)
    if vector is not None:
        bias = graph.add_constant(f"{layer.name}.bias", np.ascontiguousarray(vector, F32))
        graph.set_inputs(layer.name, [*graph.inputs_of(layer.name)[:2], bias])
        graph.take_over_output(layer.name, graph.output_of(add.name))


def _added_constant(graph: Graph, add: ir.Elementwise, tensor: str) -> Array | None:
    """What an addition adds to a tensor, None if it is not known."""
    if add.params:
        return np.asarray(add.params[0], F32)
    addend = next((addend for operand, addend in either_way(graph, add) if operand == tensor), None)
    value = constant_value(graph, addend)
    return _decoded(graph, addend) if value is None else value


def _decoded(graph: Graph, tensor: str | None) -> Array | None:
    """The values of a tensor that is converted from constant integers."""
    integers = coded(graph, tensor)
    value = None if integers is None else constant_value(graph, integers.tensor)
    return None if integers is None or value is None else integers.code.real(value)


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows a layer: a function, and the rounding of its result; both belong to the epilogue."""

    act: ir.Elementwise | None
    rounding: ir.Elementwise | None
    code: Code | None


def tail_of(graph: Graph, tensor: str) -> Tail:
    """The function and the rounding behind a tensor that nobody else reads."""
    act = sole_reader(graph, tensor, ir.Elementwise)
    if act is not None and (act.src_scales or not act.function.record.activation):
        act = None
    behind = rounding_behind(graph, tensor if act is None else graph.output_of(act.name))
    return Tail(None, None, None) if behind is None else Tail(act, *behind)


def fuse_product(graph: Graph, product: Product) -> None:
    """Make a layer one of integers, with the function and the rounding behind it if there are such."""
    layer = product.layer
    tail = tail_of(graph, graph.output_of(layer.name))
    made = epilogue_of(graph, product, tail)
    inputs = [product.x.tensor, product.weight.tensor, made.bias, None, made.scale]
    graph.replace(made.layer)
    graph.set_inputs(layer.name, inputs)
    take_over(graph, layer.name, tail)


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A layer of integers, and its bias and scale."""

    layer: ir.MacLayer
    bias: str | None
    scale: str


def epilogue_of(graph: Graph, product: Product, tail: Tail) -> Made:
    """The layer with its zero points and scales.

    Where the function allows it, the scale of the products holds the division by that of the result.
    """
    layer, scale, bias = product.layer, product.scale, product.bias
    act = Function.IDENTITY if tail.act is None else tail.act.function
    params = () if tail.act is None else tail.act.params
    fields: dict[str, Any] = {
        "src_zero": product.x.code.origin,
        "weight_zero": int(product.weight.code.zero.reshape(-1)[0]),
    }
    if tail.code is not None and _may_divide(graph, act, bias, scale, tail.code):
        step = np.float32(tail.code.step)
        scale, bias = (scale / step).astype(F32), _divided(graph, layer, bias, step)
        if act is Function.CLIP:
            params = tuple(float(F32(bound) / step) for bound in params)
        made = replace(layer, **fields, act=act, act_params=params, dst_zero=tail.code.origin)
    elif tail.code is not None:
        code = tail.code
        made = replace(layer, **fields, act=act, act_params=params, dst_scale=code.step, dst_zero=code.origin)
    else:
        made = replace(layer, **fields)
    return Made(made, bias, graph.add_constant(f"{layer.name}.scale", scale))


def _may_divide(graph: Graph, act: Function, bias: str | None, scale: Array, code: Code) -> bool:
    """Whether scale and bias may be divided by the step of the result: all are known, and stay finite."""
    integers = coded(graph, bias)
    is_known = bias is None or graph.is_constant(bias if integers is None else integers.tensor)
    if not is_known or not (act in _SCALED_ALONG or act is Function.CLIP):
        return False
    real = None if bias is None else _real_bias(graph, bias)
    values = [scale] if real is None else [scale, real]
    with np.errstate(over="ignore"):
        return all(bool(np.isfinite(value / F32(code.step)).all()) for value in values)


def _real_bias(graph: Graph, bias: str) -> Array | None:
    """The values of a float bias; None if it counts in products."""
    if not graph.types[bias].dtype.is_float:
        return None
    integers = coded(graph, bias)
    return graph.constants[bias] if integers is None else integers.code.real(graph.constants[integers.tensor])


def _divided(graph: Graph, layer: ir.MacLayer, bias: str | None, step: np.float32) -> str | None:
    """A float bias in steps of the result; an integer one counts in products."""
    value = None if bias is None else _real_bias(graph, bias)
    return bias if value is None else graph.add_constant(f"{layer.name}.bias", (value / step).astype(F32))


def take_over(graph: Graph, name: str, tail: Tail) -> None:
    """Let a layer define what the function and the rounding behind it defined."""
    for behind in (tail.act, tail.rounding):
        if behind is not None:
            graph.take_over_output(name, graph.output_of(behind.name))
