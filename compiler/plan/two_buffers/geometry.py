"""M3's formulas: how columns are split between two buffers, and how many rows and channels these hold.

    columns = split_columns(224, Window(size=3, stride=1, dilation=1, begin=1, end=1))
    columns.t1, columns.w1                     112, 114
    fitting(columns, rows=224, channels=64, itemsize=4, capacity=65536, align=16)     (1, 64): r, channels

Columns are counted as in the picture with its padding; only columns of the picture are loaded.
"""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.conv_buffers import Window
from nnc.isa.integers import ceil_div, round_up


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

    @staticmethod
    def of(extent: int, window: Window, low: int, high: int) -> Half:
        """The columns that results from `low` to `high` (exclusive) read."""
        begin = low * window.stride - window.begin
        end = (high - 1) * window.stride - window.begin + window.reach
        first, last = max(0, begin), min(extent, end)
        return Half(low, high, end - begin, first, last, first - begin, end - last)


@dataclass(frozen=True, slots=True)
class Columns:
    """All columns of a layer in one or two halves."""

    halves: tuple[Half, ...]

    @property
    def t(self) -> int:
        """Columns of the result."""
        return self.halves[-1].high

    @property
    def t1(self) -> int:
        """Columns of the result from buffer 1."""
        return self.halves[0].high

    @property
    def t2(self) -> int:
        """Columns of the result from buffer 2."""
        return self.t - self.t1

    @property
    def w1(self) -> int:
        """Columns of buffer 1."""
        return self.halves[0].width

    @property
    def w2(self) -> int:
        """Columns of buffer 2; 0 if there is none."""
        return self.halves[1].width if len(self.halves) > 1 else 0

    def nbytes(self, rows: int, channels: int, itemsize: int, align: int) -> int:
        """Bytes of both buffers: channels x rows x columns each."""
        return sum(round_up(channels * rows * half.width * itemsize, align) for half in self.halves)


def split_columns(extent: int, window: Window) -> Columns:
    """The columns of a picture in two halves; the first has one more of the result if their number is odd."""
    t = window.outputs(extent)
    t1 = ceil_div(t, 2)
    cuts = [(0, t1), (t1, t)] if t > 1 else [(0, t)]
    return Columns(tuple(Half.of(extent, window, low, high) for low, high in cuts))


def fitting(
    columns: Columns, rows: int, channels: int, itemsize: int, capacity: int, align: int
) -> tuple[int, int]:
    """The most rows of all channels that fit, or one row of the most channels: (r, channels).

    Args:
        rows, channels: of the picture; no more are asked for.
        itemsize, capacity, align: bytes: of an element, of the memory, of which blocks are multiples.

    Returns:
        (0, 0) if not even one row of one channel fits.
    """

    for r in range(rows, 0, -1):
        if columns.nbytes(r, channels, itemsize, align) <= capacity:
            return r, channels
    for some in range(channels - 1, 0, -1):
        if columns.nbytes(1, some, itemsize, align) <= capacity:
            return 1, some
    return 0, 0
