"""Which weights of a fused group stay on chip for all parts, and in which blocks the others are streamed.

in:   a group, the bytes that its activations leave for weights at each layer
out:  ranges of output channels per layer (`blocks`), and how many of the first of them stay (`pinned`)
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.channel_slices import slice_channels
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.group_cost import block_budget
from nnc.compiler.plan.network.block_work import BlockSizes
from nnc.compiler.plan.network.layer_cycles import block_bytes, channels_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div

Blocks = list[tuple[int, int]]


@dataclass
class WeightPlan:
    """Blocks of output channels per position, and how many of the first blocks are pinned (resident).

    A layer with one block computes all its channels at once.
    """

    network: PlanNetwork
    channels: dict[int, Blocks] = field(default_factory=dict)
    pinned: dict[int, int] = field(default_factory=dict)

    def blocks(self, position: int) -> Blocks:
        """Ranges of output channels that are computed one after the other."""
        return self.channels[position]

    def is_pinned(self, position: int, slot: int, low: tuple[int, ...]) -> bool:
        """Whether a tile of a constant stays for the following parts."""
        count = self.pinned[position]
        blocks = self.channels[position]
        if count >= len(blocks) or slot >= 2:
            return True
        layer = self.network.layers[position]
        axis = _weight_lane(layer.kind, len(low))
        return slot != 1 or (count > 0 and low[axis] < blocks[count][0])


def _weight_lane(kind: str, rank: int) -> int:
    """The axis of a weight that runs along the output channels."""
    if kind == "matmul":
        return rank - 1
    return 1 if kind == "conv_transpose" else 0


def plan_weights(
    network: PlanNetwork, chip: Chip, choice: FusedChoice, free: npt.NDArray[np.int64], tail_bytes: int
) -> WeightPlan:
    """Decide blocks and residence.

    Args:
        choice: the group.
        free: bytes that are left for weights at each step of the group (activations counted).
        tail_bytes: bytes of the slices of the tail at their narrowest.
    """
    plan = WeightPlan(network)
    steps = range(choice.start, choice.end + 1)
    if choice.sliced_from <= choice.end:
        width = _slice_width(network, chip, choice, free, tail_bytes)
        count = channels_of(network, choice.sliced_from)
        plan.channels[choice.sliced_from] = [(at, min(at + width, count)) for at in range(0, count, width)]
    total = sum(network.weight_bytes(s) for s in steps)
    if choice.parts > 1 and choice.cost.pinned >= total:
        for step in steps:
            plan.channels.setdefault(step, [_all(network, step)])
            plan.pinned[step] = len(plan.channels[step])
        return plan
    pinned = choice.cost.pinned
    left = pinned if choice.parts > 1 else 0
    for step, capacity in zip(steps, free, strict=True):
        nbytes = network.weight_bytes(step)
        budget = block_budget(int(capacity), pinned, choice.parts)
        if choice.parts == 1:
            plan.channels.setdefault(step, _cut(network, chip, step, budget))
            plan.pinned[step] = 0
            continue
        if nbytes <= left:
            plan.channels.setdefault(step, [_all(network, step)])
            plan.pinned[step] = len(plan.channels[step])
            left -= nbytes
            continue
        blocks = plan.channels.setdefault(step, _cut(network, chip, step, budget))
        each = ceil_div(nbytes, len(blocks))
        plan.pinned[step] = min(len(blocks) - 1, left // each)
        left -= plan.pinned[step] * each
    return plan


def _slice_width(
    network: PlanNetwork, chip: Chip, choice: FusedChoice, free: npt.NDArray[np.int64], tail_bytes: int
) -> int:
    """Output channels of the slices of a tail: as many as fit, since wide slices run best."""
    least, width = slice_channels(network, chip, choice.sliced_from), channels_of(network, choice.sliced_from)
    weights = sum(network.weight_bytes(p) for p in range(choice.start, choice.end + 1))
    streams = choice.parts == 1 or choice.cost.pinned < weights
    spare = int(free.min()) - (choice.cost.pinned if choice.parts > 1 else 0)
    while width > least:
        more = tail_bytes * (2 * width - least) // least  # one is stored while the next is computed
        more += 2 * block_bytes(network, choice.sliced_from, width) if streams else 0
        if more <= spare:
            break
        width = max(least, ceil_div(width, 2 * least) * least)
    return width


def _all(network: PlanNetwork, position: int) -> tuple[int, int]:
    return (0, channels_of(network, position))


def _cut(network: PlanNetwork, chip: Chip, position: int, budget: int) -> Blocks:
    """Blocks of output channels of at most `budget` bytes, as even and as few as the layer allows."""
    total, size = channels_of(network, position), BlockSizes.of(network, chip, position).fitting(budget)
    if total == 1 or not size:  # the weights are no constants: nothing streams
        return [(0, total)]
    return [(first, min(first + size, total)) for first in range(0, total, size)]
