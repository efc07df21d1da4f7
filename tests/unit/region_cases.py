"""Small layers of every kind, each with a model of which elements it reads, written from the definition of
the ONNX operator alone: direct loops, or index arrays moved by numpy, or onnxruntime for Resize."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import ceil, floor, prod
from typing import Any

import numpy as np
import onnxruntime as ort
from hypothesis import strategies as st
from onnx import TensorProto, helper

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import (
    Coordinates,
    Function,
    Nearest,
    NormaliseFunction,
    PadMode,
    PoolFunction,
    ReduceFunction,
    ResizeMode,
)

Index = tuple[int, ...]
Shape = tuple[int, ...]
Reads = Callable[[int, Index], Iterable[Index]]
Draw = Callable[[st.SearchStrategy[Any]], Any]
NAME: dict[str, Any] = {"name": "layer", "loc": ir.Loc("node", "Op")}


@dataclass(frozen=True)
class Case:
    """A layer and what it reads.

    Attributes:
        reads: (slot, element of the output) → elements of the operand that it depends on.
        window: the same with everything that the rule may add, elements in the padding included; the rule
            must give the hull of the window over the box, cut to the tensor.
        padded: slots whose tiles have padding; of all others before = after = 0.
    """

    layer: ir.Layer
    shapes: tuple[Shape | None, ...]
    out: Shape
    reads: Reads
    window: Reads
    padded: frozenset[int] = frozenset()


def within(index: Index, shape: Shape) -> bool:
    return all(0 <= i < extent for i, extent in zip(index, shape, strict=True))


def broadcast_read(index: Index, shape: Shape) -> Index:
    """The element that numpy's broadcasting puts at an index."""
    tail = index[len(index) - len(shape) :]
    return tuple(0 if extent == 1 else i for i, extent in zip(tail, shape, strict=True))


def moved(layer: ir.Layer, shapes: Sequence[Shape], sources: Sequence[np.ndarray]) -> Case:
    """A case from index arrays: sources[slot] has the output's shape and holds flat indices, or −1."""

    def reads(slot: int, index: Index) -> list[Index]:
        flat = int(sources[slot][index])
        return [] if flat < 0 else [tuple(int(i) for i in np.unravel_index(flat, shapes[slot]))]

    return Case(layer, tuple(shapes), sources[0].shape, reads, reads)


def numbered(shape: Shape) -> np.ndarray:
    return np.arange(prod(shape)).reshape(shape)


extents = st.integers(1, 5)


def shapes_of(least: int, most: int) -> st.SearchStrategy[Shape]:
    return st.lists(extents, min_size=least, max_size=most).map(tuple)


@st.composite
def shapes_that_broadcast_to(draw: Draw, out: Shape) -> Shape:
    kept = draw(st.integers(0, len(out)))
    return tuple(draw(st.sampled_from([1, extent])) for extent in out[len(out) - kept :])


# --- convolutions and pools ----------------------------------------------------------------------------


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
    """Shapes of bias, residual and accumulator."""
    vector = st.just((out[channel],))
    bias = draw(st.none() | vector | (vector if channel == 1 else shapes_that_broadcast_to(out)))
    return (bias, draw(st.none() | st.just(out)), draw(st.none() | st.just(out)))


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
        """Elements, some outside x, whose contributions begin before y and end after it (M: gaps count)."""
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


# --- products, element-wise and reductions -------------------------------------------------------------


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
def elementwise(draw: Draw) -> Case:
    out = draw(shapes_of(0, 4))
    shapes = [out, *draw(st.lists(shapes_that_broadcast_to(out), max_size=2))]
    sources = [np.broadcast_to(numbered(shape), out) for shape in shapes]
    return moved(ir.Elementwise(**NAME, function=Function.MAX), shapes, sources)


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
def softmaxes(draw: Draw) -> Case:
    shape = draw(shapes_of(1, 4))
    axis = draw(st.integers(0, len(shape) - 1))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return line(index, shape, [axis])

    return Case(ir.Softmax(**NAME, axis=axis), (shape,), shape, reads, reads)


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


# --- resize, pad, gather -------------------------------------------------------------------------------


@lru_cache(maxsize=None)
def resize_taps_of_onnxruntime(
    mode: ResizeMode, coordinates: Coordinates, nearest: Nearest, length: int, size: int, scale: float | None
) -> tuple[tuple[int, ...], ...]:
    """The source elements behind every output position: the rows of a resized identity matrix."""
    node = helper.make_node(
        "Resize",
        ["x", "", "scales"] if scale else ["x", "", "", "sizes"],
        ["y"],
        mode=mode.value,
        coordinate_transformation_mode=coordinates.value,
        nearest_mode=nearest.value,
    )
    constant = (
        helper.make_tensor("scales", TensorProto.FLOAT, [4], [1.0, 1.0, scale, 1.0])
        if scale
        else helper.make_tensor("sizes", TensorProto.INT64, [4], [1, length, size, 1])
    )
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, length, length, 1])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "resize", [x], [y], [constant])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    identity = np.eye(length, dtype=np.float32)[None, :, :, None]
    weights = session.run(None, {"x": identity})[0][0, :, :, 0].T
    assert weights.shape == (size, length)
    return tuple(tuple(int(i) for i in np.flatnonzero(row)) for row in weights)


def resize_axes(coordinates: Coordinates) -> list[tuple[int, int, float | None]]:
    """(length, size, scale or None for ONNX `sizes`) of an axis.

    Left out, because there onnxruntime departs from the standard's formula: scales that leave the extent
    as it is (it copies), and coordinates of half_pixel_symmetric that f32 cannot hold exactly (ties).
    """
    found: list[tuple[int, int, float | None]] = []
    for length, size in product((1, 2, 3, 4, 5, 6, 8), range(1, 13)):
        exact = (size / length * 64).is_integer()
        if size != length and (exact or coordinates is not Coordinates.HALF_PIXEL_SYMMETRIC):
            found.append((length, size, None))
    for length, scale in product((2, 3, 4, 5, 6, 8), (0.25, 0.5, 0.6, 1.5, 1.3, 2.0, 2.7, 3.0)):
        size = floor(length * float(np.float32(scale)))
        exact = length * scale == size and (scale * 64).is_integer()
        if size not in (0, length) and (exact or coordinates is not Coordinates.HALF_PIXEL_SYMMETRIC):
            found.append((length, size, scale))
    return found


def resize_layer(
    mode: ResizeMode,
    coordinates: Coordinates,
    nearest: Nearest,
    shape: Shape,
    out: Shape,
    scales: tuple[float, ...],
) -> ir.Resize:
    zeros = (0,) * len(shape)
    return ir.Resize(
        **NAME,
        mode=mode,
        coordinates=coordinates,
        nearest=nearest,
        scales=scales,
        origin=zeros,
        extent=out,
        src_origin=zeros,
        src_extent=shape,
    )


@st.composite
def resizes(draw: Draw) -> Case:
    mode, nearest = draw(st.sampled_from(ResizeMode)), draw(st.sampled_from(Nearest))
    coordinates = draw(st.sampled_from(Coordinates))
    axes = draw(st.lists(st.sampled_from(resize_axes(coordinates)), min_size=1, max_size=2))
    lead = draw(shapes_of(0, 2))
    shape, out = (*lead, *(a[0] for a in axes)), (*lead, *(a[1] for a in axes))
    scales = (*(1.0 for _ in lead), *(s or size / length for length, size, s in axes))
    taps = [resize_taps_of_onnxruntime(mode, coordinates, nearest, *axis) for axis in axes]

    def reads(slot: int, index: Index) -> Iterable[Index]:
        resized = (row[i] for row, i in zip(taps, index[len(lead) :], strict=True))
        return product(*([i] for i in index[: len(lead)]), *resized)

    layer = resize_layer(mode, coordinates, nearest, shape, out, scales)
    return Case(layer, (shape,), out, reads, reads)


@st.composite
def pads(draw: Draw) -> Case:
    """Every mode; cropping too (with wrap and reflect only where the source that is left is as good)."""
    mode = draw(st.sampled_from(PadMode))
    shape = draw(shapes_of(1, 3))
    begin, end = [], []
    for extent in shape:
        low = -((extent - 1) // 2) if mode in (PadMode.CONSTANT, PadMode.EDGE) else 0
        begin.append(draw(st.integers(low, 7)))
        end.append(draw(st.integers(low, 7)))
    if mode is PadMode.REFLECT and draw(st.booleans()):
        begin, end = [-((extent - 1) // 2) for extent in shape], [0] * len(shape)
    widths = list(zip(begin, end, strict=True))
    kept = tuple(slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(shape, widths, strict=True))
    grown = [(max(0, a), max(0, b)) for a, b in widths]
    fill: dict[str, Any] = {"constant_values": -1} if mode is PadMode.CONSTANT else {}
    source = np.pad(numbered(shape)[kept], grown, mode=mode.value, **fill)
    zeros = (0,) * len(shape)
    layer = ir.Pad(
        **NAME,
        mode=mode,
        value=0.0,
        begin=tuple(begin),
        end=tuple(end),
        origin=zeros,
        src_origin=zeros,
        src_extent=shape,
    )
    case = moved(layer, [shape], [source])

    def window(slot: int, index: Index) -> Iterable[Index]:
        """Of padding, constant mode keeps the nearest element."""
        return [tuple(i - b for i, b in zip(index, begin, strict=True))]

    if mode is not PadMode.CONSTANT:
        return case
    return Case(layer, case.shapes, case.out, case.reads, window)


@st.composite
def gathers(draw: Draw) -> Case:
    """What the index holds is not known: every element along the axis may be read."""
    shape, index_shape = draw(shapes_of(1, 3)), draw(shapes_of(0, 3))
    axis = draw(st.integers(0, len(shape) - 1))
    out = (*shape[:axis], *index_shape, *shape[axis + 1 :])

    def reads(slot: int, index: Index) -> Iterable[Index]:
        before, position, after = np.split(np.array(index, dtype=int), [axis, axis + len(index_shape)])
        if slot == 1:
            return [tuple(position.tolist())]
        return ((*before.tolist(), i, *after.tolist()) for i in range(shape[axis]))

    layer = ir.Gather(**NAME, axis=axis, extent=shape[axis])
    return Case(layer, (shape, index_shape), out, reads, reads)


# --- views ---------------------------------------------------------------------------------------------


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


CASES: dict[type[ir.Layer], st.SearchStrategy[Case]] = {
    ir.Conv: convs(),
    ir.ConvTranspose: transposed_convs(),
    ir.MatMul: matmuls(),
    ir.Pool: pools(),
    ir.Elementwise: elementwise(),
    ir.Copy: copies(),
    ir.Reduce: reductions(),
    ir.Softmax: softmaxes(),
    ir.Normalise: normalisations(),
    ir.LocalResponseNorm: local_response_norms(),
    ir.Resize: resizes(),
    ir.Pad: pads(),
    ir.Gather: gathers(),
    ir.Transpose: transposes(),
    ir.Slice: slices(),
    ir.Expand: expansions(),
    ir.Concat: concats(),
    ir.Reshape: reshapes(),
}
