"""A fused group as a choice of the search, and what it costs."""

from __future__ import annotations

from dataclasses import field

from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.group_cost import GroupCost, Interval
from nnc.compiler.plan.network.residents import Residents
from nnc.isa.record import record


@record(frozen=True, slots=True)
class FusedChoice:
    """A fused group and what it costs.

    Attributes:
        order: number of the order of the layers that positions refer to.
        start, end: positions of its first and last layer.
        cut: how it is cut into parts.
        residents_in, residents_out: what is on chip when it starts and when it ends.
        sliced_from: position from which on the layers run in slices of output channels; end + 1 if none do.
        cost: as far as it is known; it follows from the others.
        interval: bytes and work of the group by steps.
    """

    order: int
    start: int
    end: int
    cut: Cut
    residents_in: Residents
    residents_out: Residents
    sliced_from: int
    cost: GroupCost = field(compare=False)
    interval: Interval = field(compare=False, repr=False)

    @property
    def copied(self) -> frozenset[str]:
        """Buffers that it loads in full and leaves on chip."""
        return self.residents_out.copies - self.residents_in.copies

    @property
    def parts(self) -> int:
        """Number of parts in all strips."""
        return self.cut.passes

    @property
    def dram_bytes(self) -> int:
        """Traffic."""
        return self.cost.dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.cost.cycles
