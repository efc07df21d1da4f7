"""Resize and pad: maps from positions of a result to positions of a source, axis by axis."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import ExecutionError
from nnc.isa.functions import Coordinates, Nearest, PadMode, ResizeMode
from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Pad, Resize
from nnc.runtime.kernels.binding import Binder, Kernel, invalid, kernel, sequence
from nnc.runtime.memory import Array

Indices = npt.NDArray[np.int64]
Coordinate = npt.NDArray[np.float32]


def source_coordinates(i: Resize, axis: int) -> Coordinate:
    """Where the elements of dst lie in the whole source along one axis.

    In f32 and in the order of operations of onnxruntime, so that roundings of exact halves agree.
    """
    f32 = np.float32
    scale, extent, src_extent = f32(i.scales[axis]), i.extent[axis], i.src_extent[axis]
    p = np.arange(i.origin[axis], i.origin[axis] + i.dst.shape[axis]).astype(np.float32)
    half = (p + f32(0.5)) / scale - f32(0.5)
    match i.coordinates:
        case Coordinates.ASYMMETRIC:
            return p / scale
        case Coordinates.ALIGN_CORNERS:
            return p * f32(src_extent - 1) / f32(max(extent - 1, 1))
        case Coordinates.PYTORCH_HALF_PIXEL:
            return half if extent > 1 else np.zeros_like(half)
        case Coordinates.HALF_PIXEL_SYMMETRIC:
            adjustment = f32(extent) / (scale * f32(src_extent))
            offset = f32(src_extent / 2) * (f32(1) - adjustment)
            return offset + (p + f32(0.5)) / scale - f32(0.5)
        case Coordinates.HALF_PIXEL:
            return half


def nearest_indices(x: Coordinate, rounding: Nearest) -> Indices:
    """Coordinates rounded as ONNX Resize's nearest_mode says."""
    match rounding:
        case Nearest.FLOOR:
            y = np.floor(x)
        case Nearest.CEIL:
            y = np.ceil(x)
        case Nearest.ROUND_PREFER_FLOOR:
            y = np.ceil(x - np.float32(0.5))
        case Nearest.ROUND_PREFER_CEIL:
            y = np.floor(x + np.float32(0.5))
    return y.astype(np.int64)


def _held(i: Instruction, axis: int, whole: Indices, extent: int, origin: int, held: int) -> Indices:
    """Positions in the tile of the source, from positions in the whole source clipped to its ends."""
    position = np.clip(whole, 0, extent - 1) - origin
    if position.min() < 0 or position.max() >= held:
        raise ExecutionError(
            "the tile of the source is too small",
            where=i.mnemonic,
            found=f"elements {origin} … {origin + held - 1} of axis {axis}",
            expected=f"elements {position.min() + origin} … {position.max() + origin}",
        )
    return position


def _take(src: Array, index: Indices, axis: int, out: Array) -> Kernel:
    return partial(np.take, src, index, axis, out, "clip")


@kernel(Resize)
def bind_resize(i: Resize, binder: Binder) -> Kernel:
    """Interpolate axis by axis; linear weights are f32 (f64 for f64 data), f16 is rounded at the end."""
    src, dst = binder.view(i.src), binder.view(i.dst)
    fields = (i.scales, i.origin, i.extent, i.src_origin, i.src_extent)
    if src.ndim != dst.ndim or {len(f) for f in fields} != {src.ndim}:
        raise invalid(
            i, "operands and fields differ in rank", found=f"{i.src} -> {i.dst}", expected="one rank"
        )
    linear = i.mode is ResizeMode.LINEAR
    kind = np.dtype(np.float32) if linear and dst.dtype != np.float64 else dst.dtype
    steps: list[Kernel] = []
    if src.dtype != kind:
        wide = binder.scratch(src.shape, kind)
        steps.append(partial(np.copyto, wide, src))
        src = wide
    for axis in range(src.ndim):
        if (
            i.scales[axis] == 1.0
            and i.origin[axis] == i.src_origin[axis]
            and dst.shape[axis] == src.shape[axis]
        ):
            continue
        out = binder.scratch((*src.shape[:axis], dst.shape[axis], *src.shape[axis + 1 :]), kind)
        steps += (_linear_axis if linear else _nearest_axis)(i, axis, src, out, binder)
        src = out
    if dst.dtype.kind in "iu" and linear:
        rounded = binder.scratch(src.shape, kind)
        steps.append(partial(np.rint, src, rounded))
        src = rounded
    steps.append(partial(np.copyto, dst, src, casting="unsafe"))
    return sequence(steps)


def _nearest_axis(i: Resize, axis: int, src: Array, out: Array, binder: Binder) -> list[Kernel]:
    whole = nearest_indices(source_coordinates(i, axis), i.nearest)
    index = _held(i, axis, whole, i.src_extent[axis], i.src_origin[axis], src.shape[axis])
    return [_take(src, index, axis, out)]


def _linear_axis(i: Resize, axis: int, src: Array, out: Array, binder: Binder) -> list[Kernel]:
    """out = left·(1 − w) + right·w, computed as left + (right − left)·w."""
    x = np.clip(source_coordinates(i, axis), 0, i.src_extent[axis] - 1)
    floor = np.floor(x)
    left = floor.astype(np.int64)
    weight = (x - floor).astype(out.dtype).reshape((-1,) + (1,) * (src.ndim - axis - 1))
    place = (i.src_extent[axis], i.src_origin[axis], src.shape[axis])
    right = np.where(weight.ravel() > 0, left + 1, left)
    work = binder.scratch(out.shape, out.dtype)
    return [
        _take(src, _held(i, axis, left, *place), axis, out),
        _take(src, _held(i, axis, right, *place), axis, work),
        partial(np.subtract, work, out, work),
        partial(np.multiply, work, weight, work),
        partial(np.add, out, work, out),
    ]


def pad_indices(mode: PadMode, position: Indices, extent: int) -> Indices:
    """The source element that stands at a position outside (or inside) 0 … extent − 1, by the mode."""
    if mode is PadMode.WRAP:
        return position % extent
    if mode is PadMode.REFLECT:
        period = max(1, 2 * (extent - 1))
        folded = position % period
        return np.minimum(folded, period - folded) if extent > 1 else np.zeros_like(position)
    return np.clip(position, 0, extent - 1)


@kernel(Pad)
def bind_pad(i: Pad, binder: Binder) -> Kernel:
    """Copy a tile of a padded tensor."""
    src, dst = binder.view(i.src), binder.view(i.dst)
    fields = (i.begin, i.origin, i.src_origin, i.src_extent)
    if src.ndim != dst.ndim or {len(f) for f in fields} != {src.ndim}:
        raise invalid(
            i, "operands and fields differ in rank", found=f"{i.src} -> {i.dst}", expected="one rank"
        )
    whole = [
        np.arange(n, dtype=np.int64) + i.origin[axis] - i.begin[axis] for axis, n in enumerate(dst.shape)
    ]
    if i.mode is PadMode.CONSTANT:
        return _constant_pad(i, src, dst, whole)
    steps: list[Kernel] = []
    for axis, position in enumerate(whole):
        index = pad_indices(i.mode, position, i.src_extent[axis])
        index = _held(i, axis, index, i.src_extent[axis], i.src_origin[axis], src.shape[axis])
        if len(index) == src.shape[axis] and np.array_equal(index, np.arange(len(index))):
            continue
        out = binder.scratch((*src.shape[:axis], len(index), *src.shape[axis + 1 :]), src.dtype)
        steps.append(_take(src, index, axis, out))
        src = out
    return sequence([*steps, partial(np.copyto, dst, src)])


def _constant_pad(i: Pad, src: Array, dst: Array, whole: list[Indices]) -> Kernel:
    fill = partial(np.copyto, dst, np.asarray(i.value).astype(dst.dtype))
    inside: list[slice] = []
    source: list[slice] = []
    for axis, position in enumerate(whole):
        exists = np.flatnonzero((position >= 0) & (position < i.src_extent[axis]))
        if not len(exists):
            return fill
        place = (i.src_extent[axis], i.src_origin[axis], src.shape[axis])
        held = _held(i, axis, position[exists], *place)
        inside.append(slice(int(exists[0]), int(exists[-1]) + 1))
        source.append(slice(int(held[0]), int(held[-1]) + 1))
    return sequence([fill, partial(np.copyto, dst[tuple(inside)], src[tuple(source)])])
