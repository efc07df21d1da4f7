"""The layer that computes one tile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.regions.operand_boxes import Need
from nnc.compiler.ir.windows import window_reach

Vector = tuple[int, ...]


def tile_layer(
    layer: ir.Layer, need: Need | None, part: int, low: Vector, shape: Vector, whole: Vector
) -> ir.Layer:
    """The layer that computes one tile: padding, groups and origins as the tile has them.

    Args:
        need: what the tiles need of operand 0 (None if it has no tile), of which this is number `part`.
        low, shape: the output tile; whole: shape of the whole output.
    """
    if need is None:
        return layer
    before, after = vector(need.before[part])[2:], vector(need.after[part])[2:]
    source = vector(need.boxes.low[part])
    match layer:
        case ir.Conv():
            return replace(layer, pad_begin=before, pad_end=after, groups=_tile_groups(layer, shape, whole))
        case ir.ConvTranspose():
            extents = vector(need.boxes.extents[part])[2:]
            end = transposed_pad_end(layer, extents, shape[2:], before)
            groups = _tile_groups(layer, shape, whole)
            return replace(layer, pad_begin=before, pad_end=end, groups=groups)
        case ir.Pool():
            return replace(layer, pad_begin=before, pad_end=after)
        case ir.Resize() | ir.Pad():
            return replace(layer, origin=low, src_origin=source)
        case _:
            return layer


def _tile_groups(layer: ir.SpatialMacLayer, shape: Vector, whole: Vector) -> int:
    return max(1, shape[1] * layer.groups // whole[1])


def transposed_pad_end(layer: ir.ConvTranspose, x: Vector, out: Vector, begin: Vector) -> Vector:
    """The padding at the end that makes a tile of a transposed convolution have the extents `out`."""
    axes = zip(x, out, begin, layer.stride, window_reach(layer.kernel, layer.dilation), strict=True)
    return tuple((n - 1) * s + reach - b - o for n, o, b, s, reach in axes)


def vector(values: npt.NDArray[np.int64]) -> Vector:
    """Integers of an array as a tuple."""
    return tuple(int(v) for v in values)
