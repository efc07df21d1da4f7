"""Importers of normalisations."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext, elements_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import type_code
from nnc.compiler.frontend.operators.elementwise import broadcast_shape
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, NormaliseFunction


@importer("BatchNormalization", constraints=("Training mode since opset 14; no statistics per element.",))
def batch_normalization(context: OpContext) -> None:
    """x · s + b per channel, s and b of what is known at compile time in double precision."""
    x = context.type()
    if not context.attribute("spatial", 1):
        raise context.unsupported("statistics per element (spatial=0) are not supported")
    if len(x.shape) < 2:
        raise context.invalid("an axis of channels is needed", found=str(x))
    for slot in range(1, 5):
        context.expect_shape(slot, x.shape[1])
    if context.flag("training_mode"):
        _train(context)
    elif any(context.uses(slot) for slot in range(1, 5)):
        raise context.unsupported("training mode before opset 14 is not supported")
    elif all(context.value(slot) is not None for slot in range(1, 5)):
        _scale_and_shift(context)
    else:
        make = Expansion(context)
        centred = make("Sub", _wide(context, 0), _per_channel(context, 3))
        _give_normalised(context, centred, _per_channel(context, 4))


def _scale_and_shift(context: OpContext) -> None:
    """A factor and a summand per channel of four constants.

    Raises:
        UnsupportedError: a variance is not positive, or their type cannot hold a factor.
    """
    x, names = context.type(), ("scale", "bias", "mean", "variance")
    values = [context.required_constant(slot, name).astype(np.float64) for slot, name in enumerate(names, 1)]
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


def _wide(context: OpContext, slot: int) -> str:
    """An operand of a BatchNormalization in the type of its statistics."""
    return Expansion(context)("Cast", context.tensor(slot), to=type_code(context.type(4).dtype))


def _per_channel(context: OpContext, slot: int) -> str:
    """The same, beside the channels of input 0."""
    ones = (1,) * (len(context.shape()) - 2)
    return Expansion(context).reshape(_wide(context, slot), context.shape()[1], *ones)


def _give_normalised(context: OpContext, centred: str, variance: str) -> None:
    """Let output 0 be deviations from the mean over the root of the variance, scaled and shifted."""
    make = Expansion(context)
    epsilon = make.constant(context.attribute("epsilon", 1e-5), like=4)
    factor = make("Div", _per_channel(context, 1), make("Sqrt", make("Add", variance, epsilon)))
    result = make("Add", make("Mul", centred, factor), _per_channel(context, 2))
    make.define(0, make("Cast", result, to=type_code(context.type().dtype)))


def _train(context: OpContext) -> None:
    """Statistics of the batch itself, which move the running ones."""
    make, shape = Expansion(context), context.shape()
    others = make.constant(np.array([axis for axis in range(len(shape)) if axis != 1], np.int64))
    x = _wide(context, 0)
    mean = make("ReduceMean", x, others)
    centred = make("Sub", x, mean)
    variance = make("ReduceMean", make("Mul", centred, centred), others)
    _give_normalised(context, centred, variance)
    momentum = context.attribute("momentum", 0.9)
    old, new = (make.constant(share, like=4) for share in (momentum, 1 - momentum))
    for slot, running, own in ((1, 3, mean), (2, 4, variance)):
        kept = make("Mul", _wide(context, running), old)
        make.define(slot, make("Add", kept, make("Mul", make.reshape(own, shape[1]), new)))


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


def _trailing(context: OpContext, function: NormaliseFunction) -> tuple[int, ...]:
    """Normalise over the axes from `axis` on; returns these."""
    x = context.type()
    axis = context.axis(context.attribute("axis", -1), len(x.shape))
    for slot in filter(context.has, (1, 2)):
        if broadcast_shape(context, [context.tensor(0), context.tensor(slot)]) != x.shape:
            raise context.invalid(
                f"operand {slot} does not broadcast to the input", found=str(context.type(slot))
            )
    axes = tuple(range(axis, len(x.shape)))
    context.result(
        ir.Normalise,
        [context.tensor(0), context.optional(1), context.optional(2)],
        x,
        function=function,
        axes=axes,
        epsilon=context.attribute("epsilon", 1e-5),
    )
    return axes


@importer("LayerNormalization")
def layer_normalization(context: OpContext) -> None:
    """Mean and variance over the axes from `axis` on removed, then scale and bias."""
    axes = _trailing(context, NormaliseFunction.MEAN_VARIANCE)
    if not (context.uses(1) or context.uses(2)):
        return
    make = Expansion(context)
    x, over = make("Cast", context.tensor(0), to=TensorProto.FLOAT), make.constant(np.array(axes, np.int64))
    mean = make("ReduceMean", x, over)
    make.define(1, mean)
    if context.uses(2):
        centred = make("Sub", x, mean)
        variance = make("ReduceMean", make("Mul", centred, centred), over)
        epsilon = make.constant(np.float32(context.attribute("epsilon", 1e-5)))
        make.define(2, make("Reciprocal", make("Sqrt", make("Add", variance, epsilon))))


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
