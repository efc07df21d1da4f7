"""Importers of assignments to some of a tensor: ScatterND, which exporters make of `x[:, 1:, 2:5] = y`,
ScatterElements, and TensorScatter, which puts new tokens into a cache.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.expansion import Expansion
from nnc.compiler.frontend.operators.gather import check_beside, check_inside, computed_places, known_places
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step, transpose_step
from nnc.compiler.frontend.states import Appended
from nnc.compiler.frontend.table import importer
from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import TensorType
from nnc.isa.functions import Function
from nnc.isa.types import DType

_REDUCTIONS = {
    "none": Function.IDENTITY,
    "add": Function.ADD,
    "mul": Function.MUL,
    "max": Function.MAX,
    "min": Function.MIN,
}
_LIMITS = (
    "Constant indices lie inside their axes.",
    "Booleans are only replaced.",
)


def _reduction(context: OpContext) -> Function:
    """What an element and its update make: the update itself, or a function of both."""
    name = context.attribute("reduction", "none")
    if name not in _REDUCTIONS:
        raise context.invalid("an unknown reduction", found=name, expected=", ".join(_REDUCTIONS))
    if name != "none" and context.type(0).dtype is DType.BOOL:
        raise context.unsupported("booleans can be replaced, but not reduced")
    return _REDUCTIONS[name]


@importer("ScatterND", constraints=_LIMITS)
def scatter_nd(context: OpContext) -> None:
    """Data with what tuples of indices name replaced by updates, or made a function of both.

    Known indices that name a box in its order make a concat of the box and what lies around it.
    """
    data, index, updates = context.type(0), context.type(1), context.type(2)
    depth = index.shape[-1] if index.shape else 0
    if not 1 <= depth <= len(data.shape) or updates.shape != (*index.shape[:-1], *data.shape[depth:]):
        raise context.invalid(
            "the shapes of indices and updates do not fit",
            found=f"{list(index.shape)} and {list(updates.shape)} for data {list(data.shape)}",
            expected="a tuple with an index for each of the first axes; updates for each tuple",
        )
    if not index.elements or not updates.elements:
        context.rename(context.tensor(0))
        return
    function, named, rest = _reduction(context), data.shape[:depth], data.shape[depth:]
    indices = context.value(1)
    if indices is None:
        _append_rows(context, depth)
        places = computed_places(context, (), named)
    else:
        entries = known_places(context, indices, (), named)
        box = _box(entries.reshape(-1), named)
        if box is not None:
            _replace(context, [*box, *map(range, rest)], function)
            return
        places = context.new_constant("places", entries)
    count = prod(index.shape[:-1])
    operands = [
        reshape_step(context, "entries", context.tensor(0), (prod(named), *rest)),
        reshape_step(context, "column", places, (count, *(1 for _ in rest))),
        reshape_step(context, "updates", context.tensor(2), (count, *rest)),
    ]
    type_ = context.type_of(operands[0])
    result = context.step("scattered", ir.Scatter, operands, type_, axis=0, function=function)
    reshape_result(context, result, data.shape)


def _append_rows(context: OpContext, depth: int) -> None:
    """Where data is a state, and so are its updates rows of it, say so: they follow at the first index.

    The session insists that the indices of a run are that position and those that follow.
    """
    data, index = context.shape(0), context.type(1)
    back, axis, count = context.appends_turned(0, 0), depth - 1, prod(index.shape[:-1])
    if back is None or context.attribute("reduction", "none") != "none" or prod(data[:axis]) != 1:
        return
    rows = reshape_step(context, "new", context.tensor(2), (*data[:axis], count, *data[depth:]))
    rows = transpose_step(context, "rows", rows, back)
    fields: dict[str, Any] = {"start": (0, axis), "step": (1, 1), "shape": (count, 1)}
    flat = reshape_step(context, "tuples", context.tensor(1), (count, depth))
    last = context.step("last", ir.Slice, [flat], TensorType(index.dtype, (count, 1)), **fields)
    numbers = context.new_constant("numbers", np.arange(count, dtype=index.dtype.numpy)[:, None])
    type_ = TensorType(index.dtype, (count, 1))
    position = context.step("position", ir.Elementwise, [last, numbers], type_, function=Function.SUB)
    context.append(0, Appended(rows, back.index(axis), position, (context.tensor(1), axis)))


@importer("Scatter", "ScatterElements", constraints=_LIMITS)
def scatter_elements(context: OpContext) -> None:
    """Data with an element per index, which names its position along an axis, replaced, or made a function.

    Where the indices are fewer than the elements beside the axis, it is the first ones that they serve.
    """
    data, index = context.type(0), context.type(1)
    axis = context.axis(context.attribute("axis", 0), len(data.shape))
    context.expect_shape(2, *index.shape)
    check_beside(context, axis)
    if not index.elements:
        context.rename(context.tensor(0))
        return
    indices = context.constant(1)
    if indices is not None:
        check_inside(context, indices, data.shape[axis])
    box = [*map(range, index.shape)]
    box[axis] = range(data.shape[axis])
    operands = [_part(context, "before", box), context.tensor(1), context.tensor(2)]
    type_ = context.type_of(operands[0])
    fields: dict[str, Any] = {"axis": axis, "function": _reduction(context)}
    if type_ == data:
        context.result(ir.Scatter, operands, type_, **fields)
    else:
        _put(context, context.step("scattered", ir.Scatter, operands, type_, **fields), box)


def _box(entries: NDArray[np.int64], named: tuple[int, ...]) -> list[range] | None:
    """The box of axes of such extents whose elements known entries are, row by row; None if there is none."""
    places = np.stack(np.unravel_index(entries, named), axis=1)
    low, high = places.min(axis=0), places.max(axis=0) + 1
    counts = tuple(map(int, high - low))
    grid = np.stack(np.unravel_index(np.arange(min(len(places), prod(counts))), counts), axis=1)
    if grid.shape != places.shape or (places != low + grid).any():
        return None
    return [range(int(a), int(b)) for a, b in zip(low, high, strict=True)]


def _replace(context: OpContext, box: list[range], function: Function) -> None:
    """Let the output be the data with a box of it replaced by updates, or a function of both."""
    shape = tuple(map(len, box))
    values = reshape_step(context, "updates", context.tensor(2), shape)
    if function is not Function.IDENTITY:
        operands = [_part(context, "before", box), values]
        type_ = TensorType(context.type(0).dtype, shape)
        values = context.step("reduced", ir.Elementwise, operands, type_, function=function)
    _put(context, values, box)


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
