"""How buffers are laid out: which axes nest in which, and where rows are padded to whole units.

a picture [1, 3, 5, 5] of f32, channels innermost, unit 64 B       rows of 15 elements begin every 16
concat of 3 and 5 channels                                         nested rows, channels, columns: columns
                                                                   begin every 16, so do the operands
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from nnc.compiler.ir.runs import Axes, cut_to_single, is_exclusive, padded_strides
from nnc.compiler.ir.storage import Storage, outermost_axis
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import round_up


@dataclass(frozen=True, slots=True)
class Written:
    """A box of a buffer that some layer writes.

    Attributes:
        single: axes along which it is written step by step.
        in_rows: whether what lies inside these has no gaps, since it is moved as one row.
    """

    low: Axes
    shape: Axes
    single: Axes = ()
    in_rows: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Strides of the owner of a buffer, and the elements of the buffer."""

    strides: Axes
    elements: int


def dense_layout(shape: Axes, order: Axes, unit: int) -> Layout:
    """Without gaps; the buffer ends with a whole unit."""
    return Layout(padded_strides(shape, order, unit, None), round_up(prod(shape), unit))


def choose_layout(shape: Axes, order: Axes, unit: int, written: Sequence[Written]) -> Layout:
    """The smallest layout in which every box is written in runs of its own, row by row if that wastes little.

    Axes nest in `order`, unless boxes beside each other can be kept apart only by another nesting.
    """
    if unit == 1 or 0 in shape:
        return dense_layout(shape, order, unit)
    rows_only = [box.single[-1:] for box in written if box.in_rows]
    layouts = [
        (nesting, Layout(strides, round_up(_extent(shape, strides), unit)))
        for nesting in _nestings(shape, order, written)
        for padded in (None, *(rows_only[0] if rows_only else nesting))
        for strides in [padded_strides(shape, nesting, unit, padded)]
        if _are_apart(Storage("", 0, shape, strides), written, (), unit)
    ]  # every element in units of its own: there is one
    rows = outermost_axis(shape, order)
    return min(layouts, key=lambda made: _cost(shape, made[0], made[1], rows, written, unit))[1]


def _cost(
    shape: Axes, nesting: Axes, layout: Layout, rows: int | None, written: Sequence[Written], unit: int
) -> float:
    """Elements of a layout, weighed by how its rows, best along the axis `rows`, and its steps are moved."""
    owner, row = Storage("", 0, shape, layout.strides), outermost_axis(shape, nesting)
    outer = [axis for axis in nesting if shape[axis] > 1][:-1]
    cost = float(layout.elements)
    for depth in range(2, len(outer) + 1):
        if not _are_apart(owner, written, outer[:depth], unit):
            cost *= TUNING.passes.axis_bytes_ratio
    if row is not None and not _are_apart(owner, written, (row,), unit):
        cost *= TUNING.passes.aligned_bytes_ratio
    return cost * (TUNING.passes.aligned_bytes_ratio if row != rows else 1)


def _extent(shape: Axes, strides: Axes) -> int:
    """Elements from the first to the end of the last row, padding included."""
    return max((n * s for n, s in zip(shape, strides, strict=True)), default=1)


def _nestings(shape: Axes, order: Axes, written: Sequence[Written]) -> Iterator[Axes]:
    """The order; then those in which an axis along which boxes lie side by side is further outside."""
    yield order
    for axis in {
        a for box in written for a, (n, m) in enumerate(zip(box.shape, shape, strict=True)) if n < m
    }:
        rest = [other_axis for other_axis in order if other_axis != axis]
        for place in reversed(range(order.index(axis))):
            yield (*rest[:place], axis, *rest[place:])


def _are_apart(owner: Storage, written: Sequence[Written], single: Sequence[int], unit: int) -> bool:
    return all(_is_apart(owner, box, {*single, *box.single}, unit) for box in written)


def _is_apart(owner: Storage, box: Written, single: Collection[int], unit: int) -> bool:
    """Whether a box, or any step of it along some axes, is moved by runs that hold nothing else."""
    place = owner.box(box.low, box.shape)
    steps = [owner.strides[axis] for axis in single if box.shape[axis] > 1]
    return not any(step % unit for step in steps) and is_exclusive(owner, cut_to_single(place, single), unit)
