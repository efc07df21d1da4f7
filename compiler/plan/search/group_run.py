"""When the tasks of a group would run: three engines, one DRAM, and memory that bounds how loads run ahead.

in:   the tasks of a group in the order of demand, how the group before it ended, the chip
out:  cycles from the end of that group to the end of this one, and how this one ends (`End`)

    read      load a.0   load a.1   load a.2      a load starts when tasks before it leave memory free,
    compute              a.0        a.1           a computation when its loads are there, the one before is
    write                           store a.0     done, and stores have left room for its result

What a group hands to the next: since when memory has been free, when the DRAM was idle, what is still stored.
No block has a place yet: free bytes count as if they lay in one piece.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.search.dram_times import DramEnd, DramTimes
from nnc.compiler.plan.search.group_tasks import GroupTask, GroupTasks
from nnc.compiler.tuning import TUNING
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Engine
from nnc.isa.record import record


@record(frozen=True, slots=True)
class End:
    """How a group leaves the chip; times in cycles, 0 is when its last transfer or computation ends.

    Attributes:
        computed: end of its last computation; dram: of its transfers.
        places: of the last places in the order of demand: when they begin, and by memory the bytes that are
            free then.
    """

    computed: int = 0
    dram: DramEnd = DramEnd()
    places: tuple[tuple[int, ...], ...] = ()


START = End()
"""Nothing was before."""


def run_group(work: GroupTasks, chip: Chip, before: End = START) -> tuple[int, End]:
    """Cycles of a group behind another one, and how it ends."""
    return _Run(work, chip, before).run()


@dataclass(frozen=True, slots=True)
class _Load:
    """A load that is issued before a place, from which on its bytes are free, and so many beside them."""

    first: int
    beside: int
    task: GroupTask


class _Run:
    """Runs through the tasks; places are counted from the first one of the group before that counts here."""

    def __init__(self, work: GroupTasks, chip: Chip, before: End) -> None:
        self._work, self._past = work, len(before.places)
        self._dram = DramTimes(chip, work.cores, before.dram)
        self._rows_from = float(before.dram.stored)
        self._may_overtake = chip.cores > 1
        self._free = self._free_bytes(chip, before)
        self._count = self._past + len(work.taken[next(iter(work.taken))])
        self._now = np.full(work.cores, float(before.computed))  # when each core has computed
        self._begins = [float(place[0]) for place in before.places]

    def _free_bytes(self, chip: Chip, before: End) -> dict[str, Ints]:
        """By memory, bytes that are free at each place."""
        free = {}
        for number, (name, memory) in enumerate(chip.memory.items(), 1):
            left = [place[number] for place in before.places]
            free[name] = np.concatenate(
                [np.array(left, dtype=np.int64), memory.bytes - self._work.taken[name]]
            )
        return free

    def run(self) -> tuple[int, End]:
        """Cycles until all is done, and how it ends."""
        loads = self._ahead()
        waiting, done = 0, self._past
        ends = dict[int, float]()  # of loads, and of computations on the average of the cores
        for task in self._work.tasks:
            place = self._past + task.place
            self._begins += [float(self._now.max())] * (place + 1 - done)
            done = place + 1
            while waiting < len(loads) and loads[waiting].first <= place:
                load = loads[waiting]
                ends[load.task.place] = self._load(load)
                waiting += 1
            if task.engine is Engine.COMPUTE:
                room = self._stored(task, int(self._free[task.memory][place]))
                ready = max([room, *(ends[load] for load in task.needs)])
                self._now = np.maximum(self._now, ready) + task.cycles
                ends[task.place] = float(self._now.mean())
            elif task.engine is Engine.WRITE:
                ready = max([ends[made] for made in task.needs], default=float(self._now.mean()))
                self._dram.store(task.moved, ready, task.leaves)
        self._begins += [float(self._now.max())] * (self._count - done)
        return self._end()

    def _load(self, load: _Load) -> float:
        """Move what a load brings, from a place on where its bytes are free; the end."""
        task, ready = load.task, self._begins[load.first]
        if task.of_rows:
            ready = max(ready, self._rows_from)
        ready = max(ready, self._stored(task, load.beside))
        return self._dram.load(task.moved, ready, int(task.cycles.max()))

    def _stored(self, task: GroupTask, free: int) -> float:
        """When stores have left the place of what a task makes, beside which so many bytes are free."""
        if not task.room or task.memory not in self._work.of_stores:
            return float("-inf")
        return self._dram.stored_but(free)

    def _ahead(self) -> list[_Load]:
        """Loads in the order in which they are issued.

        Each takes its bytes from the first place on where they are free until it is demanded.
        """
        floors, loads = {True: 0, False: 0}, list[_Load]()
        free_ahead = {name: free.copy() for name, free in self._free.items()}
        for task in self._work.tasks:
            if task.engine is not Engine.READ:
                continue
            place, free = self._past + task.place, free_ahead[task.memory]
            overtakes = self._may_overtake and not task.of_rows
            lowest = max(floors[overtakes], place - TUNING.place.max_steps_ahead)
            if task.behind >= 0:
                lowest = max(lowest, self._past + task.behind + 1)
            first, beside = min(lowest, place), int(free[place])
            if task.room and first < place:
                blocked = np.flatnonzero(free[first:place] < task.room)
                if len(blocked):
                    first += int(blocked[-1]) + 1
                free[first:place] -= task.room
                beside = int(free[first : place + 1].min())
            floors[overtakes] = first
            if not self._may_overtake:
                floors[True] = floors[False] = first
            loads.append(_Load(first, beside, task))
        return sorted(loads, key=lambda load: (load.first, load.task.place))

    def _end(self) -> tuple[int, End]:
        computed = float(self._now.max())
        done = round(max(computed, self._dram.last))
        first = max(0, self._count - TUNING.estimates.end_places)
        columns = [free[first:].tolist() for free in self._free.values()]
        begins = [round(begin) - done for begin in self._begins[first:]]
        places = tuple(zip(begins, *columns, strict=True))
        return done, End(round(computed) - done, self._dram.end(done), places)
