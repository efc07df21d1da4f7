"""Bytes on chip: the capacity of a chip's memories for fused groups, and what line buffers take of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.staging import GroupMemories, Staging
from nnc.compiler.plan.views.buffer_rows import BufferRows
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip

Bytes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Capacity:
    """Memories of a chip for fused groups.

    Attributes:
        activations, weights: bytes for activations and for weights; weights is None if one serves both.
        alone: positions of layers that cannot be fused: row gathers are the DMA engine's own work, and an
            operand may not get where its layer reads it, or not fit there.
        staging: copies of operands to other memories.
    """

    activations: int
    weights: int | None
    alone: frozenset[int]
    staging: Staging

    def weights_beside(self, nbytes: int) -> int:
        """Bytes left for weights when `nbytes` of activations are on chip."""
        return self.activations - nbytes if self.weights is None else self.weights

    def without(self, positions: Iterable[int]) -> Capacity:
        """The same memories, with more layers that cannot be fused."""
        return replace(self, alone=self.alone | set(positions))

    @staticmethod
    def of(chip: Chip, network: PlanNetwork, like: Capacity | None = None) -> Capacity | Infeasible:
        """The memories of a chip; infeasible if results lie in several, or in one that no DMA reaches.

        Args:
            like: that of the same layers in another order.
        """
        found = GroupMemories.of(chip, network) if like is None else like.staging.memories
        if isinstance(found, Infeasible):
            return found
        staging = Staging(chip, found) if like is None else like.staging
        alone = {
            position
            for position, layer in enumerate(network.layers)
            if layer_traits.is_read_engine(layer) or not staging.is_possible(network, position)
        }
        weights = None if found.home == found.store else chip.memory[found.store].bytes
        return Capacity(chip.memory[found.home].bytes, weights, frozenset(alone), staging)


@dataclass(frozen=True, slots=True)
class BufferBytes:
    """Bytes of a buffer per part: while its tile is in use, before and after that, and while rows move.

    Attributes:
        moving: bytes of rows that move to a tile of their own, for the next part; moves: whether any do.
    """

    rows: BufferRows
    held: Bytes
    before: Bytes
    after: Bytes
    moving: Bytes
    moves: bool

    @staticmethod
    @lru_cache(maxsize=4096)
    def of(rows: BufferRows, row_bytes: int, *, may_slide: bool, share: float = 1.0) -> BufferBytes:
        """Bytes of a buffer whose rows are known; `share` of its channels is held at a time."""
        held, kept = rows.held(row_bytes), rows.kept(row_bytes)
        if share < 1.0:
            held = np.ceil(held * share).astype(np.int64)
        if may_slide and is_sliding_window(kept, held):
            always = np.full_like(held, held.max())
            before, after = always.copy(), always.copy()
            before[0] = after[-1] = 0  # the block lives from the first part's use to the last part's
            return BufferBytes(rows, always, before, after, np.zeros_like(held), moves=False)
        before = np.zeros_like(kept)
        before[1:] = kept[:-1]
        return BufferBytes(rows, held, before, kept, kept, moves=bool(kept.any()))


@dataclass(frozen=True, slots=True)
class BoundaryTensor:
    """A buffer that a group computes, in full or in part, and that is needed after it.

    Attributes:
        computed: bytes that the group computes; nbytes: size of the buffer.
        is_output: whether it is an output of the network.
        steps: how many of the last steps are not before the one that begins it.
        held: bytes that its tiles take at least in a part.
    """

    computed: int
    nbytes: int
    is_output: bool
    steps: int
    held: int


def is_sliding_window(kept: Bytes, held: Bytes) -> bool:
    """Whether a buffer has one block for all parts, in which the kept rows move to the head.

    Else the kept rows move to a tile of their own and from there to the next one: fewer bytes between two
    parts, more while they move.  Sliding is better where most rows are kept.
    """
    return bool(2 * kept.max() >= held.max()) and bool(kept.max() > 0)
