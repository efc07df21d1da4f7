"""Which weights of a fused group stay on chip for all parts, and in which blocks the others are streamed.

in:   a group, the bytes that its activations leave for weights at each layer
out:  ranges of output channels per layer (`blocks`), and how many of the first of them stay (`pinned`);
      of the last layers, ranges that are computed and stored one after the other (`slices`)

    int8, 256 channels, bursts of 64 bytes: slices of 64 channels, each in 4 blocks of 16 if weights are short
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nnc.compiler.ir.runs import piece_bytes
from nnc.compiler.plan.fusion.channel_slices import block_channels, slice_channels
from nnc.compiler.plan.fusion.fused_choice import FusedChoice
from nnc.compiler.plan.fusion.fused_order import FusedOrder
from nnc.compiler.plan.network.hidden_runs import HiddenRun, chunked_operands, weights_moved
from nnc.compiler.plan.network.layer_cycles import block_budget, block_bytes, channels_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div, round_up

Blocks = list[tuple[int, int]]


@dataclass(frozen=True)
class WeightPlan:
    """Blocks of output channels per position, and how many of the first blocks are pinned (resident).

    A layer with one block computes all its channels at once.  No block reaches over two of the `slices`.
    Blocks of the layers of `runs` are chunks of hidden channels, which the last of them sums over.  Biases
    and other vectors stay, too, if there is memory for them.
    """

    network: PlanNetwork
    runs: Mapping[int, HiddenRun]
    slices: Blocks
    channels: Mapping[int, Blocks]
    pinned: Mapping[int, int]
    vectors_stay: bool

    def blocks(self, position: int) -> Blocks:
        """Ranges of output channels that are computed one after the other."""
        return self.channels[position]

    def is_pinned(self, position: int, slot: int, low: tuple[int, ...]) -> bool:
        """Whether a tile of a constant stays for the following parts."""
        count, blocks, run = self.pinned[position], self.channels[position], self.runs.get(position)
        if count >= len(blocks) or slot == 0 or (slot >= 2 and self.vectors_stay):
            return True
        axis = -1
        if slot == 1 and run is not None and not run.is_hidden(position):
            axis = chunked_operands(self.network, run)[slot]
        elif slot == 1:
            axis = _weight_lane(self.network.layers[position].kind, len(low))
        return count > 0 and (not low or low[axis] < blocks[count][0])

    def moved_bytes(self, chip: Chip, position: int, count: int) -> int:
        """Bytes that the constants of one of so many blocks move: pieces in whole units and bursts."""
        if (run := self.runs.get(position)) is not None:
            return weights_moved(self.network, chip, run, position) // count
        types = self.network.graph.types
        constant_types = [types[constant] for _, constant in self.network.constant_operands(position)]
        pieces = [(ceil_div(t.elements, count), t.dtype.itemsize) for t in constant_types]
        return sum(round_up(piece_bytes(*piece, chip.transfer_unit), chip.dram.burst) for piece in pieces)


def _weight_lane(kind: str, rank: int) -> int:
    """The axis of a weight that runs along the output channels."""
    if kind in ("matmul", "block_matmul"):
        return rank - 1
    return 1 if kind == "conv_transpose" else 0


def plan_weights(order: FusedOrder, choice: FusedChoice) -> WeightPlan:
    """Decide blocks and residence.

    Args:
        order: of the layers.
        choice: the group.
    """
    network, keys = order.network, order.resident_keys(choice)
    free = choice.interval.free_for_weights(*keys)
    runs, pins = order.runs_within(choice.start, choice.end, choice.cut), choice.cost.pinned
    slices, width = list[tuple[int, int]](), 0
    if choice.sliced_from <= choice.end:
        size, width = _slice_sizes(order, choice, int(free.min()), choice.interval.slice_bytes(*keys))
        slices = _ranges((0, channels_of(network, choice.sliced_from)), size)
    channels, pinned, left = dict[int, Blocks](), dict[int, int](), pins if choice.parts > 1 else 0
    for position, capacity in zip(range(choice.start, choice.end + 1), free.tolist(), strict=True):
        nbytes = network.weight_bytes(position)
        stays = choice.parts > 1 and nbytes <= left
        blocks = [(0, channels_of(network, position))]
        if position == choice.sliced_from:
            blocks = [block for of_slice in slices for block in _ranges(of_slice, width)]
        elif position in runs:
            blocks = runs[position].ranges
        elif not stays:
            blocks = _cut(order, position, block_budget(capacity, pins, choice.parts))
        each = max(1, ceil_div(nbytes, len(blocks)))
        channels[position] = blocks
        pinned[position] = len(blocks) if stays else min(len(blocks) - 1, left // each)
        left -= nbytes if stays else pinned[position] * each
    vectors_stay = _is_room_for_vectors(network, channels, pinned, pins, free.tolist())
    return WeightPlan(network, runs, slices, channels, pinned, vectors_stay)


def _is_room_for_vectors(
    network: PlanNetwork,
    channels: Mapping[int, Blocks],
    pinned: Mapping[int, int],
    nbytes: int,
    free: list[int],
) -> bool:
    """Whether biases of all layers fit beside so many bytes that stay and a block of any layer's weights."""
    rooms = []
    for (position, blocks), capacity in zip(channels.items(), free, strict=True):
        if pinned[position] < len(blocks):
            types = [network.graph.types[t] for slot, t in network.constant_operands(position) if slot >= 2]
            nbytes += sum(type_.nbytes for type_ in types)
            capacity -= ceil_div(network.weight_bytes(position), len(blocks))
        rooms.append(capacity)
    return nbytes <= min(rooms)


def _slice_sizes(
    order: FusedOrder, choice: FusedChoice, free: int, slices: tuple[int, int]
) -> tuple[int, int]:
    """Output channels of the slices of a tail, and of the blocks of a slice: the most that fit.

    Args:
        free: bytes that are left beside the narrowest slices; slices: bytes of these (`slice_bytes`).
    """
    network, position, (stored, inner) = order.network, choice.sliced_from, slices
    pinned = choice.cost.pinned if choice.parts > 1 else 0
    least, lanes = (find(network, order.chip, position) for find in (slice_channels, block_channels))
    weights = sum(network.weight_bytes(p) for p in range(choice.start, choice.end + 1))
    streams = choice.parts == 1 or pinned < weights
    sizes = list(_sizes_of_slices(order, position, least))
    for width, block, copies in sizes:
        more = stored * (copies * width - least) // least
        more += inner * (copies * block - lanes) // lanes
        more += 2 * block_bytes(network, position, block) if streams else 0
        if more <= free - pinned:
            return width, block
    return sizes[-1][:2]


def _sizes_of_slices(order: FusedOrder, position: int, least: int) -> Iterator[tuple[int, int, int]]:
    """Channels of slices and of blocks, the largest first, and how many slices are on chip at once.

    Of two slices, one is stored while the next is computed.
    """
    width = channels_of(order.network, position)
    while width > least:
        yield width, width, 2
        width = max(least, ceil_div(width, 2 * least) * least)
    yield least, least, 2
    yield least, least, 1
    yield from ((least, size, 1) for size in order.block_sizes(position).channels if size < least)


def _ranges(whole: tuple[int, int], size: int) -> Blocks:
    """A range in pieces of a size; the last one may be smaller."""
    return [(first, min(first + size, whole[1])) for first in range(*whole, size)]


def _cut(order: FusedOrder, position: int, budget: int) -> Blocks:
    """Blocks of output channels of at most `budget` bytes, as even and as few as the layer allows."""
    total, size = channels_of(order.network, position), order.block_sizes(position).fitting(budget)
    if total == 1 or not size:  # the weights are no constants: nothing streams
        return [(0, total)]
    return _ranges((0, total), size)
