"""Loads in time: on several cores, activations come before constants that would hold them up, and only then.

in:   steps in the order of issue, every load as early as its block finds room
out:  the same steps, blocks where they were, loads in the order in which they can be served

Where cores wait for each other's activations, constants of later computations come first (`issue_order`).
That keeps the DRAM busy until the activations are stored.  But a core's loads are served in their order:
constants that are still to come then hold up the activations, and activations that are still to be stored
hold up constants for which there is room.

    issue      load w.0, load w.1, load w.2, load a        a is stored while w.0 is loaded
    in time    load w.0, load a, load w.1, load w.2        blocks stay where they are, w.1 lives from later on

The steps are run through: each core takes activations that are stored, else the next of its *free* loads (of
what no step has stored before), as soon as there is room for it.  The DRAM is shared by all that is moved at
a time.  Cores in lockstep have one order, that in which their leader takes loads.

The run is rough.  Where the prediction shows a core that waited for activations, these come later by as much
in the next round (`patience`): what is loaded too late costs the time of one load, what is waited for too
early lets the DRAM idle.
"""

from __future__ import annotations

from bisect import bisect
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.place.issue_order import Issue
from nnc.compiler.plan.place.predict import ComputationCycles, Times
from nnc.compiler.plan.step import Compute, Load, Step, Store, View
from nnc.isa.chip.description import Chip


def loads_in_time(graph: Graph, chip: Chip, issue: Issue, patience: Mapping[int, int]) -> Issue | None:
    """The steps with their loads in the order in which cores can have them served.

    Args:
        issue: the steps of leaders; blocks stay where they are.
        patience: cycles by which loads of activations come later than they seem to be ready, while there is
            something else to load; by their places in the order of demand.

    Returns:
        None if cores in lockstep find no common order.
    """
    run = _Run(graph, chip, issue, patience)
    run.all()
    return run.issue()


def waited_for(graph: Graph, chip: Chip, issue: Issue, times: Times) -> dict[int, int]:
    """Cycles that the read engine of a core stood still before loads of activations, by places of demand.

    Args:
        issue: the steps of leaders; times: when they begin and end.
    """
    free, waited = [0] * chip.cores, dict[int, int]()
    places = issue.touches.demanded.tolist()
    for place, step, begin, end in zip(places, issue.touches.order, times.begin, times.end, strict=True):
        if isinstance(step, Load):
            idle = begin - free[step.core]
            usual = 2 * chip.dram.latency  # that of a store, and of the load behind it
            if step.tile.tensor in graph.storage and idle > usual:
                waited[place] = idle
            for member in (step, *step.others):
                free[member.core] = max(free[member.core], end)
    return waited


@dataclass(slots=True)
class _Load:
    """A load of leaders.

    Attributes:
        place: in the order of issue; demanded: in that of demand.
        cores: to whose memories it writes; room: of each, how much of its work comes before there is room.
        work: how many steps that are no loads come before it; last: how many may, as they do not need it.
        stores: how many stores of its buffer come before it.
        turn: as the how manieth it was taken; negative: not yet.
    """

    place: int
    demanded: int
    step: Load
    cores: tuple[int, ...]
    room: tuple[int, ...]
    work: int
    stores: int
    last: int = 0
    turn: int = -1


@dataclass(slots=True)
class _Core:
    """What a core has to do in its order, and how far it is.

    Attributes:
        work: steps that are no loads, with their places; numbers: of each, how many of all cores come before.
        ends: when those that are begun end (infinite: a store that waits, or is under way).
        needed: loads to its memory in the order of demand; arrived: how many of them are known to be there.
        free, waiting: loads that it has to take, with its own step: free ones, and of activations.
        stores: when the next ones are ready, and their numbers in `work`.
        computed: when computations so far end; loaded: when loads that were needed so far had ended.
    """

    work: list[tuple[int, Step]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    needed: list[_Load] = field(default_factory=list)
    arrived: int = 0
    free: deque[tuple[_Load, Load]] = field(default_factory=deque)
    waiting: deque[tuple[_Load, Load]] = field(default_factory=deque)
    stores: deque[tuple[float, int]] = field(default_factory=deque)
    computed: float = 0.0
    loaded: float = 0.0


@dataclass(slots=True)
class _Buffer:
    """Stores of a buffer by demand: cores that are still to store each; how many are done, and since when."""

    stores: list[int] = field(default_factory=list)
    left: dict[int, int] = field(default_factory=dict)
    ended: dict[int, float] = field(default_factory=dict)
    done: int = 0
    since: float = 0.0

    def ready(self, count: int) -> float:
        """When the first so many stores are done; infinite: they are not yet."""
        while self.done < len(self.stores) and not self.left[self.stores[self.done]]:
            self.since = max(self.since, self.ended[self.stores[self.done]])
            self.done += 1
        return self.since if self.done >= count else inf


@dataclass(slots=True)
class _Transfer:
    """A transfer under way: bytes that are left, and which load it is, or the number of a store in `work`."""

    left: float
    load: _Load | None
    number: int = 0


class _Run:
    """The steps of all cores in time.  Times are cycles from 0."""

    def __init__(self, graph: Graph, chip: Chip, issue: Issue, patience: Mapping[int, int]) -> None:
        self._graph, self._chip, self._issue, self._patience = graph, chip, issue, patience
        self._cycles = ComputationCycles(chip)
        self._steps, self._demanded = issue.touches.order, issue.touches.demanded.tolist()
        self._cores = [_Core() for _ in range(chip.cores)]
        self._buffers = defaultdict[str, _Buffer](_Buffer)
        self._ended = dict[tuple[int, int], float]()  # when loads had ended, by place and core
        self._loads = list[_Load]()
        self._turns, self._now = 0, 0.0
        self._moved: dict[tuple[int, bool], _Transfer] = {}  # by core, and whether it is read
        self._list_work()

    def _list_work(self) -> None:
        """What every core has to do."""
        before = dict[int, int]()  # stores of its buffer, by place of a load of activations
        for place in np.argsort(self._demanded).tolist():
            step = self._steps[place]
            if isinstance(step, Load | Store) and step.tile.tensor in self._graph.storage:
                buffer = self._buffer(step)
                if isinstance(step, Store):
                    buffer.stores.append(place)
                    buffer.left[place] = 1 + len(step.others)
                else:
                    before[place] = len(buffer.stores)
        count = 0
        for place, step in enumerate(self._steps):
            members = (step, *step.others)
            if isinstance(step, Load):
                cores = step.receivers or tuple([member.core for member in members])
                room = tuple([len(self._cores[core].work) for core in cores])
                demanded, stores = self._demanded[place], before.get(place, 0)
                self._loads.append(_Load(place, demanded, step, cores, room, count, stores))
                continue
            for member in () if isinstance(step, View) else members:
                self._cores[member.core].work.append((place, member))
                self._cores[member.core].numbers.append(count)
            count += 1
        for load in self._loads:
            self._queue(load, count)

    def _queue(self, load: _Load, count: int) -> None:
        """Give a load to the cores that take it."""
        load.last = count
        for core in map(self._cores.__getitem__, load.cores):
            user = bisect(core.work, load.demanded, key=lambda work: self._demanded[work[0]])
            load.last = min([load.last, *core.numbers[user : user + 1]])
        for member in (load.step, *load.step.others):
            assert isinstance(member, Load)
            core = self._cores[member.core]
            (core.waiting if load.stores else core.free).append((load, member))

    def _buffer(self, step: Load | Store) -> _Buffer:
        return self._buffers[self._graph.storage[step.tile.tensor].buffer]

    def all(self) -> None:
        """Run until nothing can begin any more."""
        for load in sorted(self._loads, key=lambda load: load.demanded):
            for core in load.cores:
                self._cores[core].needed.append(load)
        for number in range(len(self._cores)):
            self._compute(number)
        while True:
            wake = min([self._begin(number) for number in range(len(self._cores))])
            if not self._moved and wake == inf:
                return
            rate = min(
                self._chip.dram.bytes_per_cycle / max(1, len(self._moved)),
                self._chip.dma.move_bytes_per_cycle,
            )
            least = min([transfer.left for transfer in self._moved.values()], default=inf)
            until = min(wake, self._now + least / rate)
            for key, transfer in [*self._moved.items()]:
                transfer.left -= (until - self._now) * rate
                if not round(transfer.left, 6):  # what is left are rounding errors
                    del self._moved[key]
                    self._end(key[0], transfer, until)
            self._now = until

    def issue(self) -> Issue | None:
        """The steps in the order in which loads were taken; None if some were not, or came too late."""
        first = [0] * len(self._cores)
        stands = [0.0] * len(self._steps)
        count = 0
        for place, step in enumerate(self._steps):
            stands[place] = count
            count += not isinstance(step, Load)
        turns = [0] * len(self._steps)
        for load in sorted(self._loads, key=lambda load: load.turn):
            touched = {*load.cores, load.step.core, *(member.core for member in load.step.others)}
            stand = max([load.work, *(first[core] for core in touched)])
            if load.turn < 0 or stand > load.last:
                return None
            for core in touched:
                first[core] = stand
            stands[load.place], turns[load.place] = stand - 0.5, load.turn
        order = np.lexsort((turns, stands)).tolist()
        return Issue(self._issue.touches.reordered(order), self._issue.offsets)

    def _compute(self, number: int) -> None:
        """Go on with the work of a core as far as the loads that it needs have ended."""
        core = self._cores[number]
        while len(core.ends) < len(core.work):
            place, step = core.work[len(core.ends)]
            while core.arrived < len(core.needed):
                needed = core.needed[core.arrived]
                if needed.demanded > self._demanded[place]:
                    break
                ended = self._ended.get((needed.place, number))
                if ended is None:
                    return
                core.loaded = max(core.loaded, ended)
                core.arrived += 1
            begin = max(core.computed, core.loaded)
            if isinstance(step, Store):
                core.stores.append((begin + self._chip.dram.latency, len(core.ends)))
                core.ends.append(inf)
            elif isinstance(step, Compute):
                core.computed = begin + self._cycles.of(step)
                core.ends.append(core.computed)
            else:  # rows of a table, or values: the read engine's, which are few
                core.loaded = begin + 2 * self._chip.dram.latency
                core.ends.append(core.loaded)

    def _begin(self, number: int) -> float:
        """Let a core begin the transfers that it can; when it can begin others."""
        core, wake = self._cores[number], inf
        if (number, True) not in self._moved:
            taken, wake = self._next(number)
            if taken is not None:
                queue = core.waiting if taken.stores else core.free
                _, member = queue.popleft()
                if taken.turn < 0:
                    taken.turn, self._turns = self._turns, self._turns + 1
                self._moved[number, True] = _Transfer(member.tile.type.nbytes, taken)
        if (number, False) not in self._moved and core.stores:
            ready, place = core.stores[0]
            if ready <= self._now:
                core.stores.popleft()
                step = core.work[place][1]
                assert isinstance(step, Store)
                self._moved[number, False] = _Transfer(step.tile.type.nbytes, None, place)
            else:
                wake = min(wake, ready)
        return wake

    def _next(self, number: int) -> tuple[_Load | None, float]:
        """The load that a core takes now, or when it can take one."""
        core = self._cores[number]
        heads = [queue[0] for queue in (core.waiting, core.free) if queue]
        if taken := [head for head in heads if head[0].turn >= 0]:  # the leader has: there is no choice
            load, member = min(taken, key=lambda head: head[0].turn)
            ready = self._ready(load, member)
            return (load, ready) if ready <= self._now else (None, ready)
        own = [(load, self._ready(load, member)) for load, member in heads if load.step.core == number]
        if len(own) > 1:  # neither may come behind a step that needs the other
            (waiting, _), (free, _) = own
            own = [
                (load, ready)
                for (load, ready), other in zip(own, (free, waiting), strict=True)
                if load.work <= other.last
            ]
        is_other_ready = any(ready <= self._now and not load.stores for load, ready in own)
        for load, ready in own:
            patience = self._patience.get(load.demanded, 0) if load.stores and is_other_ready else 0
            if ready + patience <= self._now:
                return load, ready
        return None, min([ready for _, ready in own if ready > self._now], default=inf)

    def _ready(self, load: _Load, member: Load) -> float:
        """When a core's load can be served, as far as room and stores are known; infinite if they are not."""
        ready = 0.0
        cores = zip(load.cores, load.room, strict=True)
        for core, room in cores if member.receivers else [pair for pair in cores if pair[0] == member.core]:
            ends = self._cores[core].ends
            if room > len(ends):
                return inf
            if room:
                ready = max(ready, ends[room - 1])
        if load.stores:
            ready = max(ready, self._buffer(member).ready(load.stores))
        return ready + self._chip.dram.latency

    def _end(self, number: int, transfer: _Transfer, now: float) -> None:
        """A transfer of a core has ended."""
        if transfer.load is not None:
            for receiver in transfer.load.step.receivers or (number,):
                self._ended[transfer.load.place, receiver] = now
                self._compute(receiver)
            return
        core = self._cores[number]
        core.ends[transfer.number] = now
        place, step = core.work[transfer.number]
        assert isinstance(step, Store)
        buffer = self._buffer(step)
        buffer.left[place] -= 1
        buffer.ended[place] = now
