"""A convolution with two fixed buffers, as one of the groups that the search chooses among."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.two_buffers.buffered_conv import BufferedConv


@dataclass(frozen=True, slots=True)
class BufferedCandidate:
    """A way to compute a convolution with two buffers, priced.

    Attributes:
        demand: bytes that it holds, per memory; dram_bytes: traffic.
        compute_cycles: of the array on the busiest core; cycles: estimate of work and transfers together.
        tiles: loads of a buffer; ends: DRAM bytes of their first loads, of activations and of constants, and
            of the last store.
    """

    conv: BufferedConv
    demand: Mapping[str, int]
    dram_bytes: int
    compute_cycles: int
    cycles: int
    tiles: int
    ends: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class BufferedChoice:
    """A convolution by M3; nothing stays on chip before or after it.

    Attributes:
        order, position: where the layer stands in which order of the layers.
        best: how it is cut, and what that costs.
        core_reason: why these cores work on it.
        behind: cycles behind the group before it, if these are known (not negative); else it is taken alone.
    """

    order: int
    position: int
    best: BufferedCandidate
    core_reason: str
    residents_in: Residents = NOTHING
    residents_out: Residents = NOTHING
    behind: int = -1

    @property
    def conv(self) -> BufferedConv:
        """How it is cut."""
        return self.best.conv

    @property
    def cores(self) -> int:
        """How many work on it."""
        return self.conv.cores

    @property
    def dram_bytes(self) -> int:
        """Estimated traffic."""
        return self.best.dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.best.cycles if self.behind < 0 else self.behind

    @property
    def start(self) -> int:
        """Position of the layer."""
        return self.position

    @property
    def end(self) -> int:
        """Position of the layer."""
        return self.position
