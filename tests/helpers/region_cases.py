"""Small layers of every kind, each with a model of which elements it reads, written from the definition of
the ONNX operator alone: direct loops, or index arrays moved by numpy, or onnxruntime for Resize."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import ceil

import numpy as np
from hypothesis import strategies as st
from region_model import (
    NAME,
    Case,
    Draw,
    Index,
    Shape,
    broadcast_read,
    extents,
    moved,
    numbered,
    shapes_of,
    shapes_that_broadcast_to,
)
from region_moves import concats, expansions, reshapes, slices, transposes, unfoldings
from region_recurrent import recurrences
from region_sampling import element_gathers, gathers, pads, resizes, scatters
from region_windows import convs, epilogue_shapes, pools, transposed_convs

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import (
    Function,
    NormaliseFunction,
    ReduceFunction,
)
from nnc.isa.types import DType


@st.composite
def matmuls(draw: Draw) -> Case:
    batch = draw(shapes_of(0, 2))
    rows, depth, columns = draw(extents), draw(extents), draw(extents)
    wide = draw(st.integers(0, 1))
    batches = [batch, draw(shapes_that_broadcast_to(batch))]
    out = (*batch, rows, columns)
    left, right = (*batches[wide], rows, depth), (*batches[1 - wide], depth, columns)
    shapes = (left, right, *draw(epilogue_shapes(out, len(out) - 1)))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        *outer, row, column = index
        if slot > 1:
            return [broadcast_read(index, shapes[slot] or ())]
        head = broadcast_read(tuple(outer), batches[slot ^ wide])
        return ((*head, row, k) if slot == 0 else (*head, k, column) for k in range(depth))

    return Case(ir.MatMul(**NAME), shapes, out, reads, reads)


@st.composite
def block_matmuls(draw: Draw) -> Case:
    """A result reads its row of x, and all bytes of its column."""
    x = (*draw(shapes_of(0, 2)), draw(extents), draw(extents))
    fields = {"bits": draw(st.sampled_from([2, 4, 8])), "block": 4 * draw(st.integers(1, 2))}
    layer = ir.BlockMatMul(**NAME, **fields, zero_bytes=draw(st.sampled_from([0, 1])))
    rows, columns = layer.format.rows(x[-1]), draw(extents)
    out = (*x[:-1], columns)
    shapes = (x, (rows, columns), *draw(epilogue_shapes(out, len(out) - 1)))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        if slot > 1:
            return [broadcast_read(index, shapes[slot] or ())]
        return ((row, index[-1]) for row in range(rows)) if slot else ((*index[:-1], k) for k in range(x[-1]))

    return Case(layer, shapes, out, reads, reads)


@st.composite
def elementwise(draw: Draw) -> Case:
    out = draw(shapes_of(0, 4))
    shapes = [out, *draw(st.lists(shapes_that_broadcast_to(out), max_size=2))]
    sources = [np.broadcast_to(numbered(shape), out) for shape in shapes]
    return moved(ir.Elementwise(**NAME, function=Function.MAX), shapes, sources)


@st.composite
def fills(draw: Draw) -> Case:
    """They read nothing."""
    shape = draw(shapes_of(0, 4))
    layer = ir.Fill(**NAME, value=draw(st.floats(-2, 2)), dtype=DType.F32, shape=shape)
    return Case(layer, (), shape, lambda slot, index: (), lambda slot, index: ())


@st.composite
def copies(draw: Draw) -> Case:
    shape = draw(shapes_of(0, 4))
    return moved(ir.Copy(**NAME), [shape], [numbered(shape)])


def line(index: Index, shape: Shape, axes: Sequence[int]) -> Iterable[Index]:
    """All elements that differ from an index along some axes only."""
    return product(*(range(n) if axis in axes else [index[axis]] for axis, n in enumerate(shape)))


@st.composite
def axes_of(draw: Draw, rank: int) -> Shape:
    return tuple(sorted(draw(st.sets(st.integers(0, rank - 1), min_size=1))))


@st.composite
def reductions(draw: Draw) -> Case:
    shape = draw(shapes_of(1, 4))
    axes = draw(axes_of(len(shape)))
    out = tuple(1 if axis in axes else extent for axis, extent in enumerate(shape))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return [index] if slot else line(index, shape, axes)

    layer = ir.Reduce(**NAME, function=ReduceFunction.SUM, axes=axes, count=1)
    return Case(layer, (shape, draw(st.none() | st.just(out))), out, reads, reads)


@st.composite
def along_axis(draw: Draw, kind: type[ir.AlongAxis]) -> Case:
    shape = draw(shapes_of(1, 4))
    axis = draw(st.integers(0, len(shape) - 1))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return line(index, shape, [axis])

    fields = {"count": draw(st.integers(1, shape[axis]))} if kind is ir.ArgMax else {}
    layer = kind(**NAME, axis=axis, **fields)
    folded = layer.folded_extent
    result = tuple(n if folded is None or a != axis else folded for a, n in enumerate(shape))
    return Case(layer, (shape,), result, reads, reads)


@st.composite
def normalisations(draw: Draw) -> Case:
    shape = draw(shapes_of(1, 4))
    axes = draw(axes_of(len(shape)))
    shapes = (shape, *(draw(st.none() | shapes_that_broadcast_to(shape)) for _ in range(2)))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return [broadcast_read(index, shapes[slot] or ())] if slot else line(index, shape, axes)

    layer = ir.Normalise(**NAME, function=NormaliseFunction.MEAN_VARIANCE, axes=axes, epsilon=1e-5)
    return Case(layer, shapes, shape, reads, reads)


@st.composite
def local_response_norms(draw: Draw) -> Case:
    """The rule may ask for all channels: the instruction sums over channels that it also writes."""
    shape = draw(shapes_of(2, 4))
    size = draw(st.integers(1, 5))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        first, last = index[1] - (size - 1) // 2, index[1] + ceil((size - 1) / 2)
        return ((index[0], c, *index[2:]) for c in range(max(0, first), min(shape[1] - 1, last) + 1))

    def window(slot: int, index: Index) -> Iterable[Index]:
        return line(index, shape, [1])

    layer = ir.LocalResponseNorm(**NAME, size=size, alpha=1e-4, beta=0.75, k=1.0)
    return Case(layer, (shape,), shape, reads, window)


CASES: dict[type[ir.Layer], st.SearchStrategy[Case]] = {
    ir.Conv: convs(),
    ir.ConvTranspose: transposed_convs(),
    ir.MatMul: matmuls(),
    ir.BlockMatMul: block_matmuls(),
    ir.Pool: pools(),
    ir.Elementwise: elementwise(),
    ir.Copy: copies(),
    ir.Fill: fills(),
    ir.Reduce: reductions(),
    **{kind: along_axis(kind) for kind in ir.ALONG_AXIS},
    ir.Normalise: normalisations(),
    ir.LocalResponseNorm: local_response_norms(),
    ir.Resize: resizes(),
    ir.Pad: pads(),
    ir.Gather: gathers(),
    ir.GatherElements: element_gathers(),
    ir.Scatter: scatters(),
    ir.Recurrence: recurrences(),
    ir.Transpose: transposes(),
    ir.Slice: slices(),
    ir.Expand: expansions(),
    ir.Unfold: unfoldings(),
    ir.Concat: concats(),
    ir.Reshape: reshapes(),
}
