"""Last rows that change places with a tile row by row, so that no bytes are needed for both.

A group in one part has a tile for all of a buffer.  Of 4 rows that it makes, the last 2 stay (k); the next
group loads the others to a tile of its own (steps run downwards, . is free, n: of others):

    tile      0 1 2 3 . . .     the first rows are stored
              . . 2 3 . . .     nobody reads the tile any more
    k         . . 2 . . 3 .     the first one moves first, others lie where rows were
    tile      n n . 0 1 2 3     the last one moves first, then the first rows are loaded
"""

from __future__ import annotations

import sys

from nnc.compiler.plan.network.residents import Residents


def moves_by_rows(passes: int, chunks: int, *, is_sliced: bool) -> bool:
    """Whether last rows move so: in groups in one part, without chunks or slices of channels."""
    return passes == 1 and not chunks and not is_sliced


def least_parts_beside(found: Residents, left: Residents, parts: int) -> int | None:
    """In how many parts, if in several, a group fits at the soonest that finds and leaves last rows.

    Args:
        found, left: what is on chip before and after it; parts: what is known otherwise.

    Those of one buffer and of another stay in one part only, where they take no bytes beside the tiles; of
    the few numbers of rows, as many: all pairs of them would be too many.  None: they are not looked at.
    """
    if not (found.last_rows and left.last_rows):
        return parts
    return sys.maxsize if {*found.last_rows.values()} == {*left.last_rows.values()} else None
