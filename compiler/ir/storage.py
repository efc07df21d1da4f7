"""Storage: where the elements of a tensor lie inside a buffer, as an offset and strides.

A buffer is a range of DRAM.  A tensor that some layer computes usually owns a buffer, dense in a chosen
order of its axes; views (reshape, transpose, slice, expand, operands of a concat) are other strides over the
buffer of somebody else and cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import prod
from operator import mul

import numpy as np
import numpy.typing as npt

from nnc.isa.record import record
from nnc.isa.types import DType


@dataclass(frozen=True, slots=True)
class Buffer:
    """A range of DRAM that holds one tensor (and the views of it), maybe with padding between its rows."""

    name: str
    dtype: DType
    elements: int

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self.elements * self.dtype.itemsize


@record(frozen=True, slots=True)
class Storage:
    """Element (i, j, …) of a tensor is element offset + i·strides[0] + j·strides[1] + … of a buffer."""

    buffer: str
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @staticmethod
    def dense(buffer: str, shape: tuple[int, ...], order: tuple[int, ...]) -> Storage:
        """Dense storage with axes nested in `order` (outermost first)."""
        return Storage(buffer, 0, shape, ordered_strides(shape, order))

    @property
    def order(self) -> tuple[int, ...]:
        """Axes from outermost to innermost, see ``storage_order``."""
        return storage_order(self.shape, self.strides)

    def box(self, low: tuple[int, ...], shape: tuple[int, ...]) -> Storage:
        """The storage of a box that starts at `low`."""
        offset = self.offset + sum(map(mul, low, self.strides))
        return Storage(self.buffer, offset, shape, self.strides)

    def transpose(self, perm: tuple[int, ...]) -> Storage:
        """The storage seen with permuted axes."""
        shape, strides = permute(self.shape, perm), permute(self.strides, perm)
        return Storage(self.buffer, self.offset, shape, strides)

    def slice(self, start: tuple[int, ...], step: tuple[int, ...], shape: tuple[int, ...]) -> Storage:
        """The storage of every step-th element from `start`."""
        strides = tuple(a * b for a, b in zip(self.strides, step, strict=True))
        offset = self.offset + sum(a * b for a, b in zip(start, self.strides, strict=True))
        return Storage(self.buffer, offset, shape, strides)

    def expand(self, shape: tuple[int, ...]) -> Storage:
        """The storage with axes of extent 1 repeated (stride 0)."""
        strides = tuple(
            0 if old != new else stride
            for old, new, stride in zip(self.shape, shape, self.strides, strict=True)
        )
        return Storage(self.buffer, self.offset, shape, strides)

    def unfold(self, axis: int, count: int, size: int, step: int) -> Storage:
        """The storage with an axis seen as `count` slices of `size` elements, `step` from one to the next."""
        stride = self.strides[axis]
        shape = (*self.shape[:axis], count, size, *self.shape[axis + 1 :])
        strides = (*self.strides[:axis], stride * step, stride, *self.strides[axis + 1 :])
        return Storage(self.buffer, self.offset, shape, strides)

    def reshape(self, shape: tuple[int, ...]) -> Storage | None:
        """The storage with another shape (row-major order of elements), or None if strides cannot say it."""
        strides = reshape_strides(self.shape, self.strides, shape)
        return None if strides is None else Storage(self.buffer, self.offset, shape, strides)

    def same_elements(self, other: Storage) -> bool:
        """Whether both consist of the same elements of a buffer, in the same order."""
        if (self.buffer, self.offset, self.shape) != (other.buffer, other.offset, other.shape):
            return False
        axes = zip(self.shape, self.strides, other.strides, strict=True)
        return all(n == 1 or a == b for n, a, b in axes)


def permute(values: tuple[int, ...], perm: tuple[int, ...]) -> tuple[int, ...]:
    """values[perm[0]], values[perm[1]], …"""
    return tuple([values[axis] for axis in perm])  # a list first: half the time of a generator


@lru_cache(maxsize=65536)
def in_bytes(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, axes: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shape, and strides in bytes, of a block of elements with its axes in the order `axes`.

    Tiles of one shape share the tuples.
    """
    return permute(shape, axes), tuple([itemsize * step for step in permute(strides, axes)])


@lru_cache(maxsize=65536)
def ordered_strides(shape: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
    """Element strides of a dense block whose axes nest in `order`, outermost first."""
    strides = [0] * len(shape)
    step = 1
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


def outermost_axis(shape: tuple[int, ...], order: tuple[int, ...]) -> int | None:
    """The outermost axis of more than one element, of axes that nest in an order; None if there is none."""
    return next((axis for axis in order if shape[axis] > 1), None)


@lru_cache(maxsize=4096)
def storage_order(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, ...]:
    """Axes from outermost to innermost: larger strides first, in normal form (see `normal_order`)."""
    return normal_order(shape, tuple(sorted(range(len(shape)), key=lambda axis: (-abs(strides[axis]), axis))))


@lru_cache(maxsize=4096)
def normal_order(shape: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
    """The order with axes of extent 1 in front by number: their place means nothing, so one form serves."""
    ones = [axis for axis in range(len(shape)) if shape[axis] == 1]
    return (*ones, *(axis for axis in order if shape[axis] != 1))


@lru_cache(maxsize=1024)
def positions(
    shape: tuple[int, ...],
    steps: tuple[int, ...],
    offset: int,
    strides: tuple[int, ...],
    out_shape: tuple[int, ...],
) -> npt.NDArray[np.int64] | None:
    """Which elements of a block lie at the places offset + i·strides[0] + j·strides[1] + …

    Args:
        shape, steps: of the block, whose element (k, l, …) has the place k·steps[0] + l·steps[1] + ….

    Returns:
        Row-major positions in the block, of `out_shape`; None if some place is that of no element.
    """
    places = np.asarray(offset, np.int64)
    for extent, stride in zip(out_shape, strides, strict=True):
        places = places[..., np.newaxis] + np.arange(extent, dtype=np.int64) * stride
    elements, rest = np.zeros(out_shape, np.int64), places
    row_major = ordered_strides(shape, identity_order(len(shape)))
    for axis in storage_order(shape, steps):
        if shape[axis] > 1:
            index, rest = np.divmod(rest, steps[axis])
            if np.any((index < 0) | (index >= shape[axis])):
                return None
            elements += index * row_major[axis]
    return None if np.any(rest) else elements


@lru_cache
def identity_order(rank: int) -> tuple[int, ...]:
    """The row-major order of axes, which changes nothing."""
    return tuple(range(rank))


@lru_cache
def channels_last(rank: int) -> tuple[int, ...]:
    """The order N, spatial…, C of a tensor whose axes are N, C, spatial…."""
    return (0, *range(2, rank), 1) if rank > 2 else identity_order(rank)


def reshape_strides(
    shape: tuple[int, ...], strides: tuple[int, ...], new_shape: tuple[int, ...]
) -> tuple[int, ...] | None:
    """Strides that give `new_shape` over the same elements in row-major order, or None.

    Succeeds exactly where numpy reshapes without a copy.  Both shapes are cut into the shortest runs of
    axes with equal products; the old axes of a run must be one evenly strided sequence.
    """
    if prod(shape) != prod(new_shape):
        return None
    if 0 in new_shape:  # no element to place
        return (0,) * len(new_shape)
    old = [(extent, stride) for extent, stride in zip(shape, strides, strict=True) if extent != 1]
    result: list[int] = [0] * len(new_shape)
    start = 0
    position = 0
    while position < len(new_shape):
        if new_shape[position] == 1:
            position += 1
            continue
        end, product = position + 1, new_shape[position]
        stop, available = start + 1, old[start][0]
        while product != available:
            if product < available:
                product *= new_shape[end]
                end += 1
            else:
                available *= old[stop][0]
                stop += 1
        run = old[start:stop]
        for (_, outer), (extent, inner) in pairwise(run):
            if outer != extent * inner:
                return None
        step = run[-1][1]
        for axis in reversed(range(position, end)):
            result[axis] = step
            step *= new_shape[axis]
        start, position = stop, end
    return tuple(result)
