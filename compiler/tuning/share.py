"""A share of something, such as of a memory."""

from __future__ import annotations

from typing import NamedTuple


class Share(NamedTuple):
    """So many parts of so many: exact in integers, whatever it is taken of."""

    parts: int
    whole: int

    def of(self, amount: int) -> int:
        """The share of an amount, rounded down."""
        return amount * self.parts // self.whole
