"""Importers of onnxruntime's operators on quantised integers that are no products."""

from __future__ import annotations

from typing import Any

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.arrange import join
from nnc.compiler.frontend.operators.elementwise import broadcast_shape
from nnc.compiler.frontend.operators.pool import pool_geometry
from nnc.compiler.frontend.operators.quantisation import CONSTANT_SCALES, Quantised, factor, per_tensor
from nnc.compiler.frontend.operators.reduce import softmax_rows
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.operators.window import AUTO_PADS, channels_last_orders
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, PoolFunction, ReduceFunction
from nnc.isa.types import DType

_BINARY = {"QLinearAdd": Function.ADD, "QLinearMul": Function.MUL}


def _fields(context: OpContext, sources: list[Quantised], target: Quantised) -> dict[str, Any]:
    """The fields of an element-wise layer of quantised integers."""
    for source in sources:
        factor(context, source.scale, target.scale)
    return {
        "src_scales": tuple(float(source.scale) for source in sources),
        "src_zeros": tuple(source.zero for source in sources),
        "dst_scale": float(target.scale),
        "dst_zero": target.zero,
    }


def _mean_fields(context: OpContext, source: Quantised, target: Quantised) -> dict[str, Any]:
    """The fields of a pool or a fold of quantised integers."""
    factor(context, source.scale, target.scale)
    return {
        "src_scale": float(source.scale),
        "src_zero": source.zero,
        "dst_scale": float(target.scale),
        "dst_zero": target.zero,
    }


@importer(*_BINARY, domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_arithmetic(context: OpContext) -> None:
    """The sum or product of two quantised tensors, broadcast, rounded once."""
    sources = [per_tensor(context, 0, 1, 2), per_tensor(context, 3, 4, 5)]
    target = per_tensor(context, sources[0].dtype, 6, 7)
    tensors = [context.tensor(0), context.tensor(3)]
    type_ = TensorType(target.dtype, broadcast_shape(context, tensors))
    fields = _fields(context, sources, target)
    context.result(ir.Elementwise, tensors, type_, function=_BINARY[context.op], **fields)


@importer("QLinearLeakyRelu", "QLinearSigmoid", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_activation(context: OpContext) -> None:
    """The activation of that name on quantised integers, rounded once."""
    source = per_tensor(context, 0, 1, 2)
    target = per_tensor(context, source.dtype, 3, 4)
    leaky = context.op == "QLinearLeakyRelu"
    params = (float(context.attribute("alpha", 0.01)),) if leaky else ()
    context.result(
        ir.Elementwise,
        [context.tensor(0)],
        context.type(),
        function=Function.LEAKY_RELU if leaky else Function.SIGMOID,
        params=params,
        **_fields(context, [source], target),
    )


@importer("QLinearConcat", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_concat(context: OpContext) -> None:
    """Join along an axis; an operand of another scale or zero point than the result is rounded to them."""
    target = per_tensor(context, context.type(1).dtype, 0, 1)
    if context.input_count < 5 or (context.input_count - 2) % 3:
        raise context.invalid(
            "each operand needs a scale and a zero point", found=f"{context.input_count - 2} inputs"
        )
    tensors = []
    for number, slot in enumerate(range(2, context.input_count, 3)):
        if context.type(slot).dtype != target.dtype or context.type(slot + 1).dtype is not DType.F32:
            actual = f"{context.type(slot)} with a scale {context.type(slot + 1)}"
            raise context.invalid("operands have different types", found=actual, expected=target.dtype.value)
        source = per_tensor(context, slot, slot + 1, slot + 2)
        tensors.append(_rescaled(context, f"part{number}", context.tensor(slot), source, target))
    join(context, tensors, context.attribute("axis", 0))


def _rescaled(context: OpContext, suffix: str, tensor: str, source: Quantised, target: Quantised) -> str:
    """Integers as those of another scale and zero point."""
    if source == target:
        return tensor
    fields = _fields(context, [source], target)
    type_ = context.type_of(tensor)
    return context.step(suffix, ir.Elementwise, [tensor], type_, function=Function.IDENTITY, **fields)


@importer("QLinearAveragePool", domain=MICROSOFT, constraints=(*CONSTANT_SCALES, *AUTO_PADS))
def quantised_average_pool(context: OpContext) -> None:
    """Average over a window, rounded once; channels second or, with channels_last, last."""
    source = per_tensor(context, 0, 1, 2)
    target = per_tensor(context, source.dtype, 3, 4)
    tensor, rank = context.tensor(0), len(context.shape())
    last = bool(context.attribute("channels_last", 0)) and rank > 2
    if last:
        tensor = transpose_step(context, "channels_second", tensor, (0, rank - 1, *range(1, rank - 1)))
    count_pad = bool(context.attribute("count_include_pad", 0))
    shape, fields = pool_geometry(context, context.type_of(tensor).shape, count_pad=count_pad)
    fields |= {"function": PoolFunction.AVERAGE, **_mean_fields(context, source, target)}
    if not last:
        context.result(ir.Pool, [tensor], TensorType(target.dtype, shape), **fields)
        return
    pooled = context.step("pooled", ir.Pool, [tensor], TensorType(target.dtype, shape), **fields)
    perm = (0, *range(2, rank), 1)
    type_ = TensorType(target.dtype, tuple(shape[axis] for axis in perm))
    context.result(ir.Transpose, [pooled], type_, perm=perm)


@importer("QLinearGlobalAveragePool", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_global_average_pool(context: OpContext) -> None:
    """Average over all spatial axes, rounded once; channels second or, with channels_last, last."""
    source = per_tensor(context, 0, 1, 2)
    target, x = per_tensor(context, source.dtype, 3, 4), context.type()
    if len(x.shape) < 3:
        raise context.invalid("a global pool needs spatial axes", found=str(x))
    first = 1 if context.attribute("channels_last", 0) else 2
    axes = tuple(range(first, first + len(x.shape) - 2))
    shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(x.shape))
    context.result(
        ir.Reduce,
        [context.tensor(0)],
        TensorType(target.dtype, shape),
        function=ReduceFunction.MEAN,
        axes=axes,
        count=x.elements // max(TensorType(x.dtype, shape).elements, 1),
        **_mean_fields(context, source, target),
    )


@importer("QLinearReduceMean", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_mean(context: OpContext) -> None:
    """Mean over some axes, rounded once."""
    source = per_tensor(context, 0, 1, 2)
    target, x = per_tensor(context, source.dtype, 3, 4), context.type()
    axes = context.axes(context.ints("axes"), len(x.shape))
    kept = TensorType(target.dtype, tuple(1 if axis in axes else n for axis, n in enumerate(x.shape)))
    fields = {"axes": axes, "count": x.elements // max(kept.elements, 1)}
    fields |= {"function": ReduceFunction.MEAN, **_mean_fields(context, source, target)}
    folded = context.step("folded", ir.Reduce, [context.tensor(0)], kept, **fields)
    without = tuple(n for axis, n in enumerate(x.shape) if axis not in axes)
    reshape_result(context, folded, kept.shape if context.flag("keepdims", 1) else without)


@importer("QLinearWhere", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_choice(context: OpContext) -> None:
    """a where the condition holds, else b; all three broadcast, and what has another scale is rounded."""
    target, tensors = per_tensor(context, context.type(1).dtype, 7, 8), [context.tensor(0)]
    for slot in (1, 4):
        source = per_tensor(context, slot, slot + 1, slot + 2)
        tensors.append(_rescaled(context, f"choice{slot}", context.tensor(slot), source, target))
    type_ = TensorType(target.dtype, broadcast_shape(context, tensors))
    context.result(ir.Elementwise, tensors, type_, function=Function.WHERE)


@importer("NhwcMaxPool", domain=MICROSOFT, constraints=AUTO_PADS)
def max_pool_channels_last(context: OpContext) -> None:
    """MaxPool of 8-bit integers with the channels last."""
    make, lists = Expansion(context), ("kernel_shape", "pads", "strides", "dilations")
    attributes: dict[str, Any] = {name: context.ints(name) for name in lists if context.ints(name)}
    attributes |= {"ceil_mode": int(context.flag("ceil_mode"))}
    attributes |= {"auto_pad": context.attribute("auto_pad", "NOTSET")}
    before, behind = channels_last_orders(context)
    pooled = make("MaxPool", make.transpose(context.tensor(0), *before), **attributes)
    make.define(0, make.transpose(pooled, *behind))


@importer("QLinearSoftmax", domain=MICROSOFT, constraints=CONSTANT_SCALES)
def quantised_softmax(context: OpContext) -> None:
    """Softmax in float32 between two conversions."""
    source = per_tensor(context, 0, 1, 2)
    target, x = per_tensor(context, source.dtype, 3, 4), context.type()
    real = TensorType(DType.F32, x.shape)
    operands = [context.tensor(0), *_parameters(context, "x", source)]
    tensor = context.step("real", ir.Elementwise, operands, real, function=Function.DEQUANTIZE)
    flat = context.attribute("opset", 13) < 13
    rows, axis = softmax_rows(context, tensor, context.attribute("axis", -1), flat=flat)
    shares = context.step("softmax", ir.Softmax, [rows], context.type_of(rows), axis=axis, log=False)
    operands = [reshape_step(context, "shares", shares, x.shape), *_parameters(context, "y", target)]
    context.result(ir.Elementwise, operands, x, function=Function.QUANTIZE)


def _parameters(context: OpContext, name: str, quantised: Quantised) -> list[str]:
    """Tensors of a scale and a zero point."""
    zero = np.array(quantised.zero, quantised.dtype.numpy)
    return [
        context.new_constant(f"{name}_scale", np.asarray(quantised.scale)),
        context.new_constant(f"{name}_zero", zero),
    ]
