"""What conv, transposed conv and gemm share: exact products and where they go.

Element types: f16 and f32 multiply in f32, f64 in f64.  8-bit integers multiply in f32, where every partial
sum is exact as long as it stays below 2²⁴: the depth is cut into slices that guarantee it, for the weights
as they are where these are known, else whatever the values; slices add up in i32.  Wider integers multiply
in their own type.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any, cast

import numpy as np

from nnc.isa.instruction import Phase
from nnc.isa.instructions import MacInstruction
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType as ElementType
from nnc.runtime.kernels.binding import Binder, Kernel, check_accumulator, invalid
from nnc.runtime.kernels.epilogue import Epilogue
from nnc.runtime.kernels.rounding import stage_into
from nnc.runtime.memory import Array

Index = tuple[slice, ...]
DType = np.dtype[Any]
EXACT_F32 = 2**24
"""f32 holds every integer up to this one."""


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
    info = np.iinfo(cast(Any, src))
    low, high = info.min - i.src_zero, info.max - i.src_zero
    if values is None:
        weight = np.iinfo(cast(Any, i.weight.dtype.numpy))
        largest = max(abs(weight.min - i.weight_zero), abs(weight.max - i.weight_zero)) * max(-low, high)
        return _equal_slices(depth, ceil_div(depth * largest, EXACT_F32))
    weights = values.reshape(-1, *values.shape[-2:]).astype(np.float32) - np.float32(i.weight_zero)
    above = np.maximum(weights * np.float32(low), weights * np.float32(high))  # at most, of either sign
    below = np.maximum(weights * np.float32(-low), weights * np.float32(-high))
    bounds = [np.maximum(side, 0).astype(np.float64) for side in (above, below)]
    for count in range(1, depth):
        slices = _equal_slices(depth, count)
        starts = [part.start for part in slices]
        if all(np.add.reduceat(side, starts, axis=1).max() <= EXACT_F32 for side in bounds):
            return slices
    return _equal_slices(depth, depth)


def _equal_slices(depth: int, count: int) -> list[slice]:
    step = ceil_div(depth, max(1, min(count, depth)))
    return [slice(start, min(start + step, depth)) for start in range(0, depth, step)]


def staged(array: Array, zero: int, binder: Binder) -> tuple[Array, list[Kernel]]:
    """The array in its multiply type without its zero point, and the steps that bring it there each run."""
    wanted = multiply_type(array.dtype)
    if wanted == array.dtype and not zero:
        return array, []
    copy = binder.scratch(array.shape, wanted)
    return copy, [stage_into(copy, array, zero)]


def rows(array: Array, leading: int) -> Array | None:
    """A view with the first `leading` axes merged into one, or None if strides do not allow it."""
    merged = array.reshape(prod(array.shape[:leading]), *array.shape[leading:])
    return merged if np.may_share_memory(merged, array) else None


def product(a: Array, b: Array, out: Array, slices: Sequence[slice], binder: Binder) -> list[Kernel]:
    """Steps for out = a @ b; where out is not of the multiply type, in slices that add up in out."""
    if out.dtype == a.dtype:
        return [partial(np.matmul, a, b, out)]
    part = binder.scratch(out.shape, a.dtype)
    more = binder.scratch(out.shape, out.dtype) if len(slices) > 1 else out
    steps: list[Kernel] = []
    for number, k in enumerate(slices):
        target = more if number else out
        steps.append(partial(np.matmul, a[..., k], b[..., k, :], part))
        steps.append(partial(np.copyto, target, part, casting="unsafe"))
        if number:
            steps.append(partial(np.add, out, more, out))
    return steps


class MacOutput:
    """Where the sums of a MAC instruction go: accumulator, epilogue and dst, by blocks of leading axes.

    Attributes:
        stage: steps before the first block.
    """

    def __init__(self, i: MacInstruction, binder: Binder, *, exact: bool = False) -> None:
        """`exact`: the sums of this instruction are exact in the multiply type, and come in it."""
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
        held = sum_type(i.src.dtype.numpy)
        check_accumulator(i, self.accumulator, held)
        self.sum_type = multiply_type(i.src.dtype.numpy) if exact else held
        self.epilogue = Epilogue(i, binder, self.shape, self.scratch)
        self.stage = self.epilogue.stage
        # A residual addition may be done in place: dst then keeps the residual until the epilogue reads it.
        self._in_place = i.residual is not None and i.dst is not None and i.dst.overlaps(i.residual)
        self._spare: dict[str, Array] = {}

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
                sums, steps = self._held(sums, accumulator.dtype)
                return [*steps, partial(np.add, accumulator, sums, accumulator)]
            same = np.may_share_memory(sums, accumulator)
            return [] if same else [partial(np.copyto, accumulator, sums, casting="unsafe")]
        steps = []
        if phase is Phase.FINISH:
            assert accumulator is not None
            sums, steps = self._held(sums, accumulator.dtype)
            steps.append(partial(np.add, sums, accumulator, sums))
        assert self.dst is not None
        return steps + self.epilogue.steps(sums, self.dst[index], index)

    def _held(self, sums: Array, held: DType) -> tuple[Array, list[Kernel]]:
        """Sums in the type of partial sums, and how they become that."""
        if sums.dtype == held:
            return sums, []
        wide = self.scratch("held", sums.shape, held)
        return wide, [partial(np.copyto, wide, sums, casting="unsafe")]
