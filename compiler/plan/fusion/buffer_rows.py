"""Rows of one buffer over the parts of a fused group: which a part holds, which are new, which are kept.

3 parts of a buffer of 9 rows whose consumer needs a row above and below its own:

    part            0        1        2
    low, high      0, 4     2, 7     5, 9
    new            0..3     4..6     7..8
    kept for next  2..3     5..6

Parts that hold what the one before them holds are kept once, as arrays of steps x parts: groups of many parts
are alike in nearly all of them, and a search keeps tens of thousands of groups.

    parts             0  1  2  3  4  5  6
    bytes of a step   3  8  8  8  8  8  5     3  8  5
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.network.buffers import RowRange
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div
from nnc.isa.record import record

Rows = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int64]
NO_ROW = np.iinfo(np.int64).max
"""The lowest row of those that are needed, where none are."""


@dataclass(frozen=True, eq=False)
class BufferRows:
    """Rows of a buffer over the parts of a group: part p holds low[p] ≤ row < high[p] while it works.

    Rows [high[p−1], high[p]) are new in part p; [low[p+1], high[p]) are kept for the next part.

    Equal rows are one object (see `buffer_rows`), so that what follows from them is found once.
    """

    low: Rows
    high: Rows
    keeps: bool

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
    def moves(self) -> tuple[int, int]:
        """In how many parts rows are kept for the next one, and how many rows in all."""
        return int(np.count_nonzero(self._kept_rows)), int(self._kept_rows.sum())

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

    def needs(self, table: RowRange) -> tuple[Rows, Rows]:
        """What the new rows need by a table of rows: (low or NO_ROW, high or 0) of each part."""
        new = self.new.low
        need = np.where(self.high > 0, table.high[np.maximum(self.high - 1, 0)], 0)
        wanted = (self.high > new) & (need > 0)
        return np.where(wanted, table.low[np.minimum(new, len(table.low) - 1)], NO_ROW), need


@record(frozen=True, slots=True)
class BufferBytes:
    """Bytes of a buffer per part: while its tile is in use, before and after that, and while rows move.

    Attributes:
        moving: bytes of rows that move to a tile of their own, for the next part; moves: whether any do.
    """

    rows: BufferRows
    held: Bytes
    before: Bytes
    after: Bytes
    moving: Bytes
    moves: bool

    @staticmethod
    def of(rows: BufferRows, row_bytes: int, *, may_slide: bool, share: float = 1.0) -> BufferBytes:
        """Bytes of a buffer whose rows are known; `share` of its channels is held at a time."""
        held, kept = rows.held(row_bytes), rows.kept(row_bytes)
        if share < 1.0:
            held = np.ceil(held * share).astype(np.int64)
        if may_slide and is_sliding_window(kept, held):
            always = np.full_like(held, held.max())
            before, after = always.copy(), always.copy()
            before[0] = after[-1] = 0  # the block lives from the first part's use to the last part's
            return BufferBytes(rows, always, before, after, np.zeros_like(held), moves=False)
        before = np.zeros_like(kept)
        before[1:] = kept[:-1]
        return BufferBytes(rows, held, before, kept, kept, moves=bool(kept.any()))


def buffer_rows(low: Rows, high: Rows, keeps: bool = True) -> BufferRows:
    """The one object for these rows."""
    return _buffer_rows(low.tobytes(), high.tobytes(), keeps)


@lru_cache(maxsize=4096)
def _buffer_rows(low: bytes, high: bytes, keeps: bool) -> BufferRows:
    return BufferRows(np.frombuffer(low, np.int64), np.frombuffer(high, np.int64), keeps)


def all_at_once(rows: BufferRows, total: int) -> BufferRows:
    """All rows in the first part that needs any; each part holds all until the last need has passed."""
    busy = rows.high > rows.low
    last = np.flatnonzero(busy)[-1] if busy.any() else -1
    high = np.where(rows.high > 0, total, 0)
    low = np.where((high > 0) & (np.arange(len(busy)) > last), total, 0)
    return buffer_rows(low, high, rows.keeps)


def is_sliding_window(kept: Bytes, held: Bytes) -> bool:
    """Whether a buffer has one block for all parts, in which the kept rows move to the head.

    Else the kept rows move to a tile of their own and from there to the next one: fewer bytes between two
    parts, more while they move.  Sliding is better where most rows are kept.
    """
    return bool(TUNING.cuts.sliding_share * kept.max() >= held.max()) and bool(kept.max() > 0)


def each_part_once(live: Bytes, *others: dict[int, Bytes]) -> tuple[Bytes, tuple[dict[int, Bytes], ...]]:
    """Arrays of steps x parts, without parts that hold what those before them hold, where these are most."""
    arrays, parts = [live, *(nbytes for by_number in others for nbytes in by_number.values())], live.shape[1]
    if parts < TUNING.cuts.min_parts_kept_once:
        return live, others
    differs = np.zeros(parts, dtype=bool)
    differs[0] = True
    for nbytes in arrays:
        differs[1:] |= (nbytes[:, 1:] != nbytes[:, :-1]).any(axis=0)
    if TUNING.cuts.kept_once_share * int(differs.sum() - 1) >= parts:
        return live, others
    kept = tuple({key: nbytes[:, differs] for key, nbytes in by_number.items()} for by_number in others)
    return live[:, differs], kept


@dataclass(frozen=True, eq=False)
class ColumnRange:
    """Columns of a buffer per strip: low ≤ column < high, of `total`."""

    low: Ints
    high: Ints
    total: int

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Columns of each strip, as shares of all."""
        return tuple(((self.high - self.low) / self.total).tolist())

    @cached_property
    def widest(self) -> int:
        """Columns of the widest strip."""
        return int((self.high - self.low).max())

    @property
    def summed(self) -> int:
        """Columns of all strips together; more than `total` where they overlap."""
        return int((self.high - self.low).sum())

    def covers(self, other: ColumnRange) -> bool:
        """Whether all strips have the columns that they have of another buffer."""
        return bool((self.low <= other.low).all() and (other.high <= self.high).all())

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
