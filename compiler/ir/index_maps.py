"""Which source element a position of the result reads, along one axis: the maps of Resize and Pad."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from nnc.isa.functions import Coordinates, Nearest, PadMode, ResizeMode

Ints = npt.NDArray[np.int64]
Coordinate = npt.NDArray[np.float32]


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


def resize_coordinates(layer: ResizeFields, axis: int) -> Coordinate:
    """Source coordinate of every output position along an axis (ONNX Resize, coordinate modes).

    Computed in f32 as onnxruntime and the instruction do: ties of the nearest modes hang on the rounding,
    and a tile must hold exactly the elements that the instruction will read.
    """
    f32 = np.float32
    scale, size, length = f32(layer.scales[axis]), layer.extent[axis], layer.src_extent[axis]
    out = np.arange(size).astype(np.float32)
    half = (out + f32(0.5)) / scale - f32(0.5)
    match layer.coordinates:
        case Coordinates.ALIGN_CORNERS:
            return out * f32(length - 1) / f32(max(size - 1, 1))
        case Coordinates.ASYMMETRIC:
            return out / scale
        case Coordinates.PYTORCH_HALF_PIXEL:
            return half if size > 1 else np.zeros_like(half)
        case Coordinates.HALF_PIXEL_SYMMETRIC:
            adjustment = f32(size) / (scale * f32(length))
            return f32(length / 2) * (f32(1) - adjustment) + half
        case Coordinates.HALF_PIXEL:
            return half


def nearest_indices(x: Coordinate, nearest: Nearest) -> Ints:
    """Coordinates rounded to whole numbers (ONNX Resize, nearest_mode); not yet cut to the extent."""
    match nearest:
        case Nearest.ROUND_PREFER_FLOOR:
            index = np.ceil(x - np.float32(0.5))
        case Nearest.ROUND_PREFER_CEIL:
            index = np.floor(x + np.float32(0.5))
        case Nearest.FLOOR:
            index = np.floor(x)
        case Nearest.CEIL:
            index = np.ceil(x)
    indices: Ints = index.astype(np.int64)
    return indices


def resize_taps(layer: ResizeFields, axis: int) -> tuple[Ints, Ints]:
    """First and last source element that each output position along an axis reads (both monotonic).

    Linear interpolation at a whole coordinate reads that element alone.
    """
    x = resize_coordinates(layer, axis)
    last = layer.src_extent[axis] - 1
    if layer.mode is ResizeMode.LINEAR:
        low, high = np.floor(x).astype(np.int64), np.ceil(x).astype(np.int64)
        return np.clip(low, 0, last), np.clip(high, 0, last)
    taps = np.clip(nearest_indices(x, layer.nearest), 0, last)
    return taps, taps


def pad_indices(mode: PadMode, extent: int, positions: Ints) -> Ints:
    """Source index for positions outside 0 … extent − 1 in the modes edge, reflect and wrap."""
    if mode is PadMode.EDGE:
        return np.clip(positions, 0, extent - 1)
    if mode is PadMode.WRAP:
        return positions % extent
    period = max(1, 2 * (extent - 1))
    folded = positions % period
    return np.minimum(folded, period - folded)
