"""Importers of Resize and its predecessor Upsample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.resize_matrix import (
    CROP,
    HALF_FOR_NEAREST,
    Mapping,
    resize_by_matrices,
)
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Coordinates, Nearest, ResizeMode

_MODES = {"nearest": ResizeMode.NEAREST, "linear": ResizeMode.LINEAR, "bilinear": ResizeMode.LINEAR}


def _mode(context: OpContext) -> ResizeMode:
    mode = context.attribute("mode", "nearest")
    if mode not in _MODES:
        raise context.unsupported(f"mode {mode} is not supported, only nearest and linear")
    return _MODES[mode]


def _emit(
    context: OpContext,
    scales: list[float],
    extents: tuple[int, ...],
    coordinates: Coordinates,
    nearest: Nearest,
) -> None:
    x = context.type()
    mode = _mode(context)
    if extents == x.shape:  # whatever the scales are: so onnxruntime has it
        context.rename(context.tensor(0))
        return
    fields = _fields(x.shape, extents, scales, coordinates, nearest)
    context.result(ir.Resize, [context.tensor(0)], TensorType(x.dtype, extents), mode=mode, **fields)


def _fields(
    shape: tuple[int, ...],
    extents: tuple[int, ...],
    scales: Sequence[float],
    coordinates: Coordinates,
    nearest: Nearest,
) -> dict[str, Any]:
    origin = (0,) * len(shape)
    return {
        "coordinates": coordinates,
        "nearest": nearest,
        "scales": tuple(scales),
        "origin": origin,
        "extent": extents,
        "src_origin": origin,
        "src_extent": shape,
    }


def _scaled(context: OpContext, scales: list[float]) -> tuple[int, ...]:
    """Extents of the result: floor(extent · scale) in single precision, as ONNX's own inference."""
    shape = context.shape()
    if len(scales) != len(shape) or min(scales, default=1.0) <= 0:
        raise context.invalid(
            "one positive scale per axis is needed", found=str(scales), expected=f"{len(shape)} numbers"
        )
    extents = np.floor(np.multiply(shape, np.array(scales, np.float32), dtype=np.float32))
    if not np.isfinite(extents).all():
        raise context.unsupported(f"no tensor can have the extents that the scales {scales} give")
    return tuple(map(int, extents))


@importer("Upsample", constraints=("The scales are known at compile time.", "Mode nearest or linear."))
def upsample(context: OpContext) -> None:
    """Enlargement by factors (opsets 7 to 9)."""
    if context.has_attribute("scales"):
        scales = [float(s) for s in context.attribute("scales", [1.0])]
    else:
        scales = [float(s) for s in context.required_constant(1, "scales").reshape(-1)]
    _emit(context, scales, _scaled(context, scales), Coordinates.ASYMMETRIC, Nearest.FLOOR)


@importer(
    "Resize",
    constraints=(
        "Scales or sizes are known at compile time.",
        "Mode cubic, antialias, and crops but for nearest ones are of real numbers.",
    ),
)
def resize(context: OpContext) -> None:
    """Interpolation to other extents, given by scales or sizes."""
    if context.version == 10:
        _resize_of_opset_10(context)
        return
    name = context.attribute("coordinate_transformation_mode", "half_pixel")
    if name not in (CROP, HALF_FOR_NEAREST, *(c.value for c in Coordinates)):
        raise context.invalid("unknown coordinate_transformation_mode", found=name)
    rounding = context.attribute("nearest_mode", "round_prefer_floor")
    if rounding not in (n.value for n in Nearest):
        raise context.invalid("unknown nearest_mode", found=rounding)
    scales, extents = _by_scales(context) if _given(context, 2) else _by_sizes(context)
    cubic = context.attribute("mode", "nearest") == "cubic"
    smooth = cubic or _mode(context) is not ResizeMode.NEAREST
    if extents == context.shape() and name != CROP:  # whatever the scales are: so onnxruntime has it
        context.rename(context.tensor(0))
    elif name in (CROP, HALF_FOR_NEAREST) or cubic or (smooth and context.flag("antialias")):
        crop = _crop(context) if name == CROP else ()
        mapping = Mapping(name, tuple(scales), extents, context.shape(), crop)
        resize_by_matrices(context, mapping, Nearest(rounding))
    else:
        _emit(context, scales, extents, Coordinates(name), Nearest(rounding))


def _crop(context: OpContext) -> tuple[tuple[float, float], ...]:
    """First and last coordinate by axis, as shares of the whole."""
    axes = _axes(context)
    given = context.required_constant(1, "roi").reshape(-1) if context.has(1) else np.zeros(0)
    if len(given) != 2 * len(axes):
        raise context.invalid(
            "roi does not fit", found=str(given.tolist()), expected=f"{2 * len(axes)} numbers"
        )
    crop = [(0.0, 1.0)] * len(context.shape())
    for axis, start, end in zip(axes, given[: len(axes)], given[len(axes) :], strict=True):
        crop[axis] = (float(start), float(end))
    return tuple(crop)


def _resize_of_opset_10(context: OpContext) -> None:
    """Nearest elements are rounded down where an axis grows, and up where it shrinks (onnxruntime)."""
    scales = [float(s) for s in context.required_constant(1, "scales").reshape(-1)]
    extents = _scaled(context, scales)
    shrinks, grows = any(scale < 1 for scale in scales), any(scale > 1 for scale in scales)
    coordinates, nearest = Coordinates.ASYMMETRIC, Nearest.CEIL if shrinks else Nearest.FLOOR
    if not (shrinks and grows) or _mode(context) is ResizeMode.LINEAR or extents == context.shape():
        _emit(context, scales, extents, coordinates, nearest)
        return
    x, tensor = context.type(), context.tensor(0)
    small = tuple(min(pair) for pair in zip(x.shape, extents, strict=True))
    if small != x.shape:
        fields = _fields(x.shape, small, [min(1.0, scale) for scale in scales], coordinates, nearest)
        type_ = TensorType(x.dtype, small)
        tensor = context.step("less", ir.Resize, [tensor], type_, mode=ResizeMode.NEAREST, **fields)
    fields = _fields(small, extents, [max(1.0, scale) for scale in scales], coordinates, Nearest.FLOOR)
    context.result(ir.Resize, [tensor], TensorType(x.dtype, extents), mode=ResizeMode.NEAREST, **fields)


def _given(context: OpContext, slot: int) -> bool:
    return context.has(slot) and context.type(slot).elements > 0


def _axes(context: OpContext) -> tuple[int, ...]:
    rank = len(context.shape())
    if not context.has_attribute("axes"):
        return tuple(range(rank))
    return tuple(context.axis(axis, rank) for axis in context.ints("axes"))


def _by_scales(context: OpContext) -> tuple[list[float], tuple[int, ...]]:
    given = context.required_constant(2, "scales").reshape(-1)
    axes = _axes(context)
    if len(given) != len(axes):
        raise context.invalid(
            "one scale per axis is needed", found=str(given.tolist()), expected=f"{len(axes)} numbers"
        )
    scales = [1.0] * len(context.shape())
    for axis, scale in zip(axes, given, strict=True):
        scales[axis] = float(scale)
    return scales, _scaled(context, scales)


def _by_sizes(context: OpContext) -> tuple[list[float], tuple[int, ...]]:
    if not _given(context, 3):
        raise context.invalid("scales or sizes are needed")
    sizes = [int(s) for s in context.required_constant(3, "sizes").reshape(-1)]
    axes, shape = _axes(context), context.shape()
    if len(sizes) != len(axes) or min(sizes, default=1) < 1:
        raise context.invalid(
            "one positive size per axis is needed", found=str(sizes), expected=f"{len(axes)} numbers"
        )
    if any(shape[axis] == 0 for axis in axes):
        raise context.unsupported("there is no element to interpolate")
    policy = context.attribute("keep_aspect_ratio_policy", "stretch")
    if policy != "stretch":
        choose = {"not_larger": min, "not_smaller": max}.get(policy)
        if choose is None:
            raise context.invalid("unknown keep_aspect_ratio_policy", found=policy)
        # As onnx infers; onnxruntime rounds ratio and product to f32: there 27 · 7/6 is 31, not 32.
        ratio = choose(size / shape[axis] for size, axis in zip(sizes, axes, strict=True))
        sizes = [int(np.floor(ratio * shape[axis] + 0.5)) for axis in axes]
    extents = list(shape)
    scales = [1.0] * len(shape)
    for axis, size in zip(axes, sizes, strict=True):
        extents[axis] = size
        scales[axis] = size / shape[axis] if policy == "stretch" else ratio
    return scales, tuple(extents)
