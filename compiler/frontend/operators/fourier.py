"""Importers of Fourier transforms: products with constant matrices of sines and cosines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext, scalar_of
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.sizes import check_folded
from nnc.compiler.frontend.table import importer

Matrix = NDArray[np.float64]


def _turns(rows: int, columns: int, length: int) -> tuple[Matrix, Matrix]:
    """cos and sin of 2π · row · column / length."""
    check_folded(4 * rows * columns * 8)  # before they are made: all numbers of the matrix
    numbers = np.outer(np.arange(rows), np.arange(columns)) % length
    angles = 2 * np.pi * numbers / length
    return np.cos(angles), np.sin(angles)


def _transform(rows: int, columns: int, length: int, parts: int, *, inverse: bool) -> NDArray[np.float64]:
    """The matrix of a transform, rows · parts × columns · 2: real and imaginary parts lie side by side.

    Args:
        rows: elements that are read; columns: those that are made.
        length: period of the transform.
        parts: 1 for real elements, 2 for complex ones.
        inverse: whether the angles are negated and the sums divided by the length.
    """
    cos, sin = _turns(rows, columns, length)
    sin = -sin if inverse else sin
    of_real, of_imaginary = np.stack([cos, -sin], -1), np.stack([sin, cos], -1)
    matrix = np.stack([of_real, of_imaginary][:parts], 1) / (length if inverse else 1)
    return np.asarray(matrix.reshape(rows * parts, columns * 2))


def _real_inverse(rows: int, length: int) -> NDArray[np.float64]:
    """The matrix of the real signal, rows · 2 × length, whose spectrum has only its first half given."""
    cos, sin = _turns(rows, length, length)
    double = np.full((rows, 1), 2.0)
    double[0] = 1
    if length % 2 == 0:
        double[length // 2 :] = 1
    matrix = np.stack([cos, -sin], 1) * double[:, None] / length
    return np.asarray(matrix.reshape(rows * 2, length))


def _parts(context: OpContext) -> int:
    """1 for a real signal, 2 for a complex one."""
    shape = context.shape()
    if len(shape) < 2 or shape[-1] not in (1, 2):
        raise context.invalid(
            "the last axis holds real and imaginary parts", found=str(list(shape)), expected="[…, 1 or 2]"
        )
    return shape[-1]


def _number(context: OpContext, slot: int, what: str) -> int | None:
    """A scalar that is known at compile time, None if it is absent."""
    if not context.has(slot):
        return None
    value = context.required_constant(slot, what)
    if value.size != 1:
        raise context.invalid(f"{what} is no scalar", found=str(list(value.shape)))
    return int(scalar_of(value))


def _positive(context: OpContext, what: str, number: int) -> int:
    if number < 1:
        raise context.invalid(f"{what} must be positive", found=str(number))
    return number


@importer("DFT", constraints=("Length and axis are known at compile time.",))
def discrete_fourier(context: OpContext) -> None:
    """Discrete Fourier transform along an axis, forwards or inverse, of all elements or one side."""
    x, parts = context.shape(), _parts(context)
    rank = len(x)
    axis = context.attribute("axis", 1) if context.version < 20 else _number(context, 2, "axis")
    axis = context.axis(-2 if axis is None else axis, rank)
    if axis == rank - 1:
        raise context.invalid("the axis is that of real and imaginary parts", found=str(axis))
    inverse, one_sided = context.flag("inverse"), context.flag("onesided")
    if one_sided and parts != (2 if inverse else 1):
        raise context.invalid("one side is that of a real signal", found=f"{parts} parts of an element")
    given = _number(context, 1, "dft_length")
    default = 2 * (x[axis] - 1) if one_sided and inverse else x[axis]
    length = _positive(context, "dft_length", default if given is None else given)
    rows = min(x[axis], length // 2 + 1 if one_sided and inverse else length)
    columns = length // 2 + 1 if one_sided and not inverse else length
    if one_sided and inverse:
        matrix, made = _real_inverse(rows, length), 1
    else:
        matrix, made = _transform(rows, columns, length, parts, inverse=inverse), 2
    make = Expansion(context)
    others = [n for n in range(rank - 1) if n != axis]
    lead = [x[n] for n in others]
    data = context.tensor(0)
    if rows < x[axis]:
        data = make.slice(data, axis, 0, rows)
    turn = (*others, axis, rank - 1)
    lines = make.reshape(make.transpose(data, *turn), *(lead or [1]), rows * parts)
    product = make("MatMul", lines, make.constant(matrix, like=0))
    back = [turn.index(n) for n in range(rank)]
    make.define(0, make.transpose(make.reshape(product, *lead, columns, made), *back))


@importer(
    "STFT",
    constraints=("Step and length of frames are known at compile time.",),
)
def short_time_fourier(context: OpContext) -> None:
    """Fourier transforms of frames of a signal under a window: a convolution along time."""
    batch, signal, *_ = context.shape()
    parts = _parts(context) if len(context.shape()) == 3 else 1
    one_sided = context.flag("onesided", 1)
    if one_sided and parts == 2:
        raise context.invalid("one side is that of a real signal", found="a complex signal")
    step = _positive(context, "frame_step", _number(context, 1, "frame_step") or 0)
    length = _number(context, 3, "frame_length")
    if length is None:
        length = context.expect_shape(2, None)[0] if context.has(2) else signal
    length = _positive(context, "frame_length", length)
    if length > signal:
        raise context.invalid("the frame is longer than the signal", found=f"{length} of {signal}")
    columns = length // 2 + 1 if one_sided else length
    frames = (signal - length) // step + 1
    make = Expansion(context)
    matrix = _transform(length, columns, length, parts, inverse=False)
    weights = matrix.reshape(length, parts, columns * 2).transpose(2, 1, 0)
    kernel = make.constant(np.ascontiguousarray(weights), like=0)
    if context.has(2):
        context.expect_shape(2, length)
        kernel = make("Mul", kernel, make.reshape(context.tensor(2), 1, 1, length))
    lines = make.transpose(make.reshape(context.tensor(0), batch, signal, parts), 0, 2, 1)
    spectrum = make.reshape(make("Conv", lines, kernel, strides=[step]), batch, columns, 2, frames)
    make.define(0, make.transpose(spectrum, 0, 3, 1, 2))
