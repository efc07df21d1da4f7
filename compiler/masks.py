"""Masks of tensors: which elements are needed, one by one.

The masks of weights, and of tensors that are needed whole, are broadcast: one element in memory stands for
millions.  All questions here look at that one.
"""

from __future__ import annotations

from collections.abc import Collection
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.regions.boxes import Shape

Mask = npt.NDArray[np.bool_]


def whole(shape: Shape) -> Mask:
    """All elements; no memory is taken for them."""
    return np.broadcast_to(np.True_, shape)


def is_whole(mask: Mask) -> bool:
    """Whether all elements are needed."""
    return bool(_distinct(mask).all())


def is_empty(mask: Mask) -> bool:
    """Whether no element is needed."""
    return not _distinct(mask).any()


def count(mask: Mask) -> int:
    """How many elements are needed."""
    distinct = _distinct(mask)
    return int(distinct.sum()) * (mask.size // max(1, distinct.size))


def any_along(mask: Mask, axes: Collection[int]) -> Mask:
    """What is needed anywhere along axes, which stay with extent 1."""
    shape = [1 if axis in axes else extent for axis, extent in enumerate(mask.shape)]
    return np.broadcast_to(_distinct(mask).any(axis=tuple(axes), keepdims=True), shape)


def count_along(mask: Mask, axes: Collection[int]) -> npt.NDArray[np.int64]:
    """How many elements are needed along axes, which stay with extent 1."""
    distinct = _distinct(mask)
    counts = distinct.sum(axis=tuple(axes), keepdims=True, dtype=np.int64)
    repeats = prod(mask.shape[axis] // max(1, distinct.shape[axis]) for axis in axes)
    shape = [1 if axis in axes else extent for axis, extent in enumerate(mask.shape)]
    return np.broadcast_to(counts * repeats, shape)


def _distinct(mask: Mask) -> Mask:
    """The first position of each axis along which a mask only repeats, all positions of the others."""
    return mask[(..., *[slice(None) if step else slice(1) for step in mask.strides])]
