"""Constants that a model stores as integers, with the scale and zero point that make them real numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.isa.types import DType

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Dequantised:
    """The constant (x − zero)·scale of a type; scale (f32) and zero broadcast to the integers x."""

    x: Array
    scale: Array
    zero: Array
    dtype: DType

    def value(self) -> Array:
        """The real numbers as onnxruntime computes them: an exact difference, one product in f32."""
        exact = np.int64 if self.x.dtype.itemsize > 2 else np.int32
        difference = self.x.astype(exact) - self.zero
        with np.errstate(over="ignore"):
            return (difference.astype(np.float32) * self.scale).astype(self.dtype.numpy)

    def moved(self, move: Callable[[Array], Array]) -> Dequantised:
        """The same numbers in other places.

        Args:
            move: what only moves the elements of an array, wherever they go to.
        """

        def parameter(array: Array) -> Array:
            if array.size == 1:
                return array.reshape(())
            return _narrowed(move(np.broadcast_to(array, self.x.shape)))

        return replace(self, x=move(self.x), scale=parameter(self.scale), zero=parameter(self.zero))


def quantised(x: Array, scale: Array, zero: Array, limits: tuple[int, int] | None) -> Array:
    """round(x / scale) + zero, saturated, as onnxruntime computes it: in f32, halves to the even number.

    Args:
        x: real numbers, or integers.
        scale: f32, broadcasts to x.
        zero: of the type of the result, broadcasts to x.
        limits: least and greatest integer; None: those of the type.
    """
    info = np.iinfo(zero.dtype)
    low, high = limits or (info.min, info.max)
    with np.errstate(all="ignore"):
        steps = np.rint(x.astype(np.float32) / scale) + zero.astype(np.float32)
    result: Array = np.fmin(np.fmax(steps, low), high).astype(zero.dtype)  # NaN becomes the least
    return result


def _narrowed(array: Array) -> Array:
    """The array with extent 1 on all axes along which it does not change; one number without axes."""
    for axis, extent in enumerate(array.shape):
        first = array.take([0], axis=axis) if extent else array
        if extent > 1 and bool((array == first).all()):
            array = first
    return np.ascontiguousarray(array) if array.size != 1 else array.reshape(())
