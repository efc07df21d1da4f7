"""M3's formulas: how columns are split between two buffers, what these hold, and which rows meet in them.

    halves = split_columns(224, Window(size=3, stride=1, dilation=1, begin=1, end=1))
    halves[0].high, halves[0].width            112, 114: M3's t1 and w1
    fitting(halves, rows=224, channels=64, itemsize=4, capacity=65536, align=16)     (1, 64): r, channels

Columns are counted as in the picture with its padding; only columns of the picture are loaded.

    row_blocks(Window(3, 1, 1, 1, 1), rows=4, r=1)       a 3x3 kernel on 4 rows, one row at a time

    block 0:   y 0 with kernel rows 1..1 (first of 2)    y 1 with kernel rows 0..0 (first of 3)
    block 1:   y 0 with 2..2 (last)    y 1 with 1..1     y 2 with 0..0 (first of 3)
    ...

Kernel rows that lie in the padding are left out.  Consecutive rows of the result that meet the same blocks
with the same kernel rows are one visit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from nnc.compiler.ir.conv_buffers import Window
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div, round_up
from nnc.isa.record import record

Range = tuple[int, int]
"""The first, and the one behind the last."""


def ranges(low: int, high: int, step: int) -> list[Range]:
    """A range cut every `step` elements."""
    return [(start, min(start + step, high)) for start in range(low, high, step)]


@dataclass(frozen=True, slots=True)
class Half:
    """The columns of one buffer.

    Attributes:
        low, high: columns of the result.
        width: columns of the buffer, padding included.
        first, last: columns of the picture that are loaded, the second exclusive; empty if it reads padding.
        before, after: columns of padding beside these.
    """

    low: int
    high: int
    width: int
    first: int
    last: int
    before: int
    after: int


def split_columns(extent: int, window: Window) -> tuple[Half, ...]:
    """The columns of a picture in two halves; the first has one more of the result if their number is odd.

    A result of one column has one half.
    """
    t = window.outputs(extent)
    t1 = ceil_div(t, 2)
    halves = []
    for low, high in [(0, t1), (t1, t)] if t > 1 else [(0, t)]:
        begin = low * window.stride - window.begin
        end = (high - 1) * window.stride - window.begin + window.reach
        first, last = max(0, begin), min(extent, end)
        halves.append(Half(low, high, end - begin, first, last, first - begin, end - last))
    return tuple(halves)


def nbytes(halves: Sequence[Half], rows: int, channels: int, itemsize: int, align: int) -> int:
    """Bytes of both buffers: channels x rows x columns each."""
    return sum(round_up(channels * rows * half.width * itemsize, align) for half in halves)


def fitting(
    halves: Sequence[Half], rows: int, channels: int, itemsize: int, capacity: int, align: int
) -> tuple[int, int]:
    """The most rows of all channels that fit, or one row of the most channels: (r, channels).

    Args:
        rows, channels: of the picture; no more are asked for.
        itemsize, capacity, align: bytes: of an element, of the memory, of which blocks are multiples.

    Returns:
        (0, 0) if not even one row of one channel fits.
    """
    sizes = [(r, channels) for r in range(rows, 0, -1)] + [(1, some) for some in range(channels - 1, 0, -1)]
    return next((size for size in sizes if nbytes(halves, *size, itemsize, align) <= capacity), (0, 0))


@record(frozen=True, slots=True)
class Visit:
    """Rows of the result while a block is on chip.

    Attributes:
        low, high: the rows; first, last: of the kernel; ends are exclusive.
        number, count: which of how many blocks that these rows meet.
    """

    low: int
    high: int
    first: int
    last: int
    number: int
    count: int

    def phase(self, step: int = 0, steps: int = 1) -> Phase:
        """What the visit does to the sums, with one of several ranges of the input channels."""
        begins, ends = self.number == step == 0, self.number == self.count - 1 and step == steps - 1
        if begins:
            return Phase.WHOLE if ends else Phase.START
        return Phase.FINISH if ends else Phase.ADD

    def reads(self, window: Window) -> Range:
        """The rows of the input that it reads."""
        start = self.low * window.stride - window.begin + self.first * window.dilation
        last = (self.high - 1) * window.stride - window.begin + (self.last - 1) * window.dilation
        return start, last + 1


def row_blocks(window: Window, rows: int, r: int, most: int | None = None) -> list[list[Visit]] | None:
    """The visits by block.

    Args:
        window: along the rows.
        rows: of the picture; r: of a block.
        most: rows of the result in a visit.

    Returns:
        None if a row of the result reads only padding.
    """
    blocks: list[list[Visit]] = [[] for _ in range(ceil_div(rows, r))]
    meetings_of = [_meetings(window, y, rows, r) for y in range(window.outputs(rows))]
    if not all(meetings_of):
        return None
    end = 0
    for meetings, same in groupby(meetings_of):
        start, end = end, end + len(list(same))
        for low in range(start, end, most or end - start):
            high = min(low + (most or end), end)
            for number, (block, first, last) in enumerate(meetings):
                blocks[block].append(Visit(low, high, first, last, number, len(meetings)))
    return blocks


def _meetings(window: Window, y: int, rows: int, r: int) -> tuple[tuple[int, int, int], ...]:
    """The blocks that a row of the result meets, with the kernel rows that lie in each: first, exclusive."""
    start = y * window.stride - window.begin
    by_block = groupby(range(*window.inside(y, rows)), key=lambda tap: (start + tap * window.dilation) // r)
    taps_of = [(block, list(taps)) for block, taps in by_block]
    return tuple((block, taps[0], taps[-1] + 1) for block, taps in taps_of)
