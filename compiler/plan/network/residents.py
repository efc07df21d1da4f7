"""Residents: what stays on chip from one group to the next, whole buffers and last rows of buffers.

A set of residents is a frozenset of names: that of the buffer if all of it stays, else one that `last_rows`
makes.  Of a buffer whose last rows stay, only the others visit DRAM.
"""

from __future__ import annotations

from functools import cache

Residents = frozenset[str]
_MARK = "\0"  # in no name of a tensor


def last_rows(buffer: str, rows: int) -> str:
    """The name of the last rows of a buffer as a resident."""
    return f"{buffer}{_MARK}{rows}"


@cache
def resident_of(name: str) -> tuple[str, int | None]:
    """The buffer that a resident belongs to, and how many of its last rows stay (None: all of it)."""
    buffer, mark, rows = name.partition(_MARK)
    return (buffer, int(rows)) if mark else (name, None)


@cache
def rows_on_chip(residents: Residents) -> dict[str, int]:
    """Buffers of which the last rows stay, and how many."""
    found = (resident_of(name) for name in residents)
    return {buffer: rows for buffer, rows in found if rows is not None}


def of_buffers(residents: Residents, buffers: frozenset[str]) -> Residents:
    """The residents that belong to some buffers."""
    return frozenset(name for name in residents if resident_of(name)[0] in buffers)


def described(residents: Residents) -> str:
    """The residents for people."""
    said = []
    for name in sorted(residents):
        buffer, rows = resident_of(name)
        said.append(buffer if rows is None else f"the last {rows} rows of {buffer}")
    return ", ".join(said)
