"""Convolutions and matrix products in ONNX, with their epilogues as nodes of their own."""

from __future__ import annotations

from typing import Any

from nnc.compiler.export.functions import unary
from nnc.compiler.export.nodes import NodeWriter, Operands, emits
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.isa.functions import Function
from nnc.isa.instruction import Phase


def _five(operands: Operands) -> tuple[str | None, ...]:
    """x, weight, bias, residual and accumulator, None where absent."""
    return (*operands, *[None] * (5 - len(operands)))


def padded(w: NodeWriter, x: str, begin: tuple[int, ...], end: tuple[int, ...]) -> str:
    """x with zeros around its spatial axes, or cropped where a number is negative."""
    if not any((*begin, *end)):
        return x
    return w.op("Pad", [x, w.constant([0, 0, *begin, 0, 0, *end])], "/pad")


def _window(layer: ir.SpatialMacLayer) -> dict[str, Any]:
    return {
        "kernel_shape": layer.kernel,
        "strides": layer.stride,
        "dilations": layer.dilation,
        "group": layer.groups,
    }


@emits(ir.Conv)
def conv(w: NodeWriter, layer: ir.Conv, operands: Operands) -> str:
    """Conv; where pads are negative, what they cut off is cut off before."""
    x, weight, bias, residual, accumulator = _five(operands)
    pads = (*layer.pad_begin, *layer.pad_end)
    if min(pads) < 0:
        x, pads = padded(w, required(x), layer.pad_begin, layer.pad_end), (0,) * len(pads)
    sums = w.op("Conv", [x, weight, bias], pads=pads, **_window(layer))
    return _epilogue(w, layer, sums, (None, residual, accumulator))


@emits(ir.ConvTranspose)
def conv_transpose(w: NodeWriter, layer: ir.ConvTranspose, operands: Operands) -> str:
    """ConvTranspose; with negative pads the whole result, zeros around it, and only then the bias."""
    x, weight, bias, residual, accumulator = _five(operands)
    pads = (*layer.pad_begin, *layer.pad_end)
    if min(pads) >= 0:
        sums = w.op("ConvTranspose", [x, weight, bias], pads=pads, **_window(layer))
        return _epilogue(w, layer, sums, (None, residual, accumulator))
    full = w.op("ConvTranspose", [x, weight], **_window(layer))
    sums = padded(w, full, tuple(-p for p in layer.pad_begin), tuple(-p for p in layer.pad_end))
    if bias is not None:
        axes = w.constant(range(1, len(layer.kernel) + 1))
        bias = w.op("Unsqueeze", [bias, axes], "/channels")
    return _epilogue(w, layer, sums, (bias, residual, accumulator))


@emits(ir.MatMul)
def matmul(w: NodeWriter, layer: ir.MatMul, operands: Operands) -> str:
    """MatMul, the bias added after it."""
    x, weight, bias, residual, accumulator = _five(operands)
    return _epilogue(w, layer, w.op("MatMul", [x, weight]), (bias, residual, accumulator))


def _epilogue(w: NodeWriter, layer: ir.MacLayer, sums: str, addends: Operands) -> str:
    """act(sums + accumulator + bias + residual), or partial sums alone in their own type."""
    bias, residual, accumulator = addends
    held = w.type(w.graph.operand(layer.name, 0)).dtype
    if accumulator is not None:
        wide = w.type(accumulator).dtype
        sums = w.op("Add", [w.cast(sums, held, wide, "/wide"), accumulator], "/accumulate")
        held = wide
    sums = w.cast(sums, held, w.out.dtype, "/cast")
    for addend, suffix in ((bias, "/bias"), (residual, "/residual")):
        if addend is not None:
            sums = w.op("Add", [sums, addend], suffix)
    if layer.act is Function.IDENTITY or layer.phase in (Phase.START, Phase.ADD):
        return sums  # every chunk carries the function, the last one applies it
    return unary(w, layer.act, layer.act_params, sums, w.out.dtype, "/act")
