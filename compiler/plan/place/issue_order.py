"""The order of issue: loads ahead of their use, as far as memory has capacity.

in:   steps in the order of demand, an offset of every block that fits in that order
out:  the same steps in the order of issue, and offsets that fit in it

    demand:   load 0, compute 0, store 0, load 1, compute 1, store 1
    issue:    load 0, load 1, compute 0, store 0, compute 1, store 1       load 1 runs while 0 is computed

A load that moves up lengthens the live range of its block; it moves as far as some address is free for the
whole of the longer range, but never over the store of the data it reads, over a load that is needed earlier,
or over a step that uses the same bytes of a block that lives on from part to part.  Double buffering is the
simplest case; the weights of the next group, loaded while this one computes, are another.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.place.known_runs import KnownRuns, runs
from nnc.compiler.plan.place.live_ranges import Touches, touched_bytes
from nnc.compiler.plan.place.moving_blocks import MovingBlocks
from nnc.compiler.plan.plan import GroupPlan
from nnc.compiler.plan.step import Compute, Load, Step, Store, Tile, View
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.operand import reach


@dataclass(frozen=True, slots=True)
class Issue:
    """The steps in the order of issue, and the offset of every block in its memory."""

    touches: Touches
    offsets: dict[str, int]


def order_of_issue(
    graph: Graph,
    chip: Chip,
    touches: Touches,
    offsets: dict[str, int],
    *,
    far: bool = True,
    groups: Sequence[GroupPlan] = (),
) -> Issue:
    """Move loads ahead.

    Args:
        touches: of the steps in the order of demand.
        offsets: a placement of all blocks that fits in that order.
        far: whether on several cores constants of later computations, too, may come before activations that
            wait for a store; else those of the computation that needs both.
        groups: with these steps; of those that come again, the loads find their places once.
    """
    demand = touches.order
    memories = {
        name: MovingBlocks(mine, offsets, chip.memory[name].bytes, chip.block_align(name))
        for name, mine in touches.by_memory().items()
    }
    stands, buffers = [*range(len(demand))], _moved_buffers(graph, demand)
    loads = _Loads(graph, touches, memories, stands, may_overtake=chip.cores > 1, far=far)
    known = KnownRuns(buffers, memories, loads, TUNING.place.max_steps_ahead)
    for low, high, template in runs(demand, groups):
        known.place(low, high, template) if template else loads.place(low, high)
    stays = [not isinstance(step, Load) for step in demand]  # loads go before the step at their new place
    order: list[int] = np.lexsort((stays, stands)).tolist()
    placed = {name: at for memory in memories.values() for name, at in memory.offsets()}
    return Issue(touches.reordered(order), placed)


def broadcasts_first(graph: Graph, demand: Touches) -> Touches | None:
    """The steps with activations that are broadcast before the other loads that come right before them (M2).

    None if that is the order of demand.
    One core sends what all wait for: behind its own weights, it holds up the others.  Blocks of loads without
    a computation in between are all alive at its end: a placement that fits in one order fits in the other.
    """
    steps = demand.order
    is_sent = [isinstance(s, Load) and bool(s.receivers) and s.tile.tensor in graph.storage for s in steps]
    ends_loads = np.array([not isinstance(step, Load) for step in steps])
    places = np.lexsort((np.logical_not(is_sent), ends_loads, ends_loads.cumsum() - ends_loads))
    if (np.diff(places) == 1).all():
        return None
    return Touches([steps[place] for place in places.tolist()], demand.group[places])


def _moved_buffers(graph: Graph, demand: Sequence[Step]) -> list[str | None]:
    """By step, the buffer of activations that it loads from or stores to; None: it does neither."""
    known = {name: storage.buffer for name, storage in graph.storage.items()}
    return [known.get(step.tile.tensor) if isinstance(step, Load | Store) else None for step in demand]


class _Loads:
    """Loads as early as their blocks fit, in the order in which they are needed.

    Attributes:
        stands: by step, the place where it stands: loads before it, all others at their own.
        written: the latest place at which a store to a buffer stands.
        floors: the earliest places where constants (True) and activations may stand.
    """

    def __init__(
        self,
        graph: Graph,
        touches: Touches,
        memories: dict[str, MovingBlocks],
        stands: list[int],
        *,
        may_overtake: bool,
        far: bool,
    ) -> None:
        """Args:
        may_overtake: whether constants may come before activations that are needed earlier and are loaded
            right behind their store: these wait for other cores, constants for nobody.
        far: whether constants of later computations may, too.
        """
        self._graph, self._demand, self._memories = graph, touches.order, memories
        self.stands, self._may_overtake, self._far = stands, may_overtake, far
        self.written: dict[str, int] = {}
        self.floors = {True: 0, False: 0}
        self._used: dict[str, list[tuple[int, int, int]]] = {}  # block: places that touch it, its elements
        self._again = _loaded_again(touches)
        self._touching = touches.places_of(self._again) if self._again else ()

    def place(self, begin: int, end: int) -> None:
        """Place the loads of some steps; those of all steps before have their places."""
        storage, stands, written, floors = self._graph.storage, self.stands, self.written, self.floors
        for place in range(begin, end):
            step = self._demand[place]
            if place in self._touching and not isinstance(step, View):
                for name, span in _spans(step, self._again):
                    self._used.setdefault(name, []).append((stands[place], *span))
            if isinstance(step, Store):
                buffer = storage[step.tile.tensor].buffer
                written[buffer] = max(written.get(buffer, 0), stands[place])
            if isinstance(step, Compute) and not self._far:
                floors[True] = max(floors.values())
            if not isinstance(step, Load):
                continue
            tile = step.tile
            is_constant = self._may_overtake and tile.tensor not in storage
            lowest = max(floors[is_constant], place - TUNING.place.max_steps_ahead)
            stored = -1
            if tile.tensor in storage:
                stored = written.get(storage[tile.tensor].buffer, -1) + 1
                lowest = max(lowest, stored)
            if tile.block.name in self._again:
                lowest = self._behind_its_users(step, lowest)
            memory = self._memories[tile.block.memory]
            begun = memory.begin_earlier(tile.block.name, lowest, touched_bytes(step))
            stands[place] = goal = min(place, max(lowest, begun))
            floors[is_constant] = goal
            if goal != stored:  # it waits for memory, not for a store: nothing may hold it up then
                floors[True] = max(floors[True], goal)

    def _behind_its_users(self, step: Load, lowest: int) -> int:
        """The earliest place for a load to a block behind all that touches the same elements."""
        name = step.tile.block.name
        known = self._used[name]
        mine = [span for other, span in _spans(step, self._again) if other == name]
        # what stands before `lowest` cannot matter any more
        before = [other for other in known[: -len(mine)] if other[0] >= lowest]
        self._used[name] = [*before, *known[-len(mine) :]]
        clashes = (stands for stands, *other in before if any(_meets(other, span) for span in mine))
        return max([lowest, *(stands + 1 for stands in clashes)])


def _loaded_again(touches: Touches) -> set[str]:
    """Blocks with a load that is not the first step to touch them: windows, and what is loaded in pieces."""
    loads = [place for place, step in enumerate(touches.order) if isinstance(step, Load)]
    loaded = touches.first_blocks()[loads]
    return {touches.blocks[number].name for number in loaded[touches.begins()[loaded] < loads].tolist()}


def _spans(step: Step, blocks: Container[str]) -> list[tuple[str, tuple[int, int]]]:
    """Those of some blocks that a step touches, by the leader's names, with the elements of each core."""
    if not step.others:
        return [(t.block.name, _span(t)) for t in step.tiles if t is not None and t.block.name in blocks]
    return [
        (tile.block.name, _span(twin))
        for one in (step, *step.others)
        for tile, twin in zip(step.tiles, one.tiles, strict=True)
        if tile is not None and twin is not None and tile.block.name in blocks
    ]


def _span(tile: Tile) -> tuple[int, int]:
    """First element of a tile in its block, and the one behind its last."""
    first, last = reach(tile.type.shape, tile.strides)
    return tile.offset, tile.offset + 1 + first + last


def _meets(mine: Sequence[int], other: Sequence[int]) -> bool:
    return mine[0] < other[1] and other[0] < mine[1]
