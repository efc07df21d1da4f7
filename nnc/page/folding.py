"""Blocks of memory, alike neighbours folded where there are very many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nnc.report.schema import Blocks

MOST_BLOCKS = 60_000
"""Blocks that a page shows one by one."""
_ALIKE = (
    ("core", "memory", "low", "high", "tensor", "group", "layer"),
    ("core", "memory", "low", "high", "group", "layer"),
    ("core", "memory", "low", "group", "layer"),
    ("core", "memory", "low", "group"),
)
"""What blocks that are folded have in common: at first all but their time."""

Columns = dict[str, npt.NDArray[np.int64]]


def folded_blocks(blocks: Blocks, most: int = MOST_BLOCKS) -> tuple[Columns, npt.NDArray[np.int64]]:
    """The columns of blocks, and of how many blocks each row is made.

    If there are more than `most`, those that follow each other in one place, and are alike, become one: over
    the bytes and the cycles of all of them.
    """
    names = ("core", "memory", "low", "high", "begin", "end", "tensor", "group", "layer")
    columns = {name: np.asarray(getattr(blocks, name), dtype=np.int64) for name in names}
    counts = np.ones(len(blocks.core), dtype=np.int64)
    for alike in _ALIKE:
        if len(counts) <= most:
            break
        columns, counts = _fold(columns, counts, alike)
    return columns, counts


def _fold(
    columns: Columns, counts: npt.NDArray[np.int64], alike: Sequence[str]
) -> tuple[Columns, npt.NDArray[np.int64]]:
    """Rows that are equal in some columns, and next to each other in place and time, become one."""
    order = np.lexsort((columns["begin"], columns["low"], columns["memory"], columns["core"]))
    columns = {name: column[order] for name, column in columns.items()}
    differs = np.ones(len(order), dtype=np.bool_)
    differs[1:] = np.any([columns[name][1:] != columns[name][:-1] for name in alike], axis=0)
    heads = np.flatnonzero(differs)
    folded = {name: column[heads] for name, column in columns.items()}
    for name in ("high", "end"):
        folded[name] = np.maximum.reduceat(columns[name], heads)
    return folded, np.add.reduceat(counts[order], heads)
