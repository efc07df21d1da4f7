"""Importers of conversions between real numbers and integers: QuantizeLinear and its kin."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from nnc.compiler.frontend.block_matrix import of_blocks
from nnc.compiler.frontend.context import Array, OpContext
from nnc.compiler.frontend.dequantised import Dequantised, quantised
from nnc.compiler.frontend.domains import MICROSOFT
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import computed_type, element_type, type_code, type_name
from nnc.compiler.frontend.operators.quantisation import along_axis, known_numbers
from nnc.compiler.frontend.operators.shaping import reshape_result
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function, ReduceFunction
from nnc.isa.limits import FOLDED_TENSOR
from nnc.isa.types import DType

_SCALES = "One scale, one per element of an axis, or one per block that is known at compile time."
_QUANTISED = frozenset(
    {
        *(DType.I8, DType.U8, DType.I16, DType.U16, DType.I4, DType.U4, DType.I2, DType.U2),
        *(DType.E4M3, DType.E5M2, DType.E4M3FNUZ, DType.E5M2FNUZ, DType.E2M1),
    }
)


@importer("QuantizeLinear", constraints=(_SCALES, "To floats without a zero point."))
@importer("QuantizeLinear", constraints=(_SCALES, "To floats without a zero point."), domain=MICROSOFT)
def quantize_linear(context: OpContext) -> None:
    """round(x / scale) + zero point, saturated: to integers of 2 to 16 bits; x / scale as floats of 4, 8."""
    if context.attribute("precision", 0) not in (0, TensorProto.FLOAT):
        raise context.unsupported("a precision other than float32 is not supported")
    code = _target(context)
    dtype = computed_type(code)
    parameters = along_axis(context, 1, 2, dtype)
    if dtype.is_float:
        _to_floats(context, code, parameters)
        return
    x, (scale, zero) = context.value(0), known_numbers(context, parameters, dtype)
    limits = context.packed_range(2)
    folds = context.type().elements * DType.F32.itemsize <= FOLDED_TENSOR.most
    if folds and x is not None and scale is not None and zero is not None:
        context.fold(quantised(x, scale, zero, limits))
        return
    type_, operands = TensorType(dtype, context.shape()), [context.tensor(0), *parameters]
    if limits is None:
        context.result(ir.Elementwise, operands, type_, function=Function.QUANTIZE)
        return
    wide = context.step("quantised", ir.Elementwise, operands, type_, function=Function.QUANTIZE)
    context.result(ir.Elementwise, [wide], type_, function=Function.CLIP, params=limits)


def _target(context: OpContext) -> int:
    """ONNX's number of the type to quantise to: that of the zero point, or the one that is named, or u8."""
    named = context.attribute("output_dtype", 0)
    own = (context.element_code(2) or type_code(context.type(2).dtype)) if context.has(2) else 0
    if named and own and named != own:
        raise context.invalid(
            "output_dtype is not the type of the zero point", found=type_name(named), expected=type_name(own)
        )
    code = own or named or type_code(DType.U8)
    if element_type(code) not in _QUANTISED:
        raise context.invalid("the result is not of 2 to 16 bits", found=type_name(code))
    return code


def _to_floats(context: OpContext, code: int, parameters: list[str]) -> None:
    """x / scale in f32, rounded to floats of 4 or 8 bits."""
    _check_no_zero(context, parameters)
    make = Expansion(context)
    real = make("Cast", context.tensor(0), to=TensorProto.FLOAT)
    saturate = context.attribute("saturate", 1)
    make.define(0, make("Cast", make("Div", real, parameters[0]), to=code, saturate=saturate))


def _check_no_zero(context: OpContext, parameters: list[str]) -> None:
    """Raise UnsupportedError unless the zero point of floats, if there is one, is known to be 0."""
    zero = context.value_of(parameters[1]) if len(parameters) > 1 else np.zeros(())
    if zero is None or zero.any():
        raise context.unsupported("a zero point of floats other than a constant 0 is not supported")


@importer("DequantizeLinear", constraints=(_SCALES,))
@importer("DequantizeLinear", constraints=(_SCALES,), domain=MICROSOFT)
def dequantize_linear(context: OpContext) -> None:
    """(x − zero point)·scale: integers of 2 to 32 bits, or floats of 4 or 8, to real numbers."""
    x, code = context.type(), context.attribute("output_dtype", 0)
    parameters = along_axis(context, 1, 2, x.dtype)
    type_ = TensorType(computed_type(code) if code else context.type(1).dtype, x.shape)
    if not type_.dtype.is_float or type_.dtype is DType.F64:
        raise context.invalid("the result is no float16, bfloat16 or float32", found=type_.dtype.value)
    if x.dtype.is_float:
        _check_no_zero(context, parameters)
        make = Expansion(context)
        make.define(0, make("Cast", make("Mul", context.tensor(0), parameters[0]), to=type_code(type_.dtype)))
        return
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
    limits = context.packed_range(0)
    bits = 8 if limits is None else (limits[1] - limits[0]).bit_length()
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
