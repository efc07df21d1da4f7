"""The MAC array: convolutions and matrix products of a tile, with their epilogue."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.isa.functions import Function
from nnc.isa.instruction import Access, Engine, Instruction, Phase, Role, attribute, instruction, operand
from nnc.isa.operand import Operand


@dataclass(frozen=True, kw_only=True)
class MacInstruction(Instruction):
    """Fields that all MAC-array instructions share: operands, accumulation and the epilogue.

    With s = Σ (src − src_zero)·(weight − weight_zero) of this instruction, `phase` says what happens:
    start: accumulator = s; add: accumulator += s; finish: s += accumulator, then the epilogue;
    whole: the epilogue at once.  The epilogue is
    y = act(s·scale + bias + (residual − residual_zero)·residual_scale)
    and, for an integer dst, y = saturate(round_half_even(y / dst_scale) + dst_zero).
    An integer bias (i32) is added to s before the scale.  dst may be the very block of the residual (an
    addition in place); no other operand may overlap it.
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
        Access.READ, Role.RESULT, "added before act, shaped as dst", default=None
    )
    scale: Operand | None = operand(
        Access.READ, Role.WEIGHT, "f32 factors of s, one or one per output channel", default=None
    )
    accumulator: Operand | None = operand(
        Access.READ_WRITE, Role.ACCUMULATOR, "partial sums (f32 or i32), shaped as dst", default=None
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


@instruction(
    32,
    "conv",
    Engine.COMPUTE,
    "conv",
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


@instruction(
    33,
    "conv_transpose",
    Engine.COMPUTE,
    "conv",
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


@instruction(
    34,
    "gemm",
    Engine.COMPUTE,
    "gemm",
    example="gemm <- sram+0x0 f32[8,256], weight=sram+0x4000 f32[256,64], accumulator=sram+0x2000 "
    "f32[8,64], phase=start",
)
class Gemm(MacInstruction):
    """Matrix product of a tile: src …,M,K times weight …,K,N gives dst …,M,N; batch axes broadcast."""
