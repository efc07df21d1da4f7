"""Kernels that move data unchanged: DMA, copies, gathers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from nnc.isa.functions import Function
from nnc.isa.instructions import Broadcast, Copy, Fill, Gather, GatherElements, Load, LoadRows, Scatter, Store
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels.binding import Binder, Kernel, kernel, sequence
from nnc.runtime.memory import Array


def _copy(instruction: Load | Store | Copy | Broadcast, dst: Array, src: Array) -> Kernel:
    if not dst.flags.writeable:
        raise ExecutionError("a write to the constants of the program", found=str(instruction.dst))
    return partial(np.copyto, dst, src)


@kernel(Load, Store, Copy)
def bind_copy(i: Load | Store | Copy, binder: Binder) -> Kernel:
    """Copy a block; overlapping blocks are handled as if the source were read first."""
    return _copy(i, binder.view(i.dst), binder.view(i.src))


@kernel(Broadcast)
def bind_broadcast(i: Broadcast, binder: Binder) -> Kernel:
    """Copy a block of DRAM to every core of the mask."""
    src = binder.view(i.src)
    return sequence([_copy(i, binder.view(i.dst, core), src) for core in i.receivers])


@kernel(Fill)
def bind_fill(i: Fill, binder: Binder) -> Kernel:
    """Fill a block with one value."""
    value = np.asarray(i.value).astype(i.dst.dtype.numpy)
    return partial(np.copyto, binder.view(i.dst), value)


def resolve_indices(index: Array, extent: int, origin: int, held: int, where: str) -> Array:
    """Positions within the held part of an axis, from indices that may be negative.

    `extent` is the length of the whole axis, of which elements `origin` … `origin + held − 1` are held.

    Raises:
        ExecutionError: an index lies outside.
    """
    position = index.astype(np.int64)
    position[position < 0] += extent
    position -= origin
    outside = (position < 0) | (position >= held)
    if outside.any():
        raise ExecutionError(
            "an index is out of range",
            where=where,
            found=f"index {index[outside].flat[0]}",
            expected=f"{origin} … {origin + held - 1}"
            + (f" or {-extent} … -1" if held == extent else f" (the part held of {extent} elements)"),
            remedy="check the values of the network's index input",
        )
    return position


@kernel(LoadRows)
def bind_load_rows(i: LoadRows, binder: Binder) -> Kernel:
    """Gather rows of a table in DRAM; indices are read when the instruction executes."""
    return _gather(i, binder.view(i.dst), binder.view(i.src), binder.view(i.index), 0, i.src.shape[0], 0)


@kernel(Gather)
def bind_gather(i: Gather, binder: Binder) -> Kernel:
    """Gather along one axis (ONNX Gather) from the part of the axis that src holds."""
    src = binder.view(i.src)
    axis = i.axis + src.ndim if i.axis < 0 else i.axis
    return _gather(i, binder.view(i.dst), src, binder.view(i.index), axis, i.extent, i.src_origin)


def _gather(
    i: LoadRows | Gather, dst: Array, src: Array, index: Array, axis: int, extent: int, origin: int
) -> Kernel:
    held = src.shape[axis]
    lead = (slice(None),) * axis

    def run() -> None:
        position = resolve_indices(index, extent, origin, held, i.mnemonic)
        key: tuple[Any, ...] = (*lead, position)
        dst[...] = src[key]

    return run


@kernel(GatherElements)
def bind_gather_elements(i: GatherElements, binder: Binder) -> Kernel:
    """Gather single elements along one axis (ONNX GatherElements), all of which src holds."""
    dst, src, index = binder.view(i.dst), binder.view(i.src), binder.view(i.index)
    axis = i.axis % src.ndim
    held = src.shape[axis]
    part = src[tuple(slice(None if a == axis else n) for a, n in enumerate(dst.shape[: src.ndim]))]

    def run() -> None:
        position = resolve_indices(index, held, 0, held, i.mnemonic)
        dst[...] = np.take_along_axis(part, position, axis)

    return run


_REDUCTIONS: dict[Function, np.ufunc] = {
    Function.ADD: np.add,
    Function.MUL: np.multiply,
    Function.MAX: np.maximum,
    Function.MIN: np.minimum,
}


@kernel(Scatter)
def bind_scatter(i: Scatter, binder: Binder) -> Kernel:
    """Put updates to places along an axis (ONNX ScatterElements), all of which src holds."""
    dst, src, updates = binder.view(i.dst), binder.view(i.src), binder.view(i.updates)
    axis, held = i.axis % src.ndim, src.shape[i.axis]
    index = binder.view(i.index)
    reduction = _REDUCTIONS.get(i.function)
    grid = np.ix_(*(range(extent) for extent in updates.shape))

    def run() -> None:
        position = resolve_indices(index, held, 0, held, i.mnemonic)
        places = (*grid[:axis], position, *grid[axis + 1 :])
        np.copyto(dst, src)
        if reduction is None:
            dst[places] = updates  # numpy takes the last of the updates of one place
        else:
            reduction.at(dst, places, updates)

    return run
