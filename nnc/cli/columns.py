"""Tables that fit: of a terminal too narrow for all columns, those that matter least give way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.table import Table

_GAP = 2
_LEAST_NAME = 12
"""Columns below which a name is not cut any further."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        title: of its head.
        cells: from the first row to the last.
        rank: the higher, the sooner it gives way; 0: it always stays.
        justify: names to the left, figures to the right.
        shrinks: whether its cells may be cut in the middle.
    """

    title: str
    cells: Sequence[str]
    rank: int = 0
    justify: Literal["left", "right"] = "right"
    shrinks: bool = False

    @property
    def width(self) -> int:
        """Of the widest cell, in columns of the terminal."""
        return max(map(cell_len, (self.title, *self.cells)))


def fitted(columns: Sequence[Column], width: int) -> Table:
    """A table no wider than so many columns: names are cut, then whole columns are left out, by rank."""
    kept = list(columns)
    while True:
        room = width - sum(column.width for column in kept if not column.shrinks) - _GAP * (len(kept) - 1)
        names = [column for column in kept if column.shrinks]
        if room >= sum(min(name.width, _LEAST_NAME) for name in names):
            break
        last = max(kept, key=lambda column: column.rank)
        if not last.rank:
            break
        kept.remove(last)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    cells = []
    for column in kept:
        table.add_column(column.title, justify=column.justify, no_wrap=True)
        share = max(_LEAST_NAME, room // max(1, len(names)))
        cells.append([_cut(cell, share) if column.shrinks else cell for cell in column.cells])
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    return table


def _cut(text: str, width: int) -> str:
    """A name without its middle, if it is longer: both ends tell names apart."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"
