"""Importer of assignments to a box of a tensor: exporters make a scatter N-D of `x[:, 1:, 2:5] = y`."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nnc.compiler.frontend.context import OpContext
from nnc.compiler.frontend.operators.shaping import reshape_result, reshape_step
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
