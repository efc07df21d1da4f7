"""What layers on quantised integers compute, from their definition: exact sums, then f32 step by step."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import Arithmetic, Function, ReduceFunction

F32 = np.float32


def is_quantised(layer: ir.Layer, x: list[Any]) -> bool:
    """Whether a layer works on quantised integers, operands being those."""
    if isinstance(layer, ir.MacLayer):
        return bool(x[0].dtype.itemsize == 1)
    scales = getattr(layer, "src_scales", ()) or getattr(layer, "src_scale", 0)
    conversions = (Function.QUANTIZE, Function.DEQUANTIZE)
    return bool(scales) or getattr(layer, "function", None) in conversions


def rounded(y: Any, scale: float, zero: int, dtype: Any) -> Any:
    """saturate(rint(y / scale) + zero) for an integer type; other types are left alone."""
    if np.dtype(dtype).kind == "f":
        return y
    info = np.iinfo(dtype)
    steps = np.rint(y if scale == 1 else y / F32(scale)).astype(np.float64) + zero
    return np.clip(steps, info.min, info.max).astype(dtype)


def real(q: Any, scale: float, zero: int) -> Any:
    """The numbers that integers stand for."""
    return q if q.dtype.kind == "f" else (q.astype(np.float64) - zero).astype(F32) * F32(scale)


def compute(layer: ir.Layer, x: list[Any], dtype: Any, function: Any) -> Any:
    """The result; `function` evaluates an element-wise layer on real numbers."""
    match layer:
        case ir.MacLayer():
            return _product(layer, x, dtype, function)
        case ir.Elementwise(function=Function.QUANTIZE):
            zero = x[2].astype(np.float64) if len(x) > 2 else 0
            info = np.iinfo(dtype)
            return np.clip(np.rint(x[0] / x[1]).astype(np.float64) + zero, info.min, info.max).astype(dtype)
        case ir.Elementwise(function=Function.DEQUANTIZE):
            zero = x[2].astype(np.int64) if len(x) > 2 else 0
            return (x[0].astype(np.int64) - zero).astype(F32) * x[1]
        case ir.Elementwise():
            codes = zip(x, layer.src_scales, layer.src_zeros, strict=True)
            y = function(layer, [real(*code) for code in codes], F32)
            return (
                y
                if np.dtype(dtype) == bool
                else rounded(y.astype(F32), layer.dst_scale, layer.dst_zero, dtype)
            )
        case ir.Pool():
            sums, counts = _window_sums(layer, x[0].astype(np.int64) - layer.src_zero)
            return _averaged(layer, sums, counts, dtype)
        case ir.Reduce():
            sums = (x[0].astype(np.int64) - layer.src_zero).sum(axis=layer.axes, keepdims=True)
            count = layer.count if layer.function is ReduceFunction.MEAN else 1
            return _averaged(layer, sums, np.asarray(count), dtype)
        case ir.Softmax() | ir.Normalise():
            return rounded(
                _of_arithmetic(layer, _whole_axes(layer, x)), layer.dst_scale, layer.dst_zero, dtype
            )
    raise AssertionError(f"no evaluation for {layer}")


_SAME_BITS = {
    *(Function.ADD, Function.SUB, Function.MUL, Function.DIV, Function.MAX, Function.MIN, Function.IDENTITY),
    *(Function.RELU, Function.CLIP, Function.NEG, Function.ABS, Function.FLOOR, Function.CEIL),
}


def nearest_tie(layer: ir.Layer, x: list[Any], dtype: Any, function: Any) -> float:
    """How near a rounded result comes to the middle of two integers where the last bit is anybody's."""
    if isinstance(layer, ir.Softmax | ir.Normalise) and layer.src_scale:
        return 0.0 if _may_differ(layer, x, dtype) else 1.0
    if not isinstance(layer, ir.Elementwise) or layer.function in _SAME_BITS or np.dtype(dtype).itemsize > 1:
        return 1.0
    if layer.function is Function.QUANTIZE:
        y = x[0] / x[1]
    elif layer.src_scales and np.dtype(dtype) != bool:
        codes = zip(x, layer.src_scales, layer.src_zeros, strict=True)
        y = function(layer, [real(*code) for code in codes], F32) / layer.dst_scale
    else:
        return 1.0
    return float(np.abs(np.abs(y - np.floor(y)) - 0.5).min(initial=1.0))


def _whole_axes(layer: ir.Softmax | ir.Normalise, x: list[Any]) -> Any:
    """A softmax or a normalisation of codes before it is rounded, in double precision but for a table."""
    q = x[0].astype(np.float64) - layer.src_zero
    if isinstance(layer, ir.Softmax):
        below = q.max(layer.axis, keepdims=True) - q
        powers = np.exp(-layer.src_scale * below)
        if layer.arithmetic is Arithmetic.I8:
            powers = np.rint(powers * 2 ** (30 - int(np.ceil(np.log2(q.shape[layer.axis])))))
        return powers / powers.sum(layer.axis, keepdims=True)
    scale, bias = [*x[1:], None, None][:2]
    y = q * layer.src_scale
    if layer.function.value == "mean_variance":
        y = y - y.mean(layer.axes, keepdims=True)
    y = y / np.sqrt((y * y).mean(layer.axes, keepdims=True) + layer.epsilon)
    y = y if scale is None else y * scale
    return y if bias is None else y + bias


def _of_arithmetic(layer: ir.Softmax | ir.Normalise, y: Any) -> Any:
    """Real numbers as a layer rounds them before they become codes."""
    return y.astype(np.float16 if layer.arithmetic is Arithmetic.F16 else F32).astype(F32)


def _may_differ(layer: ir.Softmax | ir.Normalise, x: list[Any], dtype: Any) -> bool:
    """Whether other last bits of f32 give other codes."""
    y = _whole_axes(layer, x)
    nudge = 3e-6 * np.abs(y).max(initial=0)
    low, high = (
        rounded(_of_arithmetic(layer, y + by), layer.dst_scale, layer.dst_zero, dtype)
        for by in (-nudge, nudge)
    )
    return not np.array_equal(low, high)


def _averaged(layer: ir.Pool | ir.Reduce, sums: Any, counts: Any, dtype: Any) -> Any:
    factor = (layer.src_scale / ((layer.dst_scale or 1.0) * counts)).astype(F32)
    return rounded(sums.astype(F32) * factor, 1.0, layer.dst_zero, dtype)


def _product(layer: ir.MacLayer, operands: list[Any], dtype: Any, function: Any) -> Any:
    x, weight, bias, residual, scale = [*operands, None, None, None][:5]
    left, right = x.astype(np.float64) - layer.src_zero, weight.astype(np.float64) - layer.weight_zero
    if isinstance(layer, ir.Conv):
        sums = _conv(layer, left, right)
    elif isinstance(layer, ir.ConvTranspose):
        sums = _conv_transpose(layer, left, right)
    else:
        sums = left @ right
    channel = (-1, *[1] * (sums.ndim - 2)) if isinstance(layer, ir.SpatialMacLayer) else (-1,)

    def along(vector: Any) -> Any:
        return vector.reshape(channel) if vector.ndim == 1 else vector

    if bias is not None and bias.dtype.kind == "i":
        sums, bias = sums + along(bias.astype(np.float64)), None
    if np.dtype(dtype) == np.int32:
        return sums.astype(np.int64).astype(np.int32)
    y = sums.astype(F32)
    y = y if scale is None else y * along(scale)
    y = y if bias is None else y + along(bias)
    if layer.sum_scale:
        y = real(rounded(y, 1.0, layer.sum_zero, dtype), layer.sum_scale, layer.sum_zero)
    if residual is not None:
        y = y + real(residual, layer.residual_scale, layer.residual_zero)
    act = ir.Elementwise(name="act", loc=layer.loc, function=layer.act, params=layer.act_params)
    y = y if layer.act is Function.IDENTITY else function(act, [y], F32).astype(F32)
    return rounded(y, layer.dst_scale, layer.dst_zero, dtype)


def _conv(layer: ir.Conv, x: Any, weight: Any) -> Any:
    pads = [(0, 0), (0, 0), *zip(layer.pad_begin, layer.pad_end, strict=True)]
    x = np.pad(x, pads)
    reach = [(k - 1) * d + 1 for k, d in zip(layer.kernel, layer.dilation, strict=True)]
    out = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, layer.stride, strict=True)]
    groups = zip(np.split(x, layer.groups, 1), np.split(weight, layer.groups, 0), strict=True)
    results = []
    for part, kernel in groups:
        total = np.zeros((len(x), len(kernel), *out))
        for tap in product(*map(range, layer.kernel)):
            starts = [t * d for t, d in zip(tap, layer.dilation, strict=True)]
            cut = [
                slice(a, a + (n - 1) * s + 1, s) for a, n, s in zip(starts, out, layer.stride, strict=True)
            ]
            total += np.einsum("nc...,oc->no...", part[(slice(None), slice(None), *cut)], kernel[(..., *tap)])
        results.append(total)
    return np.concatenate(results, 1)


def _conv_transpose(layer: ir.ConvTranspose, x: Any, weight: Any) -> Any:
    reach = [(k - 1) * d + 1 for k, d in zip(layer.kernel, layer.dilation, strict=True)]
    full = [(n - 1) * s + r for n, s, r in zip(x.shape[2:], layer.stride, reach, strict=True)]
    results = []
    groups = zip(np.split(x, layer.groups, 1), np.split(weight, layer.groups, 0), strict=True)
    for part, kernel in groups:
        total = np.zeros((len(x), weight.shape[1], *full))
        for tap in product(*map(range, layer.kernel)):
            starts = [t * d for t, d in zip(tap, layer.dilation, strict=True)]
            places = zip(starts, x.shape[2:], layer.stride, strict=True)
            cut = [slice(a, a + (n - 1) * s + 1, s) for a, n, s in places]
            sums = np.einsum("nc...,co->no...", part, kernel[(..., *tap)])
            total[(slice(None), slice(None), *cut)] += sums
        results.append(total)
    whole = np.concatenate(results, 1)
    for axis, (begin, end) in enumerate(zip(layer.pad_begin, layer.pad_end, strict=True), 2):
        wide = [(0, 0)] * whole.ndim
        wide[axis] = (max(-begin, 0), max(-end, 0))
        whole = np.pad(whole, wide)
        whole = np.take(whole, range(max(begin, 0), whole.shape[axis] - max(end, 0)), axis=axis)
    return whole


def _window_sums(layer: ir.Pool, x: Any) -> tuple[Any, Any]:
    """Sums over the windows, and how many elements each counts."""
    spans = []
    for axis, extent in enumerate(x.shape[2:]):
        k, s, d = layer.kernel[axis], layer.stride[axis], layer.dilation[axis]
        begin, end = layer.pad_begin[axis], layer.pad_end[axis]
        room = extent + begin + end - (k - 1) * d - 1
        count = room // s + 1
        if layer.ceil and room % s and count * s < extent + begin:
            count += 1
        spans.append([[y * s + t * d - begin for t in range(k)] for y in range(count)])
    sums = np.zeros((*x.shape[:2], *map(len, spans)), np.int64)
    counts = np.zeros(tuple(map(len, spans)))
    for index in product(*(range(len(span)) for span in spans)):
        for place in product(*(span[y] for span, y in zip(spans, index, strict=True))):
            axes = zip(place, x.shape[2:], layer.pad_begin, layer.pad_end, strict=True)
            inside = [(0 <= p < n, -b <= p < n + e) for p, n, b, e in axes]
            if all(real for real, _ in inside):
                sums[(slice(None), slice(None), *index)] += x[(slice(None), slice(None), *place)]
            counts[index] += all(padded if layer.count_pad else real for real, padded in inside)
    return sums, np.maximum(counts, 1)
