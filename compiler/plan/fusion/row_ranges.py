"""One backward walk, shared by all groups that end at the same layer and have the same number of parts.

Which rows of each buffer a part needs depends on where the group ends and on P, not on where it starts: walk
upstream once, and every layer on the way is the start of a group.  All P parts are walked at once (vectors).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.column_ranges import LEAST_COLUMNS, LEAST_COLUMNS_OF_A_CORE, ColumnWalk
from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.network.plan_network import PlanNetwork, RowRange

Rows = npt.NDArray[np.int64]
_NONE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class BufferRows:
    """Rows of a buffer over the parts of a group: part p holds low[p] ≤ row < high[p] while it works.

    Rows [high[p−1], high[p]) are new in part p; [low[p+1], high[p]) are kept for the next part.  `reach` is
    high before it is cut off at row 0: parts that warm the pipeline up reach less and less.
    """

    low: Rows
    high: Rows
    reach: Rows
    keeps: bool = True

    @cached_property
    def new_low(self) -> Rows:
        """First new row of each part: behind the last one held before, if rows are kept."""
        if not self.keeps:
            return self.low
        first = self.low.copy()
        np.maximum(self.low[1:], self.high[:-1], out=first[1:])
        return first

    @cached_property
    def _held_rows(self) -> Rows:
        return np.asarray(np.maximum(self.high - self.low, 0))

    @cached_property
    def _kept_rows(self) -> Rows:
        rows = np.zeros_like(self.low)
        if self.keeps:
            np.maximum(self.high[:-1] - self.low[1:], 0, out=rows[:-1])
        return rows

    @property
    def read_once(self) -> int:
        """Rows that all parts together load: each row once if rows are kept."""
        if not self.keeps:
            return int(self._held_rows.sum())
        return int(self.high.max() - self.low.min())

    def held(self, row_bytes: int) -> Rows:
        """Bytes of the tile of each part."""
        return np.asarray(self._held_rows * row_bytes)

    def kept(self, row_bytes: int) -> Rows:
        """Bytes that stay after each part for the next one."""
        return np.asarray(self._kept_rows * row_bytes)


@dataclass
class _Pending:
    """Needs of the consumers seen so far, per part; low is _NONE where nothing is needed."""

    low: Rows
    reach: Rows


@dataclass
class Walk:
    """The state of a walk from `end` upstream; `extend` takes in one more layer.

    Attributes:
        band: which of the bands of the cut is walked.
        rows: rows of every buffer that the interval defines (settled).
        new: per position, the ranges of new rows that the layer computes.
    """

    network: PlanNetwork
    end: int
    cut: Cut
    band: int = 0
    rows: dict[str, BufferRows] = field(default_factory=dict)
    new: dict[int, RowRange] = field(default_factory=dict)
    pending: dict[str, _Pending] = field(default_factory=dict)
    _inputs: dict[str, BufferRows] = field(default_factory=dict)
    columns: ColumnWalk = field(init=False)

    def __post_init__(self) -> None:
        least = LEAST_COLUMNS if self.cut.sides == 1 else LEAST_COLUMNS_OF_A_CORE
        self.columns = ColumnWalk(self.network, self.end, self.cut.columns, least)

    def extend(self, position: int) -> bool:
        """Take in the layer at `position`, which must be the one before the last taken.

        Returns:
            Whether the group can be cut like this with the layer.
        """
        network = self.network
        buffer = network.buffer_of(network.defines[position])
        if self.cut.cores > 1 and not self._can_be_shared(position, buffer):
            return False
        settled = self.rows.get(buffer)
        if settled is None:
            settled = self.rows[buffer] = self._settle(buffer)
        self.new[position] = RowRange(settled.new_low, settled.high)
        for slot, tensor in network.operands[position]:
            source = network.buffer_of(tensor)
            self._note(source, network.row_table(position, slot, tensor), settled)
            if source in self.rows:  # parts of it are defined later: what is defined before runs ahead
                self._widen(source)
        return self.columns.extend(position)

    def _can_be_shared(self, position: int, buffer: str) -> bool:
        """Whether every core has rows of a layer's result."""
        rows = self.network.buffers[buffer].rows
        has_rows = self.network.view(self.network.defines[position]).axis is not None
        return has_rows and rows >= self.cut.bands and not self._is_uncut(buffer)

    def _widen(self, buffer: str) -> None:
        rows, need = self.rows[buffer], self.input_rows(buffer)
        reach = np.maximum(rows.reach, need.reach)
        high = np.maximum(reach, 0)
        low = np.minimum(np.minimum(rows.low, need.low), high)
        widened = BufferRows(low, high, reach, rows.keeps)
        total = self.network.buffers[buffer].rows
        self.rows[buffer] = _all_at_once(widened, total) if self._is_uncut(buffer) else widened

    def _note(self, buffer: str, table: RowRange, settled: BufferRows) -> None:
        """Enter what the new rows of a consumer need of a buffer."""
        self._inputs.pop(buffer, None)
        new_low, reach = settled.new_low, settled.reach
        busy = settled.high > new_low
        low = np.where(busy, table.low[np.minimum(new_low, len(table.low) - 1)], _NONE)
        need = _extended(table, reach)
        low = np.where(need > 0, low, _NONE)
        seen = self.pending.get(buffer)
        if seen is None:
            self.pending[buffer] = _Pending(low, need)
            return
        seen.low, seen.reach = np.minimum(seen.low, low), np.maximum(seen.reach, need)

    def _settle(self, buffer: str) -> BufferRows:
        """Rows of a buffer when all its consumers inside the interval are known."""
        rows = self._demanded(buffer)
        return _all_at_once(rows, self.network.buffers[buffer].rows) if self._is_uncut(buffer) else rows

    def _is_uncut(self, buffer: str) -> bool:
        """Whether a layer that computes the buffer works across its rows."""
        definitions = self.network.definitions.get(buffer, ())
        return any(self.network.is_across_rows(position) for position, _ in definitions)

    def _demanded(self, buffer: str) -> BufferRows:
        """Rows of a buffer that its consumers and, if it is an output, the cut ask for."""
        total = self.network.buffers[buffer].rows
        if buffer not in self.pending:
            return self._cut(total)
        settled = self.input_rows(buffer)
        if self.network.last_use[buffer] > self.end:
            cut = self._cut(total)
            reach = np.maximum(settled.reach, cut.reach)
            high = np.maximum(reach, 0)
            low = np.minimum(np.minimum(settled.low, cut.low), high)
            return BufferRows(low, high, reach, settled.keeps)
        return settled

    def _cut(self, total: int) -> BufferRows:
        """An output of the group: P cuts as even as whole rows allow, none in the parts before."""
        numbers = np.arange(1 - self.cut.warm_up, self.cut.parts + 1, dtype=np.int64)
        first, end = self.own_rows(total)
        reach = first + numbers * (end - first) // self.cut.parts
        high = np.maximum(reach, 0)
        return BufferRows(np.concatenate([[first], high[:-1]]), high, reach, not self.cut.recompute)

    def own_rows(self, total: int) -> tuple[int, int]:
        """The rows of an output that are this band's, of so many in all."""
        return self.band * total // self.cut.bands, (self.band + 1) * total // self.cut.bands

    def input_rows(self, buffer: str) -> BufferRows:
        """Rows that the parts need of a buffer, made monotonic: what a later part needs is kept."""
        if buffer not in self._inputs:
            self._inputs[buffer] = self._rows_for(self.pending[buffer])
        return self._inputs[buffer]

    def _rows_for(self, pending: _Pending) -> BufferRows:
        if self.cut.recompute:
            high = np.maximum(pending.reach, 0)
            return BufferRows(np.minimum(pending.low, high), high, pending.reach, keeps=False)
        reach = np.maximum.accumulate(pending.reach)
        high = np.maximum(reach, 0)
        low = np.minimum.accumulate(pending.low[::-1])[::-1]
        return BufferRows(np.minimum(low, high), high, reach)


def _all_at_once(rows: BufferRows, total: int) -> BufferRows:
    """All rows in the first part that needs any; each part holds all until the last need has passed."""
    busy = rows.high > rows.low
    last = np.flatnonzero(busy)[-1] if busy.any() else -1
    reach = np.where(rows.reach > 0, total, rows.reach)
    low = np.where((reach > 0) & (np.arange(len(busy)) > last), total, 0)
    return BufferRows(low, np.maximum(reach, 0), reach, rows.keeps)


def _extended(table: RowRange, reach: Rows) -> Rows:
    """The need up to row `reach`; for a reach of 0 and less, the table goes on as a straight line."""
    high = table.high
    inside = high[np.minimum(np.maximum(reach - 1, 0), len(high) - 1)]
    if reach[0] >= 1:  # it never falls
        return np.asarray(inside)
    return np.asarray(np.where(reach >= 1, inside, high[0] + table.slope * (reach - 1)))
