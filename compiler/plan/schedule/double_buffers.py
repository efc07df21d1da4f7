"""Live ranges with time for transfers: blocks that are loaded or stored while another computation runs.

in:   steps in the order of demand, in which every load stands right before its use, every store behind it
out:  extents for the allocator: loaded blocks begin some computations earlier, stored ones end some later

    demand     load a.0   compute 0   store y.0   load a.1   compute 1   store y.1
    a.1                   |--------------------------------------|        a.1 arrives while 0 is computed
    y.0                   |--------------------------------------|        y.0 leaves while 1 is computed

Blocks that are placed by the order of demand alone may take each other's places in turn, or lie such that
what is free falls in two gaps: then nothing can be moved ahead (`issue_order`), although bytes are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nnc.compiler.plan.schedule.allocate import Allocation, Extent, allocate, stretches, united
from nnc.compiler.plan.schedule.live_ranges import Life, lives
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Step, Store
from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up

_MORE_COMPUTATIONS = (1, 1, 2, 4, 8)
"""So many computations longer stored blocks live, round by round: a store may take as long as several."""
_ROUNDS_OF_LOADS = 2
"""So many computations earlier loaded blocks begin; `issue_order` moves loads as far as memory is free."""
_SHARE = (7, 8)
"""Share of a memory that may be full where stored blocks live that long: what is left eases placement."""
_MOST_ROUNDS = 6
"""How often ranges are shortened where blocks do not fit, before all are as short as they can be."""


def allocate_with_transfers(demand: Sequence[Step], chip: Chip) -> dict[str, Allocation]:
    """Offsets of all blocks, per memory; where longer live ranges fit, they have these."""
    beside = _computations_beside(demand)
    by_memory: dict[str, list[Life]] = {}
    for life in lives(demand).values():
        by_memory.setdefault(life.block.memory, []).append(life)
    found: dict[str, Allocation] = {}
    for memory, mine in by_memory.items():
        align, capacity = chip.block_align(memory), chip.memory[memory].bytes
        levels = _longer(demand, mine, beside, align, capacity)
        together = stretches(list(levels[0].values()))
        found[memory] = united([_place([e.name for e in mine], levels, align, capacity) for mine in together])
    return found


def _place(
    names: Sequence[str], levels: Sequence[dict[str, Extent]], align: int, capacity: int
) -> Allocation:
    """Offsets of blocks of one stretch of time, with the longest live ranges that fit.

    Args:
        levels: live ranges by name, the longest first, the last as short as they can be.

    What lies beyond the capacity shortens the ranges of all that live beside it, a level at a time.
    """
    level = dict.fromkeys(names, 0)
    for _ in range(_MOST_ROUNDS):
        extents = [levels[at][name] for name, at in level.items()]
        part = allocate(extents, align, capacity)
        if part.peak <= capacity:
            return part
        beyond = [e for e in extents if part.offsets[e.name] + e.nbytes > capacity]
        first, last = (np.array([getattr(e, end) for e in beyond]) for end in ("first", "last"))
        for extent in extents:
            if ((first <= extent.last) & (last >= extent.first)).any():
                level[extent.name] = min(level[extent.name] + 1, len(levels) - 1)
    return allocate([levels[-1][name] for name in names], align, capacity)


def _computations_beside(demand: Sequence[Step]) -> tuple[list[int], list[int]]:
    """Per place, those of the computations before and behind it in its group; itself if there is none."""
    earlier, later = list(range(len(demand))), list(range(len(demand)))
    for places, found in ((range(len(demand)), earlier), (range(len(demand) - 1, -1, -1), later)):
        latest, group = -1, -1
        for place in places:
            if demand[place].group != group:
                latest, group = -1, demand[place].group
            if latest >= 0:
                found[place] = latest
            if isinstance(demand[place], Compute):
                latest = place
    return earlier, later


def _longer(
    demand: Sequence[Step], mine: list[Life], beside: tuple[list[int], list[int]], align: int, capacity: int
) -> list[dict[str, Extent]]:
    """Extents of one memory, longer as far as what is alive together fits."""
    earlier, later = beside
    alive = np.zeros(len(demand) + 1, dtype=np.int64)
    sizes = [round_up(life.block.nbytes, align) for life in mine]
    for life, nbytes in zip(mine, sizes, strict=True):
        alive[life.first] += nbytes
        alive[life.last + 1] -= nbytes
    alive = np.cumsum(alive)
    first, last = [life.first for life in mine], [life.last for life in mine]
    loaded = [n for n, at in enumerate(first) if isinstance(demand[at], Load | LoadRows | Fill)]
    stores = {step.tile.block.name: place for place, step in enumerate(demand) if isinstance(step, Store)}
    stored = {n: stores[life.block.name] for n, life in enumerate(mine) if life.block.name in stores}
    levels = [_extents(mine, first, last)]
    for count, more in enumerate(_MORE_COMPUTATIONS):
        early = count < _ROUNDS_OF_LOADS
        most = capacity if early else capacity * _SHARE[0] // _SHARE[1]
        for number in loaded if early else ():
            begin, end = earlier[first[number]], first[number]
            if begin < end and alive[begin:end].max() + sizes[number] <= capacity:
                alive[begin:end] += sizes[number]
                first[number] = begin
        for number, place in [*stored.items()]:
            stored[number] = until = _computations_later(place, more, later)
            begin = last[number] + 1
            if begin <= until and alive[begin : until + 1].max() + sizes[number] <= most:
                alive[begin : until + 1] += sizes[number]
                last[number] = until
            elif begin <= until:
                del stored[number]
        if count == 0:
            levels.append(_extents(mine, first, last))
    return [_extents(mine, first, last), *levels[::-1]]


def _computations_later(place: int, count: int, later: Sequence[int]) -> int:
    """The place of a computation so many behind a place, or of the last one of its group."""
    for _ in range(count):
        place = later[place]
    return place


def _extents(mine: Sequence[Life], first: Sequence[int], last: Sequence[int]) -> dict[str, Extent]:
    """Extents by name."""
    return {
        life.block.name: Extent(life.block.name, life.block.nbytes, low, high)
        for life, low, high in zip(mine, first, last, strict=True)
    }
