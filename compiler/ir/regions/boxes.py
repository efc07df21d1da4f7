"""Boxes of tensors, many at once, and the table of the rules that pull them back through a layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.layers import Layer
from nnc.isa.record import record
from nnc.isa.rule_table import RuleTable

Ints = npt.NDArray[np.int64]
Shape = tuple[int, ...]
_PLACES = 1 << 16
"""Places along an axis of which boxes are made together: a few megabytes."""


def places_along(extent: int) -> Iterator[Ints]:
    """The indices of an axis in one or more pieces: boxes of all of them need not be in memory at once."""
    for first in range(0, max(extent, 1), _PLACES):
        yield np.arange(first, min(extent, first + _PLACES))


@record(frozen=True, slots=True)
class Boxes:
    """P boxes: elements low ≤ index < high per axis; both arrays have shape [P, rank]."""

    low: Ints
    high: Ints

    @staticmethod
    def whole(shape: Shape, count: int = 1) -> Boxes:
        """The whole of a tensor, `count` times."""
        low, high = np.zeros((2, count, len(shape)), dtype=np.int64)
        high[:] = shape
        return Boxes(low, high)

    @staticmethod
    def of(*boxes: tuple[tuple[int, ...], tuple[int, ...]]) -> Boxes:
        """Boxes given as (low, high) tuples."""
        low, high = zip(*boxes, strict=True)
        return Boxes(np.array(low, dtype=np.int64), np.array(high, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.low)

    @property
    def extents(self) -> Ints:
        """Elements per axis, [P, rank]."""
        return self.high - self.low

    @property
    def empty(self) -> npt.NDArray[np.bool_]:
        """Which boxes hold no element, [P]."""
        return np.asarray((self.high <= self.low).any(axis=1))

    def hull(self, other: Boxes) -> Boxes:
        """The smallest boxes that hold both; an empty box adds nothing, wherever it lies."""
        empty, other_empty = self.empty[:, None], other.empty[:, None]
        low = np.where(empty, other.low, np.where(other_empty, self.low, np.minimum(self.low, other.low)))
        high = np.where(
            empty, other.high, np.where(other_empty, self.high, np.maximum(self.high, other.high))
        )
        return Boxes(low, high)


@record(frozen=True, slots=True)
class Need:
    """What an operand must supply: boxes inside it, and the padding left before and after them ([P, rank]).

    For windows, `before` + extent + `after` is the reach of all windows of the tile (for a pool, as far as
    padding goes); `after` is −1 where they lie wholly in the padding, before the one element that is kept.
    For transposed convolutions the two are pad_begin and pad_end of the tile, and either may be negative: a
    tile may start after its first contribution.
    """

    boxes: Boxes
    before: Ints
    after: Ints

    def only(self, number: int) -> Need:
        """What one of the boxes needs."""
        rows = slice(number, number + 1)
        boxes = Boxes(self.boxes.low[rows], self.boxes.high[rows])
        return Need(boxes, self.before[rows], self.after[rows])


Rule = Callable[[Any, int, Boxes, Shape, Shape], Need]
"""(layer, slot, boxes of the output, shape of the operand, shape of the output) → need; no box is empty."""

RULES = RuleTable[Layer, Rule]()
"""The rule of every kind."""
rule = RULES.rule


def exact(low: Ints, high: Ints) -> Need:
    """Boxes that lie inside the operand: no padding."""
    zero = np.zeros(low.shape, dtype=np.int64)
    return Need(Boxes(low, high), zero, zero)


def clipped(low: Ints, high: Ints, shape: Shape) -> Need:
    """Cut boxes that may reach outside the tensor to its extent; what is cut off is padding.

    A box that lies wholly in the padding keeps the nearest element, so that every tile has data, but behind
    as much padding as the box is long: no window reaches it.
    """
    extent = np.array(shape, dtype=np.int64)
    inside_low = np.minimum(np.maximum(low, 0), extent - 1)  # np.clip takes twice as long
    inside_high = np.minimum(np.maximum(high, inside_low + 1), extent)
    before = np.where((low >= extent) | (high <= 0), high - low, inside_low - low)
    return Need(Boxes(inside_low, inside_high), before, high - low - before - (inside_high - inside_low))


def broadcast(out: Boxes, shape: Shape) -> Need:
    """Operand of an element-wise function: axes align on the right, extent 1 repeats."""
    skipped = out.low.shape[1] - len(shape)
    repeated = np.array([extent == 1 for extent in shape], dtype=bool)
    return exact(np.where(repeated, 0, out.low[:, skipped:]), np.where(repeated, 1, out.high[:, skipped:]))


# --- single boxes, in plain numbers ------------------------------------------------------------------------

Vector = tuple[int, ...]
Box = tuple[Vector, Vector]
"""Corner and shape."""


def meets(corner: Vector, extent: Vector, low: Vector, shape: Vector) -> bool:
    """Whether two boxes, each with its corner and shape, share elements."""
    boxes = zip(corner, extent, low, shape, strict=True)
    return all(a < b + m and b < a + n for a, n, b, m in boxes)


def cropped_box(corner: Vector, extent: Vector, low: Vector, shape: Vector) -> tuple[Vector, Vector]:
    """Corner and shape of what two boxes share."""
    first = tuple(max(a, b) for a, b in zip(corner, low, strict=True))
    ends = zip(corner, extent, low, shape, strict=True)
    return first, tuple(min(a + n, b + m) - f for (a, n, b, m), f in zip(ends, first, strict=True))


def without(box: Box, hole: Box) -> list[Box]:
    """A box without another one, as boxes that do not overlap."""
    if not meets(*box, *hole):
        return [box]
    boxes, (low, shape) = [], box
    for axis, (first, extent) in enumerate(zip(*hole, strict=True)):
        end, last = low[axis] + shape[axis], min(first + extent, low[axis] + shape[axis])
        for begin, stop in ((low[axis], first), (last, end)):
            if begin < stop:
                corner = (*low[:axis], begin, *low[axis + 1 :])
                boxes.append((corner, (*shape[:axis], stop - begin, *shape[axis + 1 :])))
        begin = max(low[axis], first)
        low = (*low[:axis], begin, *low[axis + 1 :])
        shape = (*shape[:axis], last - begin, *shape[axis + 1 :])
    return boxes


def ranged(box: Box, axis: int, first: int, end: int) -> Box:
    """A box with another range along an axis, from its first element to the one behind its last."""
    low, shape = box
    return (*low[:axis], first, *low[axis + 1 :]), (*shape[:axis], end - first, *shape[axis + 1 :])


def shifted(corner: Vector, by: Vector, sign: int = 1) -> Vector:
    """A corner that is moved by a vector, or back by it."""
    return tuple([a + sign * b for a, b in zip(corner, by, strict=True)])
