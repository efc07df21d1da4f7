"""Resize and Pad in ONNX: the operators for whole tensors, gathers of the very elements for tiles."""

from __future__ import annotations

import numpy as np

from nnc.compiler.export.nodes import NodeWriter, Operands, emits
from nnc.compiler.export.views import part
from nnc.compiler.ir import layers as ir
from nnc.isa.functions import PadMode, ResizeMode
from nnc.isa.resample import Indices, pad_indices, resize_taps, source_coordinates
from nnc.isa.types import DType


def _is_whole(w: NodeWriter, layer: ir.Resize | ir.Pad, x: str, extent: tuple[int, ...]) -> bool:
    whole = not any((*layer.origin, *layer.src_origin)) and w.out.shape == extent
    return whole and w.type(x).shape == layer.src_extent


def _take(w: NodeWriter, x: str, index: Indices, axis: int, suffix: str) -> str:
    return w.op("Gather", [x, w.constant(index)], suffix, axis=axis)


# --- resize ------------------------------------------------------------------------------------------------


@emits(ir.Resize)
def resize(w: NodeWriter, layer: ir.Resize, operands: Operands) -> str:
    """Resize of a whole tensor by its scales, or its sizes where they say the same; else by gathers."""
    (x,) = map(str, operands)
    given = _scales_or_sizes(w, layer) if _is_whole(w, layer, x, layer.extent) else None
    if given is None:
        return _resized_tile(w, layer, x)
    return w.op(
        "Resize",
        [x, None, *given],
        mode=layer.mode.value,
        coordinate_transformation_mode=layer.coordinates.value,
        nearest_mode=layer.nearest.value,
    )


def _scales_or_sizes(w: NodeWriter, layer: ir.Resize) -> Operands | None:
    """The operands of Resize from which every tool derives the extents of the layer and its scales."""
    scales, x = np.array(layer.scales, np.float32), np.array(layer.src_extent, np.float32)
    if np.array_equal(np.array(layer.extent, np.float32) / x, scales):
        return [None, w.constant(layer.extent)]
    products = (x * scales, x.astype(np.float64) * scales)  # tools differ in where they round
    if all(np.array_equal(np.floor(product), layer.extent) for product in products):
        return [w.constant(scales, DType.F32)]
    return None


def _resized_tile(w: NodeWriter, layer: ir.Resize, x: str) -> str:
    """Axis by axis; linear interpolation is computed in f32 at least, integers lose their fraction."""
    shape, own = w.type(x).shape, w.out.dtype
    linear = layer.mode is ResizeMode.LINEAR
    kind = DType.F32 if linear and own is not DType.F64 else own
    result = w.cast(x, own, kind, "/wide")
    for axis, extent in enumerate(w.out.shape):
        same_place = layer.origin[axis] == layer.src_origin[axis] and extent == shape[axis]
        if layer.scales[axis] != 1.0 or not same_place:
            result = (_linear_axis if linear else _nearest_axis)(w, layer, axis, result)
    return w.cast(result, kind, own, "/cast")


def _positions(w: NodeWriter, layer: ir.Resize | ir.Pad, axis: int) -> Indices:
    return np.arange(w.out.shape[axis], dtype=np.int64) + layer.origin[axis]


def _nearest_axis(w: NodeWriter, layer: ir.Resize, axis: int, x: str) -> str:
    taps, _ = resize_taps(layer, axis, _positions(w, layer, axis))
    return _take(w, x, taps - layer.src_origin[axis], axis, f"/axis{axis}")


def _linear_axis(w: NodeWriter, layer: ir.Resize, axis: int, x: str) -> str:
    """left + (right − left)·weight."""
    positions, origin = _positions(w, layer, axis), layer.src_origin[axis]
    left, right = resize_taps(layer, axis, positions)
    coordinates = np.clip(source_coordinates(layer, axis, positions), 0, layer.src_extent[axis] - 1)
    weight = (coordinates - left.astype(np.float32)).reshape((-1,) + (1,) * (len(w.out.shape) - axis - 1))
    low = _take(w, x, left - origin, axis, f"/axis{axis}.left")
    high = _take(w, x, right - origin, axis, f"/axis{axis}.right")
    kind = DType.F64 if w.out.dtype is DType.F64 else DType.F32
    slope = w.op("Sub", [high, low], f"/axis{axis}.slope")
    return w.op(
        "Add", [low, w.op("Mul", [slope, w.constant(weight, kind)], f"/axis{axis}.step")], f"/axis{axis}"
    )


# --- pad ---------------------------------------------------------------------------------------------------


@emits(ir.Pad)
def pad(w: NodeWriter, layer: ir.Pad, operands: Operands) -> str:
    """Pad of a whole tensor; tiles of constant padding by another Pad, of the other modes by gathers."""
    (x,) = map(str, operands)
    if layer.mode is PadMode.CONSTANT:
        return _constant_pad(w, layer, x)
    axes = zip(layer.src_extent, layer.begin, layer.end, strict=True)
    extent = tuple(n + begin + end for n, begin, end in axes)
    simple = all(0 <= p < n for p, n in zip((*layer.begin, *layer.end), layer.src_extent * 2, strict=True))
    if simple and _is_whole(w, layer, x, extent):
        return w.op("Pad", [x, w.constant([*layer.begin, *layer.end])], mode=layer.mode.value)
    for axis, held in enumerate(w.type(x).shape):
        whole = _positions(w, layer, axis) - layer.begin[axis]
        index = pad_indices(layer.mode, layer.src_extent[axis], whole) - layer.src_origin[axis]
        if not np.array_equal(index, np.arange(held)):
            x = _take(w, x, index, axis, f"/axis{axis}")
    return x


def _constant_pad(w: NodeWriter, layer: ir.Pad, x: str) -> str:
    """What the tile has of its source, and the constant around it."""
    begin, end, start, shape = [], [], [], []
    for axis, extent in enumerate(layer.src_extent):
        whole = _positions(w, layer, axis) - layer.begin[axis]
        inside = np.flatnonzero((whole >= 0) & (whole < extent))
        if not len(inside):
            return w.op("Expand", [w.constant([layer.value], w.out.dtype), w.constant(w.out.shape)])
        begin.append(int(inside[0]))
        end.append(len(whole) - 1 - int(inside[-1]))
        start.append(int(whole[inside[0]]) - layer.src_origin[axis])
        shape.append(len(inside))
    source = part(w, x, w.type(x).shape, tuple(start), (1,) * len(start), tuple(shape), "/inside")
    value = w.constant(layer.value, w.out.dtype) if layer.value else None
    return w.op("Pad", [source, w.constant([*begin, *end]), value])
