"""What the shape rules of many instructions ask; every question yields what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, Protocol, cast

import numpy as np

from nnc.isa.functions import Arithmetic, Function
from nnc.isa.instruction import Phase, Shape
from nnc.isa.operand import Operand
from nnc.isa.types import DType

QUANTISED_TYPES = (DType.I8, DType.U8)
INDEX_TYPES = (DType.I8, DType.U8, DType.I16, DType.U16, DType.I32, DType.U32, DType.I64, DType.U64)


def equal(what: str, actual: object, expected: object) -> Iterator[str]:
    """Nothing if what is there is what was expected."""
    if actual != expected:
        yield f"{what} is {actual}, expected {expected}"


def same_block(dst: Operand, src: Operand) -> Iterator[str]:
    """Nothing if two blocks have the same shape and type."""
    yield from equal("dst shape", dst.shape, src.shape)
    yield from equal("dst type", dst.dtype, src.dtype)


def integers(name: str, block: Operand) -> Iterator[str]:
    """Nothing if a block holds integers."""
    if block.dtype not in INDEX_TYPES:
        yield f"{name} is {block.dtype.value}, expected integers"


def broadcasts(name: str, block: Operand | None, shape: Shape) -> Iterator[str]:
    """Nothing if a block is absent, or broadcasts to the shape."""
    if block is None:
        return
    tail = shape[len(shape) - len(block.shape) :]
    if len(block.shape) > len(shape) or any(a not in (1, b) for a, b in zip(block.shape, tail, strict=True)):
        yield f"{name} of shape {block.shape} does not broadcast to {shape}"


def per_axis(rank: int, least: int | None, **lists: tuple[int, ...]) -> Iterator[str]:
    """Nothing if attributes have one value per axis, each at least `least`."""
    for name, values in lists.items():
        if len(values) != rank or (least is not None and any(value < least for value in values)):
            bound = "" if least is None else f" ≥ {least}"
            yield f"{name} is {values}, expected {rank} values{bound}"


class WindowFields(Protocol):
    """The fields of windows, per spatial axis."""

    @property
    def kernel(self) -> tuple[int, ...]: ...
    @property
    def stride(self) -> tuple[int, ...]: ...
    @property
    def dilation(self) -> tuple[int, ...]: ...
    @property
    def pad_begin(self) -> tuple[int, ...]: ...
    @property
    def pad_end(self) -> tuple[int, ...]: ...


def windows_meet(src: Shape, dst: Shape, i: WindowFields, *, count_pad: bool) -> Iterator[str]:
    """Nothing if each window holds some of src, and none is longer than src with its padding and a stride.

    Args:
        src, dst: N, spatial…, C.
        count_pad: windows may lie in the padding alone.
    """
    fields = zip(i.kernel, i.stride, i.dilation, i.pad_begin, i.pad_end, strict=True)
    for axis, (kernel, stride, dilation, begin, end) in enumerate(fields, start=1):
        reach, extent = (kernel - 1) * dilation, src[axis]
        first, last = (-begin, extent + end) if count_pad else (0, extent)
        if reach - begin < first or (dst[axis] - 1) * stride - begin >= last:
            yield f"axis {axis} has windows that hold nothing of src"
        if reach >= begin + extent + end + stride:
            yield f"axis {axis} has windows of {reach + 1}, src has {extent}, padding {begin} and {end}"


def distinct_axes(axes: tuple[int, ...], rank: int) -> Iterator[str]:
    """Nothing if the axes are different axes of that rank."""
    if any(not -rank <= axis < rank for axis in axes) or len({axis % rank for axis in axes}) != len(axes):
        yield f"axes {axes} are not distinct axes of rank {rank}"


def inside(name: str, shape: Shape, origin: Shape, extent: Shape) -> Iterator[str]:
    """Nothing if a tile lies inside the whole tensor."""
    if any(o < 0 or o + n > e for n, o, e in zip(shape, origin, extent, strict=True)):
        yield f"{name} tile {shape} at {origin} leaves the whole tensor {extent}"


def phase_fits(
    phase: Phase, dst: Operand | None, accumulator: Operand | None, partial: DType
) -> Iterator[str]:
    """Which of dst and accumulator a phase has, that they agree, and the type of partial results."""
    if (dst is None) != (phase in (Phase.START, Phase.ADD)):
        yield f"phase {phase.value} {'lacks' if dst is None else 'has'} a dst"
    if (accumulator is None) != (phase is Phase.WHOLE):
        yield f"phase {phase.value} {'lacks' if accumulator is None else 'has'} an accumulator"
    if accumulator is not None:
        yield from equal("type of accumulator", accumulator.dtype.value, partial.value)
    if accumulator is not None and dst is not None:
        yield from equal("accumulator shape", accumulator.shape, dst.shape)


def parameters(function: Function, params: tuple[float, ...]) -> Iterator[str]:
    """Nothing if a function has all of its parameters, or none where it has defaults."""
    count = 2 if function in (Function.CLIP, Function.SCALE_SHIFT) else len(function.record.params)
    if count and len(params) not in ((count,) if function is Function.CLIP else (0, count)):
        yield f"{function.value} has {len(params)} params, expected {count}"


def step(name: str, scale: float) -> Iterator[str]:
    """Nothing if a scale is positive and finite, in f32 too."""
    with np.errstate(all="ignore"):
        single = np.float32(scale)
    if not (isfinite(single) and single > 0):
        yield f"{name} is {scale}, expected a positive finite number"


def zero_point(name: str, zero: int, block: Operand | None) -> Iterator[str]:
    """Nothing if a zero point is 0, or an integer of the type of its block."""
    if zero == 0 or block is None:
        return
    if block.dtype not in INDEX_TYPES:
        yield f"{name} is {zero}, but {block.dtype.value} has no zero point"
        return
    info: Any = np.iinfo(cast(Any, block.dtype.numpy))
    if not info.min <= zero <= info.max:
        yield f"{name} is {zero}, which is no {block.dtype.value}"


def rounding(
    name: str, src: Operand, dst: Operand | None, scales: tuple[float, int, float, int]
) -> Iterator[str]:
    """Nothing if the scales of a fold of quantised integers are there and fit its blocks.

    Args:
        scales: src_scale, src_zero, dst_scale, dst_zero; all are 0 where nothing is quantised.
    """
    src_scale, src_zero, dst_scale, dst_zero = scales
    if not src_scale:
        if any(scales):
            yield "src_zero, dst_scale and dst_zero need a src_scale"
        return
    yield from step("src_scale", src_scale)
    yield from zero_point("src_zero", src_zero, src)
    if src.dtype not in QUANTISED_TYPES:
        yield f"{name} of {src.dtype.value} with a src_scale, expected 8-bit integers"
    if dst is not None:
        yield from rounded(dst, dst_scale, dst_zero)


def converting(
    name: str, src: Operand, dst: Operand, arithmetic: Arithmetic, scales: tuple[float, int, float, int]
) -> Iterator[str]:
    """Nothing if codes become codes, or nothing is quantised and computed in other numbers.

    Args:
        scales: src_scale, src_zero, dst_scale, dst_zero; all are 0 where nothing is quantised.
    """
    yield from rounding(name, src, dst, scales)
    if scales[0] and dst.dtype not in QUANTISED_TYPES:
        yield f"{name} of quantised integers gives {dst.dtype.value}, expected 8-bit integers"
    if not scales[0] and arithmetic is not Arithmetic.F32:
        yield f"arithmetic {arithmetic.value} needs a src_scale"


def rounded(dst: Operand, scale: float, zero: int) -> Iterator[str]:
    """Nothing if dst is a float without a scale, or an integer with one."""
    if dst.dtype.is_float:
        if scale or zero:
            yield f"dst_scale is {scale}, dst_zero {zero}, but dst is {dst.dtype.value}"
        return
    yield from step("dst_scale", scale)
    yield from zero_point("dst_zero", zero, dst)
