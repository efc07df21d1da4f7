"""Columns of every buffer in every strip of a fused group: a last layer and a number of strips in, out one
`ColumnRange` per buffer.

A *column* is a step along the second outermost axis of storage (a pixel of a line of a channels-last
picture).  A group that is cut into strips works through all its rows once for every strip; columns that two
strips need are loaded and computed by both.

2 strips of y = conv3x3(a), a = conv3x3(x), of 8 columns:

    y               a               x
    [0..3] [4..7]   [0..4] [3..7]   [0..5] [2..7]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd, lcm

import numpy as np

from nnc.compiler.ir.regions.boxes import Boxes, Ints
from nnc.compiler.ir.regions.operand_boxes import needed
from nnc.compiler.ir.required import required
from nnc.compiler.plan.fusion.buffer_rows import ColumnRange
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits
from nnc.compiler.target.cuts import quanta
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import round_up

_NO_COLUMNS = Infeasible("columns of a layer's result cannot be computed one by one")
_OWN_WEIGHTS = Infeasible("every strip would have weights of its own")
_CUT_GROUPS = Infeasible("a strip would begin or end inside a group of channels")
_READ_INSIDE = Infeasible("an output that is read inside, too, would be written twice where strips overlap")
_OTHER_WIDTH = Infeasible("the columns of a buffer and of its view differ")
_TOO_FEW_KNOWN = Infeasible("a buffer is begun earlier than the columns that others need of it are known")


ColumnWalk = dict[int, tuple[Infeasible | None, dict[str, ColumnRange], dict[str, ColumnRange]]]
"""What taking in a layer gave, by position: why it cannot be, ranges settled, ranges pending."""


@dataclass
class ColumnRanges:
    """Columns of all buffers of a group, found from its end upstream, one layer at a time.

    Attributes:
        walked: what was found before, in whatever rows; it may be shared by all with the same columns.
    """

    network: PlanNetwork
    end: int
    strips: int
    least: int
    ranges: dict[str, ColumnRange] = field(default_factory=dict)
    pending: dict[str, ColumnRange] = field(default_factory=dict)
    walked: ColumnWalk = field(default_factory=dict)
    _loads: dict[str, tuple[ColumnRange, ColumnRange]] = field(default_factory=dict)
    _start: int = field(init=False)

    def __post_init__(self) -> None:
        self._start = self.end + 1

    @property
    def _are_pictures(self) -> bool:
        return self.network.axes in (CutAxes.PICTURES, CutAxes.HEADS)

    def extend(self, position: int) -> Infeasible | None:
        """Take in one more layer; returns why the group cannot be cut into strips with it, if so."""
        self._start = position
        if self.strips == 1 and self.network.axes is not CutAxes.PICTURES:
            return None
        if position not in self.walked:
            network = self.network
            reason = self._extend(position) if self.strips > 1 else self._note_pictures(position)
            tensors = (network.defines[position], *[tensor for _, tensor in network.operands[position]])
            touched = {network.buffer_of(tensor) for tensor in tensors}
            settled, pending = (
                {name: ranges[name] for name in touched if name in ranges}
                for ranges in (self.ranges, self.pending)
            )
            self.walked[position] = reason, settled, pending
            return reason
        reason, settled, pending = self.walked[position]
        self.ranges.update(settled)
        self.pending.update(pending)
        return reason

    def _extend(self, position: int) -> Infeasible | None:
        network, tensor = self.network, self.network.defines[position]
        buffer, layer = network.buffer_of(tensor), network.layers[position]
        shape = network.graph.types[tensor].shape
        if any(network.column_axis(piece) is None for _, piece in network.definitions[buffer]):
            return _NO_COLUMNS  # of a piece before the group, whose columns would be loaded
        axis = required(network.column_axis(tensor))
        if axis in layer_traits.uncut_axes(layer, network.shapes[position]):
            return _NO_COLUMNS
        if axis == layer_traits.lane_axis(layer, len(shape)):
            return _OWN_WEIGHTS
        if buffer not in self.ranges and (reason := self._settle(buffer, shape[axis])) is not None:
            return reason
        columns = self.ranges[buffer]
        per_group = layer_traits.channels_per_group(layer, shape[1]) if axis == 1 else 1
        if not layer_traits.keep_groups(columns.low, columns.high, per_group):
            return _CUT_GROUPS
        boxes = Boxes.whole(shape, self.strips)
        boxes.low[:, axis], boxes.high[:, axis] = columns.low, columns.high
        shapes = network.shapes[position]
        for slot, source in network.operands[position]:
            need = needed(layer, slot, boxes, shapes, shape).boxes
            if (reason := self._note(source, need)) is not None:
                return reason
        return None

    def _note_pictures(self, position: int) -> Infeasible | None:
        """Enter which pictures of batches a layer reads, where a group is no strips: it may be any layer."""
        network = self.network
        for _, source in network.operands[position]:
            buffer = network.buffer_of(source)
            if (axis := network.buffers[buffer].column_axis) is None:
                continue
            total = network.graph.types[buffer].shape[axis]
            read = network.columns_read(source, Boxes.whole(network.graph.types[source].shape))
            boxes, axis = read or (Boxes.whole((total,)), 0)
            low, high = boxes.low[:, axis], boxes.high[:, axis]
            if (seen := self.pending.get(buffer)) is not None:
                low, high = np.minimum(low, seen.low), np.maximum(high, seen.high)
            self.pending[buffer] = ColumnRange(low, high, total)
        return None

    def _settle(self, buffer: str, total: int) -> Infeasible | None:
        """Columns of a buffer whose consumers inside the group are all known."""
        wanted = self.pending.get(buffer)
        is_output = self.network.last_use[buffer] > self.end or wanted is None
        if is_output and total < self.strips * self.least:
            return Infeasible("columns for all strips of an output", self.strips * self.least, total)
        if is_output:
            edges = self._edges(buffer, total)
            if (edges[1:] == edges[:-1]).any():
                return Infeasible("columns of an output in whole units", self.strips, total)
            own = ColumnRange(edges[:-1], edges[1:], total)
            if wanted is not None and wanted.total != total:
                return _OTHER_WIDTH
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
        if any(network.view(piece).origin is None for _, piece in network.definitions.get(buffer, ())):
            return _NO_COLUMNS  # of a piece before the group, whose columns would be loaded
        read = network.columns_read(source, need)
        if read is None:
            low, high, total = np.zeros(self.strips, np.int64), np.ones(self.strips, np.int64), 1  # all of it
        else:
            boxes, axis = read
            low, high = boxes.low[:, axis], boxes.high[:, axis]
            total = network.graph.types[buffer].shape[required(network.buffers[buffer].column_axis)]
        columns = self.ranges.get(buffer)
        if columns is not None:
            if columns.total != total:
                return _OTHER_WIDTH
            return None if (columns.low <= low).all() and (high <= columns.high).all() else _TOO_FEW_KNOWN
        seen = self.pending.get(buffer)
        if seen is not None and seen.total != total:
            return _OTHER_WIDTH
        if seen is not None:
            low, high = np.minimum(low, seen.low), np.maximum(high, seen.high)
        self.pending[buffer] = ColumnRange(low, high, total)
        return None

    def of(self, buffer: str) -> ColumnRange | None:
        """Columns of a buffer; None if every strip needs it in full width.

        A group that is no strips reads some pictures alone of a batch that was complete before it.
        """
        if self.strips == 1 and not (buffer in self.pending and self.network.last_def[buffer] < self._start):
            return None
        columns = self.ranges.get(buffer) or self._loaded(buffer)
        is_whole = (
            columns is None or columns.total == 1 or (self.strips == 1 and columns.widest == columns.total)
        )
        return None if is_whole else columns

    def cut(self, buffer: str) -> bool:
        """Whether rows of a buffer are taken strip by strip, or not in full width."""
        return self.strips > 1 or self.of(buffer) is not None

    def _loaded(self, buffer: str) -> ColumnRange | None:
        """Columns of a buffer that is not made in the group: those that are needed, in whole units."""
        columns = self.pending.get(buffer)
        if columns is None or columns.total == 1:
            return columns
        load = self._loads.get(buffer)
        if load is None or load[0] is not columns:
            load = self._loads[buffer] = columns, self._in_whole_units(buffer, columns)
        return load[1]

    def _in_whole_units(self, buffer: str, columns: ColumnRange) -> ColumnRange:
        if (step := self._step(buffer)) == 1:
            return columns
        high = np.minimum(_rounded_up(columns.high, step), columns.total)
        return ColumnRange(columns.low // step * step, high, columns.total)

    def covers(self, source: str, target: str) -> bool:
        """Whether each strip has all columns of one buffer that it has of another of the same extents."""
        source_columns, target_columns = self.of(source), self.of(target)
        return source_columns is None or (
            target_columns is not None and source_columns.covers(target_columns)
        )

    def row_bytes(self, buffer: str) -> int:
        """Bytes of a row of a buffer, or of the part of it that lies in the widest strip."""
        columns, nbytes = self.of(buffer), self.network.buffers[buffer].row_bytes
        return nbytes if columns is None else round_up(columns.scaled(nbytes), self._unit)

    def in_bursts(self, buffer: str, nbytes: int) -> int:
        """Bytes that all strips load or compute of rows that take `nbytes` in full width.

        Columns of one channel are short runs: they count in whole bursts.
        """
        columns, axis, burst = self.of(buffer), self.network.column_axis(buffer), self.network.burst
        if columns is None:
            return nbytes * self.strips
        storage, size = self.network.graph.storage[buffer], self.network.graph.types[buffer].dtype.itemsize
        if axis is None or abs(storage.strides[axis]) != 1:
            return nbytes * columns.summed // columns.total
        first, end = columns.low * size, columns.high * size
        if (row_bytes := self.network.buffers[buffer].row_bytes) % burst:
            moved = end - first + burst - gcd(size, row_bytes, burst)
        else:
            moved = _rounded_up(end, burst) - first // burst * burst
        return nbytes * int(moved.sum()) // (columns.total * size)

    @property
    def _unit(self) -> int:
        return self.network.graph.notes.transfer_unit

    def _edges(self, buffer: str, total: int) -> Ints:
        """Where the strips of an output begin and end: about evenly, in whole bursts if they are many."""
        edges = np.arange(self.strips + 1, dtype=np.int64) * total // self.strips
        step, bursts = self._step(buffer), self._step_of_bursts(buffer)
        if TUNING.cuts.min_strip_bursts * bursts * self.strips <= total:
            inner = edges[1:-1]  # the last one is that of the picture
            edges[1:-1] = (inner + bursts // 2) // bursts * bursts
            return edges
        return np.minimum(_rounded_up(edges, step), total)

    def _step_of_bursts(self, buffer: str) -> int:
        """The same, in whole bursts too; where rows begin within bursts, nothing is gained by that."""
        network, step = self.network, self._step(buffer)
        axis, info = network.column_axis(buffer), network.buffers[buffer]
        if axis is None or info.row_bytes % network.burst:
            return step
        column = abs(network.graph.storage[buffer].strides[axis]) * network.graph.types[buffer].dtype.itemsize
        return lcm(step, network.burst // gcd(column, network.burst))

    def _step(self, buffer: str) -> int:
        """Of how many columns the DMA moves multiples."""
        axis = self.network.column_axis(buffer)
        return 1 if axis is None else quanta(self.network.graph, buffer)[axis]


def _rounded_up(columns: Ints, step: int) -> Ints:
    rounded: Ints = -(-columns // step) * step
    return rounded
