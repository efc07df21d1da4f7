"""A fused group as a choice of the search, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.network.residents import Residents

_BLOCKS_IN_CAPACITY = 3
"""Weights that stream behind the work come in blocks, so many of which fit at once: larger ones hold
the transfers up until a whole block is free, smaller ones cost an issue each."""

NumberT = TypeVar("NumberT", int, npt.NDArray[np.int64])


def block_budget(free: NumberT, pinned: int, parts: int) -> NumberT:
    """Most bytes of a block of streamed weights at a step of a group.

    Args:
        free: bytes for weights there; pinned: of these, bytes that stay on chip; parts: of the group.
    """
    return free // _BLOCKS_IN_CAPACITY if parts == 1 else (free - pinned) // 2


@dataclass(frozen=True, slots=True)
class GroupCost:
    """What a fused group costs.

    Attributes:
        pinned: bytes of weights that stay for all parts; reload: bytes of weights loaded again.
        dram_bytes: traffic; compute_cycles: array and vector unit, moves and issue costs included.
        cycles: estimate of work and transfers together.
    """

    pinned: int
    reload: int
    dram_bytes: int
    compute_cycles: int
    cycles: int


@dataclass(frozen=True, slots=True)
class FusedChoice:
    """A fused group and what it costs.

    Attributes:
        order: number of the order of the layers that positions refer to.
        start, end: positions of its first and last layer.
        cut: how it is cut into parts.
        residents_in, residents_out: what is on chip when it starts and when it ends.
        sliced_from: position from which on the layers run in slices of output channels; end + 1 if none do.
    """

    order: int
    start: int
    end: int
    cut: Cut
    residents_in: Residents
    residents_out: Residents
    sliced_from: int
    cost: GroupCost

    @property
    def parts(self) -> int:
        """Number of parts, those of the prologue included, in all strips."""
        return self.cut.passes

    @property
    def dram_bytes(self) -> int:
        """Traffic."""
        return self.cost.dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.cost.cycles
