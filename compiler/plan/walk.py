"""One backward walk, shared by all groups that end at the same layer and have the same number of parts.

Which rows of each buffer a part needs depends on where the group ends and on P, not on where it starts: walk
upstream once, and every layer on the way is the start of a group.  All P parts are walked at once (vectors).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.network import PlanNetwork, RowRange

Rows = npt.NDArray[np.int64]
_NONE = np.iinfo(np.int64).max


@dataclass
class BufferRows:
    """Rows of a buffer over the parts of a group: part p holds low[p] ≤ row < high[p] while it works.

    Rows [high[p−1], high[p]) are new in part p; [low[p+1], high[p]) are kept for the next part.
    """

    low: Rows
    high: Rows
    last_use: int
    keeps: bool = True

    @property
    def new_low(self) -> Rows:
        """First new row of each part: behind the last one held before, if rows are kept."""
        if not self.keeps:
            return self.low
        return np.maximum(self.low, np.concatenate([[0], self.high[:-1]]))

    def held(self, row_bytes: int) -> Rows:
        """Bytes of the tile of each part."""
        return np.maximum(self.high - self.low, 0) * row_bytes

    def kept(self, row_bytes: int) -> Rows:
        """Bytes that stay after each part for the next one."""
        if not self.keeps:
            return np.zeros_like(self.low)
        following = np.concatenate([self.low[1:], self.high[-1:]])
        return np.maximum(self.high - following, 0) * row_bytes


@dataclass
class _Pending:
    """Needs of the consumers seen so far, per part; −1 low where nothing is needed."""

    low: Rows
    high: Rows
    last_use: int


@dataclass
class Walk:
    """The state of a walk from `end` upstream; `extend` takes in one more layer.

    Attributes:
        rows: rows of every buffer that the interval defines (settled).
        new: per position, the ranges of new rows that the layer computes.
    """

    network: PlanNetwork
    end: int
    parts: int
    recompute: bool = False
    rows: dict[str, BufferRows] = field(default_factory=dict)
    new: dict[int, RowRange] = field(default_factory=dict)
    pending: dict[str, _Pending] = field(default_factory=dict)

    def extend(self, position: int) -> None:
        """Take in the layer at `position`, which must be the one before the last taken."""
        network = self.network
        buffer = network.buffer_of(network.defines[position])
        settled = self.rows.get(buffer)
        if settled is None:
            settled = self.rows[buffer] = self._settle(buffer, position)
        new = self.new[position] = RowRange(settled.new_low, settled.high)
        for slot, tensor in network.operands[position]:
            self._note(network.buffer_of(tensor), network.row_table(position, slot, tensor), new, position)

    def _note(self, buffer: str, table: RowRange, new: RowRange, position: int) -> None:
        """Enter what the new rows of a consumer need of a buffer."""
        busy = new.high > new.low
        top = len(table.low) - 1
        low = np.where(busy, table.low[np.minimum(new.low, top)], _NONE)
        high = np.where(busy, table.high[new.high - 1], 0)
        low = np.where(high > 0, low, _NONE)
        seen = self.pending.get(buffer)
        if seen is None:
            self.pending[buffer] = _Pending(low, high, position)
            return
        seen.low, seen.high = np.minimum(seen.low, low), np.maximum(seen.high, high)

    def _settle(self, buffer: str, position: int) -> BufferRows:
        """Rows of a buffer when all its consumers inside the interval are known."""
        network = self.network
        total = network.buffers[buffer].rows
        pending = self.pending.get(buffer)
        is_output = network.last_use[buffer] > self.end
        if pending is None:
            return self._cut(total, position)
        settled = self.input_rows(buffer)
        if is_output:
            cut = self._cut(total, position)
            settled.low = np.minimum(settled.low, np.minimum(cut.low, settled.high))
            settled.high = np.maximum.accumulate(np.maximum(settled.high, cut.high))
            settled.low = np.minimum(settled.low, settled.high)
        return settled

    def _cut(self, total: int, position: int) -> BufferRows:
        """An output of the group: P cuts as even as whole rows allow."""
        edges = np.arange(1, self.parts + 1, dtype=np.int64) * total // self.parts
        return BufferRows(np.concatenate([[0], edges[:-1]]), edges, position, not self.recompute)

    def input_rows(self, buffer: str) -> BufferRows:
        """Rows that the parts need of a buffer, made monotonic: what a later part needs is kept."""
        pending = self.pending[buffer]
        high = np.maximum.accumulate(pending.high)
        if self.recompute:
            return BufferRows(np.minimum(pending.low, high), pending.high, pending.last_use, keeps=False)
        low = np.minimum.accumulate(pending.low[::-1])[::-1]
        return BufferRows(np.minimum(low, high), high, pending.last_use)
