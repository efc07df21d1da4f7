"""What a DMA transfer moves: a block and its place in DRAM, or the whole aligned runs that hold it.

picture rows of 15 elements, 16 from row to row, unit 16:    f32[2,5,3] <-> f32[2,16], reserved elements too
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from nnc.compiler.ir.runs import Runs, aligned_runs, unit_of
from nnc.compiler.ir.storage import Storage, permute, reshape_strides
from nnc.isa.integers import round_up
from nnc.isa.operand import Operand, dense_strides


def whole_runs(dram: Operand, tile: Operand, nbytes: int) -> tuple[Operand, Operand] | None:
    """Both sides of a transfer, widened to whole aligned runs if the block alone is not made of such.

    Args:
        dram: the block in DRAM; what it is counted from begins at a multiple of `nbytes`.
        tile: the same elements on chip.
        nbytes: of the unit.

    Returns:
        None if the runs do not lie on chip as they do in DRAM.
    """
    unit = unit_of(dram.dtype, nbytes)
    if unit == 1:
        return dram, tile
    there, here = _in_elements(dram), _in_elements(tile)
    runs = aligned_runs(there, unit)
    low = runs.offset(there.shape, there.strides)
    if not _mirrors(runs, there, here) or (here.offset - low) % unit:
        return None
    repeats = any(n > 1 and not step for n, step in zip(there.shape, there.strides, strict=True))
    if runs.is_box and not repeats:
        return dram, tile
    shape = (*permute(there.shape, runs.outside), runs.length)
    return _runs_at(dram, there, runs, low, shape), _runs_at(tile, here, runs, low, shape)


def _in_elements(block: Operand) -> Storage:
    size = block.dtype.itemsize
    return Storage(block.memory, block.address // size, block.shape, tuple(s // size for s in block.strides))


def _mirrors(runs: Runs, there: Storage, here: Storage) -> bool:
    """Whether a block on chip has the gaps inside runs that its place in DRAM has, and no others."""
    for axis, extent in enumerate(there.shape):
        if extent == 1:
            continue
        step = here.strides[axis]
        if axis in runs.outside:
            if step % runs.unit:
                return False
        elif step != there.strides[axis]:
            return False
    return True


def _runs_at(block: Operand, place: Storage, runs: Runs, low: int, shape: tuple[int, ...]) -> Operand:
    size = block.dtype.itemsize
    strides = tuple(size * step for step in (*permute(place.strides, runs.outside), 1))
    return replace(block, address=block.address - low * size, shape=shape, strides=strides)


def whole_piece(dram: Operand, tile: Operand, nbytes: int) -> tuple[Operand, Operand]:
    """Both sides of the load of a packed constant, as one run of whole units if it has not as many bytes."""
    unit = unit_of(dram.dtype, nbytes)
    if dram.elements % unit == 0:
        return dram, tile
    shape = (round_up(dram.elements, unit),)
    sides = (replace(side, shape=shape, strides=(side.dtype.itemsize,)) for side in (dram, tile))
    return next(sides), next(sides)


def rows_of_units(block: Operand, axes: int, row: int) -> Operand | None:
    """A block as rows, its first axes, so many, merged into one: [rows, elements of a row].

    Args:
        row: elements of a row, reserved ones too; 0: the row keeps its axes.

    Returns:
        None if no one distance leads from row to row, or a row has gaps.
    """
    size, rest = block.dtype.itemsize, block.shape[axes:]
    dense = dense_strides(rest, size)
    if any(n > 1 and a != b for n, a, b in zip(rest, block.strides[axes:], dense, strict=True)):
        return None
    merged = (prod(block.shape[:axes]),)
    step = reshape_strides(block.shape[:axes], block.strides[:axes], merged)
    if step is None:
        return None
    if merged == (1,):
        step = (size * (row or prod(rest)),)
    if not row:
        return replace(block, shape=(*merged, *rest), strides=(*step, *block.strides[axes:]))
    return replace(block, shape=(*merged, row), strides=(*step, size))


def row_units(table: Operand, nbytes: int) -> int:
    """Elements of a row of a table with reserved ones, 0 if the row is made of whole units."""
    row, unit = prod(table.shape[1:]), unit_of(table.dtype, nbytes)
    return 0 if row % unit == 0 else round_up(row, unit)
