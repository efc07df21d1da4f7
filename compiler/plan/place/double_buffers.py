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
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.place.allocate import Allocation, alive, allocate, stretches, united
from nnc.compiler.plan.place.live_ranges import Extent, Life, Piece, Touches, since
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Step, Store
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up
from nnc.isa.record import record

Bools = npt.NDArray[np.bool_]

_COMPUTED, _LOADED = 1, 2
_KINDS: dict[type[Step], int] = {Compute: _COMPUTED, Load: _LOADED, LoadRows: _LOADED, Fill: _LOADED}


@record(frozen=True, slots=True)
class Section:
    """Blocks of a memory in the order in which they begin, and the steps of their groups.

    Attributes:
        names, nbytes, pieces, by_piece: of the blocks; order: their places in the order of names.
        first, last: steps that touch them; stored: the last that stores them, negative if there is none.
        is_loaded: whether the first step loads them, or fills them: no divided block is loaded, or stored.
        earlier, later: by step, the computations before and behind it in its group; itself without one.
    """

    names: Sequence[str]
    nbytes: Ints
    pieces: tuple[tuple[Piece, ...], ...]
    by_piece: tuple[bool, ...]
    order: Ints
    first: Ints
    last: Ints
    stored: Ints
    is_loaded: Bools
    earlier: Ints
    later: Ints

    @property
    def key(self) -> Hashable:
        """Equal for sections that differ in names alone: these decide only which of equal blocks is first."""
        lives = self.first, self.last, self.stored, self.is_loaded
        columns = (self.nbytes, self.order, *lives, self.earlier, self.later)
        return *(of.tobytes() for of in columns), self.pieces, self.by_piece


class Sections:
    """The steps in the order of demand, as columns."""

    def __init__(self, touches: Touches) -> None:
        demand, begins = touches.order, np.flatnonzero(np.diff(touches.group, prepend=-1))
        sizes = np.diff(begins, append=len(demand))
        self._begin, self._end = np.repeat(begins, sizes), np.repeat(begins + sizes, sizes)
        kinds = np.array([_KINDS.get(type(step), 0) for step in demand], dtype=np.int8)
        self._is_loaded = kinds == _LOADED
        self._earlier, self._later = self._computations_beside(kinds == _COMPUTED)
        stores = ((place, step) for place, step in enumerate(demand) if isinstance(step, Store))
        self._stores = {step.tile.block.name: place for place, step in stores}

    def _computations_beside(self, is_computed: Bools) -> tuple[Ints, Ints]:
        count = len(is_computed)
        here = np.arange(count)
        before = np.maximum.accumulate(np.where(is_computed, here, -1))
        behind = np.minimum.accumulate(np.where(is_computed, here, count)[::-1])[::-1]
        before, behind = np.append(-1, before[:-1]), np.append(behind[1:], count)
        earlier = np.where(before >= self._begin, before, here)
        return earlier, np.where(behind < self._end, behind, here)

    def of(self, lives: Sequence[Life]) -> Iterator[Section]:
        """The sections of a memory; `lives` in the order in which they begin."""
        first = np.array([life.first for life in lives], dtype=np.int64)
        last = np.array([life.last for life in lives], dtype=np.int64)
        nbytes = np.array([life.block.nbytes for life in lives], dtype=np.int64)
        stored = np.array([self._stores.get(life.block.name, -1) for life in lives], dtype=np.int64)
        undivided = np.array([not life.pieces for life in lives], dtype=np.bool_)
        stored[~undivided] = -1
        ends = np.append(-1, np.maximum.accumulate(last)[:-1])
        bounds = [*np.flatnonzero(self._begin[first] > ends).tolist(), len(lives)]
        for low, high in pairwise(bounds):
            blocks, begin = slice(low, high), int(self._begin[first[low]])
            steps = slice(begin, int(self._end[last[blocks].max()]))
            names = [life.block.name for life in lives[blocks]]
            order = np.empty(len(names), dtype=np.int64)
            order[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
            yield Section(
                names,
                nbytes[blocks],
                tuple([since(begin, life.pieces) for life in lives[blocks]]),
                tuple([life.block.by_piece for life in lives[blocks]]),
                order,
                first[blocks] - begin,
                last[blocks] - begin,
                np.maximum(stored[blocks] - begin, -1),
                self._is_loaded[first[blocks]] & undivided[blocks],
                self._earlier[steps] - begin,
                self._later[steps] - begin,
            )


Placed = dict[Hashable, tuple[list[int], int, int]]
"""By sections that are alike: offsets of their blocks, in their order, the peak and the bound."""


def allocate_with_transfers(
    touches: Touches, chip: Chip, placed: Placed | None = None
) -> dict[str, Allocation]:
    """Offsets of all blocks, per memory; where longer live ranges fit, they have these.

    No live range gets longer than its group, so sections do not meet; those that are alike are placed once.

    Args:
        touches: of the steps in the order of demand.
        placed: sections of other sequences of steps; more are added.
    """
    placed = {} if placed is None else placed
    sections, found = Sections(touches), dict[str, Allocation]()
    for memory, mine in touches.by_memory().items():
        align, capacity = chip.block_align(memory), chip.memory[memory].bytes
        offsets, peak, bound = dict[str, int](), 0, 0
        for section in sections.of(mine):
            key = section.key, align, capacity
            if key not in placed:
                placed[key] = _placed(section, align, capacity)
            places, *ends = placed[key]
            offsets.update(zip(section.names, places, strict=True))
            peak, bound = map(max, (peak, bound), ends)
        found[memory] = Allocation(offsets, peak, bound)
    return found


def _placed(section: Section, align: int, capacity: int) -> tuple[list[int], int, int]:
    """Offsets of the blocks of a section, in their order, the peak and the bound."""
    names = [f"{place:09}" for place in section.order.tolist()]  # sorted as the blocks' own
    levels = _longer(section, names, align, capacity)
    together = stretches(list(levels[0].values()))
    found = united([_place([e.name for e in mine], levels, align, capacity) for mine in together])
    return [found.offsets[name] for name in names], found.peak, found.bound


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


def _longer(section: Section, names: list[str], align: int, capacity: int) -> list[dict[str, Extent]]:
    """Extents by name, longer as far as what is alive together fits: the longest first."""
    earlier, later = section.earlier.tolist(), section.later.tolist()
    first, last, nbytes = (of.tolist() for of in (section.first, section.last, section.nbytes))
    sizes = [round_up(each, align) for each in nbytes]
    divided = section.pieces, section.by_piece
    extents = [Extent(*mine) for mine in zip(names, sizes, first, last, *divided, strict=True)]
    taken = _alive([span for each in extents for span in each.spans], len(earlier))
    if any(section.pieces):  # blocks are overlaid where bytes are short, not for the sake of longer ranges
        whole = _alive([(0, each.nbytes, each.first, each.last) for each in extents], len(earlier))
        taken = np.where(whole <= capacity, whole, taken)
    loaded = np.flatnonzero(section.is_loaded).tolist()
    stored = {number: place for number, place in enumerate(section.stored.tolist()) if place >= 0}

    def longer() -> dict[str, Extent]:
        columns = zip(names, nbytes, first, last, *divided, strict=True)
        return {mine[0]: Extent(*mine) for mine in columns}

    levels = [longer()]
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
            levels.append(longer())
    return [longer(), *levels[::-1]]


def _alive(spans: Sequence[Piece], steps: int) -> Ints:
    """Bytes that are alive at each of some steps, and behind them."""
    begin, nbytes = alive(spans)
    found = np.zeros(steps + 1, dtype=np.int64)
    found[begin : begin + len(nbytes)] = nbytes
    return found


def _computations_later(place: int, count: int, later: Sequence[int]) -> int:
    """The place of a computation so many behind a place, or of the last one of its group."""
    for _ in range(count):
        place = later[place]
    return place
