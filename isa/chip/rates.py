"""Rates of a chip: cycles of its units for an amount of work, without the issue cost.  Integers only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.types import DType
from nnc.isa.visits import Runs

RateT = TypeVar("RateT")


def rate_of(table: Mapping[Any, RateT], dtype: DType, unit: str) -> RateT:
    """What a table of rates says of an element type.

    Args:
        unit: whose rates these are, for people.

    Raises:
        ProgramInvalidError: it says nothing of the type's class: the unit does not know it.
    """
    rate = table.get(rate_class(dtype))
    if rate is None:
        raise ProgramInvalidError(
            f"{unit} of the chip has no rate for {dtype.value}",
            found=f"class {rate_class(dtype)}",
            expected=" or ".join(table),
        )
    return rate


def array_shapes(chip: Chip, dtype: DType, weight_bits: int = 0) -> tuple[tuple[int, int], ...]:
    """The shapes of the MAC array for products; arguments as of `Compute.shapes_for`.

    Raises:
        ProgramInvalidError: it does not know the type.
    """
    return chip.compute.shapes_for(dtype, weight_bits) or rate_of(
        chip.compute.array_shapes, dtype, "the MAC array"
    )


def array_cycles(
    chip: Chip, dtype: DType, channels: int, pixels: Runs, depth: int, weight_bits: int = 0
) -> int:
    """Cycles of the MAC array for output channels × pixels × `depth` MACs each.

    On the best of the array shapes of the element type: ceil(OC/lanes) · ceil(pixels/units) · K·K·IC/groups.
    With the map `pixels` the array's lanes run along runs of pixels and its units along the channels:
    lines · ceil(run/lanes) · ceil(OC/units) · K·K·IC/groups.

    Args:
        weight_bits: of weights in blocks, for which the array may have shapes of their own; 0: of others.
    """
    shapes = array_shapes(chip, dtype, weight_bits)
    if chip.compute.map == "pixels":
        return (
            min(ceil_div(pixels.length, a) * ceil_div(channels, b) for a, b in shapes) * pixels.lines * depth
        )
    return min(ceil_div(channels, a) * ceil_div(pixels.total, b) for a, b in shapes) * depth


def conv_cycles(
    chip: Chip, dtype: DType, *, channels: int, pixels: Runs, depth: int, groups: int, weight_bits: int = 0
) -> int:
    """Cycles of a convolution tile.

    Args:
        channels: output channels of the tile.
        pixels: output pixels of the tile, over the batch (input pixels for a transposed convolution).
        depth: MACs per output element: kernel taps × input channels / groups.
        groups: channel groups, one after the other on the array, or at the depthwise rate if there is one and
            it is faster.
        weight_bits: of weights in blocks; 0: of others.
    """
    on_array = groups * array_cycles(chip, dtype, ceil_div(channels, groups), pixels, depth, weight_bits)
    rate = chip.compute.depthwise.get(rate_class(dtype))
    if groups == 1 or rate is None:
        return on_array
    return min(on_array, ceil_div(lane_slots(chip, pixels, rate) * channels * depth, rate))


def array_reads(
    chip: Chip, dtype: DType, *, channels: int, pixels: Runs, depth: int, groups: int, weight_bits: int = 0
) -> tuple[int, int]:
    """Elements of features and of weights that the MAC array is fed; arguments as of `conv_cycles`.

    In a cycle every unit takes a feature and every lane a weight (with the map `pixels` the other way round):
    features are read once for every ceil(OC/lanes), weights once for every ceil(pixels/units).  Of the array
    shapes that take the fewest cycles, it is the one with the fewest bytes.  At the depthwise rate every
    product takes a feature, and a vector of products, which has pixels beside channels, each weight once.
    """
    of_group, best = ceil_div(channels, groups), []
    for a, b in array_shapes(chip, dtype, weight_bits):
        if chip.compute.map == "pixels":
            across, along = ceil_div(of_group, b), pixels.lines * ceil_div(pixels.length, a)
        else:
            across, along = ceil_div(of_group, a), ceil_div(pixels.total, b)
        fed = across * pixels.total * depth, along * of_group * depth
        best.append((groups * across * along * depth, sum(fed), fed))
    on_array, _, (features, weights) = min(best)
    if groups == 1 or on_array == conv_cycles(
        chip, dtype, channels=channels, pixels=pixels, depth=depth, groups=groups
    ):
        return groups * features, groups * weights
    rate = chip.compute.depthwise[rate_class(dtype)]
    if chip.compute.map == "pixels":
        vectors = pixels.lines * ceil_div(pixels.length, rate)
    else:
        vectors = ceil_div(pixels.total, max(1, rate // channels))
    return pixels.total * channels * depth, vectors * channels * depth


def lane_slots(chip: Chip, positions: Runs, lanes: int) -> int:
    """Positions that vectors of so many lanes have: with the map `pixels`, each run fills whole vectors."""
    if chip.compute.map == "pixels":
        return positions.lines * round_up(positions.length, lanes)
    return positions.total


def move_cycles(chip: Chip, nbytes: int) -> int:
    """Cycles of an on-core move or fill, and least cycles of a transfer for its on-chip side."""
    return ceil_div(nbytes, chip.dma.move_bytes_per_cycle)


def port_cycles(chip: Chip, nbytes: int) -> int:
    """Cycles in which results, and what is added to them, pass the port between the MAC array and memory."""
    return ceil_div(nbytes, chip.compute.result_bytes_per_cycle)
