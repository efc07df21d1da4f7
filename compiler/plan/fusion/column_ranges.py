"""Columns of every buffer in every strip of a fused group: a last layer and a number of strips in, out one
`ColumnRange` per buffer.

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
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.columns import columns_read
from nnc.compiler.plan.network.plan_network import PlanNetwork, column_axis
from nnc.compiler.plan.views.row_views import CutAxes
from nnc.compiler.target import layer_traits
from nnc.compiler.target.cuts import quanta
from nnc.isa.integers import ceil_div

LEAST_COLUMNS = 8
"""Fewest columns of a strip of an output; a core may have fewer."""
LEAST_COLUMNS_OF_A_CORE = 2
_NO_COLUMNS = Infeasible("columns of a layer's result cannot be computed one by one")
_OWN_WEIGHTS = Infeasible("every strip of heads would have weights of its own")
_CUT_GROUPS = Infeasible("a strip would begin or end inside a group of channels")
_READ_INSIDE = Infeasible("an output that is read inside, too, would be written twice where strips overlap")
_OTHER_WIDTH = Infeasible("the columns of a buffer and of its view differ")
_TOO_FEW_KNOWN = Infeasible("a buffer is begun earlier than the columns that others need of it are known")


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


@dataclass
class ColumnRanges:
    """Columns of all buffers of a group, found from its end upstream, one layer at a time."""

    network: PlanNetwork
    end: int
    strips: int
    least: int = LEAST_COLUMNS
    ranges: dict[str, ColumnRange] = field(default_factory=dict)
    pending: dict[str, ColumnRange] = field(default_factory=dict)

    @property
    def _are_pictures(self) -> bool:
        return self.network.axes in (CutAxes.PICTURES, CutAxes.HEADS)

    def extend(self, position: int) -> Infeasible | None:
        """Take in one more layer; returns why the group cannot be cut into strips with it, if so."""
        if self.strips == 1:
            return None
        network, tensor = self.network, self.network.defines[position]
        axis, buffer = column_axis(network, tensor), network.buffer_of(tensor)
        layer, shape = network.layers[position], network.graph.types[tensor].shape
        if axis is None or axis in layer_traits.uncut_axes(layer, network.shapes(position)):
            return _NO_COLUMNS
        if network.axes is CutAxes.HEADS and axis == layer_traits.lane_axis(layer, len(shape)):
            return _OWN_WEIGHTS
        if buffer not in self.ranges and (reason := self._settle(buffer, shape[axis])) is not None:
            return reason
        mine = self.ranges[buffer]
        per_group = layer_traits.channels_per_group(layer, shape[1]) if axis == 1 else 1
        if not layer_traits.keep_groups(mine.low, mine.high, per_group):
            return _CUT_GROUPS
        boxes = Boxes.whole(shape, self.strips)
        boxes.low[:, axis], boxes.high[:, axis] = mine.low, mine.high
        shapes = network.shapes(position)
        for slot, source in network.operands[position]:
            need = needed(layer, slot, boxes, shapes, shape).boxes
            if (reason := self._note(source, need)) is not None:
                return reason
        return None

    def _settle(self, buffer: str, total: int) -> Infeasible | None:
        """Columns of a buffer whose consumers inside the group are all known."""
        wanted = self.pending.get(buffer)
        is_output = self.network.last_use[buffer] > self.end or wanted is None
        if is_output and total < self.strips * self.least:
            return Infeasible("columns for all strips of an output", self.strips * self.least, total)
        if is_output:
            edges = np.arange(self.strips + 1, dtype=np.int64) * total // self.strips
            edges = np.minimum(_rounded_up(edges, self._step(buffer)), total)
            if (edges[1:] == edges[:-1]).any():
                return Infeasible("columns of an output in whole units", self.strips, total)
            own = ColumnRange(edges[:-1], edges[1:], total)
            if wanted is not None and not (self._are_pictures and own.equals(wanted)):
                return _READ_INSIDE
            wanted = own
        wanted = required(wanted)
        if wanted.total != total:
            return _OTHER_WIDTH
        self.ranges[buffer] = wanted
        return None

    def _note(self, source: str, need: Boxes) -> Infeasible | None:
        """Enter what a layer needs of an operand; infeasible if it was settled for less."""
        network, buffer = self.network, self.network.buffer_of(source)
        read = columns_read(network, source, need)
        definitions = network.definitions.get(buffer, ())
        if read is None or any(column_axis(network, tensor) is None for _, tensor in definitions):
            low, high, total = np.zeros(self.strips, np.int64), np.ones(self.strips, np.int64), 1  # all of it
        else:
            boxes, axis = read
            low, high = boxes.low[:, axis], boxes.high[:, axis]
            total = network.graph.types[buffer].shape[required(network.buffers[buffer].column_axis)]
        known = self.ranges.get(buffer)
        if known is not None:
            if known.total != total:
                return _OTHER_WIDTH
            return None if (known.low <= low).all() and (high <= known.high).all() else _TOO_FEW_KNOWN
        seen = self.pending.get(buffer)
        if seen is not None and seen.total != total:
            return _OTHER_WIDTH
        if seen is not None:
            low, high = np.minimum(low, seen.low), np.maximum(high, seen.high)
        self.pending[buffer] = ColumnRange(low, high, total)
        return None

    def of(self, buffer: str) -> ColumnRange | None:
        """Columns of a buffer; None if every strip needs it in full width."""
        found = self.ranges.get(buffer) or self._loaded(buffer)
        return None if found is None or found.total == 1 else found

    def _loaded(self, buffer: str) -> ColumnRange | None:
        """Columns of a buffer that is not made in the group: those that are needed, in whole units."""
        found = self.pending.get(buffer)
        if found is None or found.total == 1 or (step := self._step(buffer)) == 1:
            return found
        high = np.minimum(_rounded_up(found.high, step), found.total)
        return ColumnRange(found.low // step * step, high, found.total)

    def _step(self, buffer: str) -> int:
        """Of how many columns the DMA moves multiples."""
        axis = column_axis(self.network, buffer)
        return 1 if axis is None else quanta(self.network.graph, buffer)[axis]


def _rounded_up(columns: Ints, step: int) -> Ints:
    rounded: Ints = -(-columns // step) * step
    return rounded
