"""Why something does not fit: what was asked for, how much it needs, and how much there is.

A search that discards a candidate returns this in place of the candidate, so that the reason can be told.
Most reasons are never read: they are put into words when they are asked for.

    Infeasible("sram of conv1 at tiles of [1, 64, 56, 56]", demand=1605632, bound=1048576)
    Infeasible("rows of a layer that cores share cannot be computed one by one")
"""

from __future__ import annotations

from nnc.isa.record import record


@record(frozen=True, slots=True)
class Infeasible:
    """A demand beyond a bound, or something that cannot be done at all.

    Attributes:
        what: what does not fit or cannot be done, in words.
        demand, bound: what it needs and the most that it may have, in the same unit (bytes if not said);
            both 0 where nothing can be counted.
    """

    what: str
    demand: int = 0
    bound: int = 0

    def __str__(self) -> str:
        return (
            self.what
            if self.demand == self.bound == 0
            else f"{self.what}: {self.demand} needed, {self.bound} available"
        )
