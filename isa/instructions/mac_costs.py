"""What products take: cycles of the MAC array, and the elements that it is fed."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import array_reads, conv_cycles, port_cycles
from nnc.isa.instructions.shared_costs import landing_pairs, window_runs
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType
from nnc.isa.visits import Runs, aligned, merged
from nnc.isa.work import Work


class ArrayWork(NamedTuple):
    """Products as the array does them: output channels × pixels × `depth`, in groups, `batch` times.

    Attributes:
        weight_bits: of weights in blocks; 0: they are of the type of the features.
    """

    channels: int
    pixels: Runs
    depth: int
    groups: int = 1
    batch: int = 1
    weight_bits: int = 0

    def cycles(self, chip: Chip, dtype: DType) -> int:
        """Cycles of the array."""
        channels, pixels, depth, groups, batch, bits = self
        return batch * conv_cycles(
            chip, dtype, channels=channels, pixels=pixels, depth=depth, groups=groups, weight_bits=bits
        )

    def reads(self, chip: Chip, dtype: DType) -> tuple[int, int]:
        """Elements of features and of weights that the array is fed."""
        channels, pixels, depth, groups, batch, bits = self
        features, weights = array_reads(
            chip, dtype, channels=channels, pixels=pixels, depth=depth, groups=groups, weight_bits=bits
        )
        return batch * features, batch * weights


def of_conv(chip: Chip, i: Any, work: Work) -> ArrayWork:
    """A convolution: the pixels are those of the result."""
    weight = work.source(1).shape
    pixels = window_runs(chip, i, work.dst, work.src, weight[:-2])
    return ArrayWork(work.dst.shape[-1], pixels, prod(weight[:-1]), i.groups)


def of_conv_transpose(chip: Chip, i: Any, work: Work) -> ArrayWork:
    """A transposed convolution: pixels of the source, as many as have so many products inside."""
    weight = work.source(1).shape
    pixels = window_runs(chip, i, work.src, work.dst, weight[:-2])
    if chip.compute.map != "pixels":
        products = work.dst.shape[0] * prod(
            landing_pairs(i, work, axis, n) for axis, n in enumerate(weight[:-2])
        )
        pixels = Runs(1, ceil_div(products, prod(weight[:-2])))
    return ArrayWork(work.dst.shape[-1], pixels, prod(weight[:-1]) // i.groups, i.groups)


def of_gemm(chip: Chip, i: Any, work: Work) -> ArrayWork:
    """A matrix product: the pixels are its rows."""
    dst, depth = work.dst, work.src.shape[-1]
    batch = prod(dst.shape[:-2]) if prod(work.source(1).shape[:-2]) > 1 else 1
    rows = Runs(1, prod(dst.shape[:-1]) // batch)
    if chip.compute.map == "pixels" and batch == 1:
        src = aligned(work.src, (*dst.shape[:-1], depth))
        axes = [axis for axis in reversed(range(len(dst.shape) - 1)) if dst.shape[axis] > 1]
        rows = merged(dst.shape, (dst.strides, src.strides), axes, len(axes))
    return ArrayWork(dst.shape[-1], rows, depth, batch=batch)


def of_block_gemm(chip: Chip, i: Any, work: Work) -> ArrayWork:
    """A matrix product with weights in blocks: the pixels are its rows."""
    return of_gemm(chip, i, work)._replace(weight_bits=i.bits)


def conv_cost(chip: Chip, i: Any, work: Work) -> int:
    """ceil(OC / lanes) · ceil(pixels / units) · kernel taps · IC / groups, on the best array shape.

    In groups: groups · ceil(OC / groups / lanes) · …, or MACs / depthwise rate if that is less.
    With the map `pixels`: lines · ceil(run of pixels / lanes) · ceil(OC / units) · ….
    At least: bytes of dst, residual and accumulator / result port.
    """
    return _cycles(chip, work, of_conv(chip, i, work))


def conv_transpose_cost(chip: Chip, i: Any, work: Work) -> int:
    """As conv, the pixels being those of the source.

    What would land outside dst is not computed: of a tile that begins or ends inside the result, those of
    its pixels count whose every tap lands inside, with as many products in all.
    """
    return _cycles(chip, work, of_conv_transpose(chip, i, work))


def gemm_cost(chip: Chip, i: Any, work: Work) -> int:
    """batch · ceil(N / lanes) · ceil(M / units) · K, on the best array shape; the result port as for conv.

    Where one weight matrix serves the whole batch, the batch counts as more rows M.
    """
    return _cycles(chip, work, of_gemm(chip, i, work))


def block_gemm_cost(chip: Chip, i: Any, work: Work) -> int:
    """batch · ceil(N / lanes) · ceil(M / units) · K, on the best array shape; the result port as for conv.

    With weights of 4 bits or fewer, the shapes are those of `i4`, whatever the type of src, if the chip has
    such.
    """
    return _cycles(chip, work, of_block_gemm(chip, i, work))


def _cycles(chip: Chip, work: Work, products: ArrayWork) -> int:
    return max(products.cycles(chip, work.dtype), port_cycles(chip, work.port_bytes))


def landed_pairs(i: Any, axis: int) -> int:
    """Pairs of an element of src and a tap of a transposed convolution that land inside dst along an axis."""
    extent, result = i.src.shape[axis + 1], i.out.shape[axis + 1]
    pairs = 0
    for tap in range(i.weight.shape[axis]):
        shift = i.pad_begin[axis] - tap * i.dilation[axis]
        first, past = ceil_div(shift, i.stride[axis]), ceil_div(result + shift, i.stride[axis])
        pairs += max(0, min(extent, past) - max(0, first))
    return pairs
