"""Pooling: windows are separable, so each spatial axis is folded in turn, tap by tap."""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from nnc.isa.functions import PoolFunction
from nnc.isa.instructions import Pool
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.kernels.products import EXACT_F32, DType
from nnc.runtime.kernels.rounding import rescale_into, stage_into
from nnc.runtime.memory import Array

_MOST_OF_BYTES = 255
"""Greatest magnitude of an 8-bit integer less its zero point."""


def _lowest(dtype: DType) -> float | int:
    return -np.inf if dtype.kind == "f" else int(np.iinfo(dtype).min)


def _tap(extent: int, out: int, stride: int, offset: int) -> tuple[slice, slice] | None:
    """Positions y of the result and elements y·stride + offset of the source, where those exist."""
    first = max(0, -(offset // stride))
    last = min(out - 1, (extent - 1 - offset) // stride)
    if first > last:
        return None
    start = first * stride + offset
    return slice(first, last + 1), slice(start, start + (last - first) * stride + 1, stride)


def _fold_axis(i: Pool, axis: int, src: Array, dst: Array) -> list[Kernel]:
    """Steps that fold one spatial axis of src into dst."""
    ufunc, start = (np.maximum, _lowest(dst.dtype)) if i.function is PoolFunction.MAX else (np.add, 0)
    lead = (slice(None),) * (axis + 1)
    steps: list[Kernel] = []
    taps = [
        _tap(
            src.shape[axis + 1], dst.shape[axis + 1], i.stride[axis], k * i.dilation[axis] - i.pad_begin[axis]
        )
        for k in range(i.kernel[axis])
    ]
    inner_taps = [tap for tap in taps if tap is not None]
    complete = [tap for tap in inner_taps if tap[0] == slice(0, dst.shape[axis + 1])]
    if complete:
        steps.append(partial(np.copyto, dst, src[(*lead, complete[0][1])]))
        inner_taps.remove(complete[0])
    else:
        steps.append(partial(dst.fill, start))
    for positions, elements in inner_taps:
        part = dst[(*lead, positions)]
        steps.append(partial(ufunc, part, src[(*lead, elements)], out=part))
    return steps


def window_counts(i: Pool) -> Array:
    """How many elements every window of an average counts, shaped (Y…, 1) as a divisor of dst."""
    spatial = len(i.kernel)
    counts = np.ones((1,) * (spatial + 1), dtype=np.float64)
    for axis in range(spatial):
        low, high = 0, i.src.shape[axis + 1]
        if i.count_pad:
            low, high = -i.pad_begin[axis], high + i.pad_end[axis]
        first = np.arange(i.dst.shape[axis + 1]) * i.stride[axis] - i.pad_begin[axis]
        taps = first[:, None] + np.arange(i.kernel[axis]) * i.dilation[axis]
        inside = ((taps >= low) & (taps < high)).sum(axis=1)
        counts = counts * np.maximum(inside, 1).reshape((-1,) + (1,) * (spatial - axis))
    return counts


def _is_trivial(i: Pool, axis: int) -> bool:
    same = i.src.shape[axis + 1] == i.dst.shape[axis + 1]
    return same and (i.kernel[axis], i.stride[axis], i.pad_begin[axis]) == (1, 1, 0)


@kernel(Pool)
def bind_pool(i: Pool, binder: Binder) -> Kernel:
    """Maximum or average; averages of f16 and of integers are computed in f32 and rounded (half to even).

    Averages of quantised integers are those of their exact sums.
    """
    src, dst = binder.view(i.src), binder.view(i.dst)
    spatial = src.ndim - 2
    average = i.function is PoolFunction.AVERAGE
    kind = np.dtype(np.float32) if average and dst.dtype != np.float64 else dst.dtype
    if i.src_scale and prod(i.kernel) * _MOST_OF_BYTES > EXACT_F32:
        kind = np.dtype(np.float64)
    axes = [axis for axis in range(spatial) if not _is_trivial(i, axis)]
    steps: list[Kernel] = []
    result = dst if kind == dst.dtype else binder.scratch(dst.shape, kind)
    if not axes:
        steps.append(stage_into(result, src, i.src_zero))
    elif src.dtype != kind:
        wide = binder.scratch(src.shape, kind)
        steps.append(stage_into(wide, src, i.src_zero))
        src = wide
    for axis in axes:
        shape = (*src.shape[: axis + 1], dst.shape[axis + 1], *src.shape[axis + 2 :])
        folded = result if axis == axes[-1] else binder.scratch(shape, kind)
        steps += _fold_axis(i, axis, src, folded)
        src = folded
    if i.src_scale:
        scale = i.src_scale / ((i.dst_scale or 1.0) * window_counts(i))
        return sequence(steps + rescale_into(dst, result, scale, i.dst_zero, binder))
    if average:
        steps.append(partial(np.multiply, result, (1.0 / window_counts(i)).astype(kind), result))
    if result is not dst:
        if dst.dtype.kind in "iu":
            steps.append(partial(np.rint, result, result))
        steps.append(partial(np.copyto, dst, result, casting="unsafe"))
    return sequence(steps)
