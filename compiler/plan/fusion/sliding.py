"""Residents and what takes their bytes while a group runs: results that follow an operand as it is used up,
residents that come and go in turn, last rows that change places with a tile.

in:   rows that the parts of a group need of what was on chip before it, and up to which they make results
out:  bytes that an operand and a result take together, and which result follows which operand

    x is read by a 3x3 convolution with stride 2 in parts of two rows of its result y, as large as a row of x:

    part 0   y y x x x x x x x x        rows 0..4 of x are read, none before row 3 is needed again
    part 1   y y y y . x x x x x        two rows beside x are enough for all of y

In few parts, some pictures each, residents that are used up, or not made yet, leave their bytes to others:

    x (4 pictures) is read by the first layer of a group in 2 parts, whose last one makes y:

    layer      0    1    2  |  0    1    2
    x        xxxx ..xx ..xx |..xx .... ....
    y        .... .... yy.. |yy.. yy.. yyyy

Rows of one picture come free one by one, and rarely where a tile has room: of these, only results follow
operands.

A group in one part has a tile for all of a buffer.  Of 4 rows that it makes, the last 2 stay (k); the next
group loads the others to a tile of its own (steps run downwards, . is free, n: of others):

    tile      0 1 2 3 . . .     the first rows are stored
              . . 2 3 . . .     nobody reads the tile any more
    k         . . 2 . . 3 .     the first one moves first, others lie where rows were
    tile      n n . 0 1 2 3     the last one moves first, then the first rows are loaded
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Set
from itertools import product

import numpy as np

from nnc.compiler.plan.fusion.buffer_rows import BufferRows, Bytes, Rows
from nnc.compiler.plan.network.buffers import RowBuffer
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record

Slides = dict[int, dict[int, int]]
"""By result and operand: bytes that both take together.  Buffers go by number."""


def piece_bytes(buffer: RowBuffer, align: int) -> int:
    """Bytes of a piece of a resident buffer: of a few rows, in multiples of `align`; 0: it has but one."""
    nbytes = round_up(ceil_div(buffer.rows, TUNING.residents.max_pieces) * buffer.row_bytes, align)
    return nbytes if nbytes < buffer.nbytes else 0


def pays(growth: int, nbytes: int) -> bool:
    """Whether a result is placed with an operand if it takes so many of its bytes beside it."""
    return growth <= TUNING.residents.max_growth.of(nbytes)


def slides(
    buffers: Mapping[str, RowBuffer],
    numbers: Mapping[str, int],
    align: int,
    used: Mapping[str, BufferRows],
    made: Mapping[str, BufferRows],
) -> Slides:
    """Bytes of operands with results that begin as far before them as they must, for all pairs.

    Args:
        buffers, numbers: of the network, by name; align: of blocks on chip (bytes).
        used: by operand, the rows that each part needs, none of which a later group needs.
        made: by result, the rows up to which it is made by the end of each part.
    """

    sizes: Slides = {numbers[target]: {} for target in made}
    for target, source in product(made, used):
        operand, result = buffers[source], buffers[target]
        free = _in_pieces(operand, used[source].low, align)
        piece = piece_bytes(result, align) or result.nbytes
        done = np.minimum(-(-made[target].high * result.row_bytes // piece) * piece, result.nbytes)
        both = (done > 0) & (free < operand.nbytes)
        begin = min(0, int((free - done)[both].min(initial=0)))
        sizes[numbers[target]][numbers[source]] = max(operand.nbytes, begin + result.nbytes) - begin
    return sizes


def follow(extra: dict[int, int], slides: Slides, sizes: Mapping[int, int], residents: set[int]) -> None:
    """Let results follow operands where that pays: each one, and each operand is followed by one.

    Args:
        extra: by result, bytes that it takes beside what is on chip; those of results that follow shrink.
        sizes: of operands (bytes).
        residents: the operands that may be followed.
    """
    for number, whole in extra.items():
        beside = slides.get(number, {})
        least = min(((beside[n] - sizes[n], n) for n in residents & beside.keys()), default=None)
        if least is not None and pays(least[0], whole):
            extra[number] = max(0, least[0])
            residents.remove(least[1])


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
        operands, results = (
            {b: buffer_rows for b, (_, buffer_rows) in by_name.items()} for by_name in (used, made)
        )
        return slides(rows, numbers, align, operands, results), {}
    beside = {b: touched for b, touched in made.items() if b not in in_place}
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
    number, idle = np.arange(steps)[:, np.newaxis], dict[str, Bytes]()
    for name, (last, rows) in used.items():
        low = np.minimum(rows.low, buffers[name].rows)
        gone = np.where(number <= last, low, np.append(low[1:], buffers[name].rows))
        idle[name] = _in_pieces(buffers[name], gone, align)
    for name, (first, rows) in made.items():
        high = np.minimum(rows.high, buffers[name].rows)
        there = np.where(number < first, np.append([0], high[:-1]), high)
        idle[name] = _in_pieces(buffers[name], buffers[name].rows - there, align)
    return idle


def _in_pieces(buffer: RowBuffer, rows: Rows, align: int) -> Bytes:
    """Bytes of so many rows, in whole pieces of the block, which live in turn."""
    piece = piece_bytes(buffer, align) or buffer.nbytes
    idle = np.where(rows >= buffer.rows, buffer.nbytes, rows * buffer.row_bytes // piece * piece)
    return np.asarray(idle, dtype=np.int64)


@record(frozen=True, slots=True)
class BoundaryTensor:
    """A buffer that a group computes, in full or in part, and that is needed after it.

    Attributes:
        computed: bytes that the group computes; nbytes: size of the buffer.
        is_output: whether it is an output of the network.
        steps: how many of the last steps are not before the one that begins it.
        held: bytes that its tiles take at least in a part.
    """

    computed: int
    nbytes: int
    is_output: bool
    steps: int
    held: int


@record(frozen=True, slots=True)
class OutsideBuffer:
    """A buffer begun before the interval.

    Attributes:
        read: bytes; live: those in use per step and part, if it is not resident.
        first: position of the first layer that touches it.
    """

    read: int
    live: Bytes
    first: int


def moves_by_rows(passes: int, chunks: int, *, is_sliced: bool) -> bool:
    """Whether last rows move so: in groups in one part, without chunks or slices of channels."""
    return passes == 1 and not chunks and not is_sliced


def least_parts_beside(before: Residents, left: Residents) -> int | None:
    """In how many parts, if in several, a group fits at the soonest that finds and leaves last rows.

    Args:
        before, left: what is on chip before and after it.

    Those of one buffer and of another stay in one part only, where they take no bytes beside the tiles; of
    the few numbers of rows, as many: all pairs of them would be too many.  None: they are not looked at.
    """
    if not (before.last_rows and left.last_rows):
        return 1
    return sys.maxsize if {*before.last_rows.values()} == {*left.last_rows.values()} else None
