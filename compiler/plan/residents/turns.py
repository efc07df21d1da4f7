"""Residents of groups in few parts, some pictures each: those used up, or not made yet, leave their bytes.

in:   rows of a resident that each part of a group needs, or up to which it makes them
out:  bytes of its block that nothing lies in, by step (a layer) and part

    x (4 pictures) is read by the first layer of a group in 2 parts, whose last one makes y:

    layer      0    1    2  |  0    1    2
    x        xxxx ..xx ..xx |..xx .... ....
    y        .... .... yy.. |yy.. yy.. yyyy

Rows of one picture come free one by one, and rarely where a tile has room: of these, only results follow
operands (see `sliding`).
"""

from __future__ import annotations

from collections.abc import Mapping, Set

import numpy as np

from nnc.compiler.plan.residents.sliding import Slider, Slides, piece_bytes
from nnc.compiler.plan.views.buffer_rows import BufferRows, Bytes, Rows
from nnc.compiler.plan.views.row_views import RowBuffer
from nnc.compiler.tuning import TUNING

Touched = tuple[int, BufferRows]
"""A layer of a group, the last to need an operand or the first to make a result, and rows per part."""

Idle = dict[int, Bytes]
"""Bytes of residents in which nothing lies, per step and part.  Buffers go by number."""
InTurn = tuple[Slides, Idle]
"""What may follow an operand, and what is idle: a group has one of them."""


def in_turn(
    rows: Mapping[str, RowBuffer],
    steps: int,
    numbers: Mapping[str, int],
    align: int,
    buffers: tuple[Mapping[str, Touched], Mapping[str, Touched], Set[str]],
) -> InTurn:
    """What may follow a resident operand as it is used up; in few parts of pictures, bytes that are idle.

    Args:
        rows: all buffers, by name; steps: how many layers the group has.
        numbers, align: of buffers; of blocks on chip (bytes).
        buffers: operands that are used up, results that are made, those of them in an operand's place.
    """
    used, made, in_place = buffers
    parts = max((len(rows.low) for _, rows in (*used.values(), *made.values())), default=0)
    if parts > TUNING.residents.max_parts_in_turn or any(rows[name].axis != 0 for name in (*used, *made)):
        mine, theirs = ({b: its for b, (_, its) in found.items()} for found in (used, made))
        return Slider(rows, numbers, align).slides(mine, theirs), {}
    beside = {b: found for b, found in made.items() if b not in in_place}
    idle = idle_bytes(rows, align, steps, used, beside)
    return {}, {numbers[b]: nbytes for b, nbytes in idle.items()}


def idle_bytes(
    buffers: Mapping[str, RowBuffer],
    align: int,
    steps: int,
    used: Mapping[str, Touched],
    made: Mapping[str, Touched],
) -> dict[str, Bytes]:
    """Bytes of residents in which nothing lies, per step and part, by buffer.

    Args:
        align: of blocks on chip (bytes).
        steps: how many layers the group has; they count from 0.
        used: operands that are needed for the last time, with the rows that each part needs.
        made: results that stay, with the rows up to which each part makes them.
    """
    number, found = np.arange(steps)[:, np.newaxis], dict[str, Bytes]()
    for name, (last, rows) in used.items():
        low = np.minimum(rows.low, buffers[name].rows)
        gone = np.where(number <= last, low, np.append(low[1:], buffers[name].rows))
        found[name] = _in_pieces(buffers[name], gone, align)
    for name, (first, rows) in made.items():
        high = np.minimum(rows.high, buffers[name].rows)
        there = np.where(number < first, np.append([0], high[:-1]), high)
        found[name] = _in_pieces(buffers[name], buffers[name].rows - there, align)
    return found


def _in_pieces(buffer: RowBuffer, rows: Rows, align: int) -> Bytes:
    """Bytes of so many rows, in whole pieces of the block, which live in turn."""
    piece = piece_bytes(buffer, align) or buffer.nbytes
    idle = np.where(rows >= buffer.rows, buffer.nbytes, rows * buffer.row_bytes // piece * piece)
    return np.asarray(idle, dtype=np.int64)
