"""The vector unit: pools, functions of elements, folds and normalisations of a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from operator import mul
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.functions import OF_BITS, Function, PoolFunction, ReduceFunction, Result, operations_of
from nnc.isa.instruction import (
    Access,
    Engine,
    Instruction,
    Overlap,
    Phase,
    Role,
    attribute,
    instruction,
    operand,
)
from nnc.isa.instructions.shape_checks import (
    broadcasts,
    distinct_axes,
    equal,
    integers,
    parameters,
    per_axis,
    phase_fits,
    rounded,
    rounding,
    step,
    windows_meet,
    zero_point,
)
from nnc.isa.instructions.shared_costs import one_pass, vector_cycles, window_runs
from nnc.isa.operand import Operand
from nnc.isa.types import DType
from nnc.isa.visits import Runs, aligned
from nnc.isa.work import Work


def _pool_cost(chip: Chip, i: Any, work: Work) -> int:
    """elements of dst · window size / element-wise rate.

    With the map `pixels`: C · lines · ceil(run of pixels / rate) · window size.
    """
    dst = work.dst
    steps = (work.src.strides[0], *map(mul, work.src.strides[1:-1], i.stride), work.src.strides[-1])
    tap = replace(work.src, shape=dst.shape, strides=steps)
    pixels = window_runs(chip, i, dst, work.src, i.kernel)
    positions = Runs(pixels.lines * dst.shape[-1], pixels.length)
    return vector_cycles(chip, work, prod(i.kernel), dst, tap, positions=positions)


@instruction(
    48,
    "pool",
    Engine.COMPUTE,
    "pool",
    cost=_pool_cost,
    example="pool sram+0x8000 f32[1,16,16,32] <- sram+0x0 f32[1,32,32,32], function=max kernel=2,2 "
    "stride=2,2 dilation=1,1 pad_begin=0,0 pad_end=0,0",
)
class Pool(Instruction):
    """Maximum or average over a moving window: src N,X…,C; dst N,Y…,C.

    Window positions outside src count for nothing, except that `count_pad` makes an average count the
    positions inside the padding (pad_begin, pad_end), as ONNX's count_include_pad.

    With a src_scale, an average of 8-bit integers is that of the real numbers (src − src_zero)·src_scale;
    for an integer dst it is saturate(round_half_even(s · f32(src_scale / (dst_scale·n))) + dst_zero), where
    s = Σ (src − src_zero) is exact and n the number of elements counted; for a float dst it is
    s · f32(src_scale / n).
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    function: PoolFunction = attribute("what is computed over the window")
    kernel: tuple[int, ...] = attribute("window extent per spatial axis")
    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of window taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("padding before the first element per spatial axis")
    pad_end: tuple[int, ...] = attribute("padding after the last element per spatial axis")
    count_pad: bool = attribute("an average divides by padded positions too", default=False)
    src_scale: float = attribute("real value of one step of src; 0: src is not quantised", default=0.0)
    src_zero: int = attribute("zero point of src", default=0)
    dst_scale: float = attribute("real value of one step of an integer dst", default=0.0)
    dst_zero: int = attribute("zero point of dst", default=0)

    @property
    def operations(self) -> int:
        """One for every position of a window."""
        return self.dst.elements * prod(self.kernel)

    def shape_errors(self) -> Iterator[str]:
        src, dst = self.src.shape, self.dst.shape
        rank = len(src)
        if rank < 3 or len(dst) != rank:
            yield f"src {src}, dst {dst}: expected one rank, 3 or more"
            return
        wrong = [
            *per_axis(rank - 2, 1, kernel=self.kernel, stride=self.stride, dilation=self.dilation),
            *per_axis(rank - 2, 0, pad_begin=self.pad_begin, pad_end=self.pad_end),
        ]
        yield from wrong or windows_meet(src, dst, self, count_pad=self.count_pad)
        yield from equal("batch of dst", dst[0], src[0])
        yield from equal("channels of dst", dst[-1], src[-1])
        if self.dst.dtype is DType.BOOL:
            yield "dst is bool, expected numbers"
        yield from rounding(
            "a pool", self.src, self.dst, (self.src_scale, self.src_zero, self.dst_scale, self.dst_zero)
        )
        if self.src_scale and self.function is not PoolFunction.AVERAGE:
            yield f"src_scale is for averages, the function is {self.function.value}"


def _elementwise_cost(chip: Chip, i: Any, work: Work) -> int:
    """elements of dst · max(1, sources − 1) / element-wise rate of the widest operand.

    Of cells, elements of dst · their functions, products and sums: gated_tanh 3, lstm_state 6, gru_state 8.
    """
    srcs = [aligned(operand, work.dst.shape) for operand in work.srcs if operand is not None]
    return vector_cycles(chip, work, operations_of(i.function, len(srcs)), work.dst, *srcs)


@instruction(
    49,
    "elementwise",
    Engine.COMPUTE,
    "elementwise",
    cost=_elementwise_cost,
    example="elementwise sram+0x8000 f32[1,8,8,32] <- sram+0x0 f32[1,8,8,32], sram+0x2000 f32[32], "
    "function=mul",
)
class Elementwise(Instruction):
    """A function of one to many sources, each broadcast to the shape of dst.

    A binary function with a single source takes the other operand from params[0]: the right one, or the
    left one if `swap`.

    `cast` converts to any type; from and to types of storage alone: floats (bf16, e4m3 …) from and to f32,
    i4 and i2 i8, u4 and u2 u8. Floats are rounded to the nearest, halves to even; beyond the largest number
    is infinity, NaN where there is none, and in e2m1, which has neither, the largest. Of integers the low 4
    or 2 bits stay.

    `bitcast` keeps the bits of elements of a type as large, other than bool. Bits that `shift_left` and
    `shift_right` move out are lost, so that all are gone from the width on; `shift_right` keeps the sign.
    Places that are negative count as the width.

    With src_scales, sources are quantised: each enters as f32(x − zero)·f32(scale) (a float one has scale 1
    and zero 0), the function is computed in f32, and an integer dst is
    saturate(round_half_even(y / dst_scale) + dst_zero).  So identity is a change of scale.
    """

    dst: Operand = operand(Access.WRITE, Role.RESULT, "result")
    srcs: tuple[Operand, ...] = operand(Access.READ, Role.FEATURE, "sources", overlap=Overlap.SAME)
    function: Function = attribute("what is computed")
    params: tuple[float, ...] = attribute("scalar parameters of the function", default=())
    swap: bool = attribute("params[0] is the left operand", default=False)
    src_scales: tuple[float, ...] = attribute("real value of one step of each source, or ()", default=())
    src_zeros: tuple[int, ...] = attribute("zero point of each source, or ()", default=())
    dst_scale: float = attribute("real value of one step of an integer dst", default=0.0)
    dst_zero: int = attribute("zero point of dst", default=0)

    @property
    def operations(self) -> int:
        """For every element of dst one of each source after the first, or those of a cell."""
        return self.dst.elements * operations_of(self.function, len(self.srcs))

    def shape_errors(self) -> Iterator[str]:
        least, most = self.function.record.sources
        has_scalar = least == 2 and self.function.record.result is not Result.GIVEN and bool(self.params)
        count = len(self.srcs) + (len(self.srcs) == 1 and has_scalar)
        if count < least or (most is not None and count > most):
            expected = f"{least}" if most == least else f"{least} or more"
            yield f"{self.function.value} has {len(self.srcs)} sources, expected {expected}"
        yield from parameters(self.function, self.params)
        if self.function is Function.QUANTIZE:
            yield from integers("dst", self.dst)
        for source in self.srcs if self.function in OF_BITS else ():
            yield from integers("a source", source)
        if self.function is Function.BITCAST:
            for source in self.srcs:
                yield from equal(
                    "bytes of a source's elements", source.dtype.itemsize, self.dst.dtype.itemsize
                )
            if self.dst.dtype is DType.BOOL:
                yield "dst is bool, of which not all bits are elements"
        for number, source in enumerate(self.srcs):
            yield from broadcasts(f"source {number}", source, self.dst.shape)
        yield from self._scale_errors()

    def type_errors(self) -> Iterator[str]:
        types = {self.dst.dtype, *(source.dtype for source in self.srcs)}
        stored = {dtype for dtype in types if dtype.is_stored}
        if self.function is not Function.CAST or any(types != {own, own.computed} for own in stored):
            yield from super().type_errors()

    def _scale_errors(self) -> Iterator[str]:
        """Scales and zero points: of every source or of none."""
        yield from equal("number of src_zeros", len(self.src_zeros), len(self.src_scales))
        if not self.src_scales:
            if self.dst_scale or self.dst_zero:
                yield "dst_scale and dst_zero need src_scales"
            return
        yield from equal("number of src_scales", len(self.src_scales), len(self.srcs))
        if self.function.record.result is Result.GIVEN or self.function in OF_BITS:
            yield f"{self.function.value} has no src_scales"
        for number, (source, scale, zero) in enumerate(
            zip(self.srcs, self.src_scales, self.src_zeros, strict=False)
        ):
            yield from step(f"scale of source {number}", scale)
            yield from zero_point(f"zero point of source {number}", zero, source)
        if self.function.record.result is Result.BOOL:
            yield from equal("dst type", self.dst.dtype, DType.BOOL)
        else:
            yield from rounded(self.dst, self.dst_scale, self.dst_zero)

    @classmethod
    def rate_dtype(cls, result: DType, sources: Sequence[DType]) -> DType:
        """The widest element type decides the rate."""
        return max((result, *sources), key=lambda dtype: dtype.itemsize)


@instruction(
    50,
    "reduce",
    Engine.COMPUTE,
    "reduce",
    cost=one_pass,
    example="reduce sram+0x8000 f32[1,1,1,32] <- sram+0x0 f32[1,7,7,32], function=mean axes=1,2 count=49",
)
class Reduce(Instruction):
    """Fold `axes` of src into extent 1; dst has the rank of src.

    `phase` allows chunks of the folded axes (sum, mean, max, min, prod, sum_square, l1, l2): partial
    results lie in `accumulator`, shaped as dst: f32 for f16, i64 for integers other than u64, else of the
    type of src.  Integers of 64 bits wrap; what is narrower saturates at the end.

    With a src_scale, a sum or mean of 8-bit integers is that of the real numbers (src − src_zero)·src_scale,
    rounded as an average of `pool`; n is `count` for a mean, 1 for a sum.
    """

    src: Operand = operand(Access.READ, Role.FEATURE, "source")
    dst: Operand | None = operand(Access.WRITE, Role.RESULT, "result; absent in start and add", default=None)
    accumulator: Operand | None = operand(
        Access.READ_WRITE, Role.ACCUMULATOR, "partial results, shaped as dst", default=None
    )
    function: ReduceFunction = attribute("what is computed")
    axes: tuple[int, ...] = attribute("folded axes")
    count: int = attribute("what a mean divides by: the elements folded over all chunks")
    phase: Phase = attribute("place in a chain of chunks", default=Phase.WHOLE)
    src_scale: float = attribute("real value of one step of src; 0: src is not quantised", default=0.0)
    src_zero: int = attribute("zero point of src", default=0)
    dst_scale: float = attribute("real value of one step of an integer dst", default=0.0)
    dst_zero: int = attribute("zero point of dst", default=0)

    @property
    def operations(self) -> int:
        """One for every element of src."""
        return self.src.elements

    def shape_errors(self) -> Iterator[str]:
        yield from phase_fits(self.phase, self.dst, self.accumulator, self.src.dtype.partial_fold)
        rank = len(self.src.shape)
        wrong = list(distinct_axes(self.axes, rank)) if rank else ["src is a scalar"]
        yield from wrong
        out = self.dst or self.accumulator
        if out is None or wrong:
            return
        folded = {axis % rank for axis in self.axes}
        expected = tuple(1 if axis in folded else extent for axis, extent in enumerate(self.src.shape))
        yield from equal("dst shape", out.shape, expected)
        yield from rounding(
            "a fold", self.src, self.dst, (self.src_scale, self.src_zero, self.dst_scale, self.dst_zero)
        )
        if self.function is ReduceFunction.LOG_SUM_EXP and self.phase is not Phase.WHOLE:
            yield f"{self.function.value} has no chunks, the phase is {self.phase.value}"
        if self.src_scale and self.function not in (ReduceFunction.SUM, ReduceFunction.MEAN):
            yield f"src_scale is for sums and means, the function is {self.function.value}"
