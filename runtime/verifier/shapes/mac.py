"""Shapes of the MAC array's instructions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nnc.isa.functions import Result, is_unary
from nnc.isa.instruction import Phase
from nnc.isa.instructions import Conv, ConvTranspose, Gemm, MacInstruction
from nnc.isa.types import DType
from nnc.runtime.verifier.shapes.rule import Shape, broadcasts, equal, per_axis, phase_fits, result_of, rule


def _epilogue(i: MacInstruction, shape: Shape) -> Iterator[str]:
    if i.src.dtype.is_float != i.weight.dtype.is_float:
        yield f"src is {i.src.dtype.value} but weight is {i.weight.dtype.value}"
    if i.accumulator is not None and i.accumulator.dtype not in (DType.F32, DType.I32):
        yield f"accumulator is {i.accumulator.dtype.value}, expected f32 or i32"
    if i.phase in (Phase.START, Phase.ADD):
        for name in ("bias", "residual", "scale"):
            if getattr(i, name) is not None:
                yield f"{name} belongs to the epilogue; phase {i.phase.value} has none"
        return
    if not is_unary(i.act) or i.act.record.result is not Result.FIRST:
        yield f"act is {i.act.value}, expected a unary function that keeps the type"
    yield from broadcasts("bias", i.bias, shape)
    yield from broadcasts("scale", i.scale, shape)
    if i.residual is not None:
        yield from equal("residual shape", i.residual.shape, shape)


@rule(Conv, ConvTranspose)
def _conv(i: Conv | ConvTranspose) -> Iterator[str]:
    yield from phase_fits(i)
    out = result_of(i)
    if out is None:
        return
    rank = len(i.src.shape)
    if rank < 3 or len(i.weight.shape) != rank or len(out.shape) != rank:
        yield f"src {i.src.shape}, weight {i.weight.shape}, dst {out.shape}: expected one rank, 3 or more"
        return
    yield from per_axis(rank - 2, 1, stride=i.stride, dilation=i.dilation)
    transposed = isinstance(i, ConvTranspose)
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
    yield from _epilogue(i, out.shape)


@rule(Gemm)
def _gemm(i: Gemm) -> Iterator[str]:
    yield from phase_fits(i)
    out = result_of(i)
    if out is None:
        return
    src, weight = i.src.shape, i.weight.shape
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
    yield from _epilogue(i, out.shape)
