"""The event scheduler: in-order streams of tasks in, a timeline in cycles out.  Integers only.

Planner and simulator use this one function, the planner before any instruction exists; hence a task is only a
duration or a number of bytes, and what it waits for.  The rules:

* A stream is one engine of one core.  A task issues in the first cycle in which the tasks it waits for have
  completed, all earlier tasks of its stream have issued, and the engine has room: the compute engine holds
  one task at a time, a DMA engine up to ``dma.in_flight``.
* The tasks of a stream are served one at a time, in order.  A task of fixed duration is served for its
  cycles.  A DRAM transfer can be served from ``dram.latency`` cycles after its issue on (and its `delay`, if
  its time is not that of the chip: see ``jitter``), so that the latency of one is hidden behind the service
  of those before it.
* In every cycle the bytes per cycle of the DRAM are divided equally among the transfers then being served,
  one per stream at most.  The last byte of a transfer moves at the end of a cycle; what is left of its share
  of that cycle is lost.  It completes then, but no earlier than its cycles after the start of its service:
  its engine reads or writes the on-chip side no faster, and takes none of the DRAM's bandwidth meanwhile.

Shares are exact: a byte counts as lcm(1 … number of DMA streams) units, which every number of sharers
divides.  Between two events all sharers progress alike, so one counter of units (`_progress`) serves for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import accumulate, pairwise
from math import lcm

from nnc.isa.chip.description import Chip
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import Engine
from nnc.isa.record import record

_SHOWN_HEADS = 8


@record(frozen=True, slots=True)
class Task:
    """A piece of work of one engine: a DRAM transfer if `dram_bytes` > 0, else of fixed duration.

    `cycles` is the duration of fixed work, and the least of a transfer, without the latency; only DMA streams
    hold transfers.  Each of `waits` is (stream, position): the tasks 0 … position of that stream must have
    completed.  `delay` are cycles that a transfer is ready later than the latency of the DRAM says (negative:
    earlier).
    """

    cycles: int = 0
    dram_bytes: int = 0
    waits: tuple[tuple[int, int], ...] = ()
    delay: int = 0


@dataclass(frozen=True, slots=True)
class Timeline:
    """When every task of every stream issued, began to be served and completed, in cycles from 0."""

    start: list[list[int]]
    begin: list[list[int]]
    end: list[list[int]]

    @property
    def total(self) -> int:
        """Cycles until the last task has completed."""
        return max((ends[-1] for ends in self.end if ends), default=0)

    def busy(self, stream: int) -> int:
        """Cycles in which the stream had at least one task issued and not yet completed."""
        cycles = last = 0
        for start, end in zip(self.start[stream], self.end[stream], strict=True):
            cycles += end - max(start, last)
            last = end
        return cycles


def spans_of_groups(ends: Iterable[tuple[int, int]], count: int) -> list[int]:
    """Cycles of consecutive groups: from the end of the last task of those before to that of each.

    Args:
        ends: (group, end) of every task; tasks of no group have a negative number.
        count: number of groups.
    """
    last = [0] * count
    for group, end in ends:
        if group >= 0:
            last[group] = max(last[group], end)
    reached = list(accumulate(last, max, initial=0))
    return [end - start for start, end in pairwise(reached)]


@dataclass(frozen=True, slots=True)
class Stall:
    """Idle cycles of a stream before one of its tasks, and what it waited for.

    Attributes:
        position: of the task that waited.
        blocker, awaited: stream and position of the task that it waited for last.
    """

    position: int
    cycles: int
    blocker: int
    awaited: int


def schedule(
    streams: Sequence[Sequence[Task]], chip: Chip, *, engines: Sequence[Engine], names: Sequence[str] = ()
) -> Timeline:
    """Find out when each task issues and completes; the module's docstring gives the rules.

    Args:
        streams: the tasks of each engine, in order.
        chip: gives bandwidth, latency and transfers in flight.
        engines: the kind of engine of each stream.
        names: prefixes of task numbers in the error message, such as ``k0.r`` for k0.r7.

    Raises:
        ProgramInvalidError: the streams wait for each other or for tasks that do not exist.
    """
    scheduler = _Scheduler(streams, chip, engines)
    scheduler.run()
    if any(done < len(stream) for done, stream in zip(scheduler.done, streams, strict=True)):
        raise _deadlock(streams, scheduler.done, names or [f"s{i}." for i in range(len(streams))])
    return Timeline(scheduler.start, scheduler.begin, scheduler.end)


def stalls(streams: Sequence[Sequence[Task]], timeline: Timeline, stream: int) -> list[Stall]:
    """The idle times of a stream between its tasks; cycles 0 to its first task included.

    What a task waited for is the one that completed last (of several, the first in its list).
    """
    idle_times = []
    free = 0
    times = zip(streams[stream], timeline.start[stream], timeline.end[stream], strict=True)
    for position, (task, start, end) in enumerate(times):
        if start > free:
            blocker, awaited = next(
                (peer, index)
                for peer, index in task.waits
                if index >= 0 and timeline.end[peer][index] == start
            )
            idle_times.append(Stall(position, start - free, blocker, awaited))
        free = end
    return idle_times


class _Scheduler:
    """The state between two events.  Per stream: how many tasks have issued, how many are done."""

    def __init__(self, streams: Sequence[Sequence[Task]], chip: Chip, engines: Sequence[Engine]) -> None:
        count = len(streams)
        self._streams = streams
        self._room = [1 if engine is Engine.COMPUTE else chip.dma.in_flight for engine in engines]
        self._latency = chip.dram.latency
        self._issued = [0] * count
        self._blocked = [False] * count
        self._waiters: list[list[tuple[int, int]]] = [
            [] for _ in streams
        ]  # per stream: (position, who waits)
        self._now = 0
        self._events: list[tuple[int, int]] = []  # heap of (cycle, stream): head is ready, or has completed
        sharers = sum(engine is not Engine.COMPUTE for engine in engines)
        self._unit = lcm(*range(1, sharers + 1))
        self._rates = [0] + [chip.dram.bytes_per_cycle * self._unit // n for n in range(1, sharers + 1)]
        self._progress = 0  # units that a transfer served since cycle 0 would have got
        self._served: list[tuple[int, int]] = []  # heap of (progress at which its last byte moves, stream)
        self._earliest = [0] * count  # cycle in which the transfer in service may complete, 0 if none is
        self.done = [0] * count
        self.start: list[list[int]] = [[] for _ in streams]
        self.begin: list[list[int]] = [[] for _ in streams]
        self.end: list[list[int]] = [[] for _ in streams]

    def run(self) -> None:
        """Go from event to event until none is left."""
        events, served, rates, streams, done = (
            self._events,
            self._served,
            self._rates,
            self._streams,
            self.done,
        )
        for stream in range(len(streams)):
            self._issue(stream)
        while events or served:
            rate = rates[len(served)]
            if served:
                cycle = self._now - (self._progress - served[0][0]) // rate  # rounded up
                if events and events[0][0] < cycle:
                    cycle = events[0][0]
                self._progress += (cycle - self._now) * rate
            else:
                cycle = events[0][0]
            self._now = cycle
            while served and served[0][0] <= self._progress:
                stream = heappop(served)[1]
                if self._earliest[stream] > cycle:
                    heappush(events, (self._earliest[stream], stream))
                else:
                    self._complete(stream)
            while events and events[0][0] == cycle:
                stream = heappop(events)[1]
                task = streams[stream][done[stream]]
                if task.dram_bytes and not self._earliest[stream]:
                    self._serve(stream, task)
                else:
                    self._complete(stream)

    def _issue(self, stream: int) -> None:
        """Issue as many tasks of the stream as waits and room allow."""
        if self._blocked[stream]:
            return
        tasks, done = self._streams[stream], self.done
        position = self._issued[stream]
        last = min(len(tasks), done[stream] + self._room[stream])
        while position < last:
            for peer, index in tasks[position].waits:
                if done[peer] <= index:
                    self._blocked[stream] = True
                    self._waiters[peer].append((index, stream))
                    return
            self.start[stream].append(self._now)
            self._issued[stream] = position + 1
            if position == done[stream]:
                self._begin(stream, tasks[position], self._now)
            position += 1

    def _begin(self, stream: int, task: Task, issued: int) -> None:
        """The task has become the head of its stream: serve it when it is ready."""
        if not task.dram_bytes:
            self.begin[stream].append(self._now)
            heappush(self._events, (self._now + task.cycles, stream))
            return
        ready = issued + self._latency + task.delay
        if ready > self._now:
            heappush(self._events, (ready, stream))
        else:
            self._serve(stream, task)

    def _serve(self, stream: int, task: Task) -> None:
        """From now on the transfer gets its share of the bandwidth."""
        self.begin[stream].append(self._now)
        self._earliest[stream] = self._now + task.cycles
        heappush(self._served, (self._progress + task.dram_bytes * self._unit, stream))

    def _complete(self, stream: int) -> None:
        """The head of the stream has completed: serve the next, wake who waited for it, issue more."""
        self.end[stream].append(self._now)
        self._earliest[stream] = 0
        self.done[stream] = position = self.done[stream] + 1
        if position < self._issued[stream]:
            self._begin(stream, self._streams[stream][position], self.start[stream][position])
        waiters = self._waiters[stream]
        if waiters:
            self._waiters[stream] = [waiter for waiter in waiters if waiter[0] >= position]
            for index, peer in waiters:
                if index < position:
                    self._blocked[peer] = False
                    self._issue(peer)
        self._issue(stream)


def _deadlock(
    streams: Sequence[Sequence[Task]], done: Sequence[int], names: Sequence[str]
) -> ProgramInvalidError:
    heads = []
    for stream, position in enumerate(done):
        if position < len(streams[stream]):
            unmet = [
                f"{names[peer]}{index}"
                for peer, index in streams[stream][position].waits
                if done[peer] <= index
            ]
            heads.append(f"{names[stream]}{position} waits for {', '.join(unmet)}")
    more = f" and {len(heads) - _SHOWN_HEADS} more" if len(heads) > _SHOWN_HEADS else ""
    return ProgramInvalidError(
        "deadlock: no instruction can proceed",
        where=heads[0].split()[0],
        found="; ".join(heads[:_SHOWN_HEADS]) + more,
        expected="waits that follow one order of all engines, for instructions that exist",
    )
