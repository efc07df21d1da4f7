"""Groups that the search may choose: fused ones and single layers in tiles, with what they cost."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.network.residents import Residents
from nnc.compiler.plan.tiling.core_split import Split
from nnc.compiler.plan.tiling.tile_price import Candidate

NOTHING: Residents = frozenset()


@dataclass(frozen=True, slots=True)
class Weighed:
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
        inside, outside: what is on chip when it starts and when it ends.
        tail: position from which on the layers run in slices of output channels; end + 1 if none do.
    """

    order: int
    start: int
    end: int
    cut: Cut
    inside: Residents
    outside: Residents
    tail: int
    cost: Weighed

    @property
    def parts(self) -> int:
        """Number of parts, those that warm up included, in all strips."""
        return self.cut.passes

    @property
    def dram_bytes(self) -> int:
        """Traffic."""
        return self.cost.dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.cost.cycles


@dataclass(frozen=True, slots=True)
class TiledChoice:
    """A single layer, cut by the tile search; nothing stays on chip before or after it.

    Attributes:
        split: how cores share it; None if core 0 works alone.
        core_reason: which cores work on it, why, and what the other ways would cost.
    """

    order: int
    position: int
    candidates: tuple[Candidate, ...]
    split: Split | None
    core_reason: str
    inside: Residents = NOTHING
    outside: Residents = NOTHING

    @property
    def start(self) -> int:
        """Position of the layer."""
        return self.position

    @property
    def end(self) -> int:
        """Position of the layer."""
        return self.position

    @property
    def dram_bytes(self) -> int:
        """Estimated traffic."""
        return self.candidates[0].dram_bytes

    @property
    def cycles(self) -> int:
        """Estimated cycles."""
        return self.candidates[0].cycles


Choice = FusedChoice | TiledChoice
