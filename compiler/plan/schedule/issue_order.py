"""The order of issue: loads ahead of their use and stores behind it, as far as memory has capacity.

in:   steps in the order of demand, an offset of every block that fits in that order
out:  the same steps in the order of issue, and offsets that fit in it

    demand:   load 0, compute 0, store 0, load 1, compute 1, store 1
    issue:    load 0, load 1, compute 0, compute 1, store 0, store 1       load 1 runs while 0 is computed

A load that moves up lengthens the live range of its block; it moves as far as some address is free for the
whole of the longer range, but never over the store of the data it reads, over a load that is needed earlier,
or over a step that uses the same bytes of a block that lives on from part to part.  Double buffering is the
simplest case; the weights of the next group, loaded while this one computes, are another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.schedule.live_ranges import Life, lives
from nnc.compiler.plan.step import Compute, Load, LoadRows, Step, Store, Tile, View, tiles_of, written
from nnc.isa.chip.description import Chip
from nnc.isa.integers import round_up

FARTHEST = 256
"""Most steps that a load moves ahead."""
STORE_DELAY = 3
"""Most computations that a store stays behind."""


class _Memory:
    """The blocks of one memory: where they lie, and when they are alive (places in the order of demand).

    They are numbered as they begin in that order, so that a stretch of time is a range of numbers.
    """

    def __init__(self, lives: list[Life], offsets: dict[str, int], capacity: int, align: int) -> None:
        self.align, self.capacity = align, capacity // align * align
        self.index = {life.block.name: number for number, life in enumerate(lives)}
        self.first = np.array([life.first for life in lives], dtype=np.int64)
        self.last = np.array([life.last for life in lives], dtype=np.int64)
        self._demanded = self.first.copy()
        self.settle()
        sizes = [round_up(life.block.nbytes, align) for life in lives]
        self.low = np.array([offsets[life.block.name] for life in lives], dtype=np.int64)
        self.high = self.low + np.array(sizes, dtype=np.int64)

    def begin_earlier(self, name: str, lowest: int) -> int:
        """Let a block begin as early as possible, not before `lowest`; it may move.  Returns the place.

        The earlier it begins, the more blocks are alive beside it: bisection finds how many leave a gap.
        """
        me = self.index[name]
        begin, end, size = int(self.first[me]), int(self.last[me]), int(self.high[me] - self.low[me])
        if lowest >= begin:
            return begin
        span = slice(self._reach.searchsorted(lowest), self._demanded.searchsorted(end, "right"))
        alive = (self.last[span] >= lowest) & (self.first[span] <= end)
        alive[me - span.start] = False
        place = int(self.low[me])
        if not np.count_nonzero(alive & (self.low[span] < place + size) & (self.high[span] > place)):
            self.first[me] = lowest  # where it lies, nobody is in its way
            return lowest
        beside = np.flatnonzero(alive) + span.start
        beside = beside[np.argsort(-self.last[beside], kind="stable")]
        taken = _Taken(self.low[beside], self.high[beside], self.capacity)
        few, many = int(np.count_nonzero(self.last[beside] >= begin)), len(beside) + 1
        while many - few > 1:  # beside `few` there is room at `place`; beside `many` there is none
            middle = (few + many) // 2
            found = taken.gap(middle, size, place)
            if found is None:
                many = middle
            else:
                few, place = middle, found
        goal = lowest if few == len(beside) else min(begin, int(self.last[beside[few]]) + 1)
        if goal < begin:
            self.first[me], self.low[me], self.high[me] = goal, place, place + size
        return goal

    def end_later(self, name: str, wanted: int) -> int:
        """Let a block live until `wanted`, or as long as nothing else begins at its address: returns that."""
        me = self.index[name]
        end = int(self.last[me])
        span = slice(*self._demanded.searchsorted((end, wanted), "right"))
        clash = (self.low[span] < self.high[me]) & (self.low[me] < self.high[span])
        if np.count_nonzero(clash):
            wanted = max(end, int(self.first[span][clash].min()) - 1)
        self.last[me] = max(end, wanted)
        return wanted

    def settle(self) -> None:
        """All blocks live as long as they will: from now on, they begin earlier at most."""
        self._reach = np.maximum.accumulate(self.last)


class _Taken:
    """Byte ranges that are taken, in an order of their own, and the gaps beside the first of them."""

    def __init__(self, low: npt.NDArray[np.int64], high: npt.NDArray[np.int64], capacity: int) -> None:
        self._by_address = np.argsort(low, kind="stable")
        self._low, self._high, self._capacity = low[self._by_address], high[self._by_address], capacity

    def gap(self, count: int, size: int, preferred: int) -> int | None:
        """An offset with room beside the first `count` ranges: the preferred one, or the tightest."""
        chosen = self._by_address < count
        high, low = self._high[chosen], self._low[chosen]
        starts, ends = np.empty(len(high) + 1, np.int64), np.empty(len(high) + 1, np.int64)
        starts[0], ends[-1], ends[:-1] = 0, self._capacity, low
        np.maximum.accumulate(high, out=starts[1:])
        wide = ends - starts
        if np.count_nonzero((starts <= preferred) & (preferred + size <= ends)):
            return preferred
        wide[wide < size] = self._capacity + 1
        tightest = int(wide.argmin())
        return int(starts[tightest]) if wide[tightest] <= self._capacity else None


@dataclass(frozen=True, slots=True)
class Issue:
    """The order of issue, and the offset of every block in its memory."""

    order: list[Step]
    offsets: dict[str, int]


def order_of_issue(
    graph: Graph, chip: Chip, demand: Sequence[Step], offsets: dict[str, int], *, far: bool = True
) -> Issue:
    """Move loads ahead and stores behind.

    Args:
        demand: steps in the order of demand.
        offsets: a placement of all blocks that fits in that order.
        far: whether on several cores constants of later computations, too, may come before activations that
            wait for a store; else those of the computation that needs both.
    """
    by_memory: dict[str, list[Life]] = {}
    for life in lives(demand).values():
        by_memory.setdefault(life.block.memory, []).append(life)
    memories = {
        name: _Memory(mine, offsets, chip.memory[name].bytes, chip.block_align(name))
        for name, mine in by_memory.items()
    }
    keys = _store_places(graph, demand, memories)
    for memory in memories.values():
        memory.settle()
    keys.update(_load_places(graph, demand, memories, keys, may_overtake=chip.cores > 1, far=far))
    order = sorted(range(len(demand)), key=lambda place: (*keys[place], place))
    placed = {n: int(m.low[i]) for m in memories.values() for n, i in m.index.items()}
    return Issue([demand[place] for place in order], placed)


def broadcasts_first(graph: Graph, demand: Sequence[Step]) -> list[Step]:
    """The steps with activations that are broadcast before the other loads that come right before them (M2).

    One core sends what all wait for: behind its own weights, it holds up the others.  Blocks of loads without
    a computation in between are all alive at its end: a placement that fits in one order fits in the other.
    """
    ordered: list[Step] = []
    run: list[Load] = []
    for step in demand:
        if isinstance(step, Load):
            run.append(step)
            continue
        sent = [load for load in run if load.receivers and load.tile.tensor in graph.storage]
        ordered += [*sent, *(load for load in run if load not in sent), step]
        run.clear()
    return [*ordered, *run]


Keys = dict[int, tuple[int, int]]
"""Sort key of every place: the place to stand at, and 0 before, 1 at or 2 after the step that is there."""


def _store_places(graph: Graph, demand: Sequence[Step], memories: dict[str, _Memory]) -> Keys:
    """Stores after the next few computations, so that nobody waits for their tile at once."""
    keys: Keys = {place: (place, 1) for place in range(len(demand))}
    floor = 0
    for place, step in enumerate(demand):
        if not isinstance(step, Store):
            continue
        tile = step.tile
        goal, computations, buffer = place, 0, graph.storage[tile.tensor].buffer
        while goal + 1 < len(demand) and computations < STORE_DELAY:
            if _reads(graph, demand[goal + 1], buffer) or _overwrites(demand[goal + 1], step):
                break
            goal += 1
            computations += isinstance(demand[goal], Compute)
        if goal >= floor:
            goal = max(place, memories[tile.block.memory].end_later(tile.block.name, goal))
        if goal >= floor:
            keys[place] = (goal, 2)
            floor = goal
    return keys


def _load_places(
    graph: Graph,
    demand: Sequence[Step],
    memories: dict[str, _Memory],
    stores: Keys,
    *,
    may_overtake: bool,
    far: bool,
) -> Keys:
    """Loads as early as their blocks fit, in the order in which they are needed.

    Args:
        may_overtake: whether constants may come before activations that are needed earlier and are loaded
            right behind their store: these wait for other cores, constants for nobody.
        far: whether constants of later computations may, too.
    """
    keys: Keys = {}
    written: dict[str, int] = {}  # buffer -> latest place at which a store to it stands
    used: dict[str, list[tuple[int, int, int]]] = {}  # block -> places that touch it, and its elements there
    floors = {True: 0, False: 0}  # of constants, and of activations
    for place, step in enumerate(demand):
        if not isinstance(step, View):
            stands = stores[place][0] if isinstance(step, Store) else place
            for name, span in _spans(step):
                used.setdefault(name, []).append((stands, *span))
        if isinstance(step, Store):
            buffer = graph.storage[step.tile.tensor].buffer
            written[buffer] = max(written.get(buffer, 0), stores[place][0])
        if isinstance(step, Compute) and not far:
            floors[True] = max(floors.values())
        if not isinstance(step, Load):
            continue
        tile = step.tile
        is_constant = may_overtake and tile.tensor not in graph.storage
        lowest = max(floors[is_constant], place - FARTHEST)
        stored = -1
        if tile.tensor in graph.storage:
            stored = written.get(graph.storage[tile.tensor].buffer, -1) + 1
            lowest = max(lowest, stored)
        mine = [span for name, span in _spans(step) if name == tile.block.name]
        known = used[tile.block.name]
        before = [
            other for other in known[: -len(mine)] if other[0] >= lowest
        ]  # others cannot matter any more
        clashes = (stands for stands, *other in before if any(_meets(other, span) for span in mine))
        lowest = max([lowest, *(stands + 1 for stands in clashes)])
        used[tile.block.name] = [*before, *known[-len(mine) :]]
        goal = min(place, max(lowest, memories[tile.block.memory].begin_earlier(tile.block.name, lowest)))
        keys[place] = (goal, 0)
        floors[is_constant] = goal
        if goal != stored:  # it waits for memory, not for a store: nothing may hold it up then
            floors[True] = max(floors[True], goal)
    return keys


def _overwrites(step: Step, store: Store) -> bool:
    """Whether a step writes to elements of what a store reads, on any core."""
    out = written(step)
    if out is None or out.block.name != store.tile.block.name:
        return False
    spans = [_span(tile) for one in (step, *step.others) if (tile := written(one)) is not None]
    return any(_meets(span, mine) for span in spans for _, mine in _spans(store))


def _spans(step: Step) -> list[tuple[str, tuple[int, int]]]:
    """Blocks that a step touches, by the leader's names, with the elements that each core touches there."""
    if not step.others:
        return [(tile.block.name, _span(tile)) for tile in tiles_of(step)]
    return [
        (tile.block.name, _span(twin))
        for one in (step, *step.others)
        for tile, twin in zip(step.tiles, one.tiles, strict=True)
        if tile is not None and twin is not None
    ]


def _span(tile: Tile) -> tuple[int, int]:
    """First element of a tile in its block, and the one behind its last."""
    steps = zip(tile.type.shape, tile.strides, strict=True)
    return tile.offset, tile.offset + 1 + sum((n - 1) * s for n, s in steps)


def _meets(mine: Sequence[int], other: Sequence[int]) -> bool:
    return mine[0] < other[1] and other[0] < mine[1]


def _reads(graph: Graph, step: Step, buffer: str) -> bool:
    """Whether a step loads from a buffer of activations."""
    if isinstance(step, LoadRows):
        return True
    if not isinstance(step, Load):
        return False
    tensor = step.tile.tensor
    return tensor in graph.storage and graph.storage[tensor].buffer == buffer
