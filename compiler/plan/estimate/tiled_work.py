"""A layer alone as one cell: what it loads first and stores last, and what its own price says between.

in:   how a layer in tiles, or with two buffers, is computed
out:  a `GroupWork` that takes by itself as many cycles as its price says
"""

from __future__ import annotations

from nnc.compiler.plan.alone.layer_alone import LayerAlone
from nnc.compiler.plan.estimate.cells import Cell, Fetch, GroupWork
from nnc.compiler.plan.fusion.capacity import Capacity
from nnc.isa.chip.description import Chip
from nnc.isa.integers import ceil_div


def tiled_work(choice: LayerAlone, chip: Chip, capacity: Capacity) -> GroupWork:
    """The layer as a cell, its first loads and its last store beside it."""
    best, memories = choice.best, capacity.staging.memories
    rows, constants, stored = best.ends
    rate = chip.transfer_rate(choice.cores)
    ends = 2 * chip.dram.latency + ceil_div(rows + constants, rate) + ceil_div(stored, rate)
    cell = Cell(
        fetches=(Fetch(rows, rows, slides=False),) if rows else (),
        stored=stored,
        moves=(0, 0),
        compute=max(1, best.cycles - ends),
        blocks=1,
        streamed=0,
        block_bytes=0,
        pinned_bytes=constants,
        taken=best.demand.get(memories.home, 0),
        pinned=0 if capacity.weights is None else best.demand.get(memories.store, 0),
        result=stored,
        tiles=best.steps,
    )
    return GroupWork([cell], 1, best.dram_bytes, cores=choice.cores)
