"""Convolutions and matrix products in ONNX, with their epilogues as nodes of their own."""

from __future__ import annotations

from typing import Any

from nnc.compiler.export.functions import unary
from nnc.compiler.export.nodes import NodeWriter, Operands, emits
from nnc.compiler.export.quantised import along_channels, centred, epilogue_scale, real, rounded
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.isa.functions import Function
from nnc.isa.instruction import Phase
from nnc.isa.types import DType


def _six(operands: Operands) -> tuple[str | None, ...]:
    """x, weight, bias, residual, scale and accumulator, None where absent."""
    return (*operands, *[None] * (6 - len(operands)))


def _factors(
    w: NodeWriter, layer: ir.MacLayer, operands: Operands
) -> tuple[str | None, str | None, str | None]:
    """What is multiplied, and the bias that the operator may add: none to sums of integers.

    Integers are multiplied as f32, which is exact as long as sums stay below 2**24.
    """
    x, weight, bias = _six(operands)[:3]
    if w.type(x).dtype.is_float or w.type(x).dtype.itemsize > 1:
        return x, weight, bias
    zeros = (("/x", x, layer.src_zero), ("/weight", weight, layer.weight_zero))
    wide = [centred(w, required(t), w.type(t).dtype, zero, suffix) for suffix, t, zero in zeros]
    return wide[0], wide[1], None


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
    x, weight, bias = _factors(w, layer, operands)
    pads = (*layer.pad_begin, *layer.pad_end)
    if min(pads) < 0:
        x, pads = padded(w, required(x), layer.pad_begin, layer.pad_end), (0,) * len(pads)
    sums = w.op("Conv", [x, weight, bias], pads=pads, **_window(layer))
    return _epilogue(w, layer, sums, operands, has_bias=bias is not None)


@emits(ir.ConvTranspose)
def conv_transpose(w: NodeWriter, layer: ir.ConvTranspose, operands: Operands) -> str:
    """ConvTranspose; with negative pads the whole result, zeros around it, and only then the bias."""
    x, weight, bias = _factors(w, layer, operands)
    pads = (*layer.pad_begin, *layer.pad_end)
    if min(pads) >= 0:
        sums = w.op("ConvTranspose", [x, weight, bias], pads=pads, **_window(layer))
        return _epilogue(w, layer, sums, operands, has_bias=bias is not None)
    full = w.op("ConvTranspose", [x, weight], **_window(layer))
    sums = padded(w, full, tuple(-p for p in layer.pad_begin), tuple(-p for p in layer.pad_end))
    return _epilogue(w, layer, sums, operands)


@emits(ir.MatMul)
def matmul(w: NodeWriter, layer: ir.MatMul, operands: Operands) -> str:
    """MatMul, the bias added after it."""
    x, weight, _ = _factors(w, layer, operands)
    return _epilogue(w, layer, w.op("MatMul", [x, weight]), operands)


@emits(ir.BlockMatMul)
def block_matmul(w: NodeWriter, layer: ir.BlockMatMul, operands: Operands) -> str:
    """MatMul with the weights as real numbers: ONNX has no such blocks of bytes."""
    x, weight = (required(tensor) for tensor in operands[:2])
    dtype = w.type(x).dtype
    matrix = layer.format.real(w.graph.constants[weight], w.type(x).shape[-1], layer.weight_zero)
    real = w.constant(matrix.astype(dtype.numpy), dtype)
    return _epilogue(w, layer, w.op("MatMul", [x, real]), operands)


def _epilogue(
    w: NodeWriter, layer: ir.MacLayer, sums: str, operands: Operands, *, has_bias: bool = False
) -> str:
    """act(sums·scale + bias + residual), or partial sums alone in their own type.

    Args:
        has_bias: the sums have it already.
    """
    x, _, bias, residual, scale, accumulator = _six(operands)
    held = w.type(x).dtype
    of_bytes = not held.is_float and held.itemsize == 1
    held = DType.F32 if of_bytes else held
    if accumulator is not None:
        wide = w.type(accumulator).dtype
        sums = w.op("Add", [w.cast(sums, held, wide, "/wide"), accumulator], "/accumulate")
        held = wide
    unfinished = layer.phase in (Phase.START, Phase.ADD)
    sums = w.cast(sums, held, DType.F32 if of_bytes and not unfinished else w.out.dtype, "/cast")
    if unfinished:
        return sums  # every chunk carries the function, the last one applies it
    if of_bytes:
        return _of_integers(w, layer, sums, (bias, residual, scale))
    bias = None if has_bias or bias is None else along_channels(w, layer, bias)
    for addend, suffix in ((bias, "/bias"), (residual, "/residual")):
        if addend is not None:
            sums = w.op("Add", [sums, addend], suffix)
    if layer.act is Function.IDENTITY:
        return sums
    return unary(w, layer.act, layer.act_params, sums, w.out.dtype, "/act")


def _of_integers(w: NodeWriter, layer: ir.MacLayer, y: str, operands: Operands) -> str:
    """The epilogue of products of 8-bit integers, rounded where the layer rounds."""
    bias, residual, scale = operands
    dtype, f32 = w.out.dtype, DType.F32
    if bias is not None:
        own, bias = w.type(bias).dtype, along_channels(w, layer, bias)
        if not own.is_float:
            y, bias = w.op("Add", [y, w.cast(bias, own, f32, "/bias/real")], "/bias"), None
    y = epilogue_scale(w, layer, y, scale)
    y = y if bias is None else w.op("Add", [y, bias], "/bias")
    if layer.sum_scale:
        y = rounded(w, y, dtype, 1.0, layer.sum_zero, "/sum")
        y = real(w, y, dtype, layer.sum_scale, layer.sum_zero, "/sum/real")
    if residual is not None:
        own = w.type(residual).dtype
        residual = real(w, residual, own, layer.residual_scale, layer.residual_zero, "/residual/real")
        y = w.op("Add", [y, residual], "/residual")
    if layer.act is not Function.IDENTITY:
        y = unary(w, layer.act, layer.act_params, y, f32, "/act")
    return rounded(w, y, dtype, layer.dst_scale, layer.dst_zero)
