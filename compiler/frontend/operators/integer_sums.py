"""Sums of products of integers without their zero points, which may be numbers or tensors.

Σ(a − za)(b − zb) = Σab − zb·Σa − za·Σb + K·za·zb, all modulo 2³² as the sums themselves: a zero point that
is one number known at compile time is a field of the layer, any other adds layers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnc.compiler.frontend.context import Array, OpContext, elements_of
from nnc.compiler.frontend.operators.quantisation import Quantised
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.types import DType

Shape = tuple[int, ...]
Suffix = str


@dataclass(frozen=True, slots=True)
class Zero:
    """A zero point: a number, or a tensor (i32) that broadcasts to the sums; then the number is 0."""

    number: int = 0
    tensor: str | None = None


@dataclass(frozen=True, slots=True)
class Products:
    """A layer of products of 8-bit integers, without zero points.

    Attributes:
        kind, x, weight, fields: the layer and its operands.
        shape: that of its sums.
        result: that of the node's result, which may lack axes of a vector.
        by_channel: shape of one number per output channel that broadcasts to the sums.
        depth: how many products each is a sum of.
        input_sums: the name of Σ(x − number), one per sum or broadcast to them (i32).
        weight_sums: the same of the weights.
    """

    kind: type[ir.MacLayer]
    x: str
    weight: str
    fields: dict[str, Any]
    shape: Shape
    result: Shape
    by_channel: Shape
    depth: int
    input_sums: Callable[[int], str]
    weight_sums: Callable[[int], str]


def zero_point(context: OpContext, slot: int, suffix: Suffix, target: Shape) -> Zero:
    """The zero point of input `slot`, 0 if it is absent, in the shape that broadcasts to the sums."""
    if not context.has(slot):
        return Zero()
    value = context.value(slot)
    if value is not None and value.size and bool((value == value.reshape(-1)[0]).all()):
        return Zero(int(value.reshape(-1)[0]))
    if value is not None:
        return Zero(tensor=context.new_constant(suffix, value.astype(np.int32).reshape(target)))
    return Zero(
        tensor=reshape_step(context, suffix, wide(context, f"{suffix}.wide", context.tensor(slot)), target)
    )


def sums(context: OpContext, products: Products, x_zero: Zero, weight_zero: Zero) -> str:
    """The sums (i32) of a layer of products of which a zero point is a tensor."""
    fields = products.fields | {"src_zero": x_zero.number, "weight_zero": weight_zero.number}
    type_ = TensorType(DType.I32, products.shape)
    result = context.step("products", products.kind, [products.x, products.weight], type_, **fields)
    if x_zero.tensor is not None:
        part = integers(
            context, "of_x", Function.MUL, x_zero.tensor, products.weight_sums(weight_zero.number)
        )
        result = integers(context, "without_x", Function.SUB, result, part)
    if weight_zero.tensor is not None:
        part = integers(context, "of_w", Function.MUL, weight_zero.tensor, products.input_sums(x_zero.number))
        result = integers(context, "without_w", Function.SUB, result, part)
    if x_zero.tensor is not None and weight_zero.tensor is not None:
        both = integers(context, "of_both", Function.MUL, x_zero.tensor, weight_zero.tensor)
        part = integers(context, "of_all", Function.MUL, both, number=products.depth)
        result = integers(context, "with_both", Function.ADD, result, part)
    return result


def integers(
    context: OpContext, suffix: Suffix, function: Function, *operands: str, number: int | None = None
) -> str:
    """A function of i32 tensors that broadcast, or of one and a number."""
    shape = np.broadcast_shapes(*(context.type_of(tensor).shape for tensor in operands))
    params = () if number is None else (float(number),)
    type_ = TensorType(DType.I32, shape)
    return context.step(suffix, ir.Elementwise, operands, type_, function=function, params=params)


def wide(context: OpContext, suffix: Suffix, tensor: str) -> str:
    """8-bit integers as i32."""
    type_ = TensorType(DType.I32, context.type_of(tensor).shape)
    return context.step(suffix, ir.Elementwise, [tensor], type_, function=Function.CAST)


def total(context: OpContext, suffix: Suffix, tensor: str, axes: Shape, number: int) -> str:
    """Σ(element − number) over axes, which keep extent 1 (i32); of a constant at compile time."""
    shape = context.type_of(tensor).shape
    axes = tuple(axis % len(shape) for axis in axes)
    value = context.constant_of(tensor)
    if value is not None:
        exact = (value.astype(np.int64) - number).sum(axes, keepdims=True)
        return context.new_constant(suffix, exact.astype(np.int32))
    count = elements_of([shape[axis] for axis in axes])
    kept = tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))
    fields: dict[str, Any] = {"function": ReduceFunction.SUM, "axes": axes, "count": count}
    operand = wide(context, f"{suffix}.wide", tensor)
    result = context.step(suffix, ir.Reduce, [operand], TensorType(DType.I32, kept), **fields)
    if not number:
        return result
    return integers(context, f"{suffix}.without", Function.SUB, result, number=number * count)


# --- what becomes of the sums ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Epilogue:
    """What happens to the sums.

    Attributes:
        bias: an i32 tensor that is added, shaped for the layer.
        scale: factors (f32), shaped to broadcast to the sums; None: the sums are the result.
        target: how the result is quantised; None: it is real, or the sums.
    """

    bias: str | None = None
    scale: Array | None = None
    target: Quantised | None = None


def finish(
    context: OpContext, products: Products, x_zero: Zero, weight_zero: Zero, epilogue: Epilogue
) -> None:
    """The result from the products: one layer if zero points are numbers and scales go by channel."""
    scale, target = epilogue.scale, epilogue.target
    by_channel = scale is None or scale.size == 1 or scale.shape == products.by_channel
    if x_zero.tensor is not None or weight_zero.tensor is not None or not by_channel:
        result = sums(context, products, x_zero, weight_zero)
        reshape_result(context, _requantised(context, products, result, epilogue), products.result)
        return
    operands = [products.x, products.weight, epilogue.bias]
    fields = products.fields | {"src_zero": x_zero.number, "weight_zero": weight_zero.number}
    dtype = DType.I32
    if scale is not None:
        operands += [None, context.new_constant("factor", scale.reshape(-1))]
        dtype = DType.F32
    if target is not None:
        fields["dst_zero"], dtype = target.zero, target.dtype
    type_ = TensorType(dtype, products.shape)
    if products.result == products.shape:
        context.result(products.kind, operands, type_, **fields)
    else:
        tensor = context.step("product", products.kind, operands, type_, **fields)
        reshape_result(context, tensor, products.result)


def _requantised(context: OpContext, products: Products, tensor: str, epilogue: Epilogue) -> str:
    """The same arithmetic on sums in layers of their own: bias, scale, rounding."""
    if epilogue.bias is not None:
        bias = epilogue.bias
        if products.kind is ir.Conv:
            bias = reshape_step(context, "bias", bias, products.by_channel)
        tensor = integers(context, "biased", Function.ADD, tensor, bias)
    if epilogue.scale is None:
        return tensor
    real = TensorType(DType.F32, products.shape)
    tensor = context.step("real", ir.Elementwise, [tensor], real, function=Function.CAST)
    scale = context.new_constant("factor", epilogue.scale)
    tensor = context.step("scaled", ir.Elementwise, [tensor, scale], real, function=Function.MUL)
    if epilogue.target is None:
        return tensor
    target, unit_scale = epilogue.target, context.new_constant("one", np.ones((), np.float32))
    zero = context.new_constant("zero", np.array(target.zero, target.dtype.numpy))
    type_ = TensorType(target.dtype, products.shape)
    return context.step(
        "steps", ir.Elementwise, [tensor, unit_scale, zero], type_, function=Function.QUANTIZE
    )
