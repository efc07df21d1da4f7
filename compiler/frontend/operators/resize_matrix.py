"""Resize that the instruction `resize` does not do: products with constant matrices, one for each axis.

Interpolation along an axis is linear in what it reads: row i of the matrix of an axis has the weights of the
elements that position i of the result is computed of: in cubic interpolation, with a filter against aliasing,
and in crops, the nearest elements of which are gathered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.model.sizes import check_folded, check_tensor
from nnc.compiler.frontend.operators.shaping import reshape_step
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Coordinates, Nearest, ResizeMode
from nnc.isa.resample import nearest_indices, source_coordinates

CROP = "tf_crop_and_resize"
HALF_FOR_NEAREST = "tf_half_pixel_for_nn"
"""Coordinate mappings that only this module knows."""
_LARGEST_COEFFICIENT = 2.0**10
"""Weights grow with `cubic_coeff_a`, but add up to one: beyond this, f32 has no digits left for a result."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mapping:
    """Coordinates, scales and extents of all axes, as the resize of other modes has them.

    Attributes:
        name: of the mapping of coordinates.
        scales, extent, src_extent: by axis.
        crop: the first and the last coordinate by axis, as shares of the whole, if it is a crop.
    """

    name: str
    scales: tuple[float, ...]
    extent: tuple[int, ...]
    src_extent: tuple[int, ...]
    crop: tuple[tuple[float, float], ...] = ()

    def coordinates(self, axis: int) -> NDArray[np.float32]:
        """Coordinates in the source, in elements, of the positions of the result along an axis."""
        size, f32 = self.extent[axis], np.float32
        positions = np.arange(size)
        if self.name == CROP:
            (start, end), last = map(f32, self.crop[axis]), f32(self.src_extent[axis] - 1)
            if size == 1:
                return np.array([f32(0.5) * (start + end) * last])
            return start * last + positions.astype(f32) * (end - start) * last / f32(size - 1)
        if self.name == HALF_FOR_NEAREST:
            return (positions.astype(f32) + f32(0.5)) / f32(self.scales[axis])
        return source_coordinates(_Fields(Coordinates(self.name), self), axis, positions)

    def outside(self, axis: int) -> NDArray[np.bool_]:
        """The positions of the result that a crop puts outside of the source along an axis."""
        x = self.coordinates(axis)
        return np.asarray((x < 0) | (x > self.src_extent[axis] - 1)) if self.name == CROP else x != x


class _Fields:
    """What `source_coordinates` asks a resize for: coordinates that are not rounded."""

    mode, nearest = ResizeMode.LINEAR, Nearest.FLOOR

    def __init__(self, coordinates: Coordinates, mapping: Mapping) -> None:
        self.coordinates = coordinates
        self.scales = mapping.scales
        self.extent = mapping.extent
        self.src_extent = mapping.src_extent


@dataclass(frozen=True, slots=True)
class Filter:
    """What elements weigh by their distance.

    Attributes:
        kernel: weights of distances; reach: from which on they are zero.
        antialias: whether it is as wide as the positions of a result that is smaller lie apart.
        exclude_outside: whether what lies outside weighs nothing, instead of counting as the edge.
    """

    kernel: Callable[[Reals], Reals]
    reach: int
    antialias: bool
    exclude_outside: bool

    def weights(self, coordinates: NDArray[np.float32], scale: float, length: int) -> Reals:
        """The matrix of an axis: of its extent in the result times that in the source."""
        x, size = coordinates.astype(np.float64), len(coordinates)
        stretch = min(scale, 1.0) if self.antialias else 1.0
        first, reach = np.floor(x).astype(np.int64), ceil(self.reach / stretch)
        check_folded(8 * size * (length + 2 * reach))
        matrix = np.zeros((size, length))
        for tap in range(1 - reach, reach + 1):
            index = first + tap
            weight = self.kernel(np.abs(x - index) * stretch)
            if self.exclude_outside:
                weight = np.where((index >= 0) & (index < length), weight, 0.0)
            np.add.at(matrix, (np.arange(size), np.clip(index, 0, length - 1)), weight)
        is_scaled = self.exclude_outside or stretch < 1
        return matrix / matrix.sum(axis=1, keepdims=True) if is_scaled else matrix


def cubic(a: float) -> Callable[[Reals], Reals]:
    """The kernel of cubic interpolation with a coefficient (the one of ONNX Resize)."""

    def kernel(distance: Reals) -> Reals:
        near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
        far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
        return np.where(distance <= 1, near, np.where(distance < 2, far, 0.0))

    return kernel


def tent(distance: Reals) -> Reals:
    """The kernel of linear interpolation."""
    return np.maximum(1 - distance, 0)


def resize_by_matrices(context: OpContext, mapping: Mapping, nearest: Nearest) -> None:
    """Let the output be the first input, interpolated along axes that change; a constant at once.

    The axis that shrinks most comes first.
    """
    x, extents = context.type(), mapping.extent
    check_tensor(context.name, TensorType(x.dtype, extents))
    axes = [axis for axis in range(len(extents)) if _changes(mapping, axis)]
    axes.sort(key=lambda axis: extents[axis] / x.shape[axis])
    make, tensor = Expansion(context), context.tensor(0)
    if context.attribute("mode", "nearest") == "nearest":
        for axis in axes:
            index = nearest_indices(mapping.coordinates(axis), nearest)
            index = np.clip(index, 0, x.shape[axis] - 1)
            tensor = make("Gather", tensor, make.constant(index), axis=axis)
    elif x.dtype.is_float:
        tensor = _by_products(context, mapping, axes)
    else:
        raise context.unsupported("this mode is supported for real numbers only")
    outside = [mapping.outside(axis) for axis in range(len(extents))]
    if any(places.any() for places in outside):
        mask = np.zeros(extents, np.bool_)
        for axis, places in enumerate(outside):
            mask |= places.reshape(-1, *(1 for _ in extents[axis + 1 :]))
        value = make.constant(context.attribute("extrapolation_value", 0.0), like=0)
        tensor = make("Where", make.constant(mask), value, tensor)
    make.define(0, tensor)


def _changes(mapping: Mapping, axis: int) -> bool:
    if mapping.name != CROP:
        return mapping.scales[axis] != 1
    return mapping.extent[axis] != mapping.src_extent[axis] or mapping.crop[axis] != (0, 1)


def _filter(context: OpContext) -> Filter:
    """The filter that attributes ask for."""
    flags = {"antialias": context.flag("antialias"), "exclude_outside": context.flag("exclude_outside")}
    if context.attribute("mode", "nearest") != "cubic":
        return Filter(tent, 1, **flags)
    coefficient = context.attribute("cubic_coeff_a", -0.75)
    if abs(coefficient) > _LARGEST_COEFFICIENT:
        raise context.unsupported(f"cubic_coeff_a is {coefficient:.4g}: weights so large cancel to noise")
    return Filter(cubic(coefficient), 2, **flags)


def _by_products(context: OpContext, mapping: Mapping, axes: Sequence[int]) -> str:
    """The first input times the matrices of axes, in their order."""
    x, weighing = context.type(), _filter(context)
    value, extents = context.value(0), mapping.extent
    check_folded(8 * sum(extents[axis] * x.shape[axis] for axis in axes))
    check_folded(0 if value is None else TensorType(x.dtype, extents).nbytes)
    matrices = {
        axis: weighing.weights(mapping.coordinates(axis), mapping.scales[axis], x.shape[axis])
        for axis in axes
    }
    rounded = {axis: context.rounded("weight", matrix, x.dtype) for axis, matrix in matrices.items()}
    if value is not None:
        wide = value.astype(np.float64)
        for axis in axes:
            wide = np.moveaxis(np.tensordot(matrices[axis], wide, (1, axis)), 0, axis)
        return context.new_constant("interpolated", np.ascontiguousarray(wide.astype(value.dtype)))
    tensor = context.tensor(0)
    for axis in axes:
        tensor = _interpolated(context, tensor, axis, rounded[axis])
    return tensor


def _interpolated(context: OpContext, tensor: str, axis: int, matrix: NDArray[Any]) -> str:
    """A tensor times the matrix of an axis: the elements of the axes behind it are columns of one list."""
    x = context.type_of(tensor)
    before, behind = x.shape[:axis], x.shape[axis + 1 :]
    size, columns = len(matrix), prod(behind)
    if before and not behind:
        weights = context.new_constant(f"weights{axis}", np.ascontiguousarray(matrix.T))
        return context.step(f"axis{axis}", ir.MatMul, [tensor, weights], TensorType(x.dtype, (*before, size)))
    weights = context.new_constant(f"weights{axis}", matrix)
    rows = reshape_step(context, f"rows{axis}", tensor, (*before, x.shape[axis], columns))
    type_ = TensorType(x.dtype, (*before, size, columns))
    product = context.step(f"axis{axis}", ir.MatMul, [weights, rows], type_)
    return reshape_step(context, f"shaped{axis}", product, (*before, size, *behind))
