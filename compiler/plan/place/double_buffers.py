"""Live ranges with time for transfers: blocks that are loaded or stored while another computation runs.

in:   steps in the order of demand, in which every load stands right before its use, every store behind it
out:  extents for the allocator: loaded blocks begin some computations earlier, stored ones end some later

    demand     load a.0   compute 0   store y.0   load a.1   compute 1   store y.1
    a.1                   |--------------------------------------|        a.1 arrives while 0 is computed
    y.0                   |--------------------------------------|        y.0 leaves while 1 is computed

Blocks that are placed by the order of demand alone may take each other's places in turn, or lie such that
what is free falls in two gaps: then nothing can be moved ahead (`issue_order`), although bytes are enough.

A *section* is a run of groups that no block of a memory is alive across; equal sections are placed once:

    group      0     |     1     |     2     |     3
    a        |---|   |           |           |            nothing stays on chip from group 0 to 1, or from
    b                |  |-----|  |           |            1 to 2: the sections are 0, 1, and 2 with 3
    c                |           |   |-----------|
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.place.allocate import Allocation, allocate, joined, stretches
from nnc.compiler.plan.place.live_ranges import Extent, Piece, Touches, bytes_alive
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Store
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up


def allocate_with_transfers(touches: Touches, chip: Chip) -> dict[str, Allocation]:
    """Offsets of all blocks, per memory; where longer live ranges fit, they have these.

    No live range gets longer than its group, so sections do not meet.

    Args:
        touches: of the steps in the order of demand.
    """
    steps, allocations = _Steps(touches), dict[str, Allocation]()
    for memory, extents in touches.by_memory().items():
        size = chip.block_align(memory), chip.memory[memory].bytes
        placed, parts = dict[Hashable, Allocation](), []
        for section in steps.sections(extents):
            if (key := section.key) not in placed:
                placed[key] = _allocate_section(section, *size)
            part = placed[key]
            offsets = zip(section.names, part.offsets.values(), strict=True)
            parts.append(Allocation(dict(offsets), part.peak, part.bound))
        allocations[memory] = joined(parts)
    return allocations


def _allocate_section(section: Section, align: int, capacity: int) -> Allocation:
    """Offsets of the blocks of a section in their order, by names that sort as their own do."""
    levels = longer_lives(section, align, capacity)
    parts = [
        _place([extent.name for extent in stretch], levels, align, capacity)
        for stretch in stretches([*levels[0].values()])
    ]
    allocation = joined(parts)
    return Allocation(
        {name: allocation.offsets[name] for name in levels[0]}, allocation.peak, allocation.bound
    )


def _place(
    names: Sequence[str], levels: Sequence[dict[str, Extent]], align: int, capacity: int
) -> Allocation:
    """Offsets of blocks of one stretch of time, with the longest live ranges that fit.

    Args:
        levels: live ranges by name, the longest first, the last as short as they can be.

    What lies beyond the capacity shortens the ranges of all that live beside it, a level at a time.
    """
    level = dict.fromkeys(names, 0)
    for _ in range(TUNING.place.max_shortenings):
        extents = [levels[number][name] for name, number in level.items()]
        placed = allocate(extents, align, capacity)
        if placed.peak <= capacity:
            return placed
        beyond = [e for e in extents if placed.offsets[e.name] + e.nbytes > capacity]
        first, last = (np.array([getattr(e, end) for e in beyond]) for end in ("first", "last"))
        for extent in extents:
            if ((first <= extent.last) & (last >= extent.first)).any():
                level[extent.name] = min(level[extent.name] + 1, len(levels) - 1)
    return allocate([levels[-1][name] for name in names], align, capacity)


@dataclass(frozen=True)
class Section:
    """Blocks of a memory in the order in which they begin, and the steps of their groups.

    Attributes:
        names: of the blocks; pieces, by_piece: those of their extents.
        blocks: per block, its place in the order of names, bytes, the first and the last step that touches
            it, and the last that stores it (negative: none).
        steps: per step, whether it loads or fills a block, and the computations before and behind it in its
            group (itself without one).  Places are counted from the first of them.
    """

    names: list[str]
    pieces: tuple[tuple[Piece, ...], ...]
    by_piece: tuple[bool, ...]
    blocks: Ints
    steps: Ints

    @property
    def key(self) -> Hashable:
        """Equal for sections that differ in names alone: these decide only which of equal blocks is first."""
        return self.blocks.tobytes(), self.steps.tobytes(), self.pieces, self.by_piece


class _Steps:
    """The steps in the order of demand, as columns."""

    def __init__(self, touches: Touches) -> None:
        demand, here = touches.order, np.arange(len(touches.order))
        begins = np.flatnonzero(np.diff(touches.group, prepend=-1))
        sizes = np.diff(begins, append=len(here))
        self._begin, self._end = np.repeat(begins, sizes), np.repeat(begins + sizes, sizes)
        is_computed = np.array([isinstance(step, Compute) for step in demand], dtype=np.bool_)
        before = np.maximum.accumulate(np.where(is_computed, here, -1))
        behind = np.minimum.accumulate(np.where(is_computed, here, len(here))[::-1])[::-1]
        before, behind = np.append(-1, before)[:-1], np.append(behind, len(here))[1:]
        self._earlier = np.where(before >= self._begin, before, here)
        self._later = np.where(behind < self._end, behind, here)
        self._is_loaded = np.array([isinstance(step, Load | LoadRows | Fill) for step in demand])
        stores = ((place, step) for place, step in enumerate(demand) if isinstance(step, Store))
        self._stores = {step.tile.block.name: place for place, step in stores}

    def sections(self, extents: Sequence[Extent]) -> Iterator[Section]:
        """The sections of a memory; extents in the order in which they begin."""
        rows = [(e.nbytes, e.first, e.last, self._stores.get(e.name, -1)) for e in extents]
        blocks = np.array(rows, dtype=np.int64)
        _, first, last, stored = blocks.T
        ends = np.append(-1, np.maximum.accumulate(last)[:-1])
        for low, high in pairwise([*np.flatnonzero(self._begin[first] > ends).tolist(), len(extents)]):
            begin, end = int(self._begin[first[low]]), int(self._end[last[low:high].max()])
            names = [extent.name for extent in extents[low:high]]
            order = np.empty(len(names), dtype=np.int64)
            order[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
            steps = slice(begin, end)
            beside = self._earlier[steps] - begin, self._later[steps] - begin
            lives = first[low:high] - begin, last[low:high] - begin, np.maximum(stored[low:high] - begin, -1)
            yield Section(
                names,
                tuple([e.pieces and e.since(begin, e.name).pieces for e in extents[low:high]]),
                tuple([extent.by_piece for extent in extents[low:high]]),
                np.stack([order, blocks[low:high, 0], *lives], axis=1),
                np.stack([self._is_loaded[steps], *beside], axis=1),
            )


def longer_lives(section: Section, align: int, capacity: int) -> list[dict[str, Extent]]:
    """Extents by name, longer as far as what is alive together fits: the longest first.

    No divided block is loaded, or stored.
    """
    order, nbytes, first, last, stores = section.blocks.T.tolist()
    is_loaded, earlier, later = section.steps.T.tolist()
    names, sizes = [f"{place:09}" for place in order], [round_up(each, align) for each in nbytes]
    whole = [number for number, pieces in enumerate(section.pieces) if not pieces]
    loaded = [number for number in whole if is_loaded[first[number]]]
    stored = {number: stores[number] for number in whole if stores[number] >= 0}

    def longer(nbytes: Sequence[int]) -> dict[str, Extent]:
        columns = zip(names, nbytes, first, last, section.pieces, section.by_piece, strict=True)
        return {column[0]: Extent(*column) for column in columns}

    taken = _bytes_taken([*longer(sizes).values()], len(later), capacity)
    levels = [longer(nbytes)]
    for count, more in enumerate(TUNING.place.store_computations):
        early = count < TUNING.place.load_rounds
        most = capacity if early else TUNING.place.store_share.of(capacity)
        for number in loaded if early else ():
            begin, end = earlier[first[number]], first[number]
            if begin < end and taken[begin:end].max() + sizes[number] <= capacity:
                taken[begin:end] += sizes[number]
                first[number] = begin
        for number, place in [*stored.items()]:
            stored[number] = until = _computations_later(place, more, later)
            begin = last[number] + 1
            if begin <= until and taken[begin : until + 1].max() + sizes[number] <= most:
                taken[begin : until + 1] += sizes[number]
                last[number] = until
            elif begin <= until:
                del stored[number]
        if count == 0:
            levels.append(longer(nbytes))
    return [longer(nbytes), *levels[::-1]]


def _computations_later(place: int, count: int, later: Sequence[int]) -> int:
    """The place of a computation so many behind a place, or of the last one of its group."""
    for _ in range(count):
        place = later[place]
    return place


def _bytes_taken(extents: Sequence[Extent], steps: int, capacity: int) -> Ints:
    """Bytes that are alive at each step; of divided extents all, as long as any byte lives, where these fit.

    Blocks are overlaid where bytes are short, not for the sake of longer ranges.
    """
    whole = bytes_alive([(0, e.nbytes, e.first, e.last) for e in extents], steps)
    if not any(extent.pieces for extent in extents):
        return whole
    pieces = bytes_alive([span for extent in extents for span in extent.spans], steps)
    return np.where(whole <= capacity, whole, pieces)
