"""Importers of operators that pick elements by index: gather, gather elements, gather N-D."""

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

Shape = tuple[int, ...]


@importer("Gather", constraints=("Constant indices lie inside the axis.",))
def gather(context: OpContext) -> None:
    """The entries of one axis that an integer tensor names; negative indices count from the end."""
    data, index = context.type(0), context.type(1)
    axis = context.axis(context.attribute("axis", 0), len(data.shape))
    extent = data.shape[axis]
    shape = (*data.shape[:axis], *index.shape, *data.shape[axis + 1 :])
    indices = context.constant(1)
    if indices is not None:
        check_inside(context, indices, extent)
        places = indices.reshape(-1).astype(np.int64) % max(1, extent)
        entries = _equal_steps(places)
        if entries and context.constant(0) is None:
            _pick(context, context.tensor(0), axis, entries, shape)
            return
        if len(data.shape) == 1 and (run := _length_of_runs(places, extent)) > 1:
            _gather_runs(context, context.tensor(0), places[::run] // run, run, shape)
            return
    operands = [context.tensor(0), context.tensor(1)]
    context.result(ir.Gather, operands, TensorType(data.dtype, shape), axis=axis, extent=extent)


def _equal_steps(places: NDArray[np.int64]) -> range | None:
    """The entries that known indices name, if they walk forwards in equal steps (which a slice does)."""
    steps = np.unique(np.diff(places))
    step = int(steps[0]) if steps.size else 1
    if not places.size or steps.size > 1 or step < 1:
        return None
    return range(int(places[0]), int(places[-1]) + 1, step)


def _length_of_runs(places: NDArray[np.int64], extent: int) -> int:
    """The widest rows of a list of `extent` elements that known indices name whole, one after the other."""
    begins = np.flatnonzero(np.diff(places, prepend=-2) != 1)
    return int(np.gcd.reduce([extent, places.size, *begins.tolist(), *places[begins].tolist()]))


def _gather_runs(context: OpContext, tensor: str, rows: NDArray[np.int64], run: int, shape: Shape) -> None:
    """Let the output be rows of so many elements of a list, in a shape: windows that `as_strided` names."""
    data = context.type_of(tensor)
    count = data.shape[0] // run
    table = reshape_step(context, "rows", tensor, (count, run))
    type_ = TensorType(data.dtype, (len(rows), run))
    operands = [table, context.new_constant("row", rows)]
    reshape_result(context, context.step("runs", ir.Gather, operands, type_, axis=0, extent=count), shape)


def check_beside(context: OpContext, axis: int) -> None:
    """Raise ModelInvalidError unless indices have the rank of data, and beside an axis no more extents."""
    data, index = context.shape(0), context.shape(1)
    others = [(m, n) for a, (m, n) in enumerate(zip(index, data, strict=False)) if a != axis]
    if len(index) != len(data) or any(m > n for m, n in others):
        raise context.invalid(
            "the shape of the indices does not fit",
            found=f"{list(index)} for data {list(data)}",
            expected=f"the rank of data, and outside of axis {axis} its extents or fewer",
        )


def check_inside(context: OpContext, indices: NDArray[Any], extent: int) -> None:
    """Raise ModelInvalidError unless constant indices lie inside an axis of this extent."""
    if indices.size and not (-extent <= indices.min() and indices.max() < extent):
        actual = f"{indices.min()} … {indices.max()}"
        raise context.invalid(
            "an index lies outside the axis", found=actual, expected=f"{-extent} … {extent - 1}"
        )


@importer("GatherElements", constraints=("Constant indices lie inside the axis.",))
def gather_elements(context: OpContext) -> None:
    """One element per index, which names its position along an axis; negative ones count from the end."""
    data, index = context.type(0), context.type(1)
    axis = context.axis(context.attribute("axis", 0), len(data.shape))
    check_beside(context, axis)
    indices = context.constant(1)
    if indices is not None:
        check_inside(context, indices, data.shape[axis])
    operands = [context.tensor(0), context.tensor(1)]
    context.result(ir.GatherElements, operands, TensorType(data.dtype, index.shape), axis=axis)


@importer("GatherND", constraints=("Constant indices lie inside their axes.",))
def gather_nd(context: OpContext) -> None:
    """Slices of data at tuples of indices: a gather along the axes that the tuples name, laid out as one.

    Known tuples that walk in equal steps (a mask that gets axes of extent 1) are a slice, which is a view.
    """
    data, index = context.type(0), context.type(1)
    batch = context.attribute("batch_dims", 0)
    depth = index.shape[-1] if index.shape else 0
    if (
        not 0 <= batch < min(len(data.shape), len(index.shape))
        or data.shape[:batch] != index.shape[:batch]
        or not 1 <= depth <= len(data.shape) - batch
    ):
        raise context.invalid(
            "the shape of the indices does not fit",
            found=f"{list(index.shape)} for data {list(data.shape)} with {batch} batch axes",
            expected="the batch axes of data first; a tuple has an index for each of some axes behind them",
        )
    named, rest = data.shape[batch : batch + depth], data.shape[batch + depth :]
    entries = prod(data.shape[: batch + depth])
    flat = reshape_step(context, "flat", context.tensor(0), (entries, *rest))
    shape = (*index.shape[:-1], *rest)
    indices = context.constant(1)
    if indices is None:
        positions = computed_places(context, data.shape[:batch], named)
    else:
        places = known_places(context, indices, data.shape[:batch], named)
        if picked := _equal_steps(places.reshape(-1)):
            _pick(context, flat, 0, picked, shape)
            return
        if not rest and (run := _length_of_runs(places.reshape(-1), entries)) > 1:
            _gather_runs(context, flat, places.reshape(-1)[::run] // run, run, shape)
            return
        positions = context.new_constant("positions", places)
    context.result(ir.Gather, [flat, positions], TensorType(data.dtype, shape), axis=0, extent=entries)


def _strides(named: Shape) -> Shape:
    return tuple(prod(named[axis + 1 :]) for axis in range(len(named)))


def _first_of_batch(batch: Shape, named: Shape, rank: int) -> NDArray[np.int64]:
    """Where the entries of each element of the batch begin, as a shape of `rank` axes."""
    first = np.arange(prod(batch), dtype=np.int64) * prod(named)
    return first.reshape((*batch, *(1,) * (rank - len(batch))))


def known_places(context: OpContext, indices: NDArray[Any], batch: Shape, named: Shape) -> NDArray[np.int64]:
    """The entry that each tuple of indices names, of all entries in one row.

    Args:
        indices: whose last axis has an index for each of some axes, shaped (…, len(named)).
        batch: extents of the first axes, which indices and data share.
        named: extents of the axes that tuples name, behind those.

    Raises:
        ModelInvalidError: an index lies outside its axis.
    """
    places = np.zeros(indices.shape[:-1], np.int64)
    for column, (extent, stride) in enumerate(zip(named, _strides(named), strict=True)):
        check_inside(context, indices[..., column], extent)
        places += indices[..., column] % max(1, extent) * stride
    return np.asarray(places + _first_of_batch(batch, named, places.ndim))


def computed_places(context: OpContext, batch: Shape, named: Shape) -> str:
    """The entries that tuples of indices name, input 1 computed at run time: an integer tensor.

    The share of each index is looked up, which counts negative ones from the end and refuses those outside.
    """
    index = context.type(1)
    lead = index.shape[:-1]
    type_ = TensorType(index.dtype, lead)
    if len(named) == 1 and not batch:
        return reshape_step(context, "column", context.tensor(1), lead)
    parts = []
    for column, (extent, stride) in enumerate(zip(named, _strides(named), strict=True)):
        start, shape = (*(0 for _ in lead), column), (*lead, 1)
        fields: dict[str, Any] = {"start": start, "step": (1,) * len(start), "shape": shape}
        part = context.tensor(1)
        if len(named) > 1:
            part = context.step(f"axis{column}", ir.Slice, [part], TensorType(index.dtype, shape), **fields)
        part = reshape_step(context, f"column{column}", part, lead)
        shares = np.arange(extent, dtype=index.dtype.numpy) * stride
        table = context.new_constant(f"shares{column}", shares.astype(index.dtype.numpy))
        parts.append(context.step(f"share{column}", ir.Gather, [table, part], type_, axis=0, extent=extent))
    if batch:
        first = _first_of_batch(batch, named, len(lead)).astype(index.dtype.numpy)
        parts.append(context.new_constant("batch", first))
    total, *others = parts
    for number, part in enumerate(others):
        total = context.step(f"sum{number}", ir.Elementwise, [total, part], type_, function=Function.ADD)
    return total


def _pick(context: OpContext, tensor: str, axis: int, entries: range, shape: Shape) -> None:
    """Let the output be some entries of an axis in a shape: a slice, which is only a view."""
    x = context.type_of(tensor)
    cut = (*x.shape[:axis], len(entries), *x.shape[axis + 1 :])
    if cut != x.shape:
        start = tuple(entries.start if i == axis else 0 for i in range(len(cut)))
        step = tuple(entries.step if i == axis else 1 for i in range(len(cut)))
        fields: dict[str, Any] = {"start": start, "step": step, "shape": cut}
        if cut == shape:
            context.result(ir.Slice, [tensor], TensorType(x.dtype, cut), **fields)
            return
        tensor = context.step("entry", ir.Slice, [tensor], TensorType(x.dtype, cut), **fields)
    reshape_result(context, tensor, shape)
