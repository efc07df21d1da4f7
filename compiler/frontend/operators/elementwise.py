"""Importers of arithmetic, comparisons, logic and casts."""

from __future__ import annotations

import numpy as np

from nnc.compiler.frontend.context import Array, OpContext, scalar_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import element_type, type_code
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function
from nnc.isa.types import DType

_LARGEST = {DType.E4M3: 448.0, DType.E5M2: 57344.0, DType.E4M3FNUZ: 240.0, DType.E5M2FNUZ: 57344.0}
"""The largest numbers of the types that Cast's attribute `saturate` is for."""


def broadcast_shape(context: OpContext, tensors: list[str]) -> tuple[int, ...]:
    """The common shape of operands by numpy's rules.

    Raises:
        ModelInvalidError: they do not broadcast.
    """
    shapes = [context.type_of(tensor).shape for tensor in tensors]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        actual = ", ".join(str(list(shape)) for shape in shapes)
        raise context.invalid("operands do not broadcast", found=actual) from None


def exact_scalar(value: Array) -> float | None:
    """The number of a constant with one element, None if no float is equal to it (integers beyond 2⁵³)."""
    number = scalar_of(value)
    return float(number) if isinstance(number, float) or int(float(number)) == int(number) else None


def _scalar(context: OpContext, tensor: str, operand: str) -> float | None:
    """The number of a one-element constant that broadcasts into `operand`, if a float holds it exactly."""
    value = context.value_of(tensor)
    if value is None or value.size != 1 or value.ndim > len(context.type_of(operand).shape):
        return None
    return exact_scalar(value)


def binary(context: OpContext, function: Function, dtype: DType | None = None) -> None:
    """A function of two operands; a constant scalar becomes a parameter of the layer."""
    left, right = context.tensor(0), context.tensor(1)
    shape = broadcast_shape(context, [left, right])
    type_ = TensorType(dtype or context.type(0).dtype, shape)
    number = _scalar(context, right, left)
    if number is not None:
        context.result(ir.Elementwise, [left], type_, function=function, params=(number,))
        return
    number = _scalar(context, left, right)
    if number is not None:
        context.result(ir.Elementwise, [right], type_, function=function, params=(number,), swap=True)
        return
    context.result(ir.Elementwise, [left, right], type_, function=function)


@importer("Add")
def add(context: OpContext) -> None:
    """a + b, broadcast."""
    binary(context, Function.ADD)


@importer("Sub")
def subtract(context: OpContext) -> None:
    """a − b, broadcast."""
    binary(context, Function.SUB)


@importer("Mul")
def multiply(context: OpContext) -> None:
    """a · b, broadcast."""
    binary(context, Function.MUL)


@importer("Div")
def divide(context: OpContext) -> None:
    """a / b, broadcast; integers round toward zero."""
    binary(context, Function.DIV)


@importer("Pow")
def power(context: OpContext) -> None:
    """a to the power b, broadcast; the exponent may have another type."""
    exponent = context.value(1)
    if context.type(1).dtype.is_float and not context.type(0).dtype.is_float:
        if exponent is not None and exponent.size == 1 and scalar_of(exponent) in (2, 3):
            binary(context, Function.POW)  # a product of integers, in onnxruntime too
        else:
            _power_of_integers(context)
        return
    if context.type(1).dtype == context.type(0).dtype or (exponent is not None and exponent.size == 1):
        binary(context, Function.POW)
        return
    wide = TensorType(context.type(0).dtype, context.shape(1))
    cast = context.step("exponent", ir.Elementwise, [context.tensor(1)], wide, function=Function.CAST)
    shape = broadcast_shape(context, [context.tensor(0), cast])
    context.result(
        ir.Elementwise, [context.tensor(0), cast], TensorType(wide.dtype, shape), function=Function.POW
    )


def _power_of_integers(context: OpContext) -> None:
    """An integer to the power of a float, in double as onnxruntime has it; the result loses its fraction."""
    operands = [_in_double(context, slot, suffix) for slot, suffix in enumerate(("base", "exponent"))]
    shape = broadcast_shape(context, operands)
    real = context.step("real", ir.Elementwise, operands, TensorType(DType.F64, shape), function=Function.POW)
    type_ = TensorType(context.type(0).dtype, shape)
    context.result(ir.Elementwise, [real], type_, function=Function.CAST)


def _in_double(context: OpContext, slot: int, suffix: str) -> str:
    value = context.value(slot)
    if value is not None:
        return context.new_constant(suffix, value.astype(np.float64))
    wide = TensorType(DType.F64, context.shape(slot))
    return context.step(suffix, ir.Elementwise, [context.tensor(slot)], wide, function=Function.CAST)


@importer("Mod")
def modulo(context: OpContext) -> None:
    """Remainder of a / b, broadcast: the sign of b, or that of a with fmod=1."""
    binary(context, Function.FMOD if context.attribute("fmod", 0) else Function.MOD)


_OF_BITS = {
    "BitwiseAnd": Function.BITWISE_AND,
    "BitwiseOr": Function.BITWISE_OR,
    "BitwiseXor": Function.BITWISE_XOR,
}


@importer(*_OF_BITS)
def of_bits(context: OpContext) -> None:
    """The function of that name of the bits of two integers, broadcast."""
    binary(context, _OF_BITS[context.op])


@importer("BitShift")
def shift(context: OpContext) -> None:
    """Bits of integers moved to the left or right, broadcast; none are left from the width on."""
    direction = context.attribute("direction", "")
    if direction not in ("LEFT", "RIGHT"):
        raise context.invalid("unknown direction", found=direction, expected="LEFT or RIGHT")
    binary(context, Function.SHIFT_LEFT if direction == "LEFT" else Function.SHIFT_RIGHT)


def _compare(context: OpContext, function: Function) -> None:
    binary(context, function, DType.BOOL)


@importer("Equal")
def equal(context: OpContext) -> None:
    """a = b, broadcast."""
    _compare(context, Function.EQUAL)


@importer("Less")
def less(context: OpContext) -> None:
    """a < b, broadcast."""
    _compare(context, Function.LESS)


@importer("LessOrEqual")
def less_or_equal(context: OpContext) -> None:
    """a ≤ b, broadcast."""
    _compare(context, Function.LESS_EQUAL)


@importer("Greater")
def greater(context: OpContext) -> None:
    """a > b, broadcast."""
    _compare(context, Function.GREATER)


@importer("GreaterOrEqual")
def greater_or_equal(context: OpContext) -> None:
    """a ≥ b, broadcast."""
    _compare(context, Function.GREATER_EQUAL)


@importer("And")
def logical_and(context: OpContext) -> None:
    """a and b, broadcast."""
    _compare(context, Function.AND)


@importer("Or")
def logical_or(context: OpContext) -> None:
    """a or b, broadcast."""
    _compare(context, Function.OR)


@importer("Xor")
def logical_xor(context: OpContext) -> None:
    """Either a or b, broadcast."""
    _compare(context, Function.XOR)


def _variadic(context: OpContext, function: Function) -> None:
    tensors = [context.tensor(slot) for slot in range(context.input_count)]
    if len(tensors) == 1:
        context.rename(tensors[0])
    elif len(tensors) == 2 and function is not Function.MEAN:
        binary(context, function)
    else:
        type_ = TensorType(context.type(0).dtype, broadcast_shape(context, tensors))
        context.result(ir.Elementwise, tensors, type_, function=function)


@importer("Sum")
def total(context: OpContext) -> None:
    """Sum of any number of operands, broadcast."""
    _variadic(context, Function.ADD)


@importer("Max")
def maximum(context: OpContext) -> None:
    """Largest of any number of operands, broadcast."""
    _variadic(context, Function.MAX)


@importer("Min")
def minimum(context: OpContext) -> None:
    """Smallest of any number of operands, broadcast."""
    _variadic(context, Function.MIN)


@importer("Mean")
def mean(context: OpContext) -> None:
    """Mean of any number of operands, broadcast."""
    _variadic(context, Function.MEAN)


@importer("Where")
def where(context: OpContext) -> None:
    """a where the condition holds, else b; all three broadcast."""
    tensors = [context.tensor(slot) for slot in range(3)]
    type_ = TensorType(context.type(1).dtype, broadcast_shape(context, tensors))
    context.result(ir.Elementwise, tensors, type_, function=Function.WHERE)


_INFINITE = 0x7F800000
"""Bits of the exponent of a float32; those of infinity, which NaN are above."""
_ROUNDED = {"up": 0x7FFFFF, "nearest": 0x400000, "down": 0}
"""What is added to a float32's bits before those of its fraction are cut off, by `round_mode`."""


def _powers_of_two(context: OpContext, tensor: str) -> str:
    """The magnitudes of float32 elements as e8m0 has them: powers of 2, else NaN."""
    shape, mode = context.type_of(tensor).shape, context.attribute("round_mode", "up")
    if mode not in _ROUNDED:
        raise context.invalid("unknown round_mode", found=mode, expected=", ".join(_ROUNDED))

    def step(suffix: str, function: Function, operand: str, *params: float, dtype: DType = DType.U32) -> str:
        type_ = TensorType(dtype, shape)
        return context.step(suffix, ir.Elementwise, [operand], type_, function=function, params=params)

    bits = step("bits", Function.BITCAST, step("magnitude", Function.ABS, tensor, dtype=DType.F32))
    is_finite = step("finite", Function.LESS, bits, _INFINITE, dtype=DType.BOOL)
    exponent = step(
        "exponent", Function.BITWISE_AND, step("sum", Function.ADD, bits, _ROUNDED[mode]), _INFINITE
    )
    exponent = step(
        "least", Function.MAX, exponent, 0x400000
    )  # 2^-127, which float32 has without an exponent
    if context.flag("saturate", 1):
        exponent = step("most", Function.MIN, exponent, 0x7F000000)  # 2^127
    power = step("power", Function.BITCAST, exponent, dtype=DType.F32)
    nan = context.new_constant("nan", np.full((), np.nan, np.float32))
    type_ = TensorType(DType.F32, shape)
    return context.step("powers", ir.Elementwise, [is_finite, power, nan], type_, function=Function.WHERE)


@importer("Cast")
def cast(context: OpContext) -> None:
    """Conversion to another element type; floats and integers of few bits are computed in wider types."""
    dtype, tensor = element_type(context.attribute("to", 0)), context.tensor(0)
    computed = TensorType(dtype.computed, context.shape())
    if dtype.is_stored:
        if context.type().dtype is not computed.dtype:
            tensor = context.step("computed", ir.Elementwise, [tensor], computed, function=Function.CAST)
        if dtype is DType.E8M0:
            tensor = _powers_of_two(context, tensor)
        if dtype in _LARGEST and context.flag("saturate", 1):
            bounds = (-_LARGEST[dtype], _LARGEST[dtype])
            tensor = context.step(
                "saturated", ir.Elementwise, [tensor], computed, function=Function.CLIP, params=bounds
            )
        stored = TensorType(dtype, computed.shape)
        tensor = context.step("stored", ir.Elementwise, [tensor], stored, function=Function.CAST)
    if context.type_of(tensor) == computed:
        context.rename(tensor)
    else:
        context.result(ir.Elementwise, [tensor], computed, function=Function.CAST)


@importer("BitCast", constraints=("Types of 8 bits or more that are computed as such, and none to bool.",))
def bit_cast(context: OpContext) -> None:
    """The same bits as elements of another type of their size."""
    own, dtype = element_type(context.element_code(0)), element_type(context.attribute("to", 0))
    if own.is_stored or dtype.is_stored:
        raise context.unsupported(f"the bits of {own.value} as {dtype.value} are not supported")
    if dtype is DType.BOOL and own is not dtype:
        raise context.unsupported("bits that are neither 0 nor 1 are no elements of bool")
    if own.itemsize != dtype.itemsize:
        raise context.invalid("the types differ in size", found=dtype.value, expected=f"as {own.value}")
    type_ = TensorType(dtype, context.shape())
    context.result(ir.Elementwise, [context.tensor(0)], type_, function=Function.BITCAST)


@importer("CastLike", lazy=True)
def cast_like(context: OpContext) -> None:
    """Conversion to the element type of the second operand."""
    make = Expansion(context)
    code = context.element_code(1) or type_code(context.type(1).dtype)
    named = ("saturate", "round_mode")
    stated = {name: context.attribute(name, None) for name in named if context.has_attribute(name)}
    make.define(0, make("Cast", context.tensor(0), to=code, **stated))
