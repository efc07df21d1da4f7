"""Views: index arrays, moved by numpy, tell what they read."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from hypothesis import strategies as st
from region_model import (
    NAME,
    Case,
    Draw,
    Shape,
    extents,
    moved,
    numbered,
    shapes_of,
)

from nnc.compiler.ir import layers as ir


@st.composite
def transposes(draw: Draw) -> Case:
    shape = draw(shapes_of(0, 4))
    perm = tuple(draw(st.permutations(range(len(shape)))))
    return moved(ir.Transpose(**NAME, perm=perm), [shape], [np.transpose(numbered(shape), perm)])


@st.composite
def slices(draw: Draw) -> Case:
    """Python slices with steps of both signs."""
    shape = draw(shapes_of(1, 3))
    cuts, start, step = [], [], []
    for extent in shape:
        first, stride = draw(st.integers(0, extent - 1)), draw(st.sampled_from([-3, -2, -1, 1, 2, 3]))
        count = draw(st.integers(1, (extent - 1 - first if stride > 0 else first) // abs(stride) + 1))
        stop = first + count * stride
        cuts.append(slice(first, None if stop < 0 else stop, stride))
        start.append(first)
        step.append(stride)
    source = numbered(shape)[tuple(cuts)]
    layer = ir.Slice(**NAME, start=tuple(start), step=tuple(step), shape=source.shape)
    return moved(layer, [shape], [source])


@st.composite
def expansions(draw: Draw) -> Case:
    out = draw(shapes_of(0, 4))
    shape = tuple(draw(st.sampled_from([1, extent])) for extent in out)
    return moved(ir.Expand(**NAME, shape=out), [shape], [np.broadcast_to(numbered(shape), out)])


@st.composite
def unfoldings(draw: Draw) -> Case:
    """Slices that overlap, touch or leave gaps."""
    count, size, step = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 5))
    shape = list(draw(shapes_of(1, 3)))
    axis = draw(st.integers(0, len(shape) - 1))
    shape[axis] = (count - 1) * step + size + draw(st.integers(0, 2))
    windows = np.lib.stride_tricks.sliding_window_view(numbered(tuple(shape)), size, axis)
    source = np.moveaxis(windows.take(np.arange(count) * step, axis), -1, axis + 1)
    layer = ir.Unfold(**NAME, axis=axis, count=count, size=size, step=step)
    return moved(layer, [tuple(shape)], [source])


@st.composite
def concats(draw: Draw) -> Case:
    """Up to four operands; most boxes do not touch all of them."""
    shape = draw(shapes_of(1, 3))
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = draw(st.lists(extents, min_size=1, max_size=4))
    shapes = [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]
    sources = []
    for slot in range(len(shapes)):
        parts = [numbered(s) if other == slot else np.full(s, -1) for other, s in enumerate(shapes)]
        sources.append(np.concatenate(parts, axis))
    return moved(ir.Concat(**NAME, axis=axis), shapes, sources)


@st.composite
def sprinkled(draw: Draw, shape: Sequence[int]) -> Shape:
    """The shape with axes of extent 1 put in anywhere."""
    result: list[int] = []
    for extent in shape:
        result += [1] * draw(st.sampled_from([0, 0, 1, 2])) + [extent]
    return (*result, *[1] * draw(st.integers(0, 1)))


@st.composite
def reshapes(draw: Draw) -> Case:
    """Groups of axes where one is split or several are merged: the rule is tight there."""
    old: list[int] = []
    new: list[int] = []
    for factors in draw(st.lists(st.lists(st.integers(2, 4), min_size=1, max_size=3), max_size=2)):
        merged, split = (old, new) if draw(st.booleans()) else (new, old)
        merged.append(prod(factors))
        split += factors
    flat, out = draw(sprinkled(old)), draw(sprinkled(new))
    order = tuple(draw(st.permutations(range(len(flat)))))
    shape = tuple(flat[order.index(axis)] for axis in range(len(flat)))
    source = np.transpose(numbered(shape), order).reshape(out)
    return moved(ir.Reshape(**NAME, shape=out, order=order), [shape], [source])
