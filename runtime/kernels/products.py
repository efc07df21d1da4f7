"""How an instruction multiplies: what its operands are staged as, and the steps of a matrix product.

Element types: f16 and f32 multiply in f32, f64 in f64.  8-bit integers multiply in f32, where every partial
sum is exact as long as it stays below 2²⁴: the depth is cut into slices that guarantee it, for the weights
as they are where these are known, else whatever the values; slices add up in i32.  Large products of bytes
are made in integers where something fast is installed.  Wider integers multiply in their own type.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, Protocol, cast

import numpy as np

from nnc.isa.instructions import MacInstruction
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType as ElementType
from nnc.runtime.kernels.binding import Binder, Kernel
from nnc.runtime.kernels.integer_products import SIGN_BIT, IntegerProducts
from nnc.runtime.kernels.rounding import stage_into
from nnc.runtime.memory import Array

DType = np.dtype[Any]
EXACT_F32 = 2**24
"""f32 holds every integer up to this one."""
LEAST_MACS = 2**18
"""Products of bytes from which on onnxruntime is asked: smaller ones are over sooner than it is called."""


class Products(Protocol):
    """How the products of one instruction are made.

    Attributes:
        sums: the type in which sums come.
        features: the type of staged features.
        border: what padding is among staged features.
    """

    sums: DType
    features: DType
    border: int

    def stage_features(self, array: Array) -> tuple[Array, list[Kernel]]:
        """Features as they are multiplied, and the steps that bring them there each run."""
        ...

    def stage_into(self, copy: Array, array: Array) -> Kernel:
        """A step that stages features in a given place."""
        ...

    def stage_weights(self, array: Array) -> tuple[Array, list[Kernel]]:
        """Weights as they are multiplied, and the steps that bring them there each run."""
        ...

    def steps(self, a: Array, b: Array, out: Array) -> list[Kernel]:
        """Steps for out = a @ b of staged operands, …,M,K times …,K,N; the axes before broadcast."""
        ...


class RealProducts:
    """Products by numpy: BLAS, where elements are real numbers or bytes less their zero point."""

    border = 0

    def __init__(self, i: MacInstruction, slices: Sequence[slice], binder: Binder, *, exact: bool) -> None:
        """`exact`: the sums of this instruction are exact in the multiply type, and come in it."""
        self._instruction = i
        self._slices = slices
        self._binder = binder
        self.features = multiply_type(i.src.dtype.numpy)
        self.sums = self.features if exact else sum_type(i.src.dtype.numpy)

    def stage_features(self, array: Array) -> tuple[Array, list[Kernel]]:
        """Without their zero point in the multiply type."""
        return self._staged(array, self._instruction.src_zero)

    def stage_into(self, copy: Array, array: Array) -> Kernel:
        """Without their zero point in the type of the copy."""
        return stage_into(copy, array, self._instruction.src_zero)

    def stage_weights(self, array: Array) -> tuple[Array, list[Kernel]]:
        """As features."""
        return self._staged(array, self._instruction.weight_zero)

    def _staged(self, array: Array, zero: int) -> tuple[Array, list[Kernel]]:
        wanted = multiply_type(array.dtype)
        if wanted == array.dtype and not zero:
            return array, []
        copy = self._binder.scratch(array.shape, wanted)
        return copy, [stage_into(copy, array, zero)]

    def steps(self, a: Array, b: Array, out: Array) -> list[Kernel]:
        """One product; where out is not of the multiply type, in slices that add up in out."""
        if out.dtype == a.dtype:
            return [partial(np.matmul, a, b, out)]
        part = self._binder.scratch(out.shape, a.dtype)
        more = self._binder.scratch(out.shape, out.dtype) if len(self._slices) > 1 else out
        steps: list[Kernel] = []
        for number, k in enumerate(self._slices):
            target = more if number else out
            steps.append(partial(np.matmul, a[..., k], b[..., k, :], part))
            steps.append(partial(np.copyto, target, part, casting="unsafe"))
            if number:
                steps.append(partial(np.add, out, more, out))
        return steps


class ByteProducts:
    """Products of bytes as they are, with zero points: nothing is converted but signs."""

    features = np.dtype(np.uint8)
    sums = np.dtype(np.int32)

    def __init__(self, i: MacInstruction, integers: IntegerProducts, binder: Binder) -> None:
        self._integers = integers
        self._binder = binder
        self.border = i.src_zero + (SIGN_BIT if i.src.dtype is ElementType.I8 else 0)
        difference = int(np.iinfo(integers.weight_type).min) - int(
            np.iinfo(cast(Any, i.weight.dtype.numpy)).min
        )
        self._weight_zero = i.weight_zero + difference

    def stage_features(self, array: Array) -> tuple[Array, list[Kernel]]:
        """Unsigned bytes are used where they lie."""
        return self._staged(array, self.features)

    def stage_weights(self, array: Array) -> tuple[Array, list[Kernel]]:
        """Bytes of the right sign are used where they lie."""
        return self._staged(array, self._integers.weight_type)

    def _staged(self, array: Array, wanted: DType) -> tuple[Array, list[Kernel]]:
        if array.dtype == wanted:
            return array, []
        copy = self._binder.scratch(array.shape, wanted)
        return copy, [_flip_signs(copy, array)]

    def stage_into(self, copy: Array, array: Array) -> Kernel:
        """As unsigned bytes."""
        return partial(np.copyto, copy, array) if array.dtype == copy.dtype else _flip_signs(copy, array)

    def steps(self, a: Array, b: Array, out: Array) -> list[Kernel]:
        """One product per matrix; what is not dense is copied."""
        leading = out.shape[:-2]
        a = np.broadcast_to(a, (*leading, *a.shape[-2:]))
        b = np.broadcast_to(b, (*leading, *b.shape[-2:]))
        steps: list[Kernel] = []
        for index in np.ndindex(leading):
            dense_a, copy_a = self._dense(a[index])
            dense_b, copy_b = self._dense(b[index])
            target = out[index]
            sums = target if target.flags.c_contiguous else self._binder.scratch(target.shape, target.dtype)
            multiply = self._integers.bind(dense_a, self.border, dense_b, self._weight_zero, sums)
            steps += [*copy_a, *copy_b, multiply]
            if sums is not target:
                steps.append(partial(np.copyto, target, sums))
        return steps

    def _dense(self, matrix: Array) -> tuple[Array, list[Kernel]]:
        if matrix.flags.c_contiguous:
            return matrix, []
        copy = self._binder.scratch(matrix.shape, matrix.dtype)
        return copy, [partial(np.copyto, copy, matrix)]


def _flip_signs(copy: Array, array: Array) -> Kernel:
    """copy = array ± 128: signed bytes as unsigned ones or the other way round."""
    return partial(np.bitwise_xor, array.view(np.uint8), np.uint8(SIGN_BIT), copy.view(np.uint8))


def byte_products(i: MacInstruction, macs: int, binder: Binder) -> ByteProducts | None:
    """Products in integers, where that is possible and pays; `macs` are those of one matrix product."""
    if macs < LEAST_MACS or not _is_of_bytes(i):
        return None
    integers = binder.integer_products()
    return None if integers is None else ByteProducts(i, integers, binder)


def _is_of_bytes(i: MacInstruction) -> bool:
    """Whether features and weights are bytes, and so are their zero points."""
    operands = ((i.src.dtype, i.src_zero), (i.weight.dtype, i.weight_zero))
    if any(dtype not in (ElementType.I8, ElementType.U8) for dtype, _ in operands):
        return False
    limits = [_limits(dtype.numpy, zero) for dtype, zero in operands]
    return all(low <= 0 <= high for low, high in limits)


def multiply_type(dtype: DType) -> DType:
    """The type in which elements of a type are multiplied."""
    if dtype.kind == "f":
        return np.dtype(np.float64 if dtype.itemsize == 8 else np.float32)
    return np.dtype(np.float32) if dtype.itemsize == 1 else dtype


def sum_type(dtype: DType) -> DType:
    """The type in which products of elements of a type are summed up."""
    return ElementType.from_numpy(dtype).product_sum.numpy


def exact_slices(i: MacInstruction, depth: int, values: Array | None = None) -> list[slice]:
    """Parts of the depth whose products f32 sums up exactly in any order; one but for 8-bit integers.

    Args:
        values: the weights as matrices (…, depth, lanes), if they are known.
    """
    src = i.src.dtype.numpy
    if sum_type(src) == multiply_type(src):
        return [slice(0, depth)]
    if values is None:
        return _equal_slices(depth, ceil_div(depth * _largest_product(i), EXACT_F32))
    low, high = _limits(src, i.src_zero)
    weights = values.reshape(-1, *values.shape[-2:]).astype(np.float32) - np.float32(i.weight_zero)
    above = np.maximum(weights * np.float32(low), weights * np.float32(high))  # at most, of either sign
    below = np.maximum(weights * np.float32(-low), weights * np.float32(-high))
    bounds = [np.maximum(side, 0).astype(np.float64) for side in (above, below)]
    largest = int(max(side.sum(axis=1).max(initial=0) for side in bounds))
    for count in range(max(1, ceil_div(largest, EXACT_F32)), depth):
        slices = _equal_slices(depth, count)
        starts = [part.start for part in slices]
        if all(np.add.reduceat(side, starts, axis=1).max() <= EXACT_F32 for side in bounds):
            return slices
    return _equal_slices(depth, depth)


def largest_sum(i: MacInstruction) -> int:
    """A bound of the magnitude of sums of products of integers, whatever the values."""
    return prod(i.weight.shape[:-1]) * _largest_product(i)


def _largest_product(i: MacInstruction) -> int:
    operands = ((i.src.dtype, i.src_zero), (i.weight.dtype, i.weight_zero))
    return prod(max(map(abs, _limits(dtype.numpy, zero))) for dtype, zero in operands)


def _limits(dtype: DType, zero: int) -> tuple[int, int]:
    """The least and the largest integer of a type, less a zero point."""
    info = np.iinfo(cast(Any, dtype))
    return int(info.min) - zero, int(info.max) - zero


def _equal_slices(depth: int, count: int) -> list[slice]:
    step = ceil_div(depth, max(1, min(count, depth)))
    return [slice(start, min(start + step, depth)) for start in range(0, depth, step)]
