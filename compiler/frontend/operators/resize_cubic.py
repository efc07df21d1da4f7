"""Cubic Resize: products with constant matrices, one for each axis that changes.

Interpolation along an axis is linear in what it reads: row i of the matrix of an axis has the weights of the
elements that position i of the result is computed of, four of them or fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.model.sizes import check_folded, check_tensor
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Coordinates, Nearest, ResizeMode
from nnc.isa.resample import source_coordinates

_LARGEST_COEFFICIENT = 2.0**10
"""Weights grow with `cubic_coeff_a`, but add up to one: beyond this, f32 has no digits left for a result."""


@dataclass(frozen=True, slots=True)
class CubicMap:
    """Coordinates, scales and extents of all axes, as the resize of other modes has them.

    Attributes:
        mode, nearest: what `source_coordinates` asks a resize for: coordinates that are not rounded.
    """

    coordinates: Coordinates
    scales: tuple[float, ...]
    extent: tuple[int, ...]
    src_extent: tuple[int, ...]
    mode: ResizeMode = ResizeMode.LINEAR
    nearest: Nearest = Nearest.FLOOR

    def weights(self, axis: int, coefficient: float, exclude_outside: bool) -> NDArray[np.float64]:
        """The matrix of an axis, of its extent in the result times that in the source.

        Args:
            axis: the axis.
            coefficient: `cubic_coeff_a`.
            exclude_outside: whether what lies outside weighs nothing, instead of counting as the edge.
        """
        size, length = self.extent[axis], self.src_extent[axis]
        x = source_coordinates(self, axis, np.arange(size)).astype(np.float64)
        first = np.floor(x).astype(np.int64)
        matrix = np.zeros((size, length))
        for tap in range(-1, 3):
            index = first + tap
            weight = _kernel(np.abs(x - index), coefficient)
            if exclude_outside:
                weight = np.where((index >= 0) & (index < length), weight, 0.0)
            np.add.at(matrix, (np.arange(size), np.clip(index, 0, length - 1)), weight)
        return matrix / matrix.sum(axis=1, keepdims=True) if exclude_outside else matrix


def _kernel(distance: NDArray[np.float64], a: float) -> NDArray[np.float64]:
    """Weight of an element at a distance from 0 to 2 (the kernel of ONNX Resize)."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
    return np.where(distance <= 1, near, far)


def resize_cubic(
    context: OpContext, scales: Sequence[float], extents: tuple[int, ...], coordinates: Coordinates
) -> None:
    """Let the output be the first input, interpolated along axes whose scale is not 1; a constant at once.

    The axis that shrinks most comes first.
    """
    x = context.type()
    if extents == x.shape:  # whatever the scales are, as with the other modes
        context.rename(context.tensor(0))
        return
    if not x.dtype.is_float:
        raise context.unsupported("mode cubic is supported for real numbers only")
    cubic = CubicMap(coordinates, tuple(scales), extents, x.shape)
    coefficient = context.attribute("cubic_coeff_a", -0.75)
    if abs(coefficient) > _LARGEST_COEFFICIENT:
        raise context.unsupported(f"cubic_coeff_a is {coefficient:.4g}: weights so large cancel to noise")
    outside = bool(context.attribute("exclude_outside", 0))
    axes = [axis for axis, scale in enumerate(scales) if scale != 1]
    value, type_ = context.value(0), TensorType(x.dtype, extents)
    check_tensor(context.name, type_)
    check_folded(8 * sum(extents[axis] * x.shape[axis] for axis in axes))
    check_folded(0 if value is None else type_.nbytes)
    matrices = {axis: cubic.weights(axis, coefficient, outside) for axis in axes}
    rounded = {axis: context.rounded("weight", matrix, x.dtype) for axis, matrix in matrices.items()}
    axes.sort(key=lambda axis: extents[axis] / x.shape[axis])
    if value is not None:
        wide = value.astype(np.float64)
        for axis in axes:
            wide = np.moveaxis(np.tensordot(matrices[axis], wide, (1, axis)), 0, axis)
        context.fold(np.ascontiguousarray(wide.astype(value.dtype)))
        return
    tensor = context.tensor(0)
    for axis in axes:
        tensor = _interpolated(context, tensor, axis, rounded[axis])
    reshape_result(context, tensor, extents)


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
