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
from nnc.compiler.plan.place.live_ranges import Touches
from nnc.compiler.plan.place.moving_blocks import MovingBlocks
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
) -> Issue:
    """Move loads ahead.

    Args:
        touches: of the steps in the order of demand.
        offsets: a placement of all blocks that fits in that order.
        far: whether on several cores free loads for later computations, too, may come before activations
            that wait for a store; else those for the computation that needs both.
    """
    demand = touches.order
    memories = {
        name: MovingBlocks(extents, offsets, chip.memory[name].bytes, chip.block_align(name))
        for name, extents in touches.by_memory().items()
    }
    stands = _places_of_loads(graph, touches, memories, may_overtake=chip.cores > 1, far=far)
    stays = [not isinstance(step, Load) for step in demand]  # loads go before the step at their new place
    order: list[int] = np.lexsort((stays, stands)).tolist()
    placed = {name: offset for memory in memories.values() for name, offset in memory.offsets()}
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
    return Touches([steps[place] for place in places.tolist()], demand.group[places], demand.demanded[places])


def _places_of_loads(
    graph: Graph, touches: Touches, memories: dict[str, MovingBlocks], *, may_overtake: bool, far: bool
) -> list[int]:
    """By step, the place before which it is issued: loads as early as their blocks fit, others at their own.

    Loads keep the order in which they are needed.

    Args:
        may_overtake: whether *free* loads, of constants and of what no step has stored before, may come
            before activations that are needed earlier and wait for a store of other cores.
        far: whether those for later computations may, too.
    """
    storage, stands, users = graph.storage, [*range(len(touches.order))], _Users(touches)
    written: dict[str, int] = {}  # by buffer, the latest place of a store to it
    floors = {True: 0, False: 0}  # the earliest places where free loads (True) and others may stand
    for place, step in enumerate(touches.order):
        if place in users.places:
            users.add(place, step)
        if isinstance(step, Store):
            written[storage[step.tile.tensor].buffer] = place
        if isinstance(step, Compute) and not far:
            floors[True] = max(floors.values())
        if not isinstance(step, Load):
            continue
        tile = step.tile
        stored = written.get(storage[tile.tensor].buffer, -1) + 1 if tile.tensor in storage else 0
        is_free = may_overtake and (not stored if far else tile.tensor not in storage)
        lowest = max(floors[is_free], place - TUNING.place.max_steps_ahead, stored)
        if tile.block.name in users.blocks:
            lowest = users.behind(step, lowest)
        begun = place
        if not tile.block.piece:
            begun = memories[tile.block.memory].begin_earlier(tile.block.name, lowest)
        stands[place] = goal = min(place, max(lowest, begun))
        waits_for_store = goal in (stored, floors[is_free])  # its own, or that of activations before it
        floors[is_free] = goal
        if not waits_for_store:  # but for memory: nothing may hold it up then
            floors[True] = max(floors[True], goal)
    return stands


class _Users:
    """Steps so far that touch blocks which are loaded more than once: windows, and what is loaded in pieces.

    Attributes:
        blocks: their names; places: of all steps that touch them, but for views.
    """

    def __init__(self, touches: Touches) -> None:
        loads = [place for place, step in enumerate(touches.order) if isinstance(step, Load)]
        loaded = touches.first_blocks()[loads]
        again = loaded[touches.begins()[loaded] < loads].tolist()
        self.blocks = {touches.blocks[number].name for number in again}
        touching = touches.places_of(self.blocks) if self.blocks else ()
        self.places = {place for place in touching if not isinstance(touches.order[place], View)}
        self._used: dict[str, list[tuple[int, int, int]]] = {}  # by block: places, and elements from, to

    def add(self, place: int, step: Step) -> None:
        """The next step."""
        for name, span in _spans(step, self.blocks):
            self._used.setdefault(name, []).append((place, *span))

    def behind(self, step: Load, lowest: int) -> int:
        """The earliest place, from `lowest` on, behind all that touches elements of the latest step."""
        name = step.tile.block.name
        users = self._used[name]
        own = [span for block, span in _spans(step, self.blocks) if block == name]
        # what stands before `lowest` cannot matter any more
        before = [user for user in users[: -len(own)] if user[0] >= lowest]
        self._used[name] = [*before, *users[-len(own) :]]
        return max(
            [
                lowest,
                *(place + 1 for place, *span in before if any(_meets(span, own_span) for own_span in own)),
            ]
        )


def _spans(step: Step, blocks: Container[str]) -> list[tuple[str, tuple[int, int]]]:
    """Those of some blocks that a step touches, by the leader's names, with the elements of each core."""
    if not step.others:
        return [(t.block.name, _span(t)) for t in step.tiles if t is not None and t.block.name in blocks]
    return [
        (tile.block.name, _span(twin))
        for member in (step, *step.others)
        for tile, twin in zip(step.tiles, member.tiles, strict=True)
        if tile is not None and twin is not None and tile.block.name in blocks
    ]


def _span(tile: Tile) -> tuple[int, int]:
    """First element of a tile in its block, and the one behind its last."""
    first, last = reach(tile.type.shape, tile.strides)
    return tile.offset, tile.offset + 1 + first + last


def _meets(span: Sequence[int], other: Sequence[int]) -> bool:
    return span[0] < other[1] and other[0] < span[1]
