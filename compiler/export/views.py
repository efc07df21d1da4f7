"""Views, joins and what moves elements in ONNX."""

from __future__ import annotations

from functools import reduce
from math import nan, prod
from typing import NamedTuple

import numpy as np

from nnc.compiler.export.nodes import NodeWriter, Operands, emits
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import positions
from nnc.isa.functions import Function
from nnc.isa.types import DType

Shape = tuple[int, ...]
_BEFORE_THE_FIRST = int(np.iinfo(np.int64).min)
"""Where a slice with a negative step ends that takes the first element: −1 would be the last one."""


@emits(ir.Copy)
def copy(w: NodeWriter, layer: ir.Copy, operands: Operands) -> str:
    """Identity."""
    return w.op("Identity", operands)


@emits(ir.Fill)
def fill(w: NodeWriter, layer: ir.Fill, operands: Operands) -> str:
    """Expand of one value."""
    shape = w.constant(np.array(layer.shape, np.int64))
    return w.op("Expand", [w.constant(np.array(layer.value), layer.dtype), shape])


@emits(ir.Reshape)
def reshape(w: NodeWriter, layer: ir.Reshape, operands: Operands) -> str:
    """Reshape, behind a Transpose if the elements are taken in another order of axes."""
    (x,) = operands
    if layer.order != tuple(sorted(layer.order)):
        x = w.op("Transpose", [x], "/order", perm=layer.order)
    return w.op(
        "Reshape", [x, w.constant(np.array(layer.shape, np.int64))], allowzero=1 if 0 in layer.shape else None
    )


@emits(ir.Transpose)
def transpose(w: NodeWriter, layer: ir.Transpose, operands: Operands) -> str:
    """Transpose."""
    return w.op("Transpose", operands, perm=layer.perm)


@emits(ir.Expand)
def expand(w: NodeWriter, layer: ir.Expand, operands: Operands) -> str:
    """Expand."""
    return w.op("Expand", [*operands, w.constant(np.array(layer.shape, np.int64))])


@emits(ir.Unfold)
def unfold(w: NodeWriter, layer: ir.Unfold, operands: Operands) -> str:
    """Gather: the only operator that takes overlapping slices along any axis."""
    positions = np.add.outer(np.arange(layer.count) * layer.step, np.arange(layer.size))
    return w.op("Gather", [*operands, w.constant(positions.astype(np.int64))], axis=layer.axis)


@emits(ir.AsStrided)
def as_strided(w: NodeWriter, layer: ir.AsStrided, operands: Operands) -> str:
    """Gather of the elements of x as one vector."""
    (x,) = map(str, operands)
    elements = positions(w.type(x).shape, layer.steps, layer.offset, layer.strides, layer.shape)
    vector = w.op("Reshape", [x, w.constant(np.array([-1], np.int64))])
    return w.op("Gather", [vector, w.constant(required(elements))], axis=0)


@emits(ir.Concat)
def concat(w: NodeWriter, layer: ir.Concat, operands: Operands) -> str:
    """Concat."""
    return w.op("Concat", operands, axis=layer.axis)


@emits(ir.Slice)
def slice_(w: NodeWriter, layer: ir.Slice, operands: Operands) -> str:
    """Slice; one that takes everything is an Identity."""
    (x,) = map(str, operands)
    return part(w, x, w.type(x).shape, layer.start, layer.step, layer.shape)


def part(
    w: NodeWriter, x: str, extents: Shape, start: Shape, step: Shape, shape: Shape, suffix: str = ""
) -> str:
    """Elements start, start + step … of x, `shape` many; x itself if that is all of it.

    Only the axes that are cut are named.
    """
    picks = enumerate(zip(start, step, shape, extents, strict=True))
    cut = [(axis, a, s, n) for axis, (a, s, n, extent) in picks if (a, s, n) != (0, 1, extent)]
    if not cut:
        return x
    axes, starts, steps, counts = zip(*cut, strict=True)
    ends = [a + s * n for a, s, n in zip(starts, steps, counts, strict=True)]
    inputs = [starts, [end if end >= 0 else _BEFORE_THE_FIRST for end in ends], axes]
    inputs += [] if set(steps) == {1} else [steps]
    return w.op("Slice", [x, *map(w.constant, inputs)], suffix)


def _indices(w: NodeWriter, index: str) -> tuple[str, DType]:
    """Indices in a type that ONNX takes, and that type."""
    dtype = w.type(index).dtype
    if dtype in (DType.I32, DType.I64):
        return index, dtype
    return w.cast(index, dtype, DType.I64, "/wide"), DType.I64


@emits(ir.GatherElements)
def gather_elements(w: NodeWriter, layer: ir.GatherElements, operands: Operands) -> str:
    """GatherElements."""
    index, _ = _indices(w, str(operands[1]))
    return w.op("GatherElements", [operands[0], index], axis=layer.axis)


@emits(ir.Scatter)
def scatter(w: NodeWriter, layer: ir.Scatter, operands: Operands) -> str:
    """ScatterElements; indices that are alike beside the axis are written out."""
    index, _ = _indices(w, str(operands[1]))
    shape = w.type(str(operands[2])).shape
    if w.type(str(operands[1])).shape != shape:
        index = w.op("Expand", [index, w.constant(shape)], "/index")
    reduction = "none" if layer.function is Function.IDENTITY else layer.function.value
    return w.op("ScatterElements", [operands[0], index, operands[2]], axis=layer.axis, reduction=reduction)


@emits(ir.Gather)
def gather(w: NodeWriter, layer: ir.Gather, operands: Operands) -> str:
    """Gather; indices into a part of the axis are made relative to it."""
    data, (index, dtype) = str(operands[0]), _indices(w, str(operands[1]))
    held = w.type(data).shape[layer.axis]
    if (layer.src_origin, layer.extent) != (0, held):
        zero, extent = w.constant(0, dtype), w.constant(layer.extent, dtype)
        wrapped = w.op("Add", [index, extent], "/wrapped")
        index = w.op("Where", [w.op("Less", [index, zero], "/negative"), wrapped, index], "/position")
        index = w.op("Sub", [index, w.constant(layer.src_origin, dtype)], "/relative")
    return w.op("Gather", [data, index], axis=layer.axis)


# --- joins -------------------------------------------------------------------------------------------------


class _Piece(NamedTuple):
    """A value and the box that it fills."""

    value: str
    low: Shape
    high: Shape

    @property
    def elements(self) -> int:
        return prod(b - a for a, b in zip(self.low, self.high, strict=True))


@emits(ir.Join)
def join(w: NodeWriter, layer: ir.Join, operands: Operands) -> str:
    """Concat; one per axis and row of pieces where they form a grid.

    What no operand fills is never read (rows that stay on chip): it is NaN, or zero in integers.

    Raises:
        ExportError: the operands overlap.
    """
    pieces = []
    for operand, low in zip(operands, layer.origins, strict=True):
        shape = w.type(operand).shape
        pieces.append(_Piece(required(operand), low, tuple(a + n for a, n in zip(low, shape, strict=True))))
    if sum(piece.elements for piece in pieces) != w.out.elements:
        pieces += _fillers(w, pieces)
    if sum(piece.elements for piece in pieces) != w.out.elements:
        raise w.impossible("the operands of a join overlap")
    return _joined(w, pieces, (0,) * len(w.out.shape), w.out.shape, "")


def _fillers(w: NodeWriter, pieces: list[_Piece]) -> list[_Piece]:
    """Pieces for the gaps between others."""
    gaps = [_Piece("", (0,) * len(w.out.shape), w.out.shape)]
    for piece in pieces:
        gaps = [rest for gap in gaps for rest in _without(gap, piece)]
    nothing = w.constant(nan if w.out.dtype.is_float else 0, w.out.dtype)
    fillers = []
    for _, low, high in gaps:
        shape = w.constant([b - a for a, b in zip(low, high, strict=True)])
        fillers.append(_Piece(w.op("Expand", [nothing, shape], "/empty"), low, high))
    return fillers


def _without(box: _Piece, hole: _Piece) -> list[_Piece]:
    """What remains of a box around a hole: at most two boxes per axis."""
    value, low, high = box
    axes = range(len(low))
    if any(hole.high[axis] <= low[axis] or high[axis] <= hole.low[axis] for axis in axes):
        return [box]
    rest = []
    for axis in axes:
        if low[axis] < hole.low[axis]:
            rest.append(_Piece(value, low, _at(high, axis, hole.low[axis])))
            low = _at(low, axis, hole.low[axis])
        if hole.high[axis] < high[axis]:
            rest.append(_Piece(value, _at(low, axis, hole.high[axis]), high))
            high = _at(high, axis, hole.high[axis])
    return rest


def _joined(w: NodeWriter, pieces: list[_Piece], low: Shape, high: Shape, suffix: str) -> str:
    """The value of a box that pieces fill."""
    if len(pieces) == 1:
        return pieces[0].value
    for axis in range(len(low)):
        starts = sorted({p.low[axis] for p in pieces})
        cuts = [c for c in starts if not any(p.low[axis] < c < p.high[axis] for p in pieces)]
        if len(cuts) > 1:
            values = []
            for a, b in zip(cuts, [*cuts[1:], high[axis]], strict=True):
                inside = [p for p in pieces if a <= p.low[axis] < b]
                values.append(_joined(w, inside, _at(low, axis, a), _at(high, axis, b), f"{suffix}/{a}"))
            return w.op("Concat", values, suffix, axis=axis)
    return _sum_of_pads(w, pieces, low, high, suffix)


def _at(corner: Shape, axis: int, value: int) -> Shape:
    return (*corner[:axis], value, *corner[axis + 1 :])


def _sum_of_pads(w: NodeWriter, pieces: list[_Piece], low: Shape, high: Shape, suffix: str) -> str:
    """Pieces that no straight cut separates: each with zeros around it, added up."""
    wide = []
    for piece in pieces:
        before = [a - b for a, b in zip(piece.low, low, strict=True)]
        after = [a - b for a, b in zip(high, piece.high, strict=True)]
        wide.append(w.op("Pad", [piece.value, w.constant([*before, *after])], f"{suffix}/pad"))
    total = "Or" if w.out.dtype is DType.BOOL else "Add"
    return reduce(lambda left, right: w.op(total, [left, right], suffix), wide)
