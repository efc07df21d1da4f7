"""Column strips: which columns of every buffer a strip of a group's outputs needs.

A *column* is a step along the second outermost axis of storage (a pixel of a line of a channels-last
picture).  A group that is cut into strips works through all its rows once for every strip; columns that two
strips need are computed by both.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.target import layer_traits

LEAST_COLUMNS = 8
"""Fewest columns of a strip of an output; a core may have fewer."""
LEAST_COLUMNS_OF_A_CORE = 2


@dataclass(frozen=True, slots=True)
class ColumnRange:
    """Columns of a buffer per strip: low ≤ column < high, of `total`."""

    low: Ints
    high: Ints
    total: int

    @property
    def widest(self) -> int:
        """Columns of the widest strip."""
        return int((self.high - self.low).max())

    @property
    def summed(self) -> int:
        """Columns of all strips together; more than `total` where they overlap."""
        return int((self.high - self.low).sum())

    def scaled(self, nbytes: int) -> int:
        """Bytes of the widest strip of something that takes `nbytes` in full width."""
        return -(-nbytes * self.widest // self.total)


@dataclass
class ColumnWalk:
    """Columns of all buffers of a group, found from its end upstream, one layer at a time."""

    network: PlanNetwork
    end: int
    strips: int
    least: int = LEAST_COLUMNS
    ranges: dict[str, ColumnRange] = field(default_factory=dict)
    pending: dict[str, ColumnRange] = field(default_factory=dict)

    def extend(self, position: int) -> bool:
        """Take in one more layer; False if the group cannot be cut into strips with it."""
        if self.strips == 1:
            return True
        network, tensor = self.network, self.network.defines[position]
        axis, buffer = column_axis(network, tensor), network.buffer_of(tensor)
        if axis is None or axis in layer_traits.uncut_axes(
            network.layers[position], network.shapes(position)
        ):
            return False
        if buffer not in self.ranges and not self._settle(buffer, network.graph.types[tensor].shape[axis]):
            return False
        mine = self.ranges[buffer]
        shape = network.graph.types[tensor].shape
        boxes = Boxes.whole(shape, self.strips)
        boxes.low[:, axis], boxes.high[:, axis] = mine.low, mine.high
        shapes = network.shapes(position)
        for slot, source in network.operands[position]:
            need = needed(network.layers[position], slot, boxes, shapes, shape).boxes
            if not self._note(source, need):
                return False
        return True

    def _settle(self, buffer: str, total: int) -> bool:
        """Columns of a buffer whose consumers inside the group are all known."""
        wanted = self.pending.get(buffer)
        is_output = self.network.last_use[buffer] > self.end or wanted is None
        if is_output and (wanted is not None or total < self.strips * self.least):
            return False  # an output that is read inside, too, would be written where strips overlap twice
        if is_output:
            edges = np.arange(self.strips + 1, dtype=np.int64) * total // self.strips
            wanted = ColumnRange(edges[:-1], edges[1:], total)
        wanted = required(wanted)
        if wanted.total != total:
            return False
        self.ranges[buffer] = wanted
        return True

    def _note(self, source: str, need: Boxes) -> bool:
        """Enter what a layer needs of an operand; False if it was settled for less."""
        network, buffer = self.network, self.network.buffer_of(source)
        axis = column_axis(network, source)
        definitions = network.definitions.get(buffer, ())
        if axis is None or any(column_axis(network, tensor) is None for _, tensor in definitions):
            low, high, total = np.zeros(self.strips, np.int64), np.ones(self.strips, np.int64), 1  # all of it
        else:
            low, high = need.low[:, axis], need.high[:, axis]
            total = network.graph.types[source].shape[axis]
        known = self.ranges.get(buffer)
        if known is not None:
            return known.total == total and bool((known.low <= low).all() and (high <= known.high).all())
        seen = self.pending.get(buffer)
        if seen is not None and seen.total != total:
            return False
        if seen is not None:
            low, high = np.minimum(low, seen.low), np.maximum(high, seen.high)
        self.pending[buffer] = ColumnRange(low, high, total)
        return True

    def of(self, buffer: str) -> ColumnRange | None:
        """Columns of a buffer; None if every strip needs it in full width."""
        found = self.ranges.get(buffer) or self.pending.get(buffer)
        return None if found is None or found.total == 1 else found
