"""Layers of the MAC array: convolutions and matrix products."""

from __future__ import annotations

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.block_weights import BlockFormat
from nnc.isa.functions import Function
from nnc.isa.instruction import Phase
from nnc.isa.record import record


@record(frozen=True, kw_only=True)
class MacLayer(Layer):
    """What conv, transposed conv and matmul share: the fused epilogue y = act(s·scale + bias + residual).

    Of 8-bit integers, all that the instruction says (`isa.MacInstruction`): s = Σ (x − src_zero)·(weight −
    weight_zero); an i32 bias belongs to s, a float one comes after the scale; the residual counts as
    (residual − residual_zero)·residual_scale; with a sum_scale what it is added to is rounded before; an
    integer result is saturate(round_half_even(y / dst_scale) + dst_zero).  The type of the result is given.
    The operand scale is f32, a vector over the output channels or one element.

    `phase` is whole except in a partitioned graph, where K-chunks chain their partial sums through the
    operand `accumulator`.
    """

    act: Function = Function.IDENTITY
    act_params: tuple[float, ...] = ()
    phase: Phase = Phase.WHOLE
    src_zero: int = 0
    weight_zero: int = 0
    dst_scale: float = 1.0
    dst_zero: int = 0
    residual_scale: float = 1.0
    residual_zero: int = 0
    sum_scale: float = 0.0
    sum_zero: int = 0

    slots = ("x", "weight", "bias", "residual", "scale", "accumulator")


@record(frozen=True, kw_only=True)
class SpatialMacLayer(MacLayer):
    """Window geometry of convolutions; pads may be negative in tiles of transposed convolutions."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad_begin: tuple[int, ...]
    pad_end: tuple[int, ...]
    groups: int = 1


@record(frozen=True, kw_only=True)
class Conv(SpatialMacLayer):
    """Convolution: x [N, IC, X…], weight [OC, IC/groups, K…], bias [OC], residual as the output."""

    kind = "conv"


@record(frozen=True, kw_only=True)
class ConvTranspose(SpatialMacLayer):
    """Transposed convolution: x [N, IC, X…], weight [IC, OC/groups, K…], bias [OC].

    Element x adds to output x·stride + k·dilation − pad_begin; the output's extent is
    (X − 1)·stride + (K − 1)·dilation + 1 − pad_begin − pad_end (ONNX's output_padding is in pad_end).
    """

    kind = "conv_transpose"


@record(frozen=True, kw_only=True)
class MatMul(MacLayer):
    """Batched matrix product: x […, M, K] times weight […, K, N]; bias [N] or broadcast to the output."""

    kind = "matmul"


@record(frozen=True, kw_only=True)
class BlockMatMul(MacLayer):
    """Matrix product with constant weights of few bits: x […, M, K] times weight u8 [rows, N]; bias [N].

    The bytes of a column are blocks of an output channel, each with its scale and zero point (`BlockFormat`).
    """

    kind = "block_matmul"
    bits: int
    block: int
    scale_bytes: int = 4
    zero_bytes: int = 0

    @property
    def format(self) -> BlockFormat:
        """How the blocks lie in the bytes of the weight."""
        return BlockFormat(self.bits, self.block, self.scale_bytes, self.zero_bytes)


MatrixProduct = MatMul | BlockMatMul
"""Products whose output channels are the last axis of the result."""
