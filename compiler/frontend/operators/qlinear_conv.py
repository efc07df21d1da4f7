"""Importers of convolutions of quantised integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnc.compiler.frontend.context import OpContext, elements_of
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.conv import check_bias, convolution_geometry
from nnc.compiler.frontend.operators.integer_sums import (
    Epilogue,
    Products,
    Shape,
    Zero,
    finish,
    total,
    zero_point,
)
from nnc.compiler.frontend.operators.quantisation import (
    CONSTANT_SCALES,
    check_zero_type,
    factor,
    known_scale,
    per_tensor,
    product,
    wrong_shape,
)
from nnc.compiler.frontend.operators.shaping import reshape_step
from nnc.compiler.frontend.operators.window import AUTO_PADS, channels_last_orders
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, PadMode
from nnc.isa.types import DType


def _convolution(context: OpContext, slots: tuple[int, int, int, int]) -> tuple[Products, Zero, Zero]:
    """The products of a convolution and its zero points; slots of x, weight and their zero points."""
    x, weight = context.tensor(slots[0]), context.tensor(slots[1])
    shape, fields = convolution_geometry(context, context.shape(slots[0]), context.shape(slots[1]))
    by_channel = (shape[1], *(1 for _ in shape[2:]))
    x_zero = _convolution_zero(context, slots[2], "x_zero", context.type(slots[0]).dtype, ())
    weight_zero = _convolution_zero(context, slots[3], "w_zero", context.type(slots[1]).dtype, by_channel)
    if x_zero.tensor is not None:
        x, fields = _padded(context, x, x_zero, context.tensor(slots[2]), fields)
    extents = context.type_of(weight).shape

    def input_sums(number: int) -> str:
        channels = 1 if fields["groups"] == 1 else shape[1]
        ones = context.new_constant("ones", np.ones((channels, *extents[1:]), np.uint8))
        type_ = TensorType(DType.I32, (shape[0], channels, *shape[2:]))
        return context.step("x_sums", ir.Conv, [x, ones], type_, **fields | {"src_zero": number})

    def weight_sums(number: int) -> str:
        folded = total(context, "w_sums", weight, tuple(range(1, len(extents))), number)
        return reshape_step(context, "w_sums.channels", folded, by_channel)

    depth = elements_of(extents[1:])
    products = Products(ir.Conv, x, weight, fields, shape, shape, by_channel, depth, input_sums, weight_sums)
    return products, x_zero, weight_zero


def _convolution_zero(context: OpContext, slot: int, suffix: str, dtype: DType, by_channel: Shape) -> Zero:
    """A zero point of a convolution: one number, or for the weights one per output channel."""
    check_zero_type(context, slot, dtype)
    is_scalar = True
    if context.has(slot):
        shape = context.shape(slot)
        is_scalar = shape in ((), (1,))
        if not is_scalar and shape != by_channel[:1]:
            expected = f"one number, or {list(by_channel[:1])}" if by_channel else "one number"
            raise wrong_shape(context, "zero point", shape, expected)
    return zero_point(context, slot, suffix, () if is_scalar else by_channel)


def _padded(
    context: OpContext, x: str, zero: Zero, number: str, fields: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    """x with the padding of a convolution around it, which is the zero point: then none is left."""
    begin, end = (0, 0, *fields["pad_begin"]), (0, 0, *fields["pad_end"])
    if not any((*begin, *end)):
        return x, fields
    type_ = context.type_of(x)
    origin = (0,) * len(begin)
    shape = tuple(map(sum, zip(type_.shape, begin, end, strict=True)))
    padded = context.step(
        "padded",
        ir.Pad,
        [x],
        TensorType(type_.dtype, shape),
        mode=PadMode.CONSTANT,
        value=0.0,
        begin=begin,
        end=end,
        origin=origin,
        src_origin=origin,
        src_extent=type_.shape,
    )
    inside = np.zeros(shape[2:], np.bool_)
    inside[tuple(slice(max(b, 0), n - max(e, 0)) for b, e, n in zip(begin, end, shape, strict=True))[2:]] = (
        True
    )
    operands = [
        context.new_constant("inside", inside),
        padded,
        reshape_step(context, "pad_value", number, ()),
    ]
    filled = context.step(
        "filled", ir.Elementwise, operands, TensorType(type_.dtype, shape), function=Function.WHERE
    )
    none = (0,) * (len(shape) - 2)
    return filled, fields | {"pad_begin": none, "pad_end": none}


@importer("ConvInteger", constraints=AUTO_PADS)
def integer_convolution(context: OpContext) -> None:
    """Convolution of 8-bit integers without their zero points, also those of run time, to i32."""
    finish(context, *_convolution(context, (0, 1, 2, 3)), Epilogue())


@importer("QLinearConv", domain=MICROSOFT, constraints=(*CONSTANT_SCALES, *AUTO_PADS))
def quantised_convolution_channels_last(context: OpContext) -> None:
    """QLinearConv of ONNX; with channels_last, between transposes."""
    make, lists = Expansion(context), ("kernel_shape", "pads", "strides", "dilations")
    attributes: dict[str, Any] = {name: context.ints(name) for name in lists if context.ints(name)}
    attributes |= {"group": context.attribute("group", 1)}
    attributes |= {"auto_pad": context.attribute("auto_pad", "NOTSET")}
    x, *others = (context.optional(slot) for slot in range(9))
    if not context.flag("channels_last"):
        make.define(0, make("QLinearConv", x, *others, **attributes))
        return
    before, behind = channels_last_orders(context)
    sums = make("QLinearConv", make.transpose(context.tensor(0), *before), *others, **attributes)
    make.define(0, make.transpose(sums, *behind))


@importer("QLinearConv", constraints=(*CONSTANT_SCALES, *AUTO_PADS))
def quantised_convolution(context: OpContext) -> None:
    """Convolution of 8-bit integers to 8-bit integers, with one weight scale or one per output channel."""
    products, x_zero, weight_zero = _convolution(context, (0, 3, 2, 5))
    channels = products.shape[1]
    check_bias(context, 8, channels)
    x_scale, weight_scale = known_scale(context, 1), known_scale(context, 4)
    if x_scale.size != 1:
        raise wrong_shape(context, "scale", x_scale.shape, "one number")
    if weight_scale.shape not in ((), (1,), (channels,)):
        raise wrong_shape(context, "scale", weight_scale.shape, f"one number, or [{channels}]")
    target = per_tensor(context, context.type(7).dtype, 6, 7)
    scale = factor(context, product(x_scale.reshape(-1), weight_scale.reshape(-1)), target.scale)
    scale = scale.reshape(products.by_channel if scale.size > 1 else ())
    finish(context, products, x_zero, weight_zero, Epilogue(context.optional(8), scale, target))
