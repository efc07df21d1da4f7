"""Why something does not fit: what was asked for, how much it needs, and how much there is.

A search that discards a candidate returns this in place of the candidate, so that the reason can be told.

    Infeasible("sram of conv1 at tiles of [1, 64, 56, 56]", demand=1605632, bound=1048576)
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Infeasible:
    """A demand beyond a bound.

    Attributes:
        what: what does not fit, in words.
        demand, bound: what it needs and the most that it may have, in the same unit (bytes if not said).
    """

    what: str
    demand: int
    bound: int

    def __str__(self) -> str:
        return f"{self.what}: {self.demand} needed, {self.bound} available"
