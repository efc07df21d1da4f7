"""Importers of operators that read a picture at points that are computed.

Pictures are laid out as rows of channels, one for each pixel.  A point has a few taps along each axis, and is
the weighted sum of the rows that combinations of them name:

    rows [N·H·W, C]    point = Σ weight_h · weight_w · rows[n·H·W + h·W + w]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.element_types import type_code
from nnc.compiler.frontend.operators.conv import check_bias
from nnc.compiler.frontend.operators.window import output_extents, window_of
from nnc.compiler.frontend.table import importer
from nnc.isa.types import DType

_MODES = {
    "bilinear": "linear",
    "linear": "linear",
    "bicubic": "cubic",
    "cubic": "cubic",
    "nearest": "nearest",
}
_PADDINGS = ("zeros", "border", "reflection")
_CUBIC = -0.75
_LARGEST_SCALE = 2.0**20
"""Of coordinates of boxes: products with float32 stay finite by far."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Elements of one axis that points read, as tensors that broadcast to the points.

    Attributes:
        index: which, as 32-bit integers inside of the axis.
        weight: what they weigh; None: one.
        inside: whether they count; None: all do.
    """

    index: str
    weight: str | None = None
    inside: str | None = None


class Sampler:
    """Nodes that read pictures at points.

    Args:
        make: where the nodes go.
        rows: the pixels of all pictures, [pixels, C].
        extents: of a picture.
        first: the first row of the picture of each point, an integer tensor; None: there is one picture.
    """

    def __init__(self, make: Expansion, rows: str, extents: Sequence[int], first: str | None) -> None:
        self._make = make
        self._rows = rows
        self._extents = extents
        self._first = first

    def parts(self, taps: Sequence[Sequence[Tap]], points: Sequence[int]) -> list[str]:
        """What the points get of each combination of their taps, [points, C] each."""
        return [self._part(combination, points) for combination in product(*taps)]

    def sums(self, taps: Sequence[Sequence[Tap]], points: Sequence[int]) -> str:
        """The weighted sums of all combinations, [points, C]."""
        total, *others = self.parts(taps, points)
        for part in others:
            total = self._make("Add", total, part)
        return total

    def _part(self, taps: tuple[Tap, ...], points: Sequence[int]) -> str:
        make, place = self._make, self._first
        for axis, tap in enumerate(taps):
            step = make.constant(np.array(prod(self._extents[axis + 1 :]), np.int32))
            share = make("Mul", tap.index, step)
            place = share if place is None else make("Add", place, share)
        assert place is not None, "there is an axis"
        values = make("Gather", self._rows, self._column(place, points, row=True), axis=0)
        if inside := [tap.inside for tap in taps if tap.inside]:
            mask = self._column(_chained(make, "And", inside), points)
            values = make("Where", mask, values, make.constant(0, like=0))
        if weights := [tap.weight for tap in taps if tap.weight]:
            values = make("Mul", values, self._column(_chained(make, "Mul", weights), points))
        return values

    def _column(self, tensor: str, points: Sequence[int], *, row: bool = False) -> str:
        """A tensor that has been broadcast to the points, one number for each row."""
        return self._make.reshape(tensor, prod(points), *(() if row else (1,)))


def _chained(make: Expansion, op: str, tensors: Sequence[str]) -> str:
    total, *others = tensors
    for tensor in others:
        total = make(op, total, tensor)
    return total


def _rows_of(make: Expansion, picture: str, shape: Sequence[int], groups: int = 1) -> str:
    """A tensor N, C, spatial… as rows of channels of one group each, of picture, group and pixel."""
    batch, channels, extents = shape[0], shape[1] // groups, shape[2:]
    grouped = make.reshape(picture, batch, groups, channels, prod(extents))
    return make.reshape(make.transpose(grouped, 0, 1, 3, 2), batch * groups * prod(extents), channels)


def _first_rows(make: Expansion, pictures: int, pixels: int, axes: int) -> str | None:
    """The first row of each picture, with so many axes of points behind; None if there is one picture."""
    if pictures == 1:
        return None
    first = np.arange(pictures, dtype=np.int32) * pixels
    return make.constant(first.reshape(-1, *(1 for _ in range(axes))))


class _Axis:
    """Coordinates along one axis of so many elements, and the taps of points at them."""

    def __init__(self, make: Expansion, extent: int, dtype: DType) -> None:
        self._make = make
        self._extent = extent
        self._dtype = dtype

    def number(self, value: float) -> str:
        """A constant of the type of the coordinates."""
        return self._make.constant(np.asarray(value, self._dtype.numpy))

    def real(self, condition: str) -> str:
        """1 where a condition holds, else 0, in the type of the coordinates."""
        return self._make("Cast", condition, to=type_code(self._dtype))

    def clipped(self, coordinate: str) -> str:
        return self._make("Clip", coordinate, self.number(0), self.number(self._extent - 1))

    def is_within(self, coordinate: str, low: float, high: float) -> str:
        make = self._make
        above = make("GreaterOrEqual", coordinate, self.number(low))
        return make("And", above, make("LessOrEqual", coordinate, self.number(high)))

    def weighted(self, mode: str, coordinate: str) -> list[tuple[str, str | None]]:
        """Whole coordinates and weights of the taps of an interpolation."""
        make = self._make
        if mode == "nearest":
            return [(coordinate, None)]
        first = make("Floor", coordinate)
        t = make("Sub", coordinate, first)
        if mode == "linear":
            weights = [make("Sub", self.number(1), t), t]
            return [(first, weights[0]), (make("Add", first, self.number(1)), weights[1])]
        distances = [make("Add", t, self.number(1)), t]
        distances += [make("Sub", self.number(distance), t) for distance in (1, 2)]
        kernels = (self._far, self._near, self._near, self._far)
        weights = [kernel(distance) for kernel, distance in zip(kernels, distances, strict=True)]
        places = [make("Add", first, self.number(tap)) if tap else first for tap in range(-1, 3)]
        return list(zip(places, weights, strict=True))

    def reflected(self, coordinate: str, low: float, high: float) -> str:
        """Coordinates outside of low … high, mirrored there until they are inside."""
        if high == low:
            return self.clipped(coordinate)
        make, period = self._make, self.number(2 * (high - low))
        way = make("Abs", make("Sub", coordinate, self.number(low)))
        way = make("Sub", way, make("Mul", make("Floor", make("Div", way, period)), period))
        way = make("Min", way, make("Sub", period, way))
        return make("Add", way, self.number(low))

    def tap(self, place: str, weight: str | None, inside: str | None = None) -> Tap:
        return Tap(self._make("Cast", self.clipped(place), to=TensorProto.INT32), weight, inside)

    def _near(self, distance: str) -> str:
        """((a + 2) d − (a + 3)) d² + 1."""
        return self._polynomial(distance, _CUBIC + 2, -(_CUBIC + 3), 0, 1)

    def _far(self, distance: str) -> str:
        """((a d − 5 a) d + 8 a) d − 4 a."""
        return self._polynomial(distance, _CUBIC, -5 * _CUBIC, 8 * _CUBIC, -4 * _CUBIC)

    def _polynomial(self, x: str, *factors: float) -> str:
        make, total = self._make, self.number(factors[0])
        for factor in factors[1:]:
            total = make("Mul", total, x)
            total = make("Add", total, self.number(factor)) if factor else total
        return total


# --- AffineGrid --------------------------------------------------------------------------------------------


@importer("AffineGrid", constraints=("The size is known at compile time.",))
def affine_grid(context: OpContext) -> None:
    """Coordinates of the points that an affine map sends those of a regular grid to: a product."""
    size = [int(extent) for extent in context.required_constant(1, "size").reshape(-1)]
    rank = len(size) - 2
    if rank not in (2, 3) or min(size) < 1:
        raise context.invalid("a size of pictures is needed", found=str(size), expected="N, C, (D,) H, W")
    context.expect_shape(0, size[0], rank, rank + 1)
    aligned = context.flag("align_corners")
    axes = [_regular(extent, aligned=aligned) for extent in size[2:]]
    points = [axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij")]
    matrix = np.stack([*reversed(points), np.ones(prod(size[2:]))], axis=1)
    make = Expansion(context)
    turned = make.transpose(context.tensor(0), 0, 2, 1)
    grid = make("MatMul", make.constant(matrix, like=0), turned)
    make.define(0, make.reshape(grid, size[0], *size[2:], rank))


def _regular(extent: int, *, aligned: bool) -> NDArray[np.float64]:
    """Coordinates of the elements of an axis, whose ends, or those of its first and last element, are ∓1."""
    if aligned:
        return np.linspace(-1, 1, extent)
    return (2 * np.arange(extent) + 1) / extent - 1


# --- GridSample --------------------------------------------------------------------------------------------


@importer("GridSample", constraints=("Integers are sampled in mode nearest.",))
def grid_sample(context: OpContext) -> None:
    """Pictures read at points of a grid, which may be computed at run time: gathers of pixels."""
    x, grid = context.type(0), context.type(1)
    rank = len(x.shape) - 2
    context.expect_shape(1, x.shape[0], *(None for _ in range(rank)), rank)
    mode, padding = context.attribute("mode", "linear"), context.attribute("padding_mode", "zeros")
    if mode not in _MODES or padding not in _PADDINGS or rank < 1:
        raise context.invalid("an unknown mode", found=f"{mode}, {padding}, {rank} spatial axes")
    mode = _MODES[mode]
    if mode != "nearest" and not x.dtype.is_float:
        raise context.unsupported("integers are sampled in mode nearest alone")
    make, extents, aligned = Expansion(context), x.shape[2:], context.flag("align_corners")
    count = prod(grid.shape[1:-1])
    points = (x.shape[0], count)
    taps = []
    for axis, extent in enumerate(extents):
        coordinates = _Axis(make, extent, grid.dtype)
        column = make.slice(context.tensor(1), rank + 1, rank - 1 - axis, rank - axis)
        place = _placed(make, coordinates, make.reshape(column, *points), extent, aligned=aligned)
        own = _grid_taps(make, coordinates, place, (mode, padding), extent, aligned=aligned)
        if grid.dtype is not x.dtype:
            own = [_cast(make, tap, x.dtype) for tap in own]
        taps.append(own)
    first = _first_rows(make, x.shape[0], prod(extents), 1)
    sampler = Sampler(make, _rows_of(make, context.tensor(0), x.shape), extents, first)
    result = make.reshape(sampler.sums(taps, points), x.shape[0], count, x.shape[1])
    result = make.transpose(result, 0, 2, 1)
    make.define(0, make.reshape(result, *x.shape[:2], *grid.shape[1:-1]))


def _placed(make: Expansion, axis: _Axis, column: str, extent: int, *, aligned: bool) -> str:
    """Coordinates in elements of those from -1 to 1; in the order of operations that onnxruntime has."""
    shifted = make("Add", column, axis.number(1))
    if aligned:
        return make("Mul", make("Div", shifted, axis.number(2)), axis.number(extent - 1))
    return make("Div", make("Sub", make("Mul", shifted, axis.number(extent)), axis.number(1)), axis.number(2))


def _grid_taps(
    make: Expansion, axis: _Axis, place: str, modes: tuple[str, str], extent: int, *, aligned: bool
) -> list[Tap]:
    """The taps of points along an axis: coordinates outside are moved, and what they still read there."""
    mode, padding = modes
    low, high = (0.0, extent - 1.0) if aligned else (-0.5, extent - 0.5)
    if mode == "nearest":
        place = make("Round", place)
    if padding == "reflection":
        place = make("Where", axis.is_within(place, low, high), place, axis.reflected(place, low, high))
    elif padding == "border" and mode != "cubic":  # of cubics only the taps: so torch and onnxruntime have it
        place = axis.clipped(place)
    taps = []
    for tap, weight in axis.weighted(mode, place):
        if padding == "zeros":
            taps.append(axis.tap(tap, weight, axis.is_within(tap, 0, extent - 1)))
        else:
            inside = axis.reflected(tap, low, high) if padding == "reflection" else tap
            taps.append(axis.tap(inside, weight))
    return taps


def _cast(make: Expansion, tap: Tap, dtype: DType) -> Tap:
    """The same with its weight in the type of the pictures."""
    weight = make("Cast", tap.weight, to=type_code(dtype)) if tap.weight else None
    return Tap(tap.index, weight, tap.inside)


# --- RoiAlign ----------------------------------------------------------------------------------------------


@importer("RoiAlign", constraints=("The attribute sampling_ratio is positive.",))
def roi_align(context: OpContext) -> None:
    """Bins of boxes of a picture, each the average or the maximum of points that are interpolated."""
    x, boxes = context.type(0), context.shape(1)
    if len(x.shape) != 4:
        raise context.invalid("a picture is needed", found=str(x))
    count = boxes[0] if boxes else 0
    context.expect_shape(1, count, 4)
    context.expect_shape(2, count)
    ratio = context.attribute("sampling_ratio", 0)
    if ratio < 1:
        raise context.unsupported("sampling_ratio is 0: how many points a bin has would depend on its box")
    mode = context.attribute("mode", "avg")
    default = "half_pixel" if context.version >= 16 else "output_half_pixel"
    transformation = context.attribute("coordinate_transformation_mode", default)
    if mode not in ("avg", "max") or transformation not in ("half_pixel", "output_half_pixel"):
        raise context.invalid("an unknown mode", found=f"{mode}, {transformation}")
    bins = tuple(context.attribute(f"output_{name}", 1) for name in ("height", "width"))
    make, extents = Expansion(context), x.shape[2:]
    taps = []
    for axis, size in enumerate(bins):
        place = _bin_points(make, context, axis, size * ratio, half=transformation == "half_pixel")
        coordinates = _Axis(make, extents[axis], x.dtype)
        taps.append(_bin_taps(make, coordinates, place, extents[axis]))
    first = make("Cast", context.tensor(2), to=TensorProto.INT32)
    first = make("Mul", first, make.constant(np.array(prod(extents), np.int32)))
    rows = _rows_of(make, context.tensor(0), x.shape)
    sampler = Sampler(make, rows, extents, make.reshape(first, count, 1, 1))
    points = (count, bins[0] * ratio, bins[1] * ratio)
    apart = (count, bins[0], ratio, bins[1], ratio, x.shape[1])
    axes = make.constant(np.array([2, 4]))
    if mode == "avg":
        values = make.reshape(sampler.sums(taps, points), *apart)
        result = make("ReduceMean", values, axes, keepdims=0)
    else:
        values = make.reshape(make("Max", *sampler.parts(taps, points)), *apart)
        result = make("ReduceMax", values, axes, keepdims=0)
    make.define(0, make.transpose(result, 0, 3, 1, 2))


def _bin_points(make: Expansion, context: OpContext, axis: int, points: int, *, half: bool) -> str:
    """Coordinates along H or W of the points of boxes, [boxes, points, 1] or [boxes, 1, points]."""
    count, scale = context.shape(1)[0], context.attribute("spatial_scale", 1.0)
    if not abs(scale) <= _LARGEST_SCALE:
        raise context.unsupported(f"parameter spatial_scale is {scale:g}: coordinates would not be finite")
    ends = []
    for slot in (1 - axis, 3 - axis):  # boxes are x, y of one corner and of the other
        end = make.slice(context.tensor(1), 1, slot, slot + 1)
        end = make("Mul", end, make.constant(scale, like=1))
        ends.append(make("Sub", end, make.constant(0.5, like=1)) if half else end)
    extent = make("Sub", ends[1], ends[0])
    if not half:
        extent = make("Max", extent, make.constant(1, like=1))
    shares = make.constant((np.arange(points) + 0.5)[None] / points, like=1)
    place = make("Add", make("Mul", extent, shares), ends[0])
    return make.reshape(place, count, *((points, 1) if axis == 0 else (1, points)))


def _bin_taps(make: Expansion, axis: _Axis, place: str, extent: int) -> list[Tap]:
    """The two taps of each point; those more than an element outside weigh nothing."""
    counts = axis.real(axis.is_within(place, -1, extent))
    pairs = axis.weighted("linear", axis.clipped(place))
    return [axis.tap(tap, make("Mul", weight, counts)) for tap, weight in pairs]


# --- DeformConv --------------------------------------------------------------------------------------------


@importer("DeformConv")
def deformable_convolution(context: OpContext) -> None:
    """A convolution whose taps are moved by offsets, which may be computed at run time."""
    x, weight = context.type(0), context.shape(1)
    groups, offset_groups = context.attribute("group", 1), context.attribute("offset_group", 1)
    rank = len(x.shape) - 2
    kernel, taps = weight[2:], prod(weight[2:])
    stated = context.ints("kernel_shape") or kernel
    fits = rank > 0 and len(weight) == rank + 2 and stated == kernel and min(groups, offset_groups) > 0
    if not fits or x.shape[1] != weight[1] * groups or weight[0] % groups or x.shape[1] % offset_groups:
        raise context.invalid("channels, groups and weight do not fit", found=f"{x}, weight {list(weight)}")
    check_bias(context, 3, weight[0])
    window = window_of(context, kernel, x.shape[2:])
    extents = output_extents(context, window, x.shape[2:])
    batch, count = x.shape[0], prod(extents)
    context.expect_shape(2, batch, offset_groups * taps * rank, *extents)
    make = Expansion(context)
    pictures, points = batch * offset_groups, (batch * offset_groups, taps, count)
    offsets = make.reshape(context.tensor(2), pictures, taps, rank, count)
    by_axis = []
    for axis, extent in enumerate(x.shape[2:]):
        offset = make.reshape(make.slice(offsets, 2, axis, axis + 1), *points)
        tap = np.arange(kernel[axis]) * window.dilation[axis]
        first = np.arange(extents[axis]) * window.stride[axis] - window.pad_begin[axis]
        grid = _along(tap, axis, kernel).reshape(taps, 1) + _along(first, axis, extents).reshape(1, count)
        coordinates = _Axis(make, extent, x.dtype)
        place = make("Add", offset, make.constant(grid, like=0))
        pairs = coordinates.weighted("linear", place)
        by_axis.append(
            [coordinates.tap(*pair, coordinates.is_within(pair[0], 0, extent - 1)) for pair in pairs]
        )
    pixels = prod(x.shape[2:])
    rows = _rows_of(make, context.tensor(0), x.shape, offset_groups)
    sampler = Sampler(make, rows, x.shape[2:], _first_rows(make, pictures, pixels, 2))
    columns = sampler.sums(by_axis, points)
    if context.has(4):
        context.expect_shape(4, batch, offset_groups * taps, *extents)
        columns = make("Mul", columns, make.reshape(context.tensor(4), prod(points), 1))
    columns = make.reshape(columns, pictures, taps, count, x.shape[1] // offset_groups)
    columns = make.reshape(make.transpose(columns, 0, 3, 1, 2), batch, groups, weight[1] * taps, count)
    matrix = make.reshape(context.tensor(1), groups, weight[0] // groups, weight[1] * taps)
    result = make.reshape(make("MatMul", matrix, columns), batch, weight[0], *extents)
    if context.has(3):
        result = make("Add", result, make.reshape(context.tensor(3), weight[0], *(1 for _ in extents)))
    make.define(0, result)


def _along(values: NDArray[np.int64], axis: int, shape: Sequence[int]) -> NDArray[np.int64]:
    """Values along one axis of a shape, alike along the others."""
    own = [1] * len(shape)
    own[axis] = len(values)
    return np.broadcast_to(values.reshape(own), shape)
