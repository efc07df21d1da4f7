"""A single layer in tiles, as one of the groups that the search chooses among."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.plan.network.residents import NOTHING, Residents
from nnc.compiler.plan.tiling.core_split import CoreSplit
from nnc.compiler.plan.tiling.tile_price import Candidate


@dataclass(frozen=True, slots=True)
class TiledChoice:
    """A single layer, cut by the tile search; nothing stays on chip before or after it.

    Attributes:
        candidates: its tilings, best first; later ones are for when the blocks of earlier ones fit nowhere.
        split: how cores share it; None if core 0 works alone.
        behind: cycles behind the group before it, if these are known (not negative); else it is taken alone.
        core_reason: which cores work on it, why, and what the other core mappings would cost.
    """

    order: int
    position: int
    candidates: tuple[Candidate, ...]
    split: CoreSplit | None
    core_reason: str
    residents_in: Residents = NOTHING
    residents_out: Residents = NOTHING
    behind: int = -1

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
        return self.candidates[0].cycles if self.behind < 0 else self.behind
