"""The MAC array: convolutions and matrix products of a tile, with their epilogue."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from nnc.isa.chip.description import DEPTHWISE, Chip
from nnc.isa.chip.rates import array_cycles, conv_cycles, port_cycles
from nnc.isa.functions import Function, Result, is_unary
from nnc.isa.instruction import (
    Access,
    Engine,
    Instruction,
    Overlap,
    Phase,
    Role,
    Shape,
    Work,
    attribute,
    instruction,
    operand,
)
from nnc.isa.instructions.shape_checks import (
    QUANTISED_TYPES,
    broadcasts,
    equal,
    parameters,
    per_axis,
    phase_fits,
    step,
    zero_point,
)
from nnc.isa.instructions.shared_costs import landing_pairs, window_runs
from nnc.isa.integers import ceil_div
from nnc.isa.operand import Operand
from nnc.isa.record import record
from nnc.isa.types import DType
from nnc.isa.visits import Runs, aligned, merged


@record(frozen=True, kw_only=True)
class MacInstruction(Instruction):
    """Fields that all MAC-array instructions share: operands, accumulation and the epilogue.

    With s = Σ (src − src_zero)·(weight − weight_zero) of this instruction, `phase` says what happens:
    start: accumulator = s; add: accumulator += s; finish: s += accumulator, then the epilogue;
    whole: the epilogue at once.  The epilogue is
    y = act(s·scale + bias + (residual − residual_zero)·residual_scale)
    and, for an integer dst, y = saturate(round_half_even(y / dst_scale) + dst_zero).
    With a sum_scale, what is added to the residual is what a layer by itself would have written:
    s·scale + bias becomes (saturate(round_half_even(s·scale + bias) + sum_zero) − sum_zero)·sum_scale.
    Partial sums are f32 for f16, i32 for 8-bit integers, else of the type of src (integers wrap).
    An integer bias (i32) is added to s before the scale, exactly.  Of integers, all that follows s and an
    integer bias is computed in f32, one rounding per operation, in the order of the formulas.  dst may be
    the very block of the residual or of the accumulator (both in place); no other operand may overlap it.
    """

    src: Operand = operand(Access.READ, Role.FEATURE, "left operand, the feature data")
    weight: Operand = operand(Access.READ, Role.WEIGHT, "right operand, lanes run along its last axis")
    dst: Operand | None = operand(
        Access.WRITE, Role.RESULT, "result; absent in phases start and add", default=None
    )
    bias: Operand | None = operand(
        Access.READ, Role.WEIGHT, "vector over the last axis of dst, or broadcast to dst", default=None
    )
    residual: Operand | None = operand(
        Access.READ, Role.RESULT, "added before act, shaped as dst", default=None, overlap=Overlap.SAME
    )
    scale: Operand | None = operand(
        Access.READ, Role.WEIGHT, "f32 factors of s, one or one per output channel", default=None
    )
    accumulator: Operand | None = operand(
        Access.READ_WRITE,
        Role.ACCUMULATOR,
        "partial sums, shaped as dst; dst may be the same block",
        default=None,
        overlap=Overlap.SAME,
    )
    phase: Phase = attribute("place in a chain of partial sums", default=Phase.WHOLE)
    act: Function = attribute("activation of the epilogue, a unary function", default=Function.IDENTITY)
    act_params: tuple[float, ...] = attribute("parameters of act", default=())
    src_zero: int = attribute("zero point of src", default=0)
    weight_zero: int = attribute("zero point of weight", default=0)
    dst_scale: float = attribute("real value of one step of an integer dst", default=1.0)
    dst_zero: int = attribute("zero point of dst", default=0)
    residual_scale: float = attribute("real value of one step of residual", default=1.0)
    residual_zero: int = attribute("zero point of residual", default=0)
    sum_scale: float = attribute(
        "real value of one step of the rounded sum; 0: it is not rounded", default=0.0
    )
    sum_zero: int = attribute("zero point of the rounded sum", default=0)

    def _epilogue_errors(self, shape: Shape) -> Iterator[str]:
        if self.src.dtype.is_float != self.weight.dtype.is_float:
            yield f"src is {self.src.dtype.value} but weight is {self.weight.dtype.value}"
        if self.phase in (Phase.START, Phase.ADD):
            for name in ("bias", "residual", "scale"):
                if getattr(self, name) is not None:
                    yield f"{name} belongs to the epilogue; phase {self.phase.value} has none"
            return
        if not is_unary(self.act) or self.act.record.result is not Result.FIRST:
            yield f"act is {self.act.value}, expected a unary function that keeps the type"
        yield from parameters(self.act, self.act_params)
        yield from self._scale_errors()
        yield from broadcasts("bias", self.bias, shape)
        yield from broadcasts("scale", self.scale, shape)
        if self.residual is not None:
            yield from equal("residual shape", self.residual.shape, shape)

    def _scale_errors(self) -> Iterator[str]:
        """Scales and zero points of the epilogue, and of what is multiplied."""
        if self.scale is not None:
            yield from equal("type of scale", self.scale.dtype.value, DType.F32.value)
        yield from step("dst_scale", self.dst_scale)
        yield from step("residual_scale", self.residual_scale)
        for name, block in (("src", self.src), ("weight", self.weight), ("residual", self.residual)):
            yield from zero_point(f"{name}_zero", getattr(self, f"{name}_zero"), block)
        yield from zero_point("dst_zero", self.dst_zero, self.dst)
        if self.sum_scale:
            yield from step("sum_scale", self.sum_scale)
            yield from zero_point("sum_zero", self.sum_zero, self.dst)
            if self.dst is None or self.dst.dtype not in QUANTISED_TYPES:
                yield "sum_scale needs a dst of 8-bit integers"
        elif self.sum_zero:
            yield f"sum_zero is {self.sum_zero} without a sum_scale"


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


def _conv_cost(chip: Chip, i: Any, work: Work) -> int:
    """ceil(OC / lanes) · ceil(pixels / units) · kernel taps · IC / groups, on the best array shape.

    In groups: groups · ceil(OC / groups / lanes) · …, or MACs / depthwise rate if that is less.
    With the map `pixels`: lines · ceil(run of pixels / lanes) · ceil(OC / units) · ….
    At least: bytes of dst, residual and accumulator / result port.
    """
    weight = work.source(1).shape
    pixels = window_runs(chip, i, work.dst, work.src, weight[:-2])
    return _convolution_cycles(chip, i, work, pixels, prod(weight[:-1]))


def _convolution_cycles(chip: Chip, i: Any, work: Work, pixels: Runs, depth: int) -> int:
    channels = work.dst.shape[-1]
    cycles = conv_cycles(chip, work.dtype, channels=channels, pixels=pixels, depth=depth, groups=i.groups)
    return max(cycles, port_cycles(chip, work.port_bytes))


@instruction(
    32,
    "conv",
    Engine.COMPUTE,
    "conv",
    cost=_conv_cost,
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

    def shape_errors(self) -> Iterator[str]:
        yield from _convolution_errors(self, transposed=False)


def _conv_transpose_cost(chip: Chip, i: Any, work: Work) -> int:
    """As conv, the pixels being those of the source.

    What would land outside dst is not computed: of a tile that begins or ends inside the result, those of
    its pixels count whose every tap lands inside, with as many products in all.
    """
    weight = work.source(1).shape
    pixels = window_runs(chip, i, work.src, work.dst, weight[:-2])
    if chip.compute.map != "pixels":
        products = work.dst.shape[0] * prod(
            landing_pairs(i, work, axis, n) for axis, n in enumerate(weight[:-2])
        )
        pixels = Runs(1, ceil_div(products, prod(weight[:-2])))
    return _convolution_cycles(chip, i, work, pixels, prod(weight[:-1]) // i.groups)


@instruction(
    33,
    "conv_transpose",
    Engine.COMPUTE,
    "conv",
    cost=_conv_transpose_cost,
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

    def shape_errors(self) -> Iterator[str]:
        yield from _convolution_errors(self, transposed=True)


def _gemm_cost(chip: Chip, i: Any, work: Work) -> int:
    """batch · ceil(N / lanes) · ceil(M / units) · K, on the best array shape; the result port as for conv.

    Where one weight matrix serves the whole batch, the batch counts as more rows M.
    """
    dst, depth = work.dst, work.src.shape[-1]
    batch = prod(dst.shape[:-2]) if prod(work.source(1).shape[:-2]) > 1 else 1
    rows = Runs(1, prod(dst.shape[:-1]) // batch)
    if chip.compute.map == "pixels" and batch == 1:
        src = aligned(work.src, (*dst.shape[:-1], depth))
        axes = [axis for axis in reversed(range(len(dst.shape) - 1)) if dst.shape[axis] > 1]
        rows = merged(dst.shape, (dst.strides, src.strides), axes, len(axes))
    cycles = batch * array_cycles(chip, work.dtype, dst.shape[-1], rows, depth)
    return max(cycles, port_cycles(chip, work.port_bytes))


@instruction(
    34,
    "gemm",
    Engine.COMPUTE,
    "gemm",
    cost=_gemm_cost,
    example="gemm <- sram+0x0 f32[8,256], weight=sram+0x4000 f32[256,64], accumulator=sram+0x2000 "
    "f32[8,64], phase=start",
)
class Gemm(MacInstruction):
    """Matrix product of a tile: src …,M,K times weight …,K,N gives dst …,M,N; batch axes broadcast."""

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
