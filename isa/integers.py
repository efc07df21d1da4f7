"""Division of whole numbers that rounds up."""

from __future__ import annotations


def ceil_div(a: int, b: int) -> int:
    """The quotient rounded up, for positive b."""
    return -(-a // b)


def round_up(a: int, b: int) -> int:
    """The least multiple of b that is not less than a, for positive b."""
    return ceil_div(a, b) * b
