"""Rows of every buffer in every part of a fused group: a last layer and a cut in, out `BufferRows` by buffer.

Which rows of a buffer a part needs depends on where the group ends and on the cut, not on where it starts:
ranges are propagated upstream once, and every layer on the way is the start of a group.  All parts are
computed at once (vectors).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.column_ranges import ColumnRanges
from nnc.compiler.plan.fusion.cut import LEAST_COLUMNS, LEAST_COLUMNS_OF_A_CORE, Cut
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.columns import has_constants_along
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.views.row_views import CutAxes, RowRange
from nnc.compiler.target import layer_traits

Rows = npt.NDArray[np.int64]
_NONE = np.iinfo(np.int64).max
_NO_ROWS = Infeasible("rows of a layer that cores share cannot be computed one by one")
_NO_VIEW = Infeasible("elements that a layer reads as an axis are apart where heads are columns")
_OWN_CONSTANTS = Infeasible("cores would need other elements of a constant, which goes to all")
_CUT_GROUPS = Infeasible("a part would begin or end inside a group of channels")


@dataclass(frozen=True, eq=False)
class BufferRows:
    """Rows of a buffer over the parts of a group: part p holds low[p] ≤ row < high[p] while it works.

    Rows [high[p−1], high[p]) are new in part p; [low[p+1], high[p]) are kept for the next part.  `unclipped`
    is `high` before it is cut off at row 0: in the parts of a prologue it is at most 0, and falls.

    Equal rows are one object (see `buffer_rows`), so that what follows from them is found once.
    """

    low: Rows
    unclipped: Rows
    keeps: bool
    _needs: dict[int, tuple[RowRange, Rows, Rows]] = field(default_factory=dict)

    @cached_property
    def high(self) -> Rows:
        """One past the last row of each part."""
        return np.asarray(np.maximum(self.unclipped, 0))

    @cached_property
    def new(self) -> RowRange:
        """New rows of each part: from behind the last one held before, if rows are kept."""
        if not self.keeps:
            return RowRange(self.low, self.high)
        first = self.low.copy()
        np.maximum(self.low[1:], self.high[:-1], out=first[1:])
        return RowRange(first, self.high)

    @cached_property
    def new_counts(self) -> tuple[tuple[int, int], ...]:
        """(number of new rows, number of parts that have so many), where there are any."""
        counts = Counter((self.high - self.new.low).tolist())
        return tuple((rows, parts) for rows, parts in counts.items() if rows > 0)

    @cached_property
    def _held_rows(self) -> Rows:
        return np.asarray(np.maximum(self.high - self.low, 0))

    @cached_property
    def _kept_rows(self) -> Rows:
        rows = np.zeros_like(self.low)
        if self.keeps:
            np.maximum(self.high[:-1] - self.low[1:], 0, out=rows[:-1])
        return rows

    @cached_property
    def read_once(self) -> int:
        """Rows that all parts together load: each row once if rows are kept, none that no part needs."""
        if not self.keeps:
            return int(self._held_rows.sum())
        return sum(rows * parts for rows, parts in self.new_counts)

    def held(self, row_bytes: int) -> Rows:
        """Bytes of the tile of each part."""
        return np.asarray(self._held_rows * row_bytes)

    def kept(self, row_bytes: int) -> Rows:
        """Bytes that stay after each part for the next one."""
        return np.asarray(self._kept_rows * row_bytes)

    def moved_in_window(self, row_bytes: int) -> Rows:
        """Bytes that move to the head of a sliding window after each part: none where its first row stays."""
        moved = self.kept(row_bytes)
        moved[:-1][self.low[1:] == self.low[:-1]] = 0
        return moved

    def needs(self, table: RowRange) -> tuple[Rows, Rows]:
        """What the new rows need by a table of rows: (low or _NONE, unclipped high) of each part."""
        found = self._needs.get(id(table))
        if found is None:
            new = self.new.low
            need = _extended(table, self.unclipped)
            wanted = (self.high > new) & (need > 0)
            low = np.where(wanted, table.low[np.minimum(new, len(table.low) - 1)], _NONE)
            found = self._needs[id(table)] = (table, low, need)
        return found[1:]


def buffer_rows(low: Rows, unclipped: Rows, keeps: bool = True) -> BufferRows:
    """The one object for these rows."""
    return _buffer_rows(low.tobytes(), unclipped.tobytes(), keeps)


@lru_cache(maxsize=4096)
def _buffer_rows(low: bytes, unclipped: bytes, keeps: bool) -> BufferRows:
    return BufferRows(np.frombuffer(low, np.int64), np.frombuffer(unclipped, np.int64), keeps)


@dataclass
class _Pending:
    """Needs of the consumers seen so far, per part; low is _NONE where nothing is needed."""

    low: Rows
    unclipped: Rows


@dataclass
class RowRanges:
    """Row ranges of the group that ends at `end`; `extend` prepends one more layer.

    Attributes:
        row_shard: which of the row shards of the cut is meant.
        rows: rows of every buffer that the interval defines (settled).
        new, counts: per position, the ranges of new rows that the layer computes, and how many parts compute
            how many of them.
    """

    network: PlanNetwork
    end: int
    cut: Cut
    row_shard: int = 0
    rows: dict[str, BufferRows] = field(default_factory=dict)
    new: dict[int, RowRange] = field(default_factory=dict)
    counts: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    pending: dict[str, _Pending] = field(default_factory=dict)
    _inputs: dict[str, BufferRows] = field(default_factory=dict)
    columns: ColumnRanges = field(init=False)

    def __post_init__(self) -> None:
        least = LEAST_COLUMNS if self.cut.column_shards == 1 else LEAST_COLUMNS_OF_A_CORE
        if self.network.axes in (CutAxes.PICTURES, CutAxes.HEADS):
            least = 1
        self.columns = ColumnRanges(self.network, self.end, self.cut.columns, least, self.cut.kept_columns)

    def extend(self, position: int) -> Infeasible | None:
        """Take in the layer at `position`, which must be the one before the last taken.

        Returns:
            Why the group cannot be cut like this with the layer, if so.
        """
        network = self.network
        buffer = network.buffer_of(network.defines[position])
        if self.cut.cores > 1 and (reason := self._unshareable(position, buffer)) is not None:
            return reason
        settled = self.rows.get(buffer)
        if settled is None:
            settled = self.rows[buffer] = self._settle(buffer)
        if (per_group := self._channels_per_group(position)) > 1:
            boxes = network.out_boxes(position, settled.new)
            if not layer_traits.keep_groups(boxes.low[:, 1], boxes.high[:, 1], per_group):
                return _CUT_GROUPS
        self.new[position], self.counts[position] = settled.new, settled.new_counts
        for slot, tensor in network.operands[position]:
            if not network.is_readable(tensor):
                return _NO_VIEW
            source = network.buffer_of(tensor)
            self._note(source, network.row_table(position, slot, tensor), settled)
            if source in self.rows:  # parts of it are defined later: what is defined before runs ahead
                self._widen(source)
        return self.columns.extend(position)

    def _unshareable(self, position: int, buffer: str) -> Infeasible | None:
        """Why not every core has rows of a layer's result, if so."""
        rows = self.network.buffers[buffer].rows
        if self.network.view(self.network.defines[position]).axis is None or buffer in self.network.uncut:
            return _NO_ROWS
        if self._channels_per_group(position) > 1:
            return _CUT_GROUPS
        if has_constants_along(self.network, position, self.cut.row_shards > 1, self.cut.column_shards > 1):
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
        unclipped = np.maximum(rows.unclipped, need.unclipped)
        low = np.minimum(np.minimum(rows.low, need.low), np.maximum(unclipped, 0))
        widened = buffer_rows(low, unclipped, rows.keeps)
        total = self.network.buffers[buffer].rows
        self.rows[buffer] = _all_at_once(widened, total) if buffer in self.network.uncut else widened

    def _note(self, buffer: str, table: RowRange, settled: BufferRows) -> None:
        """Enter what the new rows of a consumer need of a buffer."""
        self._inputs.pop(buffer, None)
        low, need = settled.needs(table)
        seen = self.pending.get(buffer)
        if seen is None:
            self.pending[buffer] = _Pending(low, need)
            return
        seen.low, seen.unclipped = np.minimum(seen.low, low), np.maximum(seen.unclipped, need)

    def _settle(self, buffer: str) -> BufferRows:
        """Rows of a buffer when all its consumers inside the interval are known."""
        rows = self._demanded(buffer)
        return _all_at_once(rows, self.network.buffers[buffer].rows) if buffer in self.network.uncut else rows

    def _demanded(self, buffer: str) -> BufferRows:
        """Rows of a buffer that its consumers and, if it is an output, the cut ask for."""
        total = self.network.buffers[buffer].rows
        if buffer not in self.pending:
            return self._cut(total)
        settled = self.input_rows(buffer)
        if self.network.last_use[buffer] > self.end:
            cut = self._cut(total)
            unclipped = np.maximum(settled.unclipped, cut.unclipped)
            low = np.minimum(np.minimum(settled.low, cut.low), np.maximum(unclipped, 0))
            return buffer_rows(low, unclipped, settled.keeps)
        return settled

    def _cut(self, total: int) -> BufferRows:
        """An output of the group: P cuts as even as whole rows allow, none in the parts before."""
        numbers = np.arange(1 - self.cut.prologue, self.cut.parts + 1, dtype=np.int64)
        first, end = self.own_rows(total)
        unclipped = first + numbers * (end - first) // self.cut.parts
        low = np.concatenate([[first], np.maximum(unclipped[:-1], 0)])
        return buffer_rows(low, unclipped, not self.cut.recompute)

    def own_rows(self, total: int) -> tuple[int, int]:
        """The rows of an output that are this shard's, of so many in all."""
        shards = self.cut.row_shards
        return self.row_shard * total // shards, (self.row_shard + 1) * total // shards

    def may_take_over(self, source: str, target: str) -> bool:
        """Whether a result may overwrite a resident operand: no later part or strip needs what is there."""
        before, columns = self.of(source), self.columns.of(source)
        if self.cut.strips > 1 and (columns is None or columns.overlap):
            return False
        return bool((before.low[1:] >= self.rows[target].high[:-1]).all())

    def of(self, buffer: str) -> BufferRows:
        """Rows of a buffer: settled in the group, or as its layers need them."""
        return self.rows.get(buffer) or self.input_rows(buffer)

    def input_rows(self, buffer: str) -> BufferRows:
        """Rows that the parts need of a buffer, made monotonic: what a later part needs is kept."""
        if buffer not in self._inputs:
            self._inputs[buffer] = self._rows_for(self.pending[buffer])
        return self._inputs[buffer]

    def _rows_for(self, pending: _Pending) -> BufferRows:
        if self.cut.recompute:
            low = np.minimum(pending.low, np.maximum(pending.unclipped, 0))
            return buffer_rows(low, pending.unclipped, keeps=False)
        unclipped = np.maximum.accumulate(pending.unclipped)
        low = np.minimum.accumulate(pending.low[::-1])[::-1]
        return buffer_rows(np.minimum(low, np.maximum(unclipped, 0)), unclipped)


def _all_at_once(rows: BufferRows, total: int) -> BufferRows:
    """All rows in the first part that needs any; each part holds all until the last need has passed."""
    busy = rows.high > rows.low
    last = np.flatnonzero(busy)[-1] if busy.any() else -1
    unclipped = np.where(rows.unclipped > 0, total, rows.unclipped)
    low = np.where((unclipped > 0) & (np.arange(len(busy)) > last), total, 0)
    return buffer_rows(low, unclipped, rows.keeps)


def _extended(table: RowRange, unclipped: Rows) -> Rows:
    """The need up to row `unclipped`; for 0 and less, the table goes on as a straight line."""
    high = table.high
    inside = high[np.minimum(np.maximum(unclipped - 1, 0), len(high) - 1)]
    if unclipped[0] >= 1:  # it never falls
        return np.asarray(inside)
    return np.asarray(np.where(unclipped >= 1, inside, high[0] + table.slope * (unclipped - 1)))
