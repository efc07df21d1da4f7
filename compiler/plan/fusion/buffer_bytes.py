"""How many bytes a buffer takes on chip in every part of a group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.row_ranges import BufferRows

Bytes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Bytes of a buffer per part: while its tile is in use, before and after that, and while rows move."""

    rows: BufferRows
    held: Bytes
    before: Bytes
    after: Bytes
    moving: Bytes

    @staticmethod
    def of(rows: BufferRows, row_bytes: int, *, may_slide: bool, share: float = 1.0) -> Occupancy:
        """The occupancy of a buffer whose rows are known; `share` of its channels is held at a time."""
        held, kept = rows.held(row_bytes), rows.kept(row_bytes)
        if share < 1.0:
            held = np.ceil(held * share).astype(np.int64)
        if may_slide and slides(kept, held):
            always = np.full_like(held, held.max())
            before, after = always.copy(), always.copy()
            before[0] = after[-1] = 0  # the block lives from the first part's use to the last part's
            return Occupancy(rows, always, before, after, np.zeros_like(held))
        before = np.zeros_like(kept)
        before[1:] = kept[:-1]
        return Occupancy(rows, held, before, kept, kept)


def slides(kept: Bytes, held: Bytes) -> bool:
    """Whether a buffer has one block for all parts, in which the kept rows move to the head.

    Else the kept rows move to a tile of their own and from there to the next one: less room between two
    parts, more while they move.  Sliding is better where most rows are kept.
    """
    return bool(2 * kept.max() >= held.max()) and bool(kept.max() > 0)
