"""Bytes on chip: the capacity of a chip's memories for fused groups, and what line buffers take of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nnc.compiler.plan.fusion.row_ranges import BufferRows
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.target import layer_traits
from nnc.isa.chip.description import Chip

Bytes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Capacity:
    """Memories of a chip for fused groups.

    Attributes:
        activations, weights: bytes for activations and for weights; weights is None if one serves both.
        alone: positions of layers that cannot be fused: row gathers are the DMA engine's own work, and an
            activation that is the weight of a product may have to lie in another memory than results.
    """

    activations: int
    weights: int | None
    alone: frozenset[int]

    def weights_beside(self, nbytes: int) -> int:
        """Bytes left for weights when `nbytes` of activations are on chip."""
        return self.activations - nbytes if self.weights is None else self.weights

    @staticmethod
    def of(chip: Chip, network: PlanNetwork) -> Capacity | Infeasible:
        """The memories of a chip; infeasible if features and results of the layers lie in several."""
        graph = network.graph
        homes = {
            layer_traits.memory_for(chip, graph, layer, role)
            for layer in network.layers
            for role in ("feature", "result")
        }
        stores = {layer_traits.memory_for(chip, graph, layer, "weight") for layer in network.layers}
        if len(homes) != 1 or len(stores) != 1:
            return Infeasible("one memory for features and results, one for weights")
        home, store = homes.pop(), stores.pop()
        alone = {
            position
            for position, layer in enumerate(network.layers)
            if layer_traits.is_row_gather(layer)
            or any(
                layer_traits.memory_for(chip, graph, layer, layer_traits.slot_role(layer, slot)) != home
                for slot, _ in network.operands[position]
            )
        }
        weights = None if home == store else chip.memory[store].bytes
        return Capacity(chip.memory[home].bytes, weights, frozenset(alone))


@dataclass(frozen=True, slots=True)
class BufferBytes:
    """Bytes of a buffer per part: while its tile is in use, before and after that, and while rows move."""

    rows: BufferRows
    held: Bytes
    before: Bytes
    after: Bytes
    moving: Bytes

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
            return BufferBytes(rows, always, before, after, np.zeros_like(held))
        before = np.zeros_like(kept)
        before[1:] = kept[:-1]
        return BufferBytes(rows, held, before, kept, kept)


def is_sliding_window(kept: Bytes, held: Bytes) -> bool:
    """Whether a buffer has one block for all parts, in which the kept rows move to the head.

    Else the kept rows move to a tile of their own and from there to the next one: fewer bytes between two
    parts, more while they move.  Sliding is better where most rows are kept.
    """
    return bool(2 * kept.max() >= held.max()) and bool(kept.max() > 0)
