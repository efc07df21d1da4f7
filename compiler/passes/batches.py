"""Layers that do the same to every picture of a batch: one of them for more pictures, or for fewer.

in:   a layer, the types of what it reads and makes
out:  the layer that does this to another number of pictures; whether each picture is by itself there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.compiler.ir.inference.infer import infer
from nnc.compiler.ir.regions.operand_boxes import Boxes, needed
from nnc.compiler.ir.required import required

KINDS = (
    ir.MacLayer
    | ir.Pool
    | ir.Elementwise
    | ir.Reduce
    | ir.WholeAxes
    | ir.Resize
    | ir.Pad
    | ir.Reshape
    | ir.Transpose
    | ir.Concat
)
"""Kinds of layers that may do the same to every picture."""

Extents = tuple[int, ...]


def times(type_: TensorType, count: int) -> TensorType:
    """The type of so many times as many pictures."""
    return TensorType(type_.dtype, _longer(type_.shape, count))


def one_of(type_: TensorType, count: int) -> TensorType:
    """The type of one of so many equal shares of the pictures."""
    return TensorType(type_.dtype, _shorter(type_.shape, count))


def for_all(layer: ir.Layer, count: int, name: str) -> ir.Layer | None:
    """The layer that does the same to so many times as much along the outermost axis, if any does."""
    return _changed(layer, name, lambda shape: _longer(shape, count))


def for_one(layer: ir.Layer, count: int, name: str) -> ir.Layer | None:
    """The layer that does the same to one of so many shares along the outermost axis, if any does."""
    return _changed(layer, name, lambda shape: _shorter(shape, count))


def _longer(shape: Extents, count: int) -> Extents:
    return (shape[0] * count, *shape[1:])


def _shorter(shape: Extents, count: int) -> Extents:
    return (shape[0] // count, *shape[1:])


def _changed(layer: ir.Layer, name: str, change: Callable[[Extents], Extents]) -> ir.Layer | None:
    made = replace(layer, name=name)
    match made:
        case ir.Reshape(shape=(_, *_) as shape) | ir.Slice(shape=(_, *_) as shape):
            return replace(made, shape=change(shape))
        case ir.Concat(axis=0) | ir.Reshape() | ir.Slice():
            return None
        case ir.Resize(extent=extent, src_extent=source):
            return replace(made, extent=change(extent), src_extent=change(source))
        case ir.Pad(src_extent=source):
            return replace(made, src_extent=change(source))
        case _:
            return made


def are_apart(
    layer: ir.Layer,
    batch: ir.Layer,
    types: Sequence[TensorType | None],
    result: TensorType,
    slots: Sequence[int],
    count: int,
) -> bool:
    """Whether each share of a batch's result needs its own shares of operands, as it does by itself.

    Args:
        layer, batch: the layer for a share, and for all of them.
        types: of what `layer` reads; result: of what it makes.
        slots: operands of which the batch has so many times as much; the others are the same for all shares.
    """
    if not result.elements or not result.shape or not all(required(types[slot]).shape for slot in slots):
        return False
    longer = [times(t, count) if t is not None and number in slots else t for number, t in enumerate(types)]
    shares = _in_turn(Boxes.whole(result.shape, count), result.shape[0])
    shapes, new_shapes = ([None if t is None else t.shape for t in read] for read in (types, longer))
    for slot, shape in enumerate(shapes):
        if shape is None:
            continue
        old = needed(layer, slot, Boxes.whole(result.shape), shapes, result.shape)
        new = needed(batch, slot, shares, new_shapes, _longer(result.shape, count))
        own = Boxes(np.repeat(old.boxes.low, count, 0), np.repeat(old.boxes.high, count, 0))
        own = _in_turn(own, shape[0]) if slot in slots else own
        corners = (new.boxes.low, own.low), (new.boxes.high, own.high)
        pads = (new.before, old.before), (new.after, old.after)
        if any((left != right).any() for left, right in (*corners, *pads)):
            return False
    return infer(batch, longer, dtype=result.dtype) == times(result, count)


def _in_turn(boxes: Boxes, extent: int) -> Boxes:
    """Boxes, each so far behind the one before along the outermost axis."""
    for corner in (boxes.low, boxes.high):
        corner[:, 0] += np.arange(len(corner)) * extent
    return boxes
