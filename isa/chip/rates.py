"""Rates of a chip: cycles of its units for an amount of work, without the issue cost.  Integers only."""

from __future__ import annotations

from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


def array_cycles(chip: Chip, dtype: DType, lanes: int, rows: int, depth: int) -> int:
    """Cycles of the MAC array for `lanes` output channels × `rows` pixels × `depth` MACs each, no issue cost.

    On the best of the array shapes of the element type: ceil(OC/lanes) · ceil(pixels/units) · K·K·IC/groups.
    With the map `pixels` the array's lanes run along the pixels and its units along the channels.
    """
    if chip.compute.map == "pixels":
        lanes, rows = rows, lanes
    shapes = chip.compute.array_shapes[rate_class(dtype)]
    return min(ceil_div(lanes, a) * ceil_div(rows, b) for a, b in shapes) * depth


def conv_cycles(chip: Chip, dtype: DType, *, channels: int, pixels: int, depth: int, groups: int) -> int:
    """Cycles of a convolution tile without the issue cost.

    Args:
        channels: output channels of the tile.
        pixels: output pixels of the tile, over the batch (input pixels for a transposed convolution).
        depth: MACs per output element: kernel taps × input channels / groups.
        groups: channel groups; a depthwise tile (one channel per group) runs at the depthwise rate.
    """
    if groups > 1 and groups == channels:
        return ceil_div(channels * pixels * depth, chip.compute.depthwise[rate_class(dtype)])
    return array_cycles(chip, dtype, channels, pixels, depth)


def vector_cycles(chip: Chip, dtype: DType, operations: int) -> int:
    """Cycles of the vector unit for a number of element operations, without the issue cost."""
    return ceil_div(operations, chip.compute.elementwise[rate_class(dtype)])


def move_cycles(chip: Chip, nbytes: int) -> int:
    """Cycles of an on-core move or fill, without the issue cost."""
    return ceil_div(nbytes, chip.dma.move_bytes_per_cycle)
