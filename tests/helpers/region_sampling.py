"""Resize (onnxruntime tells what it reads), pad (numpy tells) and gathers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from math import floor
from typing import Any

import numpy as np
import onnxruntime as ort
from hypothesis import strategies as st
from onnx import TensorProto, helper
from region_model import (
    NAME,
    Case,
    Draw,
    Index,
    Shape,
    extents,
    moved,
    numbered,
    shapes_of,
)

from nnc.compiler.ir import layers as ir
from nnc.isa.functions import (
    Coordinates,
    Nearest,
    PadMode,
    ResizeMode,
)


@cache
def resize_taps_of_onnxruntime(
    mode: ResizeMode, coordinates: Coordinates, nearest: Nearest, length: int, size: int, scale: float | None
) -> tuple[tuple[int, ...], ...]:
    """The source elements behind every output position: the rows of a resized identity matrix."""
    node = helper.make_node(
        "Resize",
        ["x", "", "scales"] if scale else ["x", "", "", "sizes"],
        ["y"],
        mode=mode.value,
        coordinate_transformation_mode=coordinates.value,
        nearest_mode=nearest.value,
    )
    constant = (
        helper.make_tensor("scales", TensorProto.FLOAT, [4], [1.0, 1.0, scale, 1.0])
        if scale
        else helper.make_tensor("sizes", TensorProto.INT64, [4], [1, length, size, 1])
    )
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, length, length, 1])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "resize", [x], [y], [constant])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    identity = np.eye(length, dtype=np.float32)[None, :, :, None]
    weights = session.run(None, {"x": identity})[0][0, :, :, 0].T
    assert weights.shape == (size, length)
    return tuple(tuple(int(i) for i in np.flatnonzero(row)) for row in weights)


def resize_axes() -> list[tuple[int, int, float | None]]:
    """(length, size, scale or None for ONNX `sizes`) of an axis.

    Scales that leave the extent as it is are left out: there onnxruntime copies, whatever the formula says.
    """
    found: list[tuple[int, int, float | None]] = []
    for length, size in product((1, 2, 3, 4, 5, 6, 8), range(1, 13)):
        if size != length:
            found.append((length, size, None))
    for length, scale in product((2, 3, 4, 5, 6, 8), (0.25, 0.5, 0.6, 1.5, 1.3, 2.0, 2.7, 3.0)):
        size = floor(length * float(np.float32(scale)))
        if size not in (0, length):
            found.append((length, size, scale))
    return found


def resize_layer(
    mode: ResizeMode,
    coordinates: Coordinates,
    nearest: Nearest,
    shape: Shape,
    out: Shape,
    scales: tuple[float, ...],
) -> ir.Resize:
    zeros = (0,) * len(shape)
    return ir.Resize(
        **NAME,
        mode=mode,
        coordinates=coordinates,
        nearest=nearest,
        scales=scales,
        origin=zeros,
        extent=out,
        src_origin=zeros,
        src_extent=shape,
    )


@st.composite
def resizes(draw: Draw) -> Case:
    mode, nearest = draw(st.sampled_from(ResizeMode)), draw(st.sampled_from(Nearest))
    coordinates = draw(st.sampled_from(Coordinates))
    axes = draw(st.lists(st.sampled_from(resize_axes()), min_size=1, max_size=2))
    lead = draw(shapes_of(0, 2))
    shape, out = (*lead, *(a[0] for a in axes)), (*lead, *(a[1] for a in axes))
    scales = (*(1.0 for _ in lead), *(s or size / length for length, size, s in axes))
    taps = [resize_taps_of_onnxruntime(mode, coordinates, nearest, *axis) for axis in axes]

    def reads(slot: int, index: Index) -> Iterable[Index]:
        resized = (row[i] for row, i in zip(taps, index[len(lead) :], strict=True))
        return product(*([i] for i in index[: len(lead)]), *resized)

    layer = resize_layer(mode, coordinates, nearest, shape, out, scales)
    return Case(layer, (shape,), out, reads, reads)


@st.composite
def pads(draw: Draw) -> Case:
    """Every mode; cropping too (with wrap and reflect only where the source that is left is as good)."""
    mode = draw(st.sampled_from(PadMode))
    shape = draw(shapes_of(1, 3))
    begin, end = [], []
    for extent in shape:
        low = -((extent - 1) // 2) if mode in (PadMode.CONSTANT, PadMode.EDGE) else 0
        begin.append(draw(st.integers(low, 7)))
        end.append(draw(st.integers(low, 7)))
    if mode is PadMode.REFLECT and draw(st.booleans()):
        begin, end = [-((extent - 1) // 2) for extent in shape], [0] * len(shape)
    widths = list(zip(begin, end, strict=True))
    kept = tuple(slice(max(0, -a), n - max(0, -b)) for n, (a, b) in zip(shape, widths, strict=True))
    grown = [(max(0, a), max(0, b)) for a, b in widths]
    fill: dict[str, Any] = {"constant_values": -1} if mode is PadMode.CONSTANT else {}
    source = np.pad(numbered(shape)[kept], grown, mode=mode.value, **fill)
    zeros = (0,) * len(shape)
    layer = ir.Pad(
        **NAME,
        mode=mode,
        value=0.0,
        begin=tuple(begin),
        end=tuple(end),
        origin=zeros,
        src_origin=zeros,
        src_extent=shape,
    )
    case = moved(layer, [shape], [source])

    def window(slot: int, index: Index) -> Iterable[Index]:
        """Of padding, constant mode keeps the nearest element."""
        return [tuple(i - b for i, b in zip(index, begin, strict=True))]

    if mode is not PadMode.CONSTANT:
        return case
    return Case(layer, case.shapes, case.out, case.reads, window)


@st.composite
def gathers(draw: Draw) -> Case:
    """What the index holds is not known: every element along the axis may be read."""
    shape, index_shape = draw(shapes_of(1, 3)), draw(shapes_of(0, 3))
    axis = draw(st.integers(0, len(shape) - 1))
    out = (*shape[:axis], *index_shape, *shape[axis + 1 :])

    def reads(slot: int, index: Index) -> Iterable[Index]:
        before, position, after = np.split(np.array(index, dtype=int), [axis, axis + len(index_shape)])
        if slot == 1:
            return [tuple(position.tolist())]
        return ((*before.tolist(), i, *after.tolist()) for i in range(shape[axis]))

    layer = ir.Gather(**NAME, axis=axis, extent=shape[axis])
    return Case(layer, (shape, index_shape), out, reads, reads)


@st.composite
def element_gathers(draw: Draw) -> Case:
    """As above; beside the axis, the indices may be fewer than the elements."""
    shape = draw(shapes_of(1, 4))
    axis = draw(st.integers(0, len(shape) - 1))
    out = tuple(draw(extents if a == axis else st.integers(1, n)) for a, n in enumerate(shape))

    def reads(slot: int, index: Index) -> Iterable[Index]:
        return [index] if slot else [(*index[:axis], i, *index[axis + 1 :]) for i in range(shape[axis])]

    return Case(ir.GatherElements(**NAME, axis=axis), (shape, out), out, reads, reads)


@st.composite
def scatters(draw: Draw) -> Case:
    """An element may be any of its line along the axis, or any update of that line."""
    shape = draw(shapes_of(1, 4))
    axis = draw(st.integers(0, len(shape) - 1))
    updates = (*shape[:axis], draw(extents), *shape[axis + 1 :])
    index = tuple(n if a == axis or draw(st.booleans()) else 1 for a, n in enumerate(updates))
    shapes = (shape, index, updates)

    def reads(slot: int, place: Index) -> Iterable[Index]:
        if slot == 0:
            return [place]
        own = [0 if extent == 1 else n for n, extent in zip(place, shapes[slot], strict=True)]
        return [(*own[:axis], i, *own[axis + 1 :]) for i in range(updates[axis])]

    def covers(slot: int, place: Index) -> Iterable[Index]:
        if slot == 0:
            return [(*place[:axis], i, *place[axis + 1 :]) for i in range(shape[axis])]
        return reads(slot, place)

    return Case(ir.Scatter(**NAME, axis=axis), shapes, shape, reads, covers)
