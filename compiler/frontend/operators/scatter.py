"""Importers of assignments to some of a tensor: ScatterND, which exporters make of `x[:, 1:, 2:5] = y`, and
TensorScatter, which puts new tokens into a cache.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
from nnc.compiler.frontend.states import Appended
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function

_REDUCTIONS = {"add": Function.ADD, "mul": Function.MUL, "max": Function.MAX, "min": Function.MIN}


@importer("ScatterND", constraints=("The indices are known, and name all elements of a box in their order.",))
def scatter_nd(context: OpContext) -> None:
    """Data with a box of it replaced by updates, or added to: a concat of the box and what lies around it."""
    data, updates = context.type(0), context.type(2)
    indices = context.required_constant(1, "indices")
    depth = indices.shape[-1] if indices.ndim else 0
    if not 1 <= depth <= len(data.shape) or updates.shape != (*indices.shape[:-1], *data.shape[depth:]):
        raise context.invalid(
            "the shapes of indices and updates do not fit",
            found=f"{list(indices.shape)} and {list(updates.shape)} for data {list(data.shape)}",
            expected="a tuple with an index for each of the first axes; updates for each tuple",
        )
    if not indices.size or 0 in updates.shape:
        context.rename(context.tensor(0))
        return
    box = [*_box(context, indices.reshape(-1, depth), data.shape), *map(range, data.shape[depth:])]
    shape = tuple(map(len, box))
    values = reshape_step(context, "updates", context.tensor(2), shape)
    reduction = context.attribute("reduction", "none")
    if reduction in _REDUCTIONS:
        operands = [_part(context, "before", box), values]
        type_ = TensorType(data.dtype, shape)
        values = context.step("reduced", ir.Elementwise, operands, type_, function=_REDUCTIONS[reduction])
    _put(context, values, box)


def _box(context: OpContext, tuples: NDArray[Any], shape: tuple[int, ...]) -> list[range]:
    """The box whose elements tuples of indices name, row by row."""
    extents = np.array(shape[: tuples.shape[1]])
    if (tuples < -extents).any() or (tuples >= extents).any():
        raise context.invalid("an index lies outside its axis", expected=f"less than {extents.tolist()}")
    places = np.where(tuples < 0, tuples + extents, tuples)
    low, high = places.min(axis=0), places.max(axis=0) + 1
    counts = tuple(map(int, high - low))
    grid = np.stack(np.unravel_index(np.arange(min(len(places), prod(counts))), counts), axis=1)
    if grid.shape != places.shape or (places != low + grid).any():
        raise context.unsupported("indices that are not those of a box, row by row, are not supported")
    return [range(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def _part(context: OpContext, suffix: str, box: list[range]) -> str:
    """A box of the data."""
    data = context.type(0)
    shape = tuple(map(len, box))
    if shape == data.shape:
        return context.tensor(0)
    start, step = tuple(entries.start for entries in box), (1,) * len(box)
    fields: dict[str, Any] = {"start": start, "step": step, "shape": shape}
    return context.step(suffix, ir.Slice, [context.tensor(0)], TensorType(data.dtype, shape), **fields)


def _put(context: OpContext, values: str, box: list[range]) -> None:
    """Let the output be the data with values in a box, joined along one axis after another, inside first."""
    data = context.type(0)
    cut = [axis for axis, entries in enumerate(box) if len(entries) < data.shape[axis]]
    whole = [*map(range, data.shape)]
    for axis in reversed(cut):
        inside = [*box[:axis], whole[axis], *whole[axis + 1 :]]
        sides = [range(box[axis].start), range(box[axis].stop, data.shape[axis])]
        around = [
            _part(context, f"side{number}.{axis}", [*inside[:axis], side, *inside[axis + 1 :]])
            if side
            else ""
            for number, side in enumerate(sides)
        ]
        parts = [tensor for tensor in (around[0], values, around[1]) if tensor]
        type_ = TensorType(data.dtype, tuple(map(len, inside)))
        if axis == cut[0]:
            context.result(ir.Concat, parts, type_, axis=axis)
            return
        values = context.step(f"joined{axis}", ir.Concat, parts, type_, axis=axis)
    reshape_result(context, values, data.shape)


@importer("TensorScatter", constraints=("Write indices of run time are within the cache, as ONNX demands.",))
def tensor_scatter(context: OpContext) -> None:
    """A cache in which each sequence of the batch gets its updates from its write index on."""
    past, update = context.shape(0), context.shape(1)
    axis = context.axis(context.attribute("axis", -2), len(past))
    fits = len(past) == len(update) and update[axis] <= past[axis]
    if axis == 0 or not fits or [*past[:axis], *past[axis + 1 :]] != [*update[:axis], *update[axis + 1 :]]:
        raise context.invalid(
            "the update does not fit into the cache",
            found=f"{list(update)} for {list(past)}, axis {axis}",
            expected="other extents alike, no more along the axis, which is not that of the batch",
        )
    if not update[axis]:
        context.rename(context.tensor(0))
        return
    mode = context.attribute("mode", "linear")
    if mode not in ("linear", "circular"):
        raise context.invalid("an unknown mode", found=mode, expected="linear or circular")
    start = _common_start(context, past, update[axis], past[axis], circular=mode == "circular")
    if start is not None and start + update[axis] <= past[axis]:
        box = [*map(range, past)]
        box[axis] = range(start, start + update[axis])
        _put(context, context.tensor(1), box)
    else:
        _scatter_rows(context, axis, circular=mode == "circular")
        if mode == "linear" and context.appends(0, 0):
            starts = context.tensor(2)
            context.append(0, Appended(context.tensor(1), axis, starts, (starts, 0)))


def _common_start(
    context: OpContext, past: tuple[int, ...], count: int, room: int, *, circular: bool
) -> int | None:
    """The place that the updates of all sequences have in common; None if it is not known, or there is none.

    Args:
        past: shape of the cache.
        count: updates of each sequence.
        room: places of the cache along the axis.

    Raises:
        ModelInvalidError: there is not an index for each sequence, or one that is known lies outside.
    """
    if not context.has(2):
        return 0
    context.expect_shape(2, past[0])
    indices = context.value(2)
    if indices is None:
        return None
    if not circular and bool(((indices < 0) | (indices > room - count)).any()):
        raise context.invalid(
            "an index lies outside of the cache", found=str(indices.tolist()), expected=f"0 … {room - count}"
        )
    starts = {int(index) % room if circular else int(index) for index in indices}
    return starts.pop() if len(starts) == 1 else None


def _scatter_rows(context: OpContext, axis: int, *, circular: bool) -> None:
    """Where the number of an update that a place gets, counted from the write index, is one of an update."""
    make, past, count = Expansion(context), context.shape(0), context.shape(1)[axis]
    batch, room, rank = past[0], past[axis], len(past)
    places = make.constant(np.arange(room, dtype=np.int64)[None])
    number = make("Sub", places, make.reshape(context.tensor(2), batch, 1))
    if circular:
        number = make("Mod", number, make.constant(np.array(room, np.int64)))
    first, last = (make.constant(np.array(bound, np.int64)) for bound in (0, count - 1))
    is_new = make("And", make("GreaterOrEqual", number, first), make("LessOrEqual", number, last))
    update = context.tensor(1)
    if count > 1:  # to the place of each: the axis goes behind that of the batch
        turn = (0, axis, *(n for n in range(1, rank) if n != axis))
        back = tuple(turn.index(n) for n in range(rank))
        rows = make.reshape(make("Clip", number, first, last), batch, room, 1)
        update = make("GatherND", make.transpose(update, *turn), rows, batch_dims=1)
        update = make.transpose(update, *back)
    shape = [1] * rank
    shape[0], shape[axis] = batch, room
    make.define(0, make("Where", make.reshape(is_new, *shape), update, context.tensor(0)))
