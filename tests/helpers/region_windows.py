"""Convolutions and pools, with which elements their windows read, by direct loops over the taps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from math import ceil, floor

import numpy as np
from hypothesis import strategies as st
from region_model import (
    NAME,
    Case,
    Draw,
    Index,
    Shape,
    broadcast_read,
    shapes_that_broadcast_to,
    within,
)

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import (
    PoolFunction,
)


@dataclass(frozen=True)
class Geometry:
    """Windows along the spatial axes."""

    kernel: Shape
    stride: Shape
    dilation: Shape
    pad_begin: Shape
    pad_end: Shape

    @property
    def reach(self) -> Shape:
        return tuple((k - 1) * d for k, d in zip(self.kernel, self.dilation, strict=True))

    def taps(self, y: Index) -> Iterable[Index]:
        """Positions of the input under the window at y, padding included."""
        axes = zip(y, self.kernel, self.stride, self.dilation, self.pad_begin, strict=True)
        return product(*([p * s + k * d - begin for k in range(kernel)] for p, kernel, s, d, begin in axes))


@st.composite
def geometries(draw: Draw, rank: int, most_pad: int = 4) -> Geometry:
    def axes(low: int, high: int) -> Shape:
        return tuple(draw(st.integers(low, high)) for _ in range(rank))

    return Geometry(axes(1, 3), axes(1, 4), axes(1, 3), axes(0, most_pad), axes(0, most_pad))


def window_outputs(shape: Shape, g: Geometry, rounding: Callable[[float], int]) -> Shape:
    axes = zip(shape, g.reach, g.stride, g.pad_begin, g.pad_end, strict=True)
    return tuple(rounding((x + b + e - r - 1) / s) + 1 for x, r, s, b, e in axes)


@st.composite
def epilogue_shapes(draw: Draw, out: Shape, channel: int) -> tuple[Shape | None, ...]:
    """Shapes of bias, residual, scale and accumulator."""
    vector = st.just((out[channel],))
    bias = draw(st.none() | vector | (vector if channel == 1 else shapes_that_broadcast_to(out)))
    scale = draw(st.none() | st.just((1,)) | vector)
    return (bias, draw(st.none() | st.just(out)), scale, draw(st.none() | st.just(out)))


def epilogue_read(shape: Shape, index: Index, channel: int) -> Index:
    return (index[channel],) if len(shape) == 1 and shape[0] > 1 else broadcast_read(index, shape)


@st.composite
def convs(draw: Draw) -> Case:
    rank = draw(st.integers(1, 2))
    g = draw(geometries(rank))
    x = tuple(draw(st.integers(1, 6)) for _ in range(rank))
    spatial = window_outputs(x, g, floor)
    if min(spatial) < 1:
        x = tuple(extent + reach for extent, reach in zip(x, g.reach, strict=True))
        spatial = window_outputs(x, g, floor)
    groups, per_in, per_out = draw(st.integers(1, 3)), draw(st.integers(1, 2)), draw(st.integers(1, 3))
    n = draw(st.integers(1, 2))
    out = (n, groups * per_out, *spatial)
    shapes = (
        (n, groups * per_in, *x),
        (groups * per_out, per_in, *g.kernel),
        *draw(epilogue_shapes(out, 1)),
    )

    def window(slot: int, index: Index) -> Iterable[Index]:
        group = index[1] // per_out
        if slot == 0:
            for channel, position in product(range(per_in), g.taps(index[2:])):
                yield (index[0], group * per_in + channel, *position)
        elif slot == 1:
            for channel, tap in product(range(per_in), np.ndindex(g.kernel)):
                yield (index[1], channel, *tap)
        else:
            yield epilogue_read(shapes[slot] or (), index, 1)

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return (i for i in window(slot, index) if within(i, shapes[slot] or ()))

    layer = ir.Conv(**NAME, **vars(g), groups=groups)
    return Case(layer, shapes, out, reads, window, frozenset({0}))


@st.composite
def transposed_convs(draw: Draw) -> Case:
    """Pads and output padding of ONNX; the latter is below the stride or the dilation."""
    rank = draw(st.integers(1, 2))
    g = draw(geometries(rank, most_pad=2))
    x = tuple(draw(st.integers(1, 5)) for _ in range(rank))
    extra = tuple(draw(st.integers(0, s - 1)) for s in g.stride)
    full = tuple((extent - 1) * s + r + 1 for extent, s, r in zip(x, g.stride, g.reach, strict=True))
    spatial = tuple(f + e - a - b for f, e, a, b in zip(full, extra, g.pad_begin, g.pad_end, strict=True))
    if min(spatial) < 1:
        g = Geometry(g.kernel, g.stride, g.dilation, (0,) * rank, (0,) * rank)
        spatial = tuple(f + e for f, e in zip(full, extra, strict=True))
    pad_end = tuple(b - e for b, e in zip(g.pad_end, extra, strict=True))
    groups, per_in, per_out = draw(st.integers(1, 3)), draw(st.integers(1, 2)), draw(st.integers(1, 3))
    out = (1, groups * per_out, *spatial)
    shapes = (
        (1, groups * per_in, *x),
        (groups * per_in, per_out, *g.kernel),
        *draw(epilogue_shapes(out, 1)),
    )

    def operand(slot: int, index: Index, positions: Iterable[Index]) -> Iterable[Index]:
        group, lane = divmod(index[1], per_out)
        channels = range(group * per_in, (group + 1) * per_in)
        if slot == 0:
            return ((index[0], c, *p) for c, p in product(channels, positions))
        if slot == 1:
            return ((c, lane, *tap) for c, tap in product(channels, np.ndindex(g.kernel)))
        return [epilogue_read(shapes[slot] or (), index, 1)]

    def reads(slot: int, index: Index) -> Iterable[Index]:
        axes = [
            [p for p in range(n) if any(p * s + k * d - b == y for k in range(kernel))]
            for n, y, kernel, s, d, b in zip(
                x, index[2:], g.kernel, g.stride, g.dilation, g.pad_begin, strict=True
            )
        ]
        return operand(slot, index, product(*axes))

    def window(slot: int, index: Index) -> Iterable[Index]:
        """Elements, some outside x, whose contributions begin before y and end after it: gaps count."""
        axes = [
            [p for p in range(-20, 60) if p * s - b <= y <= p * s - b + r]
            for y, s, r, b in zip(index[2:], g.stride, g.reach, g.pad_begin, strict=True)
        ]
        return operand(slot, index, product(*axes))

    layer = ir.ConvTranspose(**NAME, **{**vars(g), "pad_end": pad_end}, groups=groups)
    return Case(layer, shapes, out, reads, window, frozenset({0}))


@st.composite
def pools(draw: Draw) -> Case:
    """Windows of ceil mode may reach, or even begin, beyond pad_end."""
    rank = draw(st.integers(1, 2))
    g = draw(geometries(rank))
    x = tuple(draw(st.integers(1, 6)) + reach for reach in g.reach)
    is_ceil = draw(st.booleans())
    shape = (draw(st.integers(1, 2)), draw(st.integers(1, 3)), *x)
    out = (*shape[:2], *window_outputs(x, g, ceil if is_ceil else floor))

    def window(slot: int, index: Index) -> Iterable[Index]:
        return ((*index[:2], *tap) for tap in g.taps(index[2:]))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return (i for i in window(slot, index) if within(i, shape))

    function, count = draw(st.sampled_from(PoolFunction)), draw(st.booleans())
    layer = ir.Pool(**NAME, **vars(g), function=function, count_pad=count, ceil=is_ceil)
    return Case(layer, (shape,), out, reads, window, frozenset({0}))
