"""Tables that fit: of a terminal too narrow for all columns, those that matter least give way."""

from __future__ import annotations

from collections.abc import Sequence, Set
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
    """A table no wider than so many columns: of low rank as many as fit, with names cut to what is left."""
    chosen: set[int] = set()
    for index in sorted(range(len(columns)), key=lambda index: columns[index].rank):
        if not columns[index].rank or _room(columns, {*chosen, index}, width) >= 0:
            chosen.add(index)
    kept = [columns[index] for index in sorted(chosen)]
    names = sum(column.shrinks for column in kept)
    share = _LEAST_NAME + max(0, _room(columns, chosen, width)) // max(1, names)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    cells = []
    for column in kept:
        table.add_column(column.title, justify=column.justify, no_wrap=True)
        cells.append([_cut(cell, share) if column.shrinks else cell for cell in column.cells])
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    return table


def _room(columns: Sequence[Column], chosen: Set[int], width: int) -> int:
    """Columns of the terminal that are left beside the chosen ones, names as short as can be."""
    widths = [
        min(columns[index].width, _LEAST_NAME) if columns[index].shrinks else columns[index].width
        for index in chosen
    ]
    return width - sum(widths) - _GAP * (len(chosen) - 1)


def _cut(text: str, width: int) -> str:
    """A name without its middle, if it is longer: both ends tell names apart."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"
