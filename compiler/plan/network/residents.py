"""Residents: what stays on chip from one group to the next, whole buffers and the last rows of buffers.

Of a buffer whose last rows stay, only the other rows visit DRAM.  A *copy* is a whole buffer that lies in
DRAM, too: a group that loads it leaves it, and any other may drop it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Resident(NamedTuple):
    """A buffer, or the end of one, that is on chip between two groups; a tuple, for the search compares many.

    Attributes:
        buffer: its name.
        rows: how many of its last rows stay; None: all of it.
        is_copy: whether DRAM has it, too.
    """

    buffer: str
    rows: int | None = None
    is_copy: bool = False

    @property
    def original(self) -> Resident:
        """The same, whether DRAM has it or not."""
        return Resident(self.buffer, self.rows)

    @property
    def key(self) -> tuple[str, int, bool]:
        """Orders residents: by name, whole buffers before parts of them."""
        return self.buffer, -1 if self.rows is None else self.rows, self.is_copy

    def __str__(self) -> str:
        if self.is_copy:
            return f"a copy of {self.buffer}"
        return self.buffer if self.rows is None else f"the last {self.rows} rows of {self.buffer}"


class Residents(frozenset[Resident]):
    """All that is on chip between two groups: at most one `Resident` per buffer, with look-ups by buffer."""

    @cached_property
    def whole(self) -> frozenset[str]:
        """Buffers that stay in full."""
        return frozenset(resident.buffer for resident in self if resident.rows is None)

    @cached_property
    def copies(self) -> frozenset[str]:
        """Buffers that stay in full and lie in DRAM, too."""
        return frozenset(resident.buffer for resident in self if resident.is_copy)

    @cached_property
    def undelivered(self) -> frozenset[str]:
        """Buffers that stay in full and do not lie in DRAM."""
        return self.whole - self.copies

    @cached_property
    def last_rows(self) -> dict[str, int]:
        """Buffers of which only the last rows stay, and how many."""
        parts = sorted((resident.buffer, resident.rows) for resident in self if resident.rows is not None)
        return dict(parts)

    @cached_property
    def ordered(self) -> tuple[Resident, ...]:
        """The residents by name: the order of a set is another one in every process."""
        return tuple(sorted(self, key=lambda resident: resident.key))

    def keys(self) -> list[tuple[str, int, bool]]:
        """What sets of residents are sorted by."""
        return [resident.key for resident in self.ordered]

    def __str__(self) -> str:
        return ", ".join(map(str, self.ordered))


NOTHING = Residents()
"""An empty chip."""


@dataclass(frozen=True, eq=False)
class ResidentKey:
    """Residents in the terms of a chain; there is one object only for all that are equal.

    Attributes:
        stays: (number of a buffer, bytes of it that stay on chip) of those that the chain touches.
        whole: the numbers of those that stay whole.
        others: bytes of all other residents.
    """

    stays: tuple[tuple[int, int], ...]
    whole: frozenset[int]
    others: int

    @cached_property
    def nbytes(self) -> int:
        """Bytes of all residents."""
        return self.others + sum(nbytes for _, nbytes in self.stays)


KeyPair = tuple[ResidentKey, ResidentKey]
"""Residents before a group, and after it."""
