"""Geometry of sliding windows."""

from __future__ import annotations


def window_reach(kernel: tuple[int, ...], dilation: tuple[int, ...]) -> tuple[int, ...]:
    """Extents of a dilated window, from its first tap to its last."""
    return tuple((k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True))
