"""Importers of conversions between real numbers and integers: QuantizeLinear and its kin."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.block_matrix import of_blocks
from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.frontend.dequantised import Dequantised, quantised
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.model.element_types import stored_type
from nnc.compiler.frontend.operators.quantisation import along_axis, known_numbers
from nnc.compiler.frontend.operators.shaping import reshape_result
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.limits import FOLDED_TENSOR
from nnc.isa.types import DType

_SCALES = "One scale, one per element of an axis, or one per block that is known at compile time."
_INTEGERS = (DType.I8, DType.U8, DType.I16, DType.U16)


@importer("QuantizeLinear", constraints=(_SCALES, "To 4 bits only of constants."))
@importer("QuantizeLinear", constraints=(_SCALES, "To 4 bits only of constants."), domain=MICROSOFT)
def quantize_linear(context: OpContext) -> None:
    """round(x / scale) + zero point, saturated: to integers of 8 or 16 bits."""
    if context.attribute("precision", 0) not in (0, TensorProto.FLOAT):
        raise context.unsupported("a precision other than float32 is not supported")
    dtype = _target(context)
    parameters = along_axis(context, 1, 2, dtype)
    x, (scale, zero) = context.value(0), known_numbers(context, parameters, dtype)
    limits = context.packed_range(2)
    folds = context.type().elements * DType.F32.itemsize <= FOLDED_TENSOR.most
    if folds and x is not None and scale is not None and zero is not None:
        context.fold(quantised(x, scale, zero, limits))
        return
    if limits is not None:
        raise context.unsupported("4-bit integers that are computed at run time are not supported")
    type_ = TensorType(dtype, context.shape())
    context.result(ir.Elementwise, [context.tensor(0), *parameters], type_, function=Function.QUANTIZE)


def _target(context: OpContext) -> DType:
    """The type to quantise to: that of the zero point, or the one that is named, or u8."""
    code = context.attribute("output_dtype", 0)
    named = stored_type(code) if code else None
    own = context.type(2).dtype if context.has(2) else None
    if named is not None and own is not None and named != own:
        raise context.invalid(
            "output_dtype is not the type of the zero point", found=named.value, expected=own.value
        )
    dtype = own or named or DType.U8
    if dtype not in _INTEGERS:
        raise context.invalid("the result is not of 8 or 16 bits", found=dtype.value)
    return dtype


@importer("DequantizeLinear", constraints=(_SCALES,))
@importer("DequantizeLinear", constraints=(_SCALES,), domain=MICROSOFT)
def dequantize_linear(context: OpContext) -> None:
    """(x − zero point)·scale: integers of 8, 16 or 32 bits, 4-bit constants, to real numbers."""
    x, code = context.type(), context.attribute("output_dtype", 0)
    parameters = along_axis(context, 1, 2, x.dtype)
    type_ = TensorType(stored_type(code) if code else context.type(1).dtype, x.shape)
    if not type_.dtype.is_float or type_.dtype is DType.F64:
        raise context.invalid("the result is no float16 or float32", found=type_.dtype.value)
    value, (scale, zero) = context.constant(0), known_numbers(context, parameters, x.dtype)
    if x.dtype is DType.I32 and zero is not None and zero.any():
        raise context.invalid("32-bit integers have no zero point", found=str(zero.reshape(-1)[0]))
    operands = [context.tensor(0), *parameters]
    stored = 0 < x.elements * DType.F32.itemsize <= FOLDED_TENSOR.most
    if not stored or value is None or scale is None or zero is None:
        context.result(ir.Elementwise, operands, type_, function=Function.DEQUANTIZE)
    elif context.attribute("block_size", 0):  # integers and a scale for each would be more than real numbers
        context.fold(Dequantised(value, scale, zero, type_.dtype).value())
        _note_blocks(context, value)
    else:
        context.dequantise(Dequantised(value, scale, zero, type_.dtype), operands)


def _note_blocks(context: OpContext, integers: Array) -> None:
    """Keep the integers, scales and zero points of the blocks of a matrix for products."""
    axis = context.axis(context.attribute("axis", 1), integers.ndim)
    bits = 8 if context.packed_range(0) is None else 4
    parameters = [context.required_constant(slot, "of blocks") for slot in (1, 2) if context.has(slot)]
    matrix = of_blocks(integers, parameters, axis, context.attribute("block_size", 0), bits)
    if matrix is not None:
        context.note_block_matrix(matrix)


@importer("DynamicQuantizeLinear")
def dynamic_quantize_linear(context: OpContext) -> None:
    """To u8 with the scale and zero point of the tensor's own range, computed at run time."""
    x = context.type()
    if 0 in x.shape:
        raise context.unsupported("the range of a tensor without elements is not known")
    shape = (1,) * len(x.shape)

    def step(
        suffix: str, function: Function, *operands: str, dtype: DType = x.dtype, **fields: object
    ) -> str:
        type_ = TensorType(dtype, shape)
        return context.step(suffix, ir.Elementwise, operands, type_, function=function, **fields)

    low = step("negative", Function.NEG, _extreme(context, "min", ReduceFunction.MIN))
    low = step("low", Function.MAX, low, params=(0.0,))
    high = step("high", Function.MAX, _extreme(context, "max", ReduceFunction.MAX), params=(0.0,))
    span = step("span", Function.ADD, high, low)
    steps = step("steps", Function.DIV, span, params=(255.0,))
    empty = step("empty", Function.EQUAL, span, params=(0.0,), dtype=DType.BOOL)
    unit = context.new_constant("unit", np.ones((), x.dtype.numpy))
    scale = step("scale", Function.WHERE, empty, unit, steps)
    origin = context.new_constant("origin", np.zeros((), np.uint8))
    zero = step("zero", Function.QUANTIZE, low, scale, origin, dtype=DType.U8)
    operands = [context.tensor(0), scale, zero]
    context.result(ir.Elementwise, operands, TensorType(DType.U8, x.shape), function=Function.QUANTIZE)
    reshape_result(context, scale, (), 1)
    reshape_result(context, zero, (), 2)


def _extreme(context: OpContext, suffix: str, function: ReduceFunction) -> str:
    """The least or greatest element of input 0, in its rank."""
    x = context.type()
    if not x.shape:
        return context.tensor(0)
    type_ = TensorType(x.dtype, (1,) * len(x.shape))
    fields = {"function": function, "axes": tuple(range(len(x.shape))), "count": x.elements}
    return context.step(suffix, ir.Reduce, [context.tensor(0)], type_, **fields)
