"""What a layer of the network costs, as dumps show it beside the layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LayerCost:
    """The cost of a layer by its instructions, also inside of a fused group.

    Attributes:
        core_cycles: in which cores are busy with it or wait for it, summed over the cores.
        dram_bytes: that its transfers move, whole bursts.
    """

    core_cycles: int
    dram_bytes: int

    def __str__(self) -> str:
        return f"{self.core_cycles} core cycles, {self.dram_bytes} B of DRAM traffic"


Costs = Mapping[str, LayerCost]
"""By name of the layer; layers that cost nothing may be absent."""
NO_COSTS: Costs = {}
