"""The epilogue of the MAC array: act(s·scale + bias + residual), rounded for an integer result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from nnc.isa.functions import Function
from nnc.isa.instruction import Phase
from nnc.isa.instructions import MacInstruction
from nnc.runtime.kernels.binding import Binder, Kernel
from nnc.runtime.kernels.products import EXACT_F32, largest_sum
from nnc.runtime.kernels.rounding import dequantise_into, quantise_into, saturate
from nnc.runtime.kernels.unary import bind_unary
from nnc.runtime.memory import Array

Index = tuple[slice, ...]
Scratch = Callable[[str, Sequence[int], np.dtype[Any]], Array]
_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)


class Epilogue:
    """What follows the sums of a MAC instruction that has a dst, block by block.

    Sums of integers come as such, or as f32 where they are exact there.

    Attributes:
        stage: steps before the first block.
    """

    def __init__(self, i: MacInstruction, binder: Binder, shape: tuple[int, ...], scratch: Scratch) -> None:
        self._instruction = i
        self._binder = binder
        self._scratch = scratch
        self._shape = shape
        self.stage: list[Kernel] = []
        self._of_integers = not i.src.dtype.is_float
        self._sums_hold_bias = False
        self._bias, self._real_bias = self._biases()
        self._scale = self._broadcast(binder.optional(i.scale))
        self._residual = self._broadcast(binder.optional(i.residual))

    def _broadcast(self, array: Array | None) -> Array | None:
        return None if array is None else np.broadcast_to(array, self._shape)

    def _biases(self) -> tuple[Array | None, Array | None]:
        """An integer bias, which belongs to the sums; and it as f32 if that is exact, or a float bias."""
        i = self._instruction
        if i.bias is None:
            return None, None
        bias = self._binder.view(i.bias)
        if bias.dtype.kind == "f":
            return None, self._broadcast(bias)
        values = self._binder.constant(i.bias)
        if values is None:
            return self._broadcast(bias), None
        most = int(np.abs(values.astype(np.int64)).max())
        self._sums_hold_bias = i.phase is Phase.WHOLE and most + largest_sum(i) < 2**31
        if most > EXACT_F32:
            return self._broadcast(bias), None
        real = self._binder.scratch(bias.shape, _F32)
        self.stage.append(partial(np.copyto, real, bias, casting="unsafe"))
        return self._broadcast(bias), self._broadcast(real)

    def steps(self, y: Array, dst: Array, index: Index) -> list[Kernel]:
        """What turns the sums y of a block into its result; y is lost."""
        if self._is_plain and dst.dtype.kind in "iu" and dst.dtype == self._sums_dtype:
            return self._integers(y, dst, index)
        y, steps = self._with_integer_bias(y, index) if self._of_integers else (y, [])
        if self._scale is not None:
            steps.append(partial(np.multiply, y, self._scale[index], y))
        if self._bias is None and self._real_bias is not None:
            steps.append(partial(np.add, y, self._real_bias[index], y))
        i = self._instruction
        if i.sum_scale:
            steps += saturate(y, dst.dtype, i.sum_zero)
            steps.append(partial(np.multiply, y, y.dtype.type(i.sum_scale), y))
        if self._residual is not None:
            steps += self._add_residual(y, self._residual[index])
        nan = self._residual is not None and self._residual.dtype.kind == "f"
        is_clipped = i.act is Function.RELU and dst.dtype.kind in "iu" and not nan
        if i.act is not Function.IDENTITY and not is_clipped:
            steps.append(bind_unary(i.act, i.act_params, y, y, self._binder))
        if dst.dtype.kind in "iu":
            return steps + quantise_into(dst, y, i.dst_scale, i.dst_zero, positive=is_clipped, nan=nan)
        return steps if np.may_share_memory(y, dst) else [*steps, partial(np.copyto, dst, y)]

    @property
    def _sums_dtype(self) -> np.dtype[Any]:
        return self._instruction.src.dtype.product_sum.numpy

    @property
    def _is_plain(self) -> bool:
        """Whether nothing but an integer bias is added to the sums."""
        i = self._instruction
        alone = self._scale is None and self._residual is None and i.act is Function.IDENTITY
        alone = alone and not i.sum_scale
        is_real = self._bias is None and self._real_bias is not None
        return alone and not is_real and i.dst_scale == 1.0 and i.dst_zero == 0

    def _integers(self, y: Array, dst: Array, index: Index) -> list[Kernel]:
        """Sums of integers as they are; they wrap."""
        steps: list[Kernel] = []
        if not np.may_share_memory(y, dst):
            steps.append(partial(np.copyto, dst, y, casting="unsafe"))
        if self._bias is not None:
            steps.append(partial(np.add, dst, self._bias[index], dst, casting="same_kind"))
        return steps

    def _with_integer_bias(self, y: Array, index: Index) -> tuple[Array, list[Kernel]]:
        """f32(sums + integer bias), rounded once."""
        bias = None if self._bias is None else self._bias[index]
        if y.dtype == _F32 and (bias is None or self._real_bias is not None):
            real = None if self._real_bias is None or bias is None else self._real_bias[index]
            return y, [] if real is None else [partial(np.add, y, real, y)]  # two integers that f32 holds
        single = self._scratch("real", y.shape, _F32)
        to_single = partial(np.copyto, single, y, casting="same_kind")
        if bias is None:
            return single, [to_single]
        if self._sums_hold_bias and y.dtype == bias.dtype:
            return single, [partial(np.add, y, bias, y), to_single]
        double = self._scratch("double", y.shape, _F64)
        return single, [
            partial(np.add, y, bias, double, dtype=_F64),
            partial(np.copyto, single, double, casting="same_kind"),
        ]

    def _add_residual(self, y: Array, residual: Array) -> list[Kernel]:
        i = self._instruction
        steps: list[Kernel] = []
        if i.residual_zero or i.residual_scale != 1.0 or residual.dtype.kind in "iu":
            real = self._scratch("residual", residual.shape, y.dtype)
            steps += dequantise_into(real, residual, i.residual_scale, i.residual_zero)
            residual = real
        return [*steps, partial(np.add, y, residual, y)]
