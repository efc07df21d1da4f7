"""Layers of the MAC array: convolutions and matrix products."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.layers.layer import Layer
from nnc.isa.functions import Function
from nnc.isa.instruction import Phase


@dataclass(frozen=True, kw_only=True)
class MacLayer(Layer):
    """What conv, transposed conv and matmul share: the fused epilogue y = act(s + bias + residual).

    `phase` is whole except in a partitioned graph, where K-chunks chain their partial sums through the
    operand `accumulator`.
    """

    act: Function = Function.IDENTITY
    act_params: tuple[float, ...] = ()
    phase: Phase = Phase.WHOLE


@dataclass(frozen=True, kw_only=True)
class SpatialMacLayer(MacLayer):
    """Window geometry of convolutions; pads may be negative in tiles of transposed convolutions."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pad_begin: tuple[int, ...]
    pad_end: tuple[int, ...]
    groups: int = 1

    slots = ("x", "weight", "bias", "residual", "accumulator")


@dataclass(frozen=True, kw_only=True)
class Conv(SpatialMacLayer):
    """Convolution: x [N, IC, X…], weight [OC, IC/groups, K…], bias [OC], residual as the output."""

    kind = "conv"


@dataclass(frozen=True, kw_only=True)
class ConvTranspose(SpatialMacLayer):
    """Transposed convolution: x [N, IC, X…], weight [IC, OC/groups, K…], bias [OC].

    Element x adds to output x·stride + k·dilation − pad_begin; the output's extent is
    (X − 1)·stride + (K − 1)·dilation + 1 − pad_begin − pad_end (ONNX's output_padding is in pad_end).
    """

    kind = "conv_transpose"


@dataclass(frozen=True, kw_only=True)
class MatMul(MacLayer):
    """Batched matrix product: x […, M, K] times weight […, K, N]; bias [N] or broadcast to the output."""

    kind = "matmul"
    slots = ("x", "weight", "bias", "residual", "accumulator")
