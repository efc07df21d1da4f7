"""Resize and pad, axis by axis; which source elements they read is in ``nnc.isa.resample``."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from nnc.isa.functions import PadMode, ResizeMode
from nnc.isa.instructions import Pad, Resize
from nnc.isa.resample import Indices, pad_indices, resize_taps, source_coordinates
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.memory import Array


def _take(src: Array, index: Indices, axis: int, out: Array) -> Kernel:
    return partial(np.take, src, index, axis, out, "clip")


@kernel(Resize)
def bind_resize(i: Resize, binder: Binder) -> Kernel:
    """Interpolate axis by axis; linear weights are f32 (f64 for f64 data), f16 is rounded at the end.

    Linear interpolation of integers is a sum of all corners in f32, which loses its fraction.
    """
    src, dst = binder.view(i.src), binder.view(i.dst)
    linear = i.mode is ResizeMode.LINEAR
    kind = np.dtype(np.float32) if linear and dst.dtype != np.float64 else dst.dtype
    steps: list[Kernel] = []
    if src.dtype != kind:
        wide = binder.scratch(src.shape, kind)
        steps.append(partial(np.copyto, wide, src))
        src = wide
    if linear and dst.dtype.kind in "iu":
        return sequence([*steps, _sum_of_corners(i, src, dst, binder)])
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
    steps.append(partial(np.copyto, dst, src, casting="unsafe"))
    return sequence(steps)


def _positions(i: Resize, axis: int) -> Indices:
    """Positions of the tile in the whole result."""
    return np.arange(i.origin[axis], i.origin[axis] + i.dst.shape[axis], dtype=np.int64)


def _nearest_axis(i: Resize, axis: int, src: Array, out: Array, binder: Binder) -> list[Kernel]:
    taps, _ = resize_taps(i, axis, _positions(i, axis))
    index = taps - i.src_origin[axis]
    return [_take(src, index, axis, out)]


def _linear_axis(i: Resize, axis: int, src: Array, out: Array, binder: Binder) -> list[Kernel]:
    """out = left·(1 − w) + right·w, computed as left + (right − left)·w."""
    positions = _positions(i, axis)
    left, right = resize_taps(i, axis, positions)
    x = np.clip(source_coordinates(i, axis, positions), 0, i.src_extent[axis] - 1)
    weight = (x - left.astype(np.float32)).astype(out.dtype).reshape((-1,) + (1,) * (src.ndim - axis - 1))
    origin = i.src_origin[axis]
    work = binder.scratch(out.shape, out.dtype)
    return [
        _take(src, left - origin, axis, out),
        _take(src, right - origin, axis, work),
        partial(np.subtract, work, out, work),
        partial(np.multiply, work, weight, work),
        partial(np.add, out, work, out),
    ]


def _sum_of_corners(i: Resize, src: Array, dst: Array, binder: Binder) -> Kernel:
    """Every corner times its weight, the last axis first, as onnxruntime has it: the fraction hangs on that.

    Of 8-bit elements with channels as the last of four axes it cuts positions to whole 1024ths.
    """
    scaled = {axis for axis, scale in enumerate(i.scales) if scale != 1.0}
    last = set(range(max(0, src.ndim - (2 + src.ndim % 2)), src.ndim))
    axes = last if scaled <= last else {1, 2} if src.ndim == 4 and scaled <= {1, 2} else scaled
    parts = 1024 if axes == {1, 2} and src.ndim == 4 and dst.dtype.itemsize == 1 else 1
    kind = np.dtype(np.float64 if parts > 1 else np.float32)
    ends = [_ends(i, axis, src, parts) for axis in sorted(axes)]
    total, part = binder.scratch(dst.shape, kind), binder.scratch(dst.shape, kind)

    def run() -> None:
        total.fill(0)
        for corner in product(*ends):
            taken, weight = src, np.ones((), kind)
            for axis, index, share in reversed(corner):
                taken, weight = np.take(taken, index, axis), weight * share
            np.multiply(taken, weight, out=part)
            np.add(total, part, out=total)
        np.divide(total, parts ** len(ends), out=total)
        np.copyto(dst, total, casting="unsafe")

    return run


def _ends(i: Resize, axis: int, src: Array, parts: int) -> list[tuple[int, Indices, Array]]:
    """The left and the right element of an axis: axis, positions in the tile, weights.

    The last element of all has its own weight in halves, as onnxruntime has it.
    """
    positions, last = _positions(i, axis), i.src_extent[axis] - 1
    left = right = np.clip(positions, 0, last)
    x = left.astype(np.float32)
    if i.scales[axis] != 1.0:
        left, right = resize_taps(i, axis, positions)
        x = np.clip(source_coordinates(i, axis, positions), 0, last)
    share = np.where(left == last, np.float32(0.5), x - left.astype(np.float32))
    rest = np.where(left == last, np.float32(0.5), (left + 1).astype(np.float32) - x)
    if parts > 1:
        share = np.trunc(share * parts)
        rest = parts - share
    line = (-1,) + (1,) * (src.ndim - axis - 1)
    return [
        (axis, index - i.src_origin[axis], weight.reshape(line))
        for index, weight in ((left, rest), (right, share))
    ]


@kernel(Pad)
def bind_pad(i: Pad, binder: Binder) -> Kernel:
    """Copy a tile of a padded tensor."""
    src, dst = binder.view(i.src), binder.view(i.dst)
    whole = [
        np.arange(n, dtype=np.int64) + i.origin[axis] - i.begin[axis] for axis, n in enumerate(dst.shape)
    ]
    if i.mode is PadMode.CONSTANT:
        return _constant_pad(i, src, dst, whole)
    steps: list[Kernel] = []
    for axis, position in enumerate(whole):
        index = pad_indices(i.mode, i.src_extent[axis], position)
        index = index - i.src_origin[axis]
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
        held = position[exists] - i.src_origin[axis]
        inside.append(slice(int(exists[0]), int(exists[-1]) + 1))
        source.append(slice(int(held[0]), int(held[-1]) + 1))
    return sequence([fill, partial(np.copyto, dst[tuple(inside)], src[tuple(source)])])
