"""Real numbers to integers and back, in f32: one rounding per operation, as quantised networks have it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from nnc.runtime.kernels.binding import Binder, Kernel
from nnc.runtime.memory import Array


def stage_into(copy: Array, array: Array, zero: int) -> Kernel:
    """copy = array − zero, in the type of the copy."""
    if not zero:
        return partial(np.copyto, copy, array, casting="unsafe")
    offset = copy.dtype.type(zero)
    return partial(np.subtract, array, offset, copy, casting="unsafe", dtype=copy.dtype)


def dequantise_into(copy: Array, array: Array, scale: float, zero: int) -> list[Kernel]:
    """copy = (array − zero)·scale."""
    steps = [stage_into(copy, array, zero)]
    if scale != 1.0:
        steps.append(partial(np.multiply, copy, copy.dtype.type(scale), copy))
    return steps


def saturate(
    y: Array, kind: np.dtype[Any], zero: int, *, positive: bool = False, nan: bool = False
) -> list[Kernel]:
    """y = saturate(round_half_even(y) + zero) − zero for an integer type; with `positive` max(0, y) before.

    Bounds less the zero point are integers that f32 holds, so the sum that saturates need not be made.
    With `nan` there may be NaN, which is saturated to the least.
    """
    info = np.iinfo(kind)
    type_ = y.dtype.type
    low, high = type_(0 if positive else info.min - zero), type_(info.max - zero)
    if high > info.max - zero:  # a 32-bit integer, rounded up
        high = np.nextafter(high, type_(0))
    low = max(low, type_(info.min - zero))
    numbers: list[Kernel] = [partial(np.fmax, y, low, y)] if nan else []
    return [partial(np.rint, y, y), *numbers, partial(y.clip, low, high, y)]


def quantise_into(
    dst: Array, y: Array, scale: float, zero: int, *, positive: bool = False, nan: bool = False
) -> list[Kernel]:
    """dst = saturate(round_half_even(y / scale) + zero), see `saturate`; y is lost."""
    type_ = y.dtype.type
    steps: list[Kernel] = []
    if scale != 1.0:
        steps.append(partial(np.divide, y, type_(scale), y))
    steps += saturate(y, dst.dtype, zero, positive=positive, nan=nan)
    if zero:
        steps.append(partial(np.add, y, type_(zero), y))
    return [*steps, partial(np.copyto, dst, y, casting="unsafe")]


def rescale_into(dst: Array, sums: Array, scale: Array | float, zero: int, binder: Binder) -> list[Kernel]:
    """dst = saturate(round_half_even(f32(sums) · f32(scale)) + zero), a float dst without the rounding."""
    y = sums if sums.dtype == np.float32 else binder.scratch(sums.shape, np.float32)
    steps: list[Kernel] = [] if y is sums else [partial(np.copyto, y, sums, casting="unsafe")]
    steps.append(partial(np.multiply, y, np.asarray(scale).astype(np.float32), y))
    if dst.dtype.kind in "iu":
        return steps + quantise_into(dst, y, 1.0, zero)
    return [*steps, partial(np.copyto, dst, y)] if y is not dst else steps
