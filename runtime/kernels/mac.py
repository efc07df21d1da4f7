"""What conv, transposed conv and gemm share: exact products, partial sums, the epilogue.

Element types: f16 and f32 multiply in f32, f64 in f64.  8-bit integers multiply in f32, where every partial
sum is exact as long as it stays below 2²⁴: the depth is cut into slices that guarantee it, whatever the
values, and slices add up in i32.  Wider integers multiply in their own type.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from nnc.isa.functions import Function
from nnc.isa.instruction import Phase
from nnc.isa.instructions import MacInstruction
from nnc.isa.types import DType as ElementType
from nnc.runtime.kernels.binding import Binder, Kernel, check_accumulator, invalid
from nnc.runtime.kernels.unary import bind_unary
from nnc.runtime.memory import Array

Index = tuple[slice, ...]
DType = np.dtype[Any]
_EXACT_F32 = 2**24


def multiply_type(dtype: DType) -> DType:
    """The type in which elements of a type are multiplied."""
    if dtype.kind == "f":
        return np.dtype(np.float64 if dtype.itemsize == 8 else np.float32)
    return np.dtype(np.float32) if dtype.itemsize == 1 else dtype


def sum_type(dtype: DType) -> DType:
    """The type in which products of elements of a type are summed up."""
    return ElementType.from_numpy(dtype).product_sum.numpy


def _largest(dtype: DType, zero: int) -> int:
    info = np.iinfo(dtype)
    return max(abs(info.min - zero), abs(info.max - zero), 1)


def exact_depth(i: MacInstruction) -> int:
    """How many products an f32 can sum up exactly, whatever the values; no limit but for 8-bit integers."""
    src, weight = i.src.dtype.numpy, i.weight.dtype.numpy
    if sum_type(src) == multiply_type(src):
        return _EXACT_F32
    return _EXACT_F32 // (_largest(src, i.src_zero) * _largest(weight, i.weight_zero))


def staged(array: Array, zero: int, binder: Binder) -> tuple[Array, list[Kernel]]:
    """The array in its multiply type without its zero point, and the steps that bring it there each run."""
    wanted = multiply_type(array.dtype)
    if wanted == array.dtype and not zero:
        return array, []
    copy = binder.scratch(array.shape, wanted)
    return copy, [stage_into(copy, array, zero)]


def stage_into(copy: Array, array: Array, zero: int) -> Kernel:
    """copy = array − zero, in the type of the copy."""
    if not zero:
        return partial(np.copyto, copy, array)
    offset = copy.dtype.type(zero)
    return partial(np.subtract, array, offset, copy, casting="unsafe", dtype=copy.dtype)


def rows(array: Array, leading: int) -> Array | None:
    """A view with the first `leading` axes merged into one, or None if strides do not allow it."""
    merged = array.reshape(prod(array.shape[:leading]), *array.shape[leading:])
    return merged if np.may_share_memory(merged, array) else None


def product(a: Array, b: Array, out: Array, depth: int, binder: Binder) -> list[Kernel]:
    """Steps for out = a @ b; where out is not of the multiply type, in slices of `depth` summed in out."""
    if out.dtype == a.dtype:
        return [partial(np.matmul, a, b, out)]
    part = binder.scratch(out.shape, a.dtype)
    steps: list[Kernel] = []
    for start in range(0, a.shape[-1], depth):
        k = slice(start, start + depth)
        steps.append(partial(np.matmul, a[..., k], b[..., k, :], part))
        if start == 0:
            steps.append(partial(np.copyto, out, part, casting="unsafe"))
        else:
            steps.append(partial(np.add, out, part, out, casting="unsafe"))
    return steps


class MacOutput:
    """Where the sums of a MAC instruction go: accumulator, epilogue and dst, by blocks of leading axes."""

    def __init__(self, i: MacInstruction, binder: Binder) -> None:
        self.instruction = i
        self.binder = binder
        self.dst = binder.optional(i.dst)
        self.accumulator = binder.optional(i.accumulator)
        result = self.accumulator if i.phase in (Phase.START, Phase.ADD) else self.dst
        if result is None or (i.phase is Phase.FINISH and self.accumulator is None):
            raise invalid(
                i,
                "a phase lacks its operand",
                found=i.phase.value,
                expected="an accumulator in start, add and finish; dst in finish and whole",
            )
        self.shape = result.shape
        self.sum_type = sum_type(i.src.dtype.numpy)
        check_accumulator(i, self.accumulator, self.sum_type)
        self._bias = self._broadcast(binder.optional(i.bias))
        self._scale = self._broadcast(binder.optional(i.scale))
        self._residual = self._broadcast(binder.optional(i.residual))
        # A residual addition may be done in place: dst then keeps the residual until the epilogue reads it.
        self._in_place = i.residual is not None and i.dst is not None and i.dst.overlaps(i.residual)
        self._spare: dict[str, Array] = {}

    def _broadcast(self, array: Array | None) -> Array | None:
        return None if array is None else np.broadcast_to(array, self.shape)

    def scratch(self, purpose: str, shape: Sequence[int], dtype: DType) -> Array:
        """Scratch that all blocks of the result share for one purpose (and one type)."""
        have = self._spare.get(purpose)
        if have is None or have.size < prod(shape):
            have = self._spare[purpose] = self.binder.scratch((prod(shape),), dtype)
        return have[: prod(shape)].reshape(shape)

    def target(self, index: Index, merge: int = 0) -> Array:
        """Where to write the sums of a block of the result.

        With merge > 0 the first `merge` axes of the block must merge into one without a copy; scratch is
        given where memory itself is not of the sum type or does not allow it.
        """
        phase = self.instruction.phase
        home = self.accumulator if phase is Phase.START else self.dst
        shape = self._block_shape(index)
        typed = home is not None and home.dtype == self.sum_type
        if home is not None and typed and phase is not Phase.ADD and not self._in_place:
            block = home[index]
            if not merge or rows(block, merge) is not None:
                return block
        return self.scratch("sum", shape, self.sum_type)

    def _block_shape(self, index: Index) -> tuple[int, ...]:
        return tuple(
            len(range(extent)[index[axis]]) if axis < len(index) else extent
            for axis, extent in enumerate(self.shape)
        )

    def finish(self, sums: Array, index: Index) -> list[Kernel]:
        """What remains to do once the sums of a block lie in `sums` (which `target` gave)."""
        phase = self.instruction.phase
        accumulator = None if self.accumulator is None else self.accumulator[index]
        if phase in (Phase.START, Phase.ADD):
            assert accumulator is not None
            if phase is Phase.ADD:
                return [partial(np.add, accumulator, sums, accumulator)]
            same = np.may_share_memory(sums, accumulator)
            return [] if same else [partial(np.copyto, accumulator, sums)]
        steps: list[Kernel] = []
        if phase is Phase.FINISH:
            assert accumulator is not None
            steps.append(partial(np.add, sums, accumulator, sums))
        assert self.dst is not None
        return steps + self._epilogue(sums, self.dst[index], index)

    def _epilogue(self, y: Array, dst: Array, index: Index) -> list[Kernel]:
        """act(s·scale + bias + residual), written to dst."""
        i = self.instruction
        steps: list[Kernel] = []
        bias = None if self._bias is None else self._bias[index]
        if bias is not None and y.dtype.kind in "iu" and bias.dtype.kind in "iu":
            steps.append(partial(np.add, y, bias, y, casting="same_kind"))
            bias = None
        plain = bias is None and self._scale is None and self._residual is None
        plain = plain and i.act is Function.IDENTITY and i.dst_scale == 1.0 and i.dst_zero == 0
        if plain and y.dtype.kind in "iu" and dst.dtype == y.dtype:
            return steps if np.may_share_memory(y, dst) else [*steps, partial(np.copyto, dst, y)]
        if y.dtype.kind in "iu":
            real = self.scratch("real", y.shape, np.dtype(np.float32))
            steps.append(partial(np.copyto, real, y, casting="same_kind"))
            y = real
        if self._scale is not None:
            steps.append(partial(np.multiply, y, self._scale[index], y))
        if bias is not None:
            steps.append(partial(np.add, y, bias, y))
        if self._residual is not None:
            steps += self._add_residual(y, self._residual[index])
        if i.act is not Function.IDENTITY:
            steps.append(bind_unary(i.act, i.act_params, y, y, self.binder))
        return steps + self._write(y, dst)

    def _add_residual(self, y: Array, residual: Array) -> list[Kernel]:
        i = self.instruction
        steps: list[Kernel] = []
        if i.residual_zero or i.residual_scale != 1.0:
            real = self.scratch("residual", residual.shape, y.dtype)
            steps.append(stage_into(real, residual, i.residual_zero))
            steps.append(partial(np.multiply, real, y.dtype.type(i.residual_scale), real))
            residual = real
        return [*steps, partial(np.add, y, residual, y)]

    def _write(self, y: Array, dst: Array) -> list[Kernel]:
        """dst = y: rounded to a float dst, requantised for an integer dst."""
        i = self.instruction
        if dst.dtype.kind == "f":
            return [] if np.may_share_memory(y, dst) else [partial(np.copyto, dst, y)]
        info = np.iinfo(dst.dtype)
        steps: list[Kernel] = []
        if i.dst_scale != 1.0:
            steps.append(partial(np.divide, y, y.dtype.type(i.dst_scale), y))
        steps.append(partial(np.rint, y, y))
        if i.dst_zero:
            steps.append(partial(np.add, y, y.dtype.type(i.dst_zero), y))
        steps.append(partial(np.clip, y, info.min, info.max, y))
        return [*steps, partial(np.copyto, dst, y, casting="unsafe")]
