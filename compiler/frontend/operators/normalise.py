"""Importers of normalisations."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnc.compiler.frontend.context import OpContext, elements_of
from nnc.compiler.frontend.operators.elementwise import broadcast_shape
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, NormaliseFunction


@importer("BatchNormalization", constraints=("Inference only; scale, bias, mean and variance are constant.",))
def batch_normalization(context: OpContext) -> None:
    """x · s + b per channel, s and b computed at compile time in double precision."""
    x = context.type()
    if context.attribute("training_mode", 0) or any(context.uses(slot) for slot in range(1, 5)):
        raise context.unsupported("training mode is not supported")
    if not context.attribute("spatial", 1):
        raise context.unsupported("statistics per element (spatial=0) are not supported")
    if len(x.shape) < 2:
        raise context.invalid("an axis of channels is needed", found=str(x))
    names = ("scale", "bias", "mean", "variance")
    values = [context.required_constant(slot, name).astype(np.float64) for slot, name in enumerate(names, 1)]
    for value, name in zip(values, names, strict=True):
        if value.shape != (x.shape[1],):
            raise context.invalid(
                f"{name} does not fit", found=str(list(value.shape)), expected=f"[{x.shape[1]}]"
            )
    scale, bias, mean, variance = values
    spread = variance + context.attribute("epsilon", 1e-5)
    if not (spread > 0).all():
        raise context.unsupported(f"variance + epsilon is {spread.min():.4g}, where a root is taken")
    factor = scale / np.sqrt(spread)
    shape = (-1,) + (1,) * (len(x.shape) - 2)
    shift = context.rounded("shift", bias - mean * factor, x.dtype)
    s = context.new_constant("scale", context.rounded("scale", factor, x.dtype).reshape(shape))
    b = context.new_constant("shift", shift.reshape(shape))
    context.result(ir.Elementwise, [context.tensor(0), s, b], x, function=Function.SCALE_SHIFT)


@importer("InstanceNormalization")
def instance_normalization(context: OpContext) -> None:
    """Mean and variance of each channel of each image removed, then scale and bias per channel."""
    x = context.type()
    if len(x.shape) < 3:
        raise context.invalid("spatial axes are needed", found=str(x))
    shape = (x.shape[1],) + (1,) * (len(x.shape) - 2)
    for slot in (1, 2):
        if context.shape(slot) != (x.shape[1],):
            raise context.invalid(f"operand {slot} does not fit", found=str(context.type(slot)))
    context.result(
        ir.Normalise,
        [
            context.tensor(0),
            reshape_step(context, "scale", context.tensor(1), shape),
            reshape_step(context, "bias", context.tensor(2), shape),
        ],
        x,
        function=NormaliseFunction.MEAN_VARIANCE,
        axes=tuple(range(2, len(x.shape))),
        epsilon=context.attribute("epsilon", 1e-5),
    )


@importer("GroupNormalization")
def group_normalization(context: OpContext) -> None:
    """Mean and variance of each group of channels of each image removed; scale and bias per channel.

    Before opset 21 there is one scale and one bias per group.
    """
    x, groups = context.type(), context.attribute("num_groups", 0)
    if len(x.shape) < 2 or groups < 1 or x.shape[1] % groups:
        raise context.invalid("the channels do not divide into groups", found=f"{groups} groups of {x}")
    per_group, channels = context.version < 21, x.shape[1]
    count = groups if per_group else channels
    for slot in (1, 2):
        if context.shape(slot) != (count,):
            raise context.invalid(
                f"operand {slot} does not fit", found=str(context.type(slot)), expected=f"[{count}]"
            )
    shape = (count,) + (1,) * (1 if per_group else len(x.shape) - 2)
    parameters = [
        reshape_step(context, name, context.tensor(slot), shape) for slot, name in ((1, "scale"), (2, "bias"))
    ]
    apart = (x.shape[0], groups, elements_of(x.shape[1:]) // groups)
    rows = reshape_step(context, "groups", context.tensor(0), apart)
    fields: dict[str, Any] = {
        "function": NormaliseFunction.MEAN_VARIANCE,
        "axes": (2,),
        "epsilon": context.attribute("epsilon", 1e-5),
    }
    operands = [rows, *parameters] if per_group else [rows, None, None]
    rows = context.step("normal", ir.Normalise, operands, TensorType(x.dtype, apart), **fields)
    if per_group:
        reshape_result(context, rows, x.shape)
        return
    normal = reshape_step(context, "channels", rows, x.shape)
    context.result(ir.Elementwise, [normal, *parameters], x, function=Function.SCALE_SHIFT)


def _trailing(context: OpContext, function: NormaliseFunction) -> None:
    x = context.type()
    if any(context.uses(slot) for slot in (1, 2)):
        raise context.unsupported("the outputs of mean and deviation are not supported")
    axis = context.axis(context.attribute("axis", -1), len(x.shape))
    for slot in filter(context.has, (1, 2)):
        if broadcast_shape(context, [context.tensor(0), context.tensor(slot)]) != x.shape:
            raise context.invalid(
                f"operand {slot} does not broadcast to the input", found=str(context.type(slot))
            )
    context.result(
        ir.Normalise,
        [context.tensor(0), context.optional(1), context.optional(2)],
        x,
        function=function,
        axes=tuple(range(axis, len(x.shape))),
        epsilon=context.attribute("epsilon", 1e-5),
    )


@importer("LayerNormalization", constraints=("The outputs of mean and deviation are not used.",))
def layer_normalization(context: OpContext) -> None:
    """Mean and variance over the axes from `axis` on removed, then scale and bias."""
    _trailing(context, NormaliseFunction.MEAN_VARIANCE)


@importer("RMSNormalization")
def rms_normalization(context: OpContext) -> None:
    """Divided by the root mean square over the axes from `axis` on, then scaled."""
    _trailing(context, NormaliseFunction.ROOT_MEAN_SQUARE)


@importer("LRN")
def local_response_normalization(context: OpContext) -> None:
    """Each element divided by a power of the squares of its neighbours across channels."""
    x = context.type()
    size = context.attribute("size", 0)
    if size < 1 or len(x.shape) < 2:
        raise context.invalid("a positive size and an axis of channels are needed", found=f"size {size}, {x}")
    whole = max(2 * x.shape[1] - 1, 1)  # reaches all channels from each of them
    context.result(
        ir.LocalResponseNorm,
        [context.tensor(0)],
        x,
        size=min(size, whole),
        alpha=context.attribute("alpha", 1e-4) * (min(size, whole) / size),
        beta=context.attribute("beta", 0.75),
        k=context.attribute("bias", 1.0),
    )
