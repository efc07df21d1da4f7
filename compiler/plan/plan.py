"""What the planner decides: groups with their tiling, and the steps with every address (`Plan`).

The passes group, partition, map and place materialise these decisions in the graph, one level at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nnc.compiler.ir.annotations import Group, Piece, Place
from nnc.compiler.plan.step import IssuedStep, Step, Tile
from nnc.compiler.plan.steps.template import Binding, Template
from nnc.compiler.target.pixel_groups import PixelGroups


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the planner expects of a group: cycles until it ends since the group before, DRAM bytes."""

    cycles: int
    dram_bytes: int
    compute_cycles: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the search counted on when it chose a group, before there was any step: DRAM bytes and cycles."""

    dram_bytes: int
    cycles: int


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A layer group, and the steps that it is carried out in.

    Attributes:
        group: as it will stand in the graph; the prediction is filled in when it is put there.
        core_reason: why these cores work on it.
        steps: in the order of demand: every load right before its first use.
        estimate: what the search expected of it.
        pixels: the groups of pixels of a fully connected layer (M5), if it is done in such.
        template: what the steps are but for names; None if they may use what other groups leave on chip.
        binding: their names.
    """

    group: Group
    core_reason: str
    steps: tuple[Step, ...]
    estimate: Estimate = Estimate(0, 0)
    pixels: PixelGroups | None = None
    template: Template | None = None
    binding: Binding | None = None


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How a memory is used over a whole program: highest byte in use, and most bytes alive at one step."""

    peak: int
    live: int

    @property
    def fragmentation(self) -> float:
        """Share of the peak that is in no tile's use even when most is alive; 0: the peak is optimal."""
        return 1.0 - self.live / self.peak if self.peak else 0.0


@dataclass(frozen=True)
class Plan:
    """All decisions for a network on a chip.

    Attributes:
        groups: in order of execution.
        order: the steps of all groups in the order of issue (loads ahead of their use), with their waits.
        offsets: where every block begins in its memory, by name.
        memory_peak: per group, bytes in use at the most by memory.
        memory_use: per memory, over all groups.
        pieces: address in DRAM of every packed piece of a constant.
        buffers: address in DRAM of every buffer of activations.
        constant_bytes: size of the constant region at the start of DRAM.
        dram_bytes: all the DRAM that is used.
        predictions: per group, in order.
        cycles: predicted cycles of the whole program.
    """

    groups: tuple[GroupPlan, ...]
    order: tuple[IssuedStep, ...]
    offsets: Mapping[str, int]
    memory_peak: tuple[dict[str, int], ...]
    memory_use: dict[str, MemoryUse]
    pieces: dict[Piece, int]
    buffers: dict[str, int]
    constant_bytes: int
    dram_bytes: int
    predictions: tuple[Prediction, ...]
    cycles: int

    @property
    def moved_bytes(self) -> int:
        """Predicted traffic of all groups."""
        return sum(prediction.dram_bytes for prediction in self.predictions)

    @cached_property
    def places(self) -> dict[str, Place]:
        """Where every tile lies, by tile name; of a plan without copies of groups, few."""
        return _tile_places(self.order, self.offsets)


def _tile_places(order: Sequence[IssuedStep], offsets: Mapping[str, int]) -> dict[str, Place]:
    """Address and lifetime (in the order of issue) of every tile."""
    first: list[tuple[Tile, int]] = []
    last: dict[str, int] = {}
    for position, issued in enumerate(order):
        for tile in issued.step.tiles:
            if tile is not None:
                if tile.name not in last:
                    first.append((tile, position))
                last[tile.name] = position
    return {
        tile.name: Place(
            tile.block.memory,
            offsets[tile.block.name] + tile.offset * tile.type.dtype.itemsize,
            tile.type.nbytes,
            position,
            last[tile.name],
        )
        for tile, position in first
    }
