"""Scales and zero points of quantised tensors, checked: positive and finite, of the right shape and type."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.frontend.context import Array, OpContext, elements_of
from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.compiler.frontend.model.sizes import check_folded
from nnc.compiler.frontend.operators.shaping import reshape_step
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType

CONSTANT_SCALES = ("Scales, and zero points of results, are known at compile time.",)
"""The constraint of operators whose scales become fields of layers."""


@dataclass(frozen=True, slots=True)
class Quantised:
    """How the integers of one tensor stand for real numbers: (x − zero)·scale."""

    scale: np.float32
    zero: int
    dtype: DType


def known_scale(context: OpContext, slot: int) -> Array:
    """A scale that is known at compile time, in f32.

    Raises:
        UnsupportedError: it is computed at run time.
        ModelInvalidError: a number is not positive or not finite.
    """
    return checked_scale(context, context.required_constant(slot, "the scale").astype(np.float32))


def checked_scale(context: OpContext, scale: Array) -> Array:
    """The scale.

    Raises:
        ModelInvalidError: a number is not positive or not finite.
    """
    wrong = scale[~(np.isfinite(scale) & (scale > 0))]
    if wrong.size:
        raise context.invalid(
            "a scale is no positive finite number", found=str(wrong.reshape(-1)[0]), expected="more than 0"
        )
    return scale


def known_zero(context: OpContext, slot: int, dtype: DType) -> Array:
    """A zero point that is known at compile time; one that is absent is 0.

    Raises:
        UnsupportedError: it is computed at run time.
        ModelInvalidError: it is not of the type that it belongs to.
    """
    check_zero_type(context, slot, dtype)
    if not context.has(slot):
        return np.zeros((), dtype.numpy)
    return context.required_constant(slot, "the zero point")


def check_zero_type(context: OpContext, slot: int, dtype: DType) -> None:
    """Raise ModelInvalidError unless a zero point, if it is there, has a type."""
    if context.has(slot) and context.type(slot).dtype != dtype:
        raise context.invalid(
            "a zero point is not of the type that it belongs to",
            found=context.type(slot).dtype.value,
            expected=dtype.value,
        )


def per_tensor(context: OpContext, tensor: int | DType, scale: int, zero: int) -> Quantised:
    """The one scale and the one zero point of a tensor, both known at compile time.

    Args:
        context: the node.
        tensor: slot of the tensor, or its element type.
        scale: slot of the scale.
        zero: slot of the zero point, which may be absent.
    """
    dtype = tensor if isinstance(tensor, DType) else context.type(tensor).dtype
    numbers = known_scale(context, scale), known_zero(context, zero, dtype)
    for number, name in zip(numbers, ("scale", "zero point"), strict=True):
        if number.size != 1:
            raise wrong_shape(context, name, number.shape, "one number")
    return Quantised(numbers[0].reshape(-1)[0], int(numbers[1].reshape(-1)[0]), dtype)


def wrong_shape(context: OpContext, name: str, shape: tuple[int, ...], expected: str) -> ModelInvalidError:
    """The error that a scale or zero point has a shape which does not fit."""
    return context.invalid(f"the shape of a {name} does not fit", found=str(list(shape)), expected=expected)


def factor(context: OpContext, above: Array | np.float32, below: Array | np.float32) -> Array:
    """above / below in f32: what sums are multiplied with.

    Raises:
        ModelInvalidError: the quotient is zero or not finite in f32.
    """
    with np.errstate(all="ignore"):
        result = np.asarray(above / below, np.float32)
    if not bool((np.isfinite(result) & (result != 0)).all()):
        raise context.invalid(
            "scales are so far apart that their ratio is 0 or not finite in float32",
            found=str(result.reshape(-1)[0]),
        )
    return result


def product(above: Array | np.float32, other: Array | np.float32) -> Array:
    """The product of two scales in f32; `factor` checks what becomes of it."""
    with np.errstate(all="ignore"):
        return np.asarray(above * other, np.float32)


# --- parameters that may be computed at run time -----------------------------------------------------------


def along_axis(context: OpContext, scale: int, zero: int, dtype: DType) -> list[str]:
    """Tensors of a scale (f32) and, if there is one, a zero point, shaped to broadcast to input 0.

    Args:
        context: QuantizeLinear or DequantizeLinear.
        scale, zero: their slots.
        dtype: type of the quantised tensor.

    Raises:
        UnsupportedError: there is one scale per block, computed at run time.
        ModelInvalidError: shapes or types do not fit, or the scale is not positive and finite.
    """
    check_zero_type(context, zero, dtype)
    if context.attribute("block_size", 0):
        return _of_blocks(context, scale, zero)
    target = _parameter_shape(context, scale, zero)
    tensors = [reshape_step(context, "scale", _in_f32(context, scale), target)]
    if context.has(zero):
        tensors.append(reshape_step(context, "zero", context.tensor(zero), target))
    return tensors


def _of_blocks(context: OpContext, scale: int, zero: int) -> list[str]:
    """The same where each number is for a block of neighbours along an axis: repeated to input 0's shape."""
    x, size = context.shape(0), context.attribute("block_size", 0)
    axis = context.axis(context.attribute("axis", 1), len(x))
    if size < 0:
        raise context.invalid("a block has no size", found=str(size), expected="0 (no blocks), 1, 2 …")
    blocks = (*x[:axis], ceil_div(x[axis], size), *x[axis + 1 :])
    check_folded(elements_of(x) * DType.F32.itemsize)
    tensors = []
    for slot, name in ((scale, "scale"), (zero, "zero point")):
        if not context.has(slot):
            continue
        if context.shape(slot) != blocks:
            expected = f"{list(blocks)}, one number per block of {size} along axis {axis}"
            raise wrong_shape(context, name, context.shape(slot), expected)
        value = context.required_constant(slot, f"the {name} of blocks")
        if slot == scale:
            value = checked_scale(context, value.astype(np.float32))
        spread = np.repeat(value, size, axis).take(range(x[axis]), axis)
        tensors.append(context.new_constant(name.split()[0], spread))
    return tensors


def known_numbers(context: OpContext, tensors: list[str], dtype: DType) -> tuple[Array | None, Array | None]:
    """Values of what `along_axis` gave, None for each that is not known; a zero point that is absent is 0."""
    zero = context.value_of(tensors[1]) if len(tensors) > 1 else np.zeros((), dtype.numpy)
    return context.value_of(tensors[0]), zero


def _parameter_shape(context: OpContext, scale: int, zero: int) -> tuple[int, ...]:
    """The shape of scale and zero point: () per tensor, else one number per element of the axis."""
    shape, x = context.shape(scale), context.shape(0)
    if context.type(scale).elements == 1 and len(shape) < 2:
        target: tuple[int, ...] = ()
    elif len(shape) != 1:
        raise wrong_shape(context, "scale", shape, "one number, or one per element of the axis")
    else:
        axis = context.axis(context.attribute("axis", 1), len(x))
        if shape != (x[axis],):
            raise wrong_shape(context, "scale", shape, f"[{x[axis]}], the extent of axis {axis}")
        target = (x[axis], *(1 for _ in x[axis + 1 :]))
    if context.has(zero) and (
        context.type(zero).elements != context.type(scale).elements or len(context.shape(zero)) > 1
    ):
        raise wrong_shape(context, "zero point", context.shape(zero), f"{list(shape)}, as the scale")
    return target


def _in_f32(context: OpContext, slot: int) -> str:
    """A scale as f32; checked, if it is known."""
    value, type_ = context.value(slot), context.type(slot)
    if value is not None:
        checked_scale(context, value.astype(np.float32))
    if type_.dtype is DType.F32:
        return context.tensor(slot)
    if value is not None:
        return context.new_constant("wide", value.astype(np.float32))
    wide = TensorType(DType.F32, type_.shape)
    return context.step("wide", ir.Elementwise, [context.tensor(slot)], wide, function=Function.CAST)
