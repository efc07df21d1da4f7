"""The MAC array: convolutions and matrix products of a tile, with their epilogue."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from nnc.isa.block_weights import BlockFormat
from nnc.isa.chip.description import DEPTHWISE, Chip
from nnc.isa.instruction import Engine, Phase, attribute, instruction
from nnc.isa.instructions.mac_costs import (
    ArrayWork,
    block_gemm_cost,
    conv_cost,
    conv_transpose_cost,
    gemm_cost,
    landed_pairs,
    of_block_gemm,
    of_conv,
    of_conv_transpose,
    of_gemm,
)
from nnc.isa.instructions.mac_instruction import MacInstruction
from nnc.isa.instructions.shape_checks import equal, per_axis, phase_fits
from nnc.isa.integers import ceil_div
from nnc.isa.types import DType


def _families(i: Conv | ConvTranspose, *, transposed: bool) -> tuple[str, ...]:
    """Depthwise if each group has one channel; one channel alone may be a tile of such or of any other."""
    if len(i.weight.shape) < 2 or i.weight.shape[-2:] != ((i.groups, 1) if transposed else (1, i.groups)):
        return (i.family,)
    return (DEPTHWISE,) if i.groups > 1 else (DEPTHWISE, i.family)


def _convolution_errors(i: Conv | ConvTranspose, *, transposed: bool) -> Iterator[str]:
    yield from phase_fits(i.phase, i.dst, i.accumulator, i.src.dtype.product_sum)
    out = i.dst or i.accumulator
    if out is None:
        return
    rank = len(i.src.shape)
    if rank < 3 or len(i.weight.shape) != rank or len(out.shape) != rank:
        yield f"src {i.src.shape}, weight {i.weight.shape}, dst {out.shape}: expected one rank, 3 or more"
        return
    yield from per_axis(rank - 2, 1, stride=i.stride, dilation=i.dilation)
    yield from per_axis(rank - 2, None if transposed else 0, pad_begin=i.pad_begin)
    if i.groups < 1:
        yield f"groups is {i.groups}"
        return
    into, outof = (1, i.groups) if transposed else (i.groups, 1)
    yield from equal("input channels of src", i.src.shape[-1], i.weight.shape[-2] * into)
    yield from equal("output channels of dst", out.shape[-1], i.weight.shape[-1] * outof)
    if i.weight.shape[-2 if transposed else -1] % i.groups:
        yield f"channels of weight {i.weight.shape} are no multiple of {i.groups} groups"
    yield from equal("batch of dst", out.shape[0], i.src.shape[0])
    yield from i._epilogue_errors(out.shape)


@instruction(
    32,
    "conv",
    Engine.COMPUTE,
    "conv",
    cost=conv_cost,
    example="conv sram+0x8000 f32[1,32,54,64] <- sram+0x0 f32[1,34,56,64], weight=sram+0x40000 "
    "f32[3,3,64,64], bias=sram+0x64000 f32[64], stride=1,1 dilation=1,1 pad_begin=0,0 act=relu",
)
class Conv(MacInstruction):
    """Convolution of a tile: src N,X…,IC; weight K…,IC/groups,OC; dst N,Y…,OC (any spatial rank).

    Position y reads src at y·stride + k·dilation − pad_begin; positions outside src are src_zero.  The
    padding after the last element follows from the extents of dst.
    """

    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of kernel taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("padding before the first element per spatial axis")
    groups: int = attribute("number of channel groups", default=1)

    @property
    def families(self) -> tuple[str, ...]:
        return _families(self, transposed=False)

    @property
    def macs(self) -> int:
        """A product for every element of dst, tap of the kernel and channel of a group."""
        return self.out.elements * prod(self.weight.shape[:-1])

    def on_array(self, chip: Chip) -> ArrayWork:
        return of_conv(chip, self, self.work)

    def shape_errors(self) -> Iterator[str]:
        yield from _convolution_errors(self, transposed=False)


@instruction(
    33,
    "conv_transpose",
    Engine.COMPUTE,
    "conv",
    cost=conv_transpose_cost,
    example="conv_transpose sram+0x8000 f32[1,16,16,8] <- sram+0x0 f32[1,8,8,16], weight=sram+0x4000 "
    "f32[2,2,16,8], stride=2,2 dilation=1,1 pad_begin=0,0",
)
class ConvTranspose(MacInstruction):
    """Transposed convolution of a tile: src N,X…,IC; weight K…,IC,OC/groups; dst N,Y…,OC.

    Element x adds to dst position x·stride + k·dilation − pad_begin where that lies inside dst; pad_begin
    may be negative for a tile that starts after its first contribution.
    """

    stride: tuple[int, ...] = attribute("step per spatial axis")
    dilation: tuple[int, ...] = attribute("distance of kernel taps per spatial axis")
    pad_begin: tuple[int, ...] = attribute("positions cut off before dst per spatial axis")
    groups: int = attribute("number of channel groups", default=1)

    @property
    def families(self) -> tuple[str, ...]:
        return _families(self, transposed=True)

    @property
    def macs(self) -> int:
        """The products that land inside dst."""
        pairs = prod(landed_pairs(self, axis) for axis in range(len(self.stride)))
        return self.src.shape[0] * pairs * prod(self.weight.shape[-2:])

    def on_array(self, chip: Chip) -> ArrayWork:
        return of_conv_transpose(chip, self, self.work)

    def shape_errors(self) -> Iterator[str]:
        yield from _convolution_errors(self, transposed=True)


@instruction(
    34,
    "gemm",
    Engine.COMPUTE,
    "gemm",
    cost=gemm_cost,
    example="gemm <- sram+0x0 f32[8,256], weight=sram+0x4000 f32[256,64], accumulator=sram+0x2000 "
    "f32[8,64], phase=start",
)
class Gemm(MacInstruction):
    """Matrix product of a tile: src …,M,K times weight …,K,N gives dst …,M,N; batch axes broadcast."""

    @property
    def macs(self) -> int:
        """K products for every element of dst."""
        return self.out.elements * self.src.shape[-1]

    def on_array(self, chip: Chip) -> ArrayWork:
        return of_gemm(chip, self, self.work)

    def shape_errors(self) -> Iterator[str]:
        yield from phase_fits(self.phase, self.dst, self.accumulator, self.src.dtype.product_sum)
        out = self.dst or self.accumulator
        if out is None:
            return
        src, weight = self.src.shape, self.weight.shape
        if min(len(src), len(weight)) < 2:
            yield f"src {src}, weight {weight}: expected rank 2 or more"
            return
        yield from equal("K of weight", weight[-2], src[-1])
        try:
            batch = np.broadcast_shapes(src[:-2], weight[:-2])
        except ValueError:
            yield f"batch axes of src {src} and weight {weight} do not broadcast"
            return
        yield from equal("dst shape", out.shape, (*batch, src[-2], weight[-1]))
        yield from self._epilogue_errors(out.shape)


@instruction(
    35,
    "block_gemm",
    Engine.COMPUTE,
    "gemm",
    cost=block_gemm_cost,
    example="block_gemm sram+0x8000 f32[1,64] <- sram+0x0 f32[1,256], weight=sram+0x1000 u8[160,64], "
    "bits=4 block=32 scale_bytes=4 weight_zero=8",
)
class BlockGemm(MacInstruction):
    """Matrix product of a tile with weights of few bits in blocks; src …,M,K, weight u8 rows,N, dst …,M,N.

    A weight is (integer − zero point) · scale in f32, one rounding per operation, rounded once more to the
    type of src; products and the epilogue are those of gemm.  A column of weight holds block after block
    of an output channel: the scale (scale_bytes, a float), the zero point (zero_bytes: 1 is u8, 2 or 4 a
    float; with 0 all blocks have weight_zero), and block · bits / 8 bytes of integers, the first in the
    lowest bits.  Of the last block, weights beyond K are not read.
    """

    bits: int = attribute("bits of a weight: 2, 4 or 8")
    block: int = attribute("weights along K that share a scale")
    scale_bytes: int = attribute("bytes of a scale: 2 or 4", default=4)
    zero_bytes: int = attribute("bytes of a zero point: 0, 1, 2 or 4", default=0)

    @property
    def format(self) -> BlockFormat:
        """How the blocks lie in the bytes of weight."""
        return BlockFormat(self.bits, self.block, self.scale_bytes, self.zero_bytes)

    @property
    def macs(self) -> int:
        """K products for every element of dst."""
        return self.out.elements * self.src.shape[-1]

    @property
    def operations(self) -> int:
        """Those of the epilogue, and a difference and a product for each weight."""
        return super().operations + 2 * self.src.shape[-1] * self.weight.shape[-1]

    @property
    def _weights_are_float(self) -> bool:
        return True

    def on_array(self, chip: Chip) -> ArrayWork:
        return of_block_gemm(chip, self, self.work)

    def bytes_read(self, chip: Chip) -> list[tuple[str, int]]:
        """As of all products; a weight that the array is fed is its share of the bytes of weight."""
        features, (memory, weights), *others = super().bytes_read(chip)
        return [features, (memory, ceil_div(weights * self.weight.shape[0], self.src.shape[-1])), *others]

    def shape_errors(self) -> Iterator[str]:
        yield from equal("phase", self.phase.value, Phase.WHOLE.value)
        yield from phase_fits(self.phase, self.dst, self.accumulator, self.src.dtype.product_sum)
        yield from equal("type of weight", self.weight.dtype.value, DType.U8.value)
        if self.dst is None:
            return
        if self.src.dtype not in (DType.F16, DType.F32):
            yield f"src is {self.src.dtype.value}, expected f16 or f32"
        if wrong := [*self.format.errors()]:
            yield from wrong
            return
        if len(self.src.shape) < 2 or len(self.weight.shape) != 2:
            yield f"src {self.src.shape}, weight {self.weight.shape}: expected rank 2 or more, and rank 2"
            return
        yield from equal("rows of weight", self.weight.shape[0], self.format.rows(self.src.shape[-1]))
        yield from equal("dst shape", self.dst.shape, (*self.src.shape[:-1], self.weight.shape[1]))
        yield from self._epilogue_errors(self.dst.shape)
