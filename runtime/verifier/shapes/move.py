"""Shapes and places of resized, padded and gathered tiles."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nnc.isa.functions import PadMode
from nnc.isa.instructions import Gather, GatherElements, Pad, Resize
from nnc.isa.operand import Operand
from nnc.isa.resample import Indices, pad_indices, resize_taps
from nnc.runtime.verifier.shapes.rule import INDEX_TYPES, equal, inside, per_axis, rule


def _holds(axis: int, needed: Indices, i: Resize | Pad) -> Iterator[str]:
    """Does the tile of the source hold the positions of the whole source that the result needs?"""
    low, high = i.src_origin[axis], i.src_origin[axis] + i.src.shape[axis]
    if len(needed) and (needed.min() < low or needed.max() >= high):
        yield f"axis {axis} needs elements {needed.min()} … {needed.max()}, src has {low} … {high - 1}"


@rule(Resize)
def _resize(i: Resize) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(equal("rank of dst", len(i.dst.shape), rank))
    wrong += per_axis(rank, 1, extent=i.extent, src_extent=i.src_extent)
    wrong += per_axis(rank, 0, origin=i.origin, src_origin=i.src_origin)
    if len(i.scales) != rank or any(scale <= 0 for scale in i.scales):
        wrong.append(f"scales are {i.scales}, expected {rank} positive values")
    yield from wrong
    if wrong:
        return
    yield from inside("dst", i.dst.shape, i.origin, i.extent)
    yield from inside("src", i.src.shape, i.src_origin, i.src_extent)
    for axis in range(rank):
        yield from _holds(axis, _resize_sources(i, axis), i)


def _resize_sources(i: Resize, axis: int) -> Indices:
    """The positions of the whole source that the result needs along an axis."""
    positions = np.arange(i.origin[axis], i.origin[axis] + i.dst.shape[axis], dtype=np.int64)
    return np.concatenate(resize_taps(i, axis, positions))


@rule(Pad)
def _pad(i: Pad) -> Iterator[str]:
    rank = len(i.src.shape)
    wrong = list(equal("rank of dst", len(i.dst.shape), rank))
    wrong += per_axis(rank, None, begin=i.begin)
    wrong += per_axis(rank, 0, origin=i.origin, src_origin=i.src_origin)
    wrong += per_axis(rank, 1, src_extent=i.src_extent)
    yield from wrong
    if wrong:
        return
    yield from inside("src", i.src.shape, i.src_origin, i.src_extent)
    for axis in range(rank):
        yield from _holds(axis, _pad_sources(i, axis), i)


def _pad_sources(i: Pad, axis: int) -> Indices:
    """The positions of the whole source that the result needs along an axis."""
    extent = i.src_extent[axis]
    position = np.arange(i.dst.shape[axis], dtype=np.int64) + (i.origin[axis] - i.begin[axis])
    if i.mode is PadMode.CONSTANT:
        return position[(position >= 0) & (position < extent)]
    return pad_indices(i.mode, extent, position)


@rule(Gather)
def _gather(i: Gather) -> Iterator[str]:
    rank = len(i.src.shape)
    if not -rank <= i.axis < rank:
        yield f"axis {i.axis} is none of src {i.src.shape}"
        return
    axis = i.axis % rank
    yield from equal("dst shape", i.dst.shape, i.src.shape[:axis] + i.index.shape + i.src.shape[axis + 1 :])
    yield from equal("dst type", i.dst.dtype, i.src.dtype)
    yield from _integers(i.index)
    yield from inside("src", (i.src.shape[axis],), (i.src_origin,), (i.extent,))


@rule(GatherElements)
def _gather_elements(i: GatherElements) -> Iterator[str]:
    rank = len(i.src.shape)
    if not -rank <= i.axis < rank:
        yield f"axis {i.axis} is none of src {i.src.shape}"
        return
    yield from equal("index shape", i.index.shape, i.dst.shape)
    yield from equal("dst type", i.dst.dtype, i.src.dtype)
    yield from _integers(i.index)
    pairs = enumerate(zip(i.dst.shape, i.src.shape, strict=False))
    if len(i.dst.shape) != rank or any(m > n for axis, (m, n) in pairs if axis != i.axis % rank):
        yield f"dst {i.dst.shape} reaches beyond src {i.src.shape}"


def _integers(index: Operand) -> Iterator[str]:
    if index.dtype not in INDEX_TYPES:
        yield f"index is {index.dtype.value}, expected integers"
