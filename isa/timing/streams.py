"""From a program to the scheduler's streams: `timing(program)` is the time a program takes."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import Engine
from nnc.isa.program import Program
from nnc.isa.timing.cost import cycles, dram_bytes, is_transfer
from nnc.isa.timing.jitter import jittered
from nnc.isa.timing.timeline import Task, Timeline, schedule, stalls

StreamKey = tuple[int, Engine]
"""Core and engine: the name of an in-order instruction stream."""


def label(core: int, engine: Engine, index: int) -> str:
    """Name of an instruction in program text and messages: k2.w4 is the fifth of core 2's write engine."""
    return f"k{core}.{engine.value[0]}{index}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where the instructions of a program stand in their streams, streams numbered by first appearance.

    `members[s][p]` is the index in ``Program.issued`` of the instruction at position p of stream s, and
    `places[i]` the (stream, position) of instruction i.
    """

    keys: tuple[StreamKey, ...]
    members: list[list[int]]
    places: list[tuple[int, int]]

    def label(self, index: int) -> str:
        """The name of instruction `index` of the program, such as k0.r7."""
        stream, position = self.places[index]
        return label(*self.keys[stream], position)


def places_of(program: Program) -> Places:
    """Number the streams of a program and the instructions in them."""
    numbers: dict[StreamKey, int] = {}
    members: list[list[int]] = []
    places = []
    for i, item in enumerate(program.issued):
        number = numbers.setdefault((item.core, item.instruction.engine), len(numbers))
        if number == len(members):
            members.append([])
        places.append((number, len(members[number])))
        members[number].append(i)
    return Places(tuple(numbers), members, places)


@dataclass(frozen=True, slots=True)
class Streams(Places):
    """The instruction streams of a program as tasks: `tasks[s][p]` is that of ``members[s][p]``."""

    tasks: list[list[Task]]

    @property
    def engines(self) -> list[Engine]:
        """The kind of engine of each stream."""
        return [engine for _, engine in self.keys]

    def stalls(self, timeline: Timeline, stream: int) -> list[tuple[int, int, str]]:
        """Idle times of a stream as (instruction index, cycles, reason).

        The reason is 'dram' (it waited for a read engine, of any core), else 'other core', else the engine of
        its own core that it waited for: 'compute' or 'write'.
        """
        core = self.keys[stream][0]
        idle_times = []
        for stall in stalls(self.tasks, timeline, stream):
            blocking_core, engine = self.keys[stall.blocker]
            reason = (
                "dram" if engine is Engine.READ else engine.value if blocking_core == core else "other core"
            )
            idle_times.append((self.members[stream][stall.position], stall.cycles, reason))
        return idle_times


def tasks_of(program: Program) -> Streams:
    """The streams of a program, in order of first appearance.

    Raises:
        ProgramInvalidError: an instruction waits for an engine that has no instructions.
    """
    places = places_of(program)
    numbers = {key: number for number, key in enumerate(places.keys)}
    tasks = [[_task(program, i, numbers) for i in stream] for stream in places.members]
    return Streams(places.keys, places.members, places.places, tasks)


def _task(program: Program, index: int, numbers: dict[StreamKey, int]) -> Task:
    item = program.issued[index]
    waits = []
    for wait in item.waits:
        number = numbers.get((wait.core, wait.engine))
        if number is None:
            raise ProgramInvalidError(
                "an instruction waits for an engine that has no instructions",
                where=f"instruction {index} ({item.instruction.mnemonic})",
                found=f"@{label(wait.core, wait.engine, wait.index)}",
            )
        waits.append((number, wait.index))
    chip, instruction = program.chip, item.instruction
    nbytes = dram_bytes(instruction, chip) if is_transfer(instruction) else 0
    return Task(cycles(instruction, chip), nbytes, tuple(waits))


def timing(program: Program, jitter: int | None = None) -> tuple[Streams, Timeline]:
    """Schedule a program: its streams and when each of their instructions issues and completes.

    Args:
        program: stays unchanged.
        jitter: seed of a random timing of the transfers; None: they take what the chip says.

    Raises:
        ProgramInvalidError: the program deadlocks or waits for what does not exist.
    """
    streams, chip = tasks_of(program), program.chip
    tasks = streams.tasks if jitter is None else jittered(streams.tasks, chip.dram.latency, jitter)
    names = [label(core, engine, 0)[:-1] for core, engine in streams.keys]
    return streams, schedule(tasks, chip, engines=streams.engines, names=names)
