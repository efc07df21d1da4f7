"""Which elements of two axes meet at a tap of a window that runs along them."""

from __future__ import annotations

from nnc.isa.integers import ceil_div

Window = tuple[int, int, int, int]
"""Extent, stride, dilation and padding before, along one axis."""


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
