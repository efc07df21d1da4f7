"""Parts of a group that hold what the one before them holds: arrays of steps x parts, each of them once.

    parts                     0  1  2  3  4  5  6
    bytes of a step           3  8  8  8  8  8  5
    columns, and their parts  0  1  1  1  1  1  2     3  8  5

Groups of many parts are alike in nearly all of them, and a search keeps tens of thousands of groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnc.compiler.plan.views.buffer_rows import Bytes, Rows
from nnc.compiler.tuning import TUNING


def each_part_once(
    live: Bytes, *others: dict[int, Bytes]
) -> tuple[Rows | None, Bytes, tuple[dict[int, Bytes], ...]]:
    """Arrays of steps x parts with each part once, and the column of every part, from 0 on.

    They are as they were, and the columns None, if parts are few or most differ from those before them.
    """
    arrays = [live, *(nbytes for mine in others for nbytes in mine.values())]
    if (columns := _columns(arrays)) is None:
        return None, live, others
    firsts = np.flatnonzero(np.diff(columns, prepend=-1))
    kept = tuple({key: _taken(nbytes, firsts) for key, nbytes in mine.items()} for mine in others)
    return columns, _taken(live, firsts), kept


def _columns(arrays: Sequence[Bytes]) -> Rows | None:
    parts = arrays[0].shape[1]
    if parts < TUNING.cuts.min_parts_kept_once:
        return None
    differs = np.zeros(parts, dtype=bool)
    for nbytes in arrays:
        differs[1:] |= (nbytes[:, 1:] != nbytes[:, :-1]).any(axis=0)
    columns = differs.cumsum()
    return columns if TUNING.cuts.kept_once_share * int(columns[-1]) < parts else None


def _taken(nbytes: Bytes, firsts: Rows) -> Bytes:
    return np.ascontiguousarray(nbytes[:, firsts])


def of_all_parts(nbytes: Bytes, columns: Rows | None) -> Bytes:
    """The array of steps x parts that has these columns."""
    return nbytes if columns is None else nbytes[:, columns]
