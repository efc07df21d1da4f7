"""Rows of every buffer in every part of a fused group: a last layer and a cut in, out `BufferRows` by buffer.

Which rows of a buffer a part needs depends on where the group ends and on the cut, not on where it starts:
ranges are propagated upstream once, and every layer on the way is the start of a group.  All parts are
computed at once (vectors).
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.plan.fusion.buffer_rows import NO_ROW, BufferRows, Rows, all_at_once, buffer_rows
from nnc.compiler.plan.fusion.column_ranges import ColumnRanges
from nnc.compiler.plan.fusion.cut import Cut, busiest_row_shard
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes, RowRange
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.record import record

_NO_ROWS = Infeasible("rows of a layer that cores share cannot be computed one by one")
_NO_VIEW = Infeasible("elements that a layer reads as an axis are apart where heads are columns")
_OWN_CONSTANTS = Infeasible("cores would need other elements of a constant, which goes to all")
_CUT_GROUPS = Infeasible("a part would begin or end inside a group of channels")
_WRAPS = Infeasible("one core would need rows from both ends of a buffer, and memory for all between")


@dataclass(frozen=True, eq=False)
class _Pending:
    """Needs of the consumers seen so far, per part; low is NO_ROW where nothing is needed."""

    low: Rows
    high: Rows
    recompute: bool

    @cached_property
    def rows(self) -> BufferRows:
        """These rows; unless they are computed again, what a later part needs is kept from the first on."""
        if self.recompute:
            return buffer_rows(np.minimum(self.low, self.high), self.high, keeps=False)
        high = np.maximum.accumulate(self.high)
        low = np.minimum.accumulate(self.low[::-1])[::-1]
        return buffer_rows(np.minimum(low, high), high)


@record(frozen=True, slots=True)
class _Taken:
    """What taking in a layer gave: why it cannot be, its own rows, rows and needs of all that it touches."""

    reason: Infeasible | None
    own: BufferRows | None
    rows: dict[str, BufferRows]
    pending: dict[str, _Pending]
    hulls: dict[str, RowRange]


RowWalk = dict[int, _Taken]
"""What taking in a layer gave, by its position."""


@dataclass
class RowRanges:
    """Row ranges of the group that ends at `end`; `extend` prepends one more layer.

    Attributes:
        row_shard: which of the row shards of the cut is meant.
        rows: rows of every buffer that the interval defines (settled).
        new, counts: per position, the ranges of new rows that the layer computes, and how many parts compute
            how many of them.
        walked: what was found before, in whatever columns; it may be shared by all that cut rows alike.
        hulls: by buffer, from which to which row each row shard needs it.
    """

    network: PlanNetwork
    end: int
    cut: Cut
    row_shard: int = 0
    rows: dict[str, BufferRows] = field(default_factory=dict)
    new: dict[int, RowRange] = field(default_factory=dict)
    counts: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    pending: dict[str, _Pending] = field(default_factory=dict)
    walked: RowWalk = field(default_factory=dict)
    hulls: dict[str, RowRange] = field(default_factory=dict)
    columns: ColumnRanges = field(init=False)
    _busiest: int = field(init=False)

    def __post_init__(self) -> None:
        least = TUNING.cuts.min_columns if self.cut.column_shards == 1 else TUNING.cuts.min_core_columns
        least = 1 if self.network.axes in (CutAxes.PICTURES, CutAxes.HEADS) else least
        self._busiest = busiest_row_shard(self.network, self.end, self.cut)
        self.columns = ColumnRanges(self.network, self.end, self.cut.columns, least)

    def extend(self, position: int) -> Infeasible | None:
        """Take in the layer at `position`, which must be the one before the last taken.

        Returns:
            Why the group cannot be cut like this with the layer, if so.
        """
        taken = self.walked.get(position)
        if taken is None:
            taken = self.walked[position] = self._take_in(position)
        else:
            self.rows.update(taken.rows)
            self.pending.update(taken.pending)
            self.hulls.update(taken.hulls)
        if taken.reason is not None or taken.own is None:
            return taken.reason
        self.new[position], self.counts[position] = taken.own.new, taken.own.new_counts
        return self.columns.extend(position)

    def _take_in(self, position: int) -> _Taken:
        network = self.network
        buffer = network.buffer_of(network.defines[position])
        if self.cut.cores > 1 and (reason := self._unshareable(position, buffer)) is not None:
            return _Taken(reason, None, {}, {}, {})
        own = self.rows.get(buffer)
        if own is None:
            own = self._settle(position, buffer)
        elif self._is_cut(buffer):
            own = self._with_made_rows(position, own)
        self.rows[buffer] = own
        reason = self._note_operands(position, own) or self._note_hulls(position, buffer)
        touched = {buffer, *(network.buffer_of(tensor) for _, tensor in network.operands[position])}
        rows = {name: self.rows[name] for name in touched if name in self.rows}
        pending = {name: self.pending[name] for name in touched if name in self.pending}
        return _Taken(reason, own, rows, pending, {n: self.hulls[n] for n in touched if n in self.hulls})

    def _note_operands(self, position: int, settled: BufferRows) -> Infeasible | None:
        """Enter what a layer needs of its operands; returns why it cannot be cut so, if it cannot."""
        network = self.network
        if (per_group := self._channels_per_group(position)) > 1:
            boxes = network.out_boxes(position, settled.new)
            if not layer_traits.keep_groups(boxes.low[:, 1], boxes.high[:, 1], per_group):
                return _CUT_GROUPS
        for slot, tensor in network.operands[position]:
            if not network.is_readable(tensor):
                return _NO_VIEW
            source = network.buffer_of(tensor)
            self._note(source, network.row_table(position, slot, tensor), settled)
            if source in self.rows:  # parts of it are defined later: what is defined before runs ahead
                self._widen(source)
        return None

    def _note_hulls(self, position: int, buffer: str) -> Infeasible | None:
        """Enter from which to which row every shard needs operands; where rows are shifted, one needs all."""
        if self.cut.row_shards == 1:
            return None
        network, shards = self.network, np.arange(self.cut.row_shards + 1, dtype=np.int64)
        if self._is_cut(buffer):
            edges = shards * network.buffers[buffer].rows // self.cut.row_shards
            self._unite(buffer, RowRange(edges[:-1], edges[1:]))
        hull, last = self.hulls[buffer], network.buffers[buffer].rows - 1
        for slot, tensor in network.operands[position]:
            table, source = network.row_table(position, slot, tensor), network.buffer_of(tensor)
            low, high = table.low[np.minimum(hull.low, last)], table.high[np.maximum(hull.high - 1, 0)]
            needs = (high > low) & (hull.high > hull.low)
            self._unite(source, RowRange(np.where(needs, low, NO_ROW), np.where(needs, high, 0)))
            extents = np.maximum(self.hulls[source].high, self.hulls[source].low) - self.hulls[source].low
            weighed = int(extents[self._busiest])
            if weighed and extents.max() > TUNING.cuts.uneven_share.of(weighed) + TUNING.cuts.halo_rows:
                return _WRAPS
        return None

    def _unite(self, buffer: str, rows: RowRange) -> None:
        hull = self.hulls.get(buffer, rows)
        self.hulls[buffer] = RowRange(np.minimum(hull.low, rows.low), np.maximum(hull.high, rows.high))

    def _unshareable(self, position: int, buffer: str) -> Infeasible | None:
        """Why not every core has rows of a layer's result, if so."""
        rows = self.network.buffers[buffer].rows
        if self.network.view(self.network.defines[position]).axis is None or buffer in self.network.uncut:
            return _NO_ROWS
        if self._channels_per_group(position) > 1:
            return _CUT_GROUPS
        if _has_constants_along(self.network, position, self.cut.row_shards > 1, self.cut.column_shards > 1):
            return _OWN_CONSTANTS
        shards = self.cut.row_shards
        return Infeasible("rows for every core", shards, rows) if rows < shards else None

    def _channels_per_group(self, position: int) -> int:
        """Rows of a layer's result that belong together, if its rows are channels."""
        network, tensor = self.network, self.network.defines[position]
        if network.view(tensor).axis != 1:
            return 1
        channels = network.graph.types[tensor].shape[1]
        return layer_traits.channels_per_group(network.layers[position], channels)

    def _widen(self, buffer: str) -> None:
        rows, need = self.rows[buffer], self.input_rows(buffer)
        high = np.maximum(rows.high, need.high)
        widened = buffer_rows(np.minimum(np.minimum(rows.low, need.low), high), high, rows.keeps)
        total = self.network.buffers[buffer].rows
        self.rows[buffer] = all_at_once(widened, total) if buffer in self.network.uncut else widened

    def _note(self, buffer: str, table: RowRange, settled: BufferRows) -> None:
        """Enter what the new rows of a consumer need of a buffer."""
        low, need = settled.needs(table)
        if (seen := self.pending.get(buffer)) is not None:
            low, need = np.minimum(seen.low, low), np.maximum(seen.high, need)
        self.pending[buffer] = _Pending(low, need, self.cut.recompute)

    def _settle(self, position: int, buffer: str) -> BufferRows:
        """Rows of a buffer when all its consumers inside the interval are known.

        Args:
            position: of the last layer that makes some of it.
        """
        rows = self._demanded(position, buffer)
        return all_at_once(rows, self.network.buffers[buffer].rows) if buffer in self.network.uncut else rows

    def _is_cut(self, buffer: str) -> bool:
        """Whether the group leaves a buffer, so that its rows are cut."""
        return buffer not in self.pending or self.network.last_use[buffer] > self.end

    def _demanded(self, position: int, buffer: str) -> BufferRows:
        """Rows of a buffer that its consumers and, if it is an output, the cut ask for."""
        if buffer not in self.pending:
            return self._cut(position, buffer)
        settled = self.input_rows(buffer)
        if self._is_cut(buffer):
            cut = self._cut(position, buffer)
            high = np.maximum(settled.high, cut.high)
            return buffer_rows(np.minimum(np.minimum(settled.low, cut.low), high), high, settled.keeps)
        return settled

    def _cut(self, position: int, buffer: str) -> BufferRows:
        """An output of the group: P cuts as even as whole rows allow.

        What is cut is what the layer makes: rows of others, in a concat along rows, are no work of its parts.
        """
        if self.cut.row_shards == 1:
            made = self.network.made_rows(position)
            first, high = made.first, made.ends(self.cut.parts)
        else:
            first, end = self.own_rows(self.network.buffers[buffer].rows)
            numbers = np.arange(1, self.cut.parts + 1, dtype=np.int64)
            high = first + numbers * (end - first) // self.cut.parts
        return buffer_rows(np.concatenate([[first], high[:-1]]), high, not self.cut.recompute)

    def _with_made_rows(self, position: int, rows: BufferRows) -> BufferRows:
        """Rows of an output with those that an earlier layer makes: before others, or behind the last."""
        view, busy = self.network.view(self.network.defines[position]), int((rows.high > rows.low).argmax())
        end = view.first + view.rows
        if self.cut.row_shards > 1 or (rows.low[busy] <= view.first and end <= rows.high[-1]):
            return rows
        low, high = rows.low.copy(), rows.high.copy()
        low[: busy + 1] = np.minimum(low[: busy + 1], view.first)
        high[-1] = max(high[-1], end)
        return buffer_rows(low, high, rows.keeps)

    def own_rows(self, total: int) -> tuple[int, int]:
        """The rows of an output that are this shard's, of so many in all."""
        shards = self.cut.row_shards
        return self.row_shard * total // shards, (self.row_shard + 1) * total // shards

    def may_take_over(self, source: str, target: str) -> bool:
        """Whether a result may overwrite a resident operand: no later part or strip needs what is there."""
        before, columns = self.of(source), self.columns.of(source)
        if self.cut.recompute or (self.cut.strips > 1 and (columns is None or columns.overlap)):
            return False
        return bool((before.low[1:] >= self.rows[target].high[:-1]).all())

    def landings(self, in_place: Mapping[str, str], stay: Set[str]) -> dict[str, str]:
        """Operands, of those in whose place results are computed, that lie in a result that stays whole."""
        return {a: b for a, b in in_place.items() if b in stay and self.may_take_over(a, b)}

    def tile_bytes(self, buffer: str) -> int:
        """Bytes of the largest tile of a result."""
        return int(self.rows[buffer].held(self.columns.row_bytes(buffer)).max())

    def bytes_read(self, buffer: str, outside: int) -> int:
        """Bytes that the group reads of a buffer, of which so many were computed before it."""
        if buffer not in self.pending:
            return 0  # written only
        once = outside * self.cut.row_shards * self.of(buffer).read_once
        return self.columns.in_bursts(buffer, once // self.network.buffers[buffer].rows)

    def loads_all(self, buffer: str) -> bool:
        """Whether the parts load every row, and none twice, of a buffer that was complete before."""
        if self.cut.recompute or self.columns.cut(buffer) or self.network.last_def[buffer] >= min(self.new):
            return False
        return self.of(buffer).read_once == self.network.buffers[buffer].rows

    def of(self, buffer: str) -> BufferRows:
        """Rows of a buffer: settled in the group, or as its layers need them."""
        return self.rows.get(buffer) or self.input_rows(buffer)

    def input_rows(self, buffer: str) -> BufferRows:
        """Rows that the parts need of a buffer."""
        return self.pending[buffer].rows


def _has_constants_along(network: PlanNetwork, position: int, rows: bool, columns: bool) -> bool:
    """Whether other rows, or other columns, of a function's result need other elements of a constant."""
    if not isinstance(network.layers[position], Elementwise):
        return False
    tensor = network.defines[position]
    rank = len(network.graph.types[tensor].shape)
    axes = [network.view(tensor).axis] * rows + [network.column_axis(tensor)] * columns
    shapes = [network.graph.types[constant].shape for _, constant in network.constant_operands(position)]
    return any(
        axis is not None and axis >= rank - len(shape) and shape[axis - rank] > 1
        for axis in axes
        for shape in shapes
    )
