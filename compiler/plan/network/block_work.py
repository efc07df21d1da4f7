"""Blocks of weights: how large they may be, and what a layer takes more if its weights come in them.

in:   a layer's output channels and the bytes of its weights; a budget of bytes for one block
out:  output channels of a block; cycles beyond those of the layer at once

    512 channels, 32 lanes, 18 KiB of weights per channel:   blocks of 512, 256, 128, 64, 32, 16 or 8 channels
    a budget of 400 KiB: blocks of 16 channels, 32 of them; each takes as long as one of 32, so twice the work
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.network.layer_cycles import block_bytes, channels_of, least_lanes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div

Ints = npt.NDArray[np.int64]
_MOST_SIZES = 24

NumberT = TypeVar("NumberT", int, npt.NDArray[np.int64])


def block_budget(free: NumberT, pinned: int | NumberT, parts: int) -> NumberT:
    """Most bytes of a block of streamed weights at a step of a group.

    Args:
        free: bytes for weights there; pinned: of these, bytes that stay on chip; parts: of the group.
    """
    return free // TUNING.weights.blocks_in_capacity if parts == 1 else (free - pinned) // 2


@dataclass(frozen=True, slots=True)
class BlockSizes:
    """Sizes that blocks of a layer's weights may have, the largest first: all of them, halves of halves.

    Whole lanes of the array as long as they fit: a block of fewer channels than there are lanes takes as long
    as one that fills them.

    Attributes:
        channels: output channels; nbytes: of their weights.
    """

    channels: tuple[int, ...]
    nbytes: tuple[int, ...]

    @staticmethod
    def of(network: PlanNetwork, chip: Chip, position: int) -> BlockSizes:
        """The sizes for a layer; just one if its weights cannot be cut."""
        layer, total = network.layers[position], channels_of(network, position)
        dtype = network.graph.types[network.defines[position]].dtype
        found, size = [total], total
        least = TUNING.weights.min_channels
        for quantum in (max(least, least_lanes(chip, dtype)), least):
            while size > quantum:
                size = max(quantum, ceil_div(size, 2 * quantum) * quantum)
                found.append(size)
        finer = found[1:]
        if finer and not layer_traits.lane_step_allowed(layer, total, size):
            finer = []
        allowed = [total, *(size for size in finer if layer_traits.lane_step_allowed(layer, total, size))]
        return BlockSizes(tuple(allowed), tuple(block_bytes(network, position, size) for size in allowed))

    def fitting(self, budget: int) -> int:
        """Channels of the largest blocks of at most `budget` bytes; of the smallest, if none are so small."""
        sizes = zip(self.channels, self.nbytes, strict=True)
        return next((channels for channels, nbytes in sizes if nbytes <= budget), self.channels[-1])


class BlockWork:
    """What the layers of an interval take more with their weights in blocks, by rows of the interval."""

    def __init__(self, rows: int) -> None:
        self._layers: dict[int, tuple[BlockSizes, Callable[[int], int]]] = {}
        self._most = 1
        self._nbytes: Ints = np.zeros((rows, _MOST_SIZES), dtype=np.int64)
        self._cycles: Ints = np.full((rows, _MOST_SIZES), -1, dtype=np.int64)
        self._cycles[:, 0] = 0
        self._rows = np.arange(rows)

    def enter(self, row: int, sizes: BlockSizes, cycles: Callable[[int], int]) -> None:
        """Take in a layer.

        Args:
            cycles: channels of a block → cycles of the layer; it lives as long as the interval does.
        """
        self._layers[row] = sizes, cycles
        self._nbytes[row] = _levels(sizes)
        self._most = max(self._most, min(len(sizes.nbytes), _MOST_SIZES - 1))

    def cycles(self, first: int, budgets: Ints) -> Ints:
        """Cycles beyond those at once of the layers from row `first` on, with budgets for blocks.

        Args:
            budgets: bytes, in arrays of one for each layer.
        """
        rows = slice(first, first + budgets.shape[-1])
        levels = (self._nbytes[rows, : self._most] <= budgets[..., np.newaxis]).argmax(axis=-1)
        found: Ints = self._cycles[rows][self._rows[: budgets.shape[-1]], levels]
        if found.size and found.min() < 0:
            for at in np.argwhere(found < 0).tolist():
                row, level = first + at[-1], int(levels[tuple(at)])
                if self._cycles[row, level] < 0:
                    sizes, cycles = self._layers[row]
                    self._cycles[row, level] = cycles(sizes.channels[level]) - cycles(0)
                found[tuple(at)] = self._cycles[row, level]
        return found


@lru_cache(maxsize=1024)
def _levels(sizes: BlockSizes) -> Ints:
    """Bytes of blocks of all sizes; the smallest serves any budget."""
    nbytes = sizes.nbytes[: _MOST_SIZES - 1]
    return np.array([*nbytes[:-1], *[-1] * (_MOST_SIZES + 1 - len(nbytes))], dtype=np.int64)
