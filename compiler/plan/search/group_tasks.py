"""What the engines do in a group: its steps as tasks with bytes and cycles, and the memory that they need.

in:   the steps of a group in the order of demand (of all cores, each leader with those that hang on it)
out:  a task for each step that an engine does, bytes of every memory in use by step (`GroupTasks`)

    steps       load w    load x     compute y       store y
    tasks       read      read       compute         write
    room        |w|       |x|        |y|             .               bytes of blocks that begin here
    leaves      .         .          .               |y|             bytes of blocks that end with a store
    needs       .         .          load w, load x  compute y
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.place.live_ranges import Extent, Touches, bytes_alive, bytes_of, spans_of
from nnc.compiler.plan.place.predict import ComputationCycles, transfer_price
from nnc.compiler.plan.place.transfers import Addresses, dram_map, operands_of
from nnc.compiler.plan.step import (
    ENGINE_OF,
    Block,
    Compute,
    Load,
    LoadRows,
    Step,
    Steps,
    Store,
    View,
    written,
)
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Engine


@dataclass(frozen=True, slots=True)
class GroupTask:
    """A step as an engine does it, on all cores at once.

    Attributes:
        place: in the order of demand.
        cycles: of each core that works on the group; moved: DRAM bytes of all cores.
        memory: of the tile that it makes, moves or stores.
        room: bytes of the blocks that begin with it there; leaves: of those that end with it.
        behind: the last place before it that uses what it overwrites; -1: none does.
        needs: places of what it waits for: of a computation, the loads of its operands; of a store, the step
            that made what it moves.
        of_rows: whether it loads activations, which may still be being stored.
    """

    place: int
    engine: Engine
    cycles: Ints
    moved: int
    memory: str
    room: int
    leaves: int
    behind: int
    needs: tuple[int, ...]
    of_rows: bool


@dataclass(frozen=True, slots=True)
class GroupTasks:
    """The tasks of a group in the order of demand.

    Attributes:
        taken: by memory, bytes in use at each place; of_stores: the memories that results leave from.
        cores: that work on it; dram_bytes: that all tasks move.
    """

    tasks: tuple[GroupTask, ...]
    taken: Mapping[str, Ints]
    of_stores: frozenset[str]
    cores: int
    dram_bytes: int


class TaskPrices:
    """Finds the tasks of groups of a network on a chip."""

    def __init__(self, graph: Graph, chip: Chip) -> None:
        # Blocks begin at whole bursts wherever they lie: address 0 serves for all.
        nowhere = Addresses(defaultdict(int), defaultdict(int), defaultdict(int), 0)
        self._graph, self._chip, self._addresses = graph, chip, nowhere
        self._dram, self._computations = dram_map(graph, nowhere), ComputationCycles(chip)

    def tasks_of(
        self, steps: Steps, cores: int, before: Collection[Block] = (), after: Collection[Block] = ()
    ) -> GroupTasks:
        """The tasks of the steps of a group.

        Args:
            before, after: blocks that are on chip when the group begins, and when it has ended.
        """
        touches = Touches(steps)
        taken, begun, ended = self._memory(touches, before, after)
        order = _Order(steps, touches)
        tasks = []
        for place, step in enumerate(steps):
            needs, behind = order.before(place, step)
            if isinstance(step, View):
                continue
            tile = step.tiles[0]
            assert tile is not None
            memory, is_store = tile.block.memory, isinstance(step, Store)
            cycles, moved = np.zeros(cores, dtype=np.int64), 0
            for twin in (step, *step.others):
                cycles[twin.core], nbytes = self._cost(twin)
                moved += nbytes
            task = GroupTask(
                place,
                ENGINE_OF[type(step)],
                cycles,
                moved,
                memory,
                0 if is_store else begun[memory][place],
                ended[memory][place] if is_store else 0,
                behind,
                needs,
                isinstance(step, Load) and step.tile.tensor in self._graph.storage,
            )
            tasks.append(task)
        stored = frozenset(task.memory for task in tasks if task.leaves)
        return GroupTasks(tuple(tasks), taken, stored, cores, sum(task.moved for task in tasks))

    def _cost(self, step: Step) -> tuple[int, int]:
        """Cycles and DRAM bytes of a step of one core."""
        if isinstance(step, Compute):
            return self._computations.of(step), 0
        assert not isinstance(step, View)
        return transfer_price(self._chip, step, operands_of(self._dram, self._addresses, step))

    def _memory(
        self, touches: Touches, before: Collection[Block], after: Collection[Block]
    ) -> tuple[dict[str, Ints], dict[str, list[int]], dict[str, list[int]]]:
        """By memory, for each place: bytes in use, bytes that begin to be, and bytes that are no more."""
        count = len(touches.order)
        taken, begun, ended = dict[str, Ints](), dict[str, list[int]](), dict[str, list[int]]()
        lives = dict(zip(touches.blocks, touches.lives(), strict=True))
        for block in (*before, *after):  # residents that nobody touches, too
            lives.setdefault(block, Extent(block.name, block.nbytes, 0, count - 1))
        for block in before:
            lives[block] = replace(lives[block], first=0)
        for block in after:
            lives[block] = replace(lives[block], last=count - 1)
        for memory in self._chip.memory:
            here = [live for block, live in lives.items() if block.memory == memory]
            spans = spans_of(here, self._chip.block_align(memory))
            nbytes = spans[:, 1] - spans[:, 0]
            taken[memory] = bytes_alive(spans, count)[:count]
            begun[memory] = np.bincount(spans[:, 2], nbytes, count).astype(np.int64).tolist()
            ended[memory] = np.bincount(spans[:, 3], nbytes, count).astype(np.int64).tolist()
        return taken, begun, ended


class _Order:
    """What each step must come behind: what makes its operands, and uses of what a load overwrites."""

    def __init__(self, steps: Steps, touches: Touches) -> None:
        loads = [place for place, step in enumerate(steps) if isinstance(step, Load | LoadRows)]
        blocks, begins = touches.first_blocks(), touches.begins()
        again = {int(blocks[place]) for place in loads if begins[blocks[place]] < place}
        self._again = {touches.blocks[number].name for number in again}  # loaded while they are in use
        self._used = defaultdict[str, list[tuple[int, int, int]]](list)  # bytes of them, by place
        self._loaded = dict[str, int]()  # where blocks were loaded last
        self._made = dict[str, int]()  # where blocks were loaded or computed last

    def before(self, place: int, step: Step) -> tuple[tuple[int, ...], int]:
        """Places of what a computation or a store needs; the last place that uses what a load overwrites."""
        if isinstance(step, View):
            return (), -1
        behind, needs = -1, tuple[int, ...]()
        if isinstance(step, Compute):
            names = dict.fromkeys([tile.block.name for tile in step.tiles if tile is not None])
            needs = tuple([self._loaded[name] for name in names if name in self._loaded])
        elif isinstance(step, Store):
            needs = (self._made[step.tile.block.name],) if step.tile.block.name in self._made else ()
        elif isinstance(step, Load):
            name = step.tile.block.name
            if name in self._again:
                low, high = bytes_of(step.tile)
                behind = max((user for user, a, b in self._used[name] if a < high and low < b), default=-1)
        made = written(step)
        if made is not None:
            self._made[made.block.name] = place
            if not isinstance(step, Compute):
                self._loaded[made.block.name] = place
        for tile in step.tiles if self._again else ():
            if tile is not None and tile.block.name in self._again:
                self._used[tile.block.name].append((place, *bytes_of(tile)))
        return needs, behind
