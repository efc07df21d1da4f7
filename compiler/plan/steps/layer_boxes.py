"""Which box of its result every layer of a fused group computes in a part, and what it needs for that.

in:   new rows per part (`RowRanges`) and columns per strip of every buffer
out:  boxes of results and of operands

    y = conv3x3(x), 2 rows per part        part 1: y rows 2..3 need x rows 1..4
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import add

import numpy as np

from nnc.compiler.ir.regions.operand_boxes import Boxes, Need, needed
from nnc.compiler.plan.alone.tiling import vector
from nnc.compiler.plan.fusion.channel_slices import channel_axis
from nnc.compiler.plan.network.layout import column_axis
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.steps.line_buffers import LineBuffers
from nnc.compiler.plan.steps.step_writer import Vector
from nnc.compiler.plan.steps.strip_geometry import Part

Box = tuple[Vector, Vector]
"""Low corner and shape."""


@dataclass(frozen=True, slots=True)
class StripBoxes:
    """Boxes of a layer's result over the parts of a strip, and what each needs of every operand, by slot."""

    boxes: Boxes
    needs: dict[int, Need]


class LayerBoxes:
    """The boxes of all layers of a group on one core; those of all parts of a strip are found at once."""

    def __init__(self, network: PlanNetwork, buffers: LineBuffers) -> None:
        self.network, self.buffers = network, buffers
        self._found: dict[tuple[int, int], StripBoxes] = {}

    def new(self, position: int, part: Part) -> Box | None:
        """What a layer computes in a part; None if that is nothing."""
        rows = self.buffers.walk.new[position]
        if rows.high[part.at] <= rows.low[part.at]:
            return None  # the box of a scalar has no axis that could be empty
        boxes = self._of_strip(position, part).boxes
        extents = boxes.high[part.at] - boxes.low[part.at]
        if (extents <= 0).any():
            return None
        return vector(boxes.low[part.at]), vector(extents)

    def needs(self, position: int, part: Part) -> dict[int, Need]:
        """What a layer needs in a part, by operand slot."""
        return _of_one(self._of_strip(position, part).needs, part.at)

    def needs_of_box(self, position: int, box: Box) -> dict[int, Need]:
        """What one box of a layer's result needs, by operand slot."""
        return self._needs(position, _boxes([box]))

    def needs_of_boxes(self, position: int, boxes: Sequence[Box]) -> list[dict[int, Need]]:
        """What each of several boxes of a layer's result needs, by operand slot, found at once."""
        needs = self._needs(position, _boxes(boxes)) if boxes else {}
        return [_of_one(needs, at) for at in range(len(boxes))]

    def channels(self, position: int, box: Box, channels: tuple[int, int]) -> Box | None:
        """What a box of a layer's result has of a range of output channels; None if that is nothing.

        A result without an axis of channels (a scalar, a vector) is computed as a whole.
        """
        axis = channel_axis(self.network, position)
        return box_within(box, axis, channels) if axis < len(box[0]) else box

    def _of_strip(self, position: int, part: Part) -> StripBoxes:
        key = (position, part.strip)
        if key not in self._found:
            network, buffers = self.network, self.buffers
            boxes = network.out_boxes(position, buffers.walk.new[position])
            columns = buffers.strips.columns(network.buffer_of(network.defines[position]), part)
            if columns is not None:
                axis = column_axis(network, network.defines[position])
                boxes.low[:, axis] = np.maximum(boxes.low[:, axis], columns[0])
                boxes.high[:, axis] = np.minimum(boxes.high[:, axis], columns[1])
            self._found[key] = StripBoxes(boxes, self._needs(position, boxes))
        return self._found[key]

    def _needs(self, position: int, boxes: Boxes) -> dict[int, Need]:
        """What boxes of a layer's result need of every operand, constants too."""
        network, layer = self.network, self.network.layers[position]
        whole, shapes = network.graph.types[network.defines[position]].shape, network.shapes[position]
        slots = [slot for slot, shape in enumerate(shapes) if shape is not None]
        return {slot: needed(layer, slot, boxes, shapes, whole) for slot in slots}


def box_within(box: Box, axis: int, range_: tuple[int, int]) -> Box | None:
    """What a box has of a range along an axis; None if that is nothing."""
    low, shape = box
    first, end = max(range_[0], low[axis]), min(range_[1], low[axis] + shape[axis])
    if first >= end:
        return None  # parts are cut along the channels, too
    return (*low[:axis], first, *low[axis + 1 :]), (*shape[:axis], end - first, *shape[axis + 1 :])


def _boxes(boxes: Sequence[Box]) -> Boxes:
    return Boxes.of(*((low, tuple(map(add, low, shape))) for low, shape in boxes))


def _of_one(needs: dict[int, Need], at: int) -> dict[int, Need]:
    """What one of several boxes needs."""
    one = slice(at, at + 1)
    return {
        slot: Need(Boxes(need.boxes.low[one], need.boxes.high[one]), need.before[one], need.after[one])
        for slot, need in needs.items()
    }
