"""Views whose axes each run along one axis of a buffer: boxes of them lie in boxes of the buffer.

in:   storage of a view, and of the tensor that owns the buffer
out:  `SplitView`, or None: a view may merge axes of its buffer

    tokens x features [197, 768] seen as heads [12, 197, 64]:
    heads run along the features in steps of 64, tokens along tokens, elements of a head along the features
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.regions.boxes import Boxes
from nnc.compiler.ir.storage import Storage


@dataclass(frozen=True, slots=True)
class SplitView:
    """How the axes of a view run along those of the owner of its buffer.

    Attributes:
        along: per axis of the view, (axis of the owner, elements of that from step to step); None where the
            view has but one element, or repeats it.
        origin: where the view starts in the owner.
        merged: (axis of the owner, elements) of those that are one axis of the view; that runs along the
            innermost of them.
    """

    along: tuple[tuple[int, int] | None, ...]
    origin: tuple[int, ...]
    merged: tuple[tuple[int, int], ...] = ()

    @staticmethod
    def of(view: Storage, owner: Storage, cut: Collection[int | None] | None = None) -> SplitView | None:
        """How a view lies in its buffer; None if an axis of it does not run along one axis of the owner.

        Args:
            cut: axes of the owner that are cut; an axis of the view may be several others. None: it may not.
        """
        long = [axis for axis in owner.order if owner.shape[axis] > 1]
        along: list[tuple[int, int] | None] = []
        merged: list[tuple[int, int]] = []
        for extent, stride in zip(view.shape, view.strides, strict=True):
            if extent == 1 or stride == 0:
                along.append(None)
                continue
            axis = next((axis for axis in long if owner.strides[axis] <= stride), None)
            if axis is None or stride % owner.strides[axis]:
                return None
            along.append((axis, stride // owner.strides[axis]))
            if cut is not None and extent > owner.shape[axis] and stride == owner.strides[axis]:
                merged += [
                    (merged_axis, owner.shape[merged_axis])
                    for merged_axis in _one_axis(owner, axis, extent, cut)
                ]
        origin, rest = [0] * len(owner.shape), view.offset - owner.offset
        for axis in long:
            origin[axis], rest = divmod(rest, owner.strides[axis])
        if any(origin[axis] for axis, _ in merged):
            return None
        split_view = SplitView(tuple(along), tuple(origin), tuple(merged))
        ends = split_view.boxes(Boxes.whole(view.shape, 1)).high[0]
        return None if rest or (ends > owner.shape).any() else split_view

    @property
    def keeps_axes(self) -> bool:
        """Whether each axis of the view runs along that of the owner: it only skips elements."""
        return all(along is None or along[0] == axis for axis, along in enumerate(self.along))

    @property
    def keeps_pictures(self) -> bool:
        """Whether the first axis runs along that of the owner, and no other does."""
        return all(along is None or (along[0] == 0) == (axis == 0) for axis, along in enumerate(self.along))

    def is_box(self, view: Storage, owner: Storage) -> bool:
        """Whether the view is a box of the owner: all elements, one after the other, along the same axes."""
        runs = zip(view.shape, self.along, strict=True)
        along = all(extent == 1 or run == (axis, 1) for axis, (extent, run) in enumerate(runs))
        return len(view.shape) == len(owner.shape) and along

    def boxes(self, boxes: Boxes) -> Boxes:
        """The least boxes of the owner in which boxes of the view lie; empty boxes stay empty."""
        low = np.tile(np.array(self.origin, dtype=np.int64), (len(boxes), 1))
        high, merged = low + 1, dict(self.merged)
        for axis, extent in self.merged:
            high[:, axis] = extent
        for axis, along in enumerate(self.along):
            if along is not None and along[0] not in merged:
                low[:, along[0]] += boxes.low[:, axis] * along[1]
                high[:, along[0]] += (boxes.high[:, axis] - 1) * along[1]
        empty = (boxes.extents <= 0).any(axis=1)
        high[empty] = low[empty]
        return Boxes(low, high)

    def strides(self, owner: Sequence[int]) -> tuple[int, ...]:
        """Strides of the view where the owner has these: on chip, rows may have fewer elements."""
        return tuple(0 if along is None else owner[along[0]] * along[1] for along in self.along)

    def offset(self, low: Sequence[int], owner: Sequence[int]) -> int:
        """Elements from the least box of the owner around a box of the view to the first element of that."""
        merged = dict(self.merged)
        pairs = [(first, along[0]) for first, along in zip(low, self.along, strict=True) if along is not None]
        return sum(first * owner[axis] for first, axis in pairs if axis in merged)

    def axis_along(self, axis: int) -> int | None:
        """The axis of the view that runs along one of the owner, the outermost if several do."""
        candidates = [
            (-along[1], own) for own, along in enumerate(self.along) if along is not None and along[0] == axis
        ]
        return min(candidates)[1] if candidates else None


def _one_axis(owner: Storage, inner: int, extent: int, cut: Collection[int | None]) -> list[int]:
    """Axes that with an inner one are an axis of so many elements; nothing if there are none such."""
    long = [axis for axis in owner.order if owner.shape[axis] > 1]
    axes, count = list[int](), 1
    for axis in reversed(long[: long.index(inner) + 1]):
        if count == extent or axis in cut or owner.strides[axis] != owner.strides[inner] * count:
            break
        axes.append(axis)
        count *= owner.shape[axis]
    return axes if count == extent else []
