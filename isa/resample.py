"""Which source element a position of the result reads, along one axis: the maps of Resize and Pad.

The instruction that resamples, the verifier that judges it and the compiler that cuts it into tiles all use
these, so that a tile holds exactly the elements that its instruction reads.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from nnc.isa.functions import Coordinates, Nearest, PadMode, ResizeMode

Indices = npt.NDArray[np.int64]
Coordinate = npt.NDArray[np.float32]
_HALF = 1e-6


class ResizeFields(Protocol):
    """The fields of a resize that decide its map; extents are those of the whole tensors."""

    @property
    def mode(self) -> ResizeMode: ...
    @property
    def coordinates(self) -> Coordinates: ...
    @property
    def nearest(self) -> Nearest: ...
    @property
    def scales(self) -> tuple[float, ...]: ...
    @property
    def extent(self) -> tuple[int, ...]: ...
    @property
    def src_extent(self) -> tuple[int, ...]: ...


def source_coordinates(resize: ResizeFields, axis: int, positions: Indices) -> Coordinate:
    """Source coordinates of positions of the result along an axis (ONNX Resize, coordinate modes).

    In the types and in the order of operations of onnxruntime, on which exact halves and whole numbers of the
    nearest modes hang: f32, but for the sum of `half_pixel_symmetric`, which is f64 and rounded at the end.
    """
    f32 = np.float32
    scale, size, length = f32(resize.scales[axis]), resize.extent[axis], resize.src_extent[axis]
    p = positions.astype(np.float32)
    match resize.coordinates:
        case Coordinates.ASYMMETRIC:
            return p / scale
        case Coordinates.ALIGN_CORNERS:
            return p * f32(length - 1) / f32(max(size - 1, 1))
        case Coordinates.HALF_PIXEL_SYMMETRIC:
            adjustment = f32(size) / (scale * f32(length))
            offset = np.float64(f32(length / 2) * (f32(1) - adjustment))
            return (offset + (positions + 0.5) / np.float64(scale) - 0.5).astype(np.float32)
        case Coordinates.PYTORCH_HALF_PIXEL if size == 1:
            return np.zeros_like(p)
        case Coordinates.HALF_PIXEL | Coordinates.PYTORCH_HALF_PIXEL:
            return (p + f32(0.5)) / scale - f32(0.5)


def nearest_indices(x: Coordinate, rounding: Nearest) -> Indices:
    """Coordinates rounded to whole numbers (ONNX Resize, nearest_mode); not yet cut to the extent.

    Coordinates that are within `_HALF` of a half count as halves: so does onnxruntime (1.31), which makes
    7 → 2 rows round 3.4999998 as the 3.5 that it stands for.
    """
    match rounding:
        case Nearest.FLOOR:
            index = np.floor(x)
        case Nearest.CEIL:
            index = np.ceil(x)
        case Nearest.ROUND_PREFER_FLOOR:
            index = np.ceil(x.astype(np.float64) - (0.5 + _HALF))
        case Nearest.ROUND_PREFER_CEIL:
            index = np.floor(x.astype(np.float64) + (0.5 + _HALF))
    return index.astype(np.int64)


def resize_taps(resize: ResizeFields, axis: int, positions: Indices) -> tuple[Indices, Indices]:
    """First and last source element that positions of the result read along an axis (both monotonic).

    Linear interpolation at a whole coordinate reads that element alone.
    """
    x = source_coordinates(resize, axis, positions)
    last = resize.src_extent[axis] - 1
    if resize.mode is ResizeMode.LINEAR:
        low, high = np.floor(x).astype(np.int64), np.ceil(x).astype(np.int64)
        return np.clip(low, 0, last), np.clip(high, 0, last)
    taps = np.clip(nearest_indices(x, resize.nearest), 0, last)
    return taps, taps


def pad_indices(mode: PadMode, extent: int, positions: Indices) -> Indices:
    """Source elements for positions inside or outside 0 … extent − 1, in the modes edge, reflect and wrap."""
    if mode is PadMode.EDGE:
        return np.clip(positions, 0, extent - 1)
    if mode is PadMode.WRAP:
        return positions % extent
    period = max(1, 2 * (extent - 1))
    folded = positions % period
    return np.minimum(folded, period - folded)
