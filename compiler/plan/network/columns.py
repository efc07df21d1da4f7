"""How a tensor lies in its buffer, and which columns of that it shows: of a box all of the axis, of heads
those of their features.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.integers import ceil_div


@dataclass(frozen=True, eq=False)
class ColumnRange:
    """Columns of a buffer per strip: low ≤ column < high, of `total`."""

    low: Ints
    high: Ints
    total: int

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Columns of each strip, as shares of all."""
        return tuple(((self.high - self.low) / self.total).tolist())

    @cached_property
    def widest(self) -> int:
        """Columns of the widest strip."""
        return int((self.high - self.low).max())

    @property
    def summed(self) -> int:
        """Columns of all strips together; more than `total` where they overlap."""
        return int((self.high - self.low).sum())

    def covers(self, other: ColumnRange) -> bool:
        """Whether all strips have the columns that they have of another buffer."""
        return bool((self.low <= other.low).all() and (other.high <= self.high).all())

    def equals(self, other: ColumnRange) -> bool:
        """Whether all strips have the same columns."""
        return bool((self.low == other.low).all() and (self.high == other.high).all())

    @property
    def overlap(self) -> bool:
        """Whether two strips have columns in common."""
        return bool((self.low[1:] < np.maximum.accumulate(self.high)[:-1]).any())

    def scaled(self, nbytes: int) -> int:
        """Bytes of the widest strip of something that takes `nbytes` in full width."""
        return ceil_div(nbytes * self.widest, self.total)


def columns_read(network: PlanNetwork, tensor: str, boxes: Boxes) -> tuple[Boxes, int] | None:
    """The columns of its buffer in which boxes of a tensor lie.

    Returns:
        Boxes, and the axis of them that runs along the columns; None if these cannot be told.
    """
    view = network.view(tensor)
    axis = network.buffers[view.buffer].column_axis
    if view.origin is not None:
        return None if axis is None else (Boxes(boxes.low + view.origin, boxes.high + view.origin), axis)
    split = network.split_view(tensor)
    return None if split is None or axis is None else (split.boxes(boxes), axis)


def share_of_columns(network: PlanNetwork, tensor: str) -> float:
    """The share of its buffer's columns that a tensor shows."""
    buffer, whole = network.buffer_of(tensor), Boxes.whole(network.graph.types[tensor].shape)
    read, axis = columns_read(network, tensor, whole), network.buffers[buffer].column_axis
    if read is None or axis is None:
        return 1.0
    return float(read[0].extents[0, read[1]] / network.graph.types[buffer].shape[axis])


def has_constants_along(network: PlanNetwork, position: int, rows: bool, columns: bool) -> bool:
    """Whether other rows, or other columns, of a function's result need other elements of a constant."""
    if not isinstance(network.layers[position], Elementwise):
        return False
    tensor = network.defines[position]
    rank = len(network.graph.types[tensor].shape)
    axes = [network.view(tensor).axis] * rows + [column_axis(network, tensor)] * columns
    shapes = [network.graph.types[constant].shape for _, constant in network.constant_operands(position)]
    return any(
        axis is not None and axis >= rank - len(shape) and shape[axis - rank] > 1
        for axis in axes
        for shape in shapes
    )


def column_axis(network: PlanNetwork, tensor: str) -> int | None:
    """The axis of a tensor that runs along the columns of its buffer; None if it cannot be cut there."""
    view, types = network.view(tensor), network.graph.types
    axis = network.buffers[view.buffer].column_axis
    if view.origin is None or axis is None:
        return None
    return axis if types[tensor].shape[axis] == types[view.buffer].shape[axis] else None


def lies(network: PlanNetwork, tensor: str) -> Hashable:
    """How a tensor lies in its buffer."""
    view, storage = network.view(tensor), network.graph.storage[tensor]
    return view.axis, view.first, view.rows, view.origin, storage.strides, storage.offset


def lies_behind(network: PlanNetwork, tensor: str, other: str) -> Hashable:
    """How a tensor lies in its buffer, seen from another one there: equal for all that cost the same.

    Where bursts begin matters, and whether there are rows before it.
    """
    view, storage = network.view(tensor), network.graph.storage[tensor]
    base, unit = network.view(other), lcm(network.burst, network.graph.notes.transfer_unit)
    if view.origin is None or base.origin is None:
        return lies(network, tensor)
    start = storage.offset * network.graph.types[tensor].dtype.itemsize
    apart = tuple(a - b for a, b in zip(view.origin, base.origin, strict=True))
    shape = view.axis, view.rows, storage.strides
    return shape, view.first > 0, start % unit, view.first - base.first, apart
