"""Which rows of the result meet which blocks of input rows, and with which rows of the kernel (M3).

    row_blocks(Window(3, 1, 1, 1, 1), rows=4, r=1)       a 3x3 kernel on 4 rows, one row at a time

    block 0:   y 0 with kernel rows 1..1 (first of 2)    y 1 with kernel rows 0..0 (first of 3)
    block 1:   y 0 with 2..2 (last)    y 1 with 1..1     y 2 with 0..0 (first of 3)
    ...

Kernel rows that lie in the padding are left out.  Consecutive rows of the result that meet the same blocks
with the same kernel rows are one visit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from nnc.compiler.ir.conv_buffers import Window
from nnc.isa.instruction import Phase
from nnc.isa.integers import ceil_div
from nnc.isa.record import record

_Meeting = tuple[int, int, int]
"""A block, and the kernel rows that lie in it: the first, and the one behind the last."""


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


def row_blocks(window: Window, rows: int, r: int, most: int | None = None) -> list[list[Visit]] | None:
    """The visits by block.

    Args:
        window: along the rows.
        rows: of the picture; r: of a block.
        most: rows of the result in a visit.

    Returns:
        None if a row of the result reads only padding.
    """
    found: list[list[Visit]] = [[] for _ in range(ceil_div(rows, r))]
    met = [_meetings(window, y, rows, r) for y in range(window.outputs(rows))]
    if not all(met):
        return None
    low = 0
    for meetings, same in groupby(met):
        end = low + len(list(same))
        step = end - low if most is None else most
        for at in range(low, end, step):
            for number, (block, first, last) in enumerate(meetings):
                visit = Visit(at, min(at + step, end), first, last, number, len(meetings))
                found[block].append(visit)
        low = end
    return found


def _meetings(window: Window, y: int, rows: int, r: int) -> tuple[_Meeting, ...]:
    """The blocks that a row of the result meets, with the kernel rows that lie in each."""
    first, last = window.inside(y, rows)
    start = y * window.stride - window.begin
    taps = groupby(range(first, last), key=lambda tap: (start + tap * window.dilation) // r)
    return tuple((block, *_ends(iter(same))) for block, same in taps)


def _ends(taps: Iterator[int]) -> tuple[int, int]:
    every = list(taps)
    return every[0], every[-1] + 1


def live_rows(blocks: list[list[Visit]], steps: Sequence[int]) -> int:
    """Most rows of sums that are on chip at a time, of one half.

    Args:
        steps: ranges of the input channels, one after the other, in each block.
    """
    alive = most = 0
    for visits, count in zip(blocks, steps, strict=True):
        summed = [(v, v.high - v.low) for v in visits if v.count > 1 or count > 1]
        alive += sum(rows for visit, rows in summed if visit.number == 0)
        most = max(most, alive)
        alive -= sum(rows for visit, rows in summed if visit.number == visit.count - 1)
    return most
