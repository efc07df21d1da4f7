"""Quantised integers in ONNX: conversions, and layers on integers as real numbers between conversions."""

from __future__ import annotations

import numpy as np

from nnc.compiler.export.nodes import NodeWriter, Operands
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.isa.functions import Arithmetic, Function, ReduceFunction
from nnc.isa.instruction import Phase
from nnc.isa.types import DType


def real(w: NodeWriter, x: str, dtype: DType, scale: float, zero: int, suffix: str) -> str:
    """Integers as the real numbers that they stand for; a float is left alone."""
    if dtype.is_float:
        return x
    return w.op("DequantizeLinear", [x, w.constant(scale, DType.F32), w.constant(zero, dtype)], suffix)


def rounded(w: NodeWriter, y: str, dtype: DType, scale: float, zero: int, suffix: str = "/round") -> str:
    """Real numbers as integers; a float result is left alone, 32-bit sums are not rounded."""
    if dtype.is_float:
        return y
    if dtype is DType.I32:
        return w.cast(y, DType.F32, dtype, suffix)
    return w.op("QuantizeLinear", [y, w.constant(scale, DType.F32), w.constant(zero, dtype)], suffix)


def real_source(w: NodeWriter, layer: ir.Softmax | ir.Normalise, x: str) -> str:
    """The real numbers that a layer on codes computes on.

    Raises:
        ExportError: it computes in integers, which ONNX has no operator for.
    """
    if layer.arithmetic is Arithmetic.I8:
        raise w.impossible(f"a {layer.kind} in integers has no counterpart in ONNX; --softmax f32 has")
    return real(w, x, w.type(w.graph.operand(layer.name, 0)).dtype, layer.src_scale, layer.src_zero, "/real")


def rounded_result(w: NodeWriter, layer: ir.Softmax | ir.Normalise, y: str) -> str:
    """The codes of a result, which is f16 before if the layer computes in that."""
    if layer.arithmetic is Arithmetic.F16:
        y = w.cast(w.cast(y, DType.F32, DType.F16, "/half"), DType.F16, DType.F32, "/single")
    return rounded(w, y, w.out.dtype, layer.dst_scale, layer.dst_zero)


def centred(w: NodeWriter, x: str, dtype: DType, zero: int, suffix: str) -> str:
    """8-bit integers less their zero point, as f32."""
    wide = w.cast(x, dtype, DType.F32, suffix)
    return wide if zero == 0 else w.op("Sub", [wide, w.constant(zero, DType.F32)], f"{suffix}/centre")


def conversion(w: NodeWriter, layer: ir.Elementwise, operands: Operands) -> str:
    """QuantizeLinear or DequantizeLinear with one scale, or one per index of an axis."""
    x, *codes = operands
    shapes = [w.type(code).shape for code in codes]
    rank, axes = len(w.out.shape), set[int]()
    for shape in shapes:
        axes |= {axis for axis, extent in enumerate(shape, rank - len(shape)) if extent != 1}
    if len(axes) > 1:
        raise w.impossible("scales vary along several axes, which ONNX has no conversion for")
    wanted = [-1] if axes else []
    flat = [w.op("Reshape", [code, w.constant(np.array(wanted, np.int64))], "/code") for code in codes]
    kind = "QuantizeLinear" if layer.function is Function.QUANTIZE else "DequantizeLinear"
    return w.op(kind, [x, *flat], axis=min(axes) if axes else None)


def reduction(w: NodeWriter, layer: ir.Reduce, x: str, accumulator: str | None) -> str:
    """The sum or mean of quantised integers from their exact sum."""
    sums = w.cast(x, w.type(w.graph.operand(layer.name, 0)).dtype, DType.I64, "/wide")
    if layer.src_zero:
        sums = w.op("Sub", [sums, w.constant(layer.src_zero)], "/centre")
    sums = w.op("ReduceSum", [sums, w.constant(layer.axes)], "/sum", keepdims=1)
    if accumulator is not None:
        sums = w.op("Add", [sums, accumulator], "/accumulate")
    if layer.phase in (Phase.START, Phase.ADD):
        return sums
    count = layer.count if layer.function is ReduceFunction.MEAN else 1
    factor = np.float32(layer.src_scale / ((layer.dst_scale or 1.0) * count))
    y = w.op("Mul", [w.cast(sums, DType.I64, DType.F32, "/real"), w.constant(factor, DType.F32)], "/scale")
    return rounded(w, y, w.out.dtype, 1.0, layer.dst_zero)


def epilogue_scale(w: NodeWriter, layer: ir.MacLayer, y: str, scale: str | None) -> str:
    """Sums times their scale, one per output channel."""
    return y if scale is None else w.op("Mul", [y, along_channels(w, layer, required(scale))], "/scale")


def along_channels(w: NodeWriter, layer: ir.MacLayer, vector: str) -> str:
    """A vector over the output channels, shaped to broadcast to the result."""
    if not isinstance(layer, ir.SpatialMacLayer) or len(w.type(vector).shape) != 1:
        return vector
    return w.op("Unsqueeze", [vector, w.constant(range(1, len(layer.kernel) + 1))], "/channels")
