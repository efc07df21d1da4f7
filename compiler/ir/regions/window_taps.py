"""Which elements of two axes meet at a tap of a window that runs along them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Pool, SpatialMacLayer
from nnc.isa.integers import ceil_div

Ints = npt.NDArray[np.int64]

Window = tuple[int, int, int, int]
"""Extent, stride, dilation and padding before, along one axis."""


def windows_of(layer: SpatialMacLayer | Pool) -> list[Window]:
    """The windows of a layer along its spatial axes."""
    return list(zip(layer.kernel, layer.stride, layer.dilation, layer.pad_begin, strict=True))


def tap_slices(tap: int, window: Window, dense: int, strided: int) -> tuple[slice, slice]:
    """Elements y of an axis, and the elements y·stride + tap·dilation − begin of another that they meet.

    Args:
        window: size, stride, dilation, begin.
        dense, strided: extents of the two axes; what lies outside of either is left out.
    """
    _, stride, dilation, begin = window
    shift = tap * dilation - begin
    first = max(0, ceil_div(-shift, stride))
    last = min(dense - 1, (strided - 1 - shift) // stride)
    if first > last:
        return slice(0, 0), slice(0, 0)
    return slice(first, last + 1), slice(first * stride + shift, last * stride + shift + 1, stride)


def meetings(
    weights: Ints, windows: Sequence[Window], source: Sequence[int], *, transposed: bool = False
) -> Ints:
    """What each tap of a window meets: the sum of the weights of the results for which its source exists.

    Args:
        weights: of the results, with their spatial axes last: how many there are at a position, say.
        windows: along the spatial axes; source: extents of the source along these.
        transposed: element x of the source adds to results x·stride + tap·dilation − begin.

    Returns:
        The weights with an axis of taps in the place of each spatial axis.
    """
    for axis, (window, extent) in enumerate(zip(windows, source, strict=True), weights.ndim - len(windows)):
        lines = np.moveaxis(weights, axis, 0)
        dense, strided = (extent, len(lines)) if transposed else (len(lines), extent)
        met = [lines[tap_slices(tap, window, dense, strided)[transposed]].sum(0) for tap in range(window[0])]
        weights = np.moveaxis(np.stack(met), 0, axis)
    return weights
