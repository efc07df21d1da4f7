"""A run as a trace for Perfetto or chrome://tracing (the Trace Event Format).

One process per core with a track per engine, and one process of counters: bytes in use of every memory of
every core, bytes per cycle read from the DRAM and written to it.  Times are microseconds of the chip; every
slice carries its cycles, bytes, group, part, layer, and why the engine stood idle before it.  An arrow leads
to it from the instruction that the engine then waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from math import inf, nextafter
from typing import Any

from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline, stalls
from nnc.runtime.measure.dram_rate import dram_rates
from nnc.runtime.measure.live_blocks import bytes_in_use, live_blocks

Event = dict[str, Any]
_COUNTERS = 1000
"""Number of the process that holds the counters: above any core."""
_THREADS = 2000
"""Number of the first thread: above any process."""
_DIRECTIONS = {Engine.READ: "read, bytes per cycle", Engine.WRITE: "written, bytes per cycle"}
"""Names of the counters of the DRAM, by the engine whose transfers they count."""


def trace_of(program: Program, streams: Streams, timeline: Timeline) -> dict[str, Any]:
    """The trace of a run, as JSON data.

    Args:
        program: what ran.
        streams, timeline: its instruction streams and when each instruction issues and completes.
    """
    mhz = program.chip.clock_mhz
    events = [*_names(streams), *_slices(program, streams, timeline), *_waits(streams, timeline)]
    for cycle, rates in dram_rates(streams, timeline, program.chip.dram.bytes_per_cycle):
        events.append(
            _count("DRAM", cycle, {_DIRECTIONS[kind]: round(rate, 3) for kind, rate in rates.items()})
        )
    for (memory, core), changes in sorted(bytes_in_use(live_blocks(program, streams, timeline)).items()):
        for cycle, level in zip(
            sorted(changes), accumulate(changes[c] for c in sorted(changes)), strict=True
        ):
            events.append(_count(f"core {core} {memory}", cycle, {"bytes in use": level}))
    for event in events:
        if "dur" in event:
            end = _nanoseconds(event["ts"] + event["dur"], mhz)
            event["dur"] = _microseconds(end - _nanoseconds(event["ts"], mhz))
        if "ts" in event:
            event["ts"] = _microseconds(_nanoseconds(event["ts"], mhz))
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {
            "chip": program.chip.name,
            "clock_mhz": mhz,
            "cycles": timeline.total,
            "DRAM bytes per cycle": program.chip.dram.bytes_per_cycle,
        },
    }


def _nanoseconds(cycle: int, mhz: float) -> int:
    """Whole ones, rounded down: Perfetto counts in them, and drops slices that overlap by one."""
    return int(cycle * 1000 / mhz)


def _microseconds(nanoseconds: int) -> float:
    """As the format has times: the quotient, or the number next to it if that would be cut to less."""
    value = nanoseconds / 1000
    return value if int(value * 1000) == nanoseconds else nextafter(value, inf)


def _names(streams: Streams) -> Iterator[Event]:
    for core in sorted({core for core, _ in streams.keys}):
        yield {"ph": "M", "name": "process_name", "pid": core, "args": {"name": f"core {core}"}}
        yield {"ph": "M", "name": "process_sort_index", "pid": core, "args": {"sort_index": core}}
    for core, engine in streams.keys:
        yield {"ph": "M", "name": "thread_name", **_track(core, engine), "args": {"name": engine.value}}
    yield {"ph": "M", "name": "process_name", "pid": _COUNTERS, "args": {"name": "counters"}}


def _slices(program: Program, streams: Streams, timeline: Timeline) -> Iterator[Event]:
    """One slice per instruction: from the end of the one before it, or its issue, to its completion."""
    for stream, (core, engine) in enumerate(streams.keys):
        idle = {index: (cycles, reason) for index, cycles, reason in streams.stalls(timeline, stream)}
        free = 0
        for position, index in enumerate(streams.members[stream]):
            issued, task = program.issued[index], streams.tasks[stream][position]
            start, end = timeline.start[stream][position], timeline.end[stream][position]
            begin = max(start, free)
            arguments: Event = {
                "instruction": streams.label(index),
                "group": issued.note.group,
                "part": issued.note.part,
                "layer": issued.note.layer,
                "issued at cycle": start,
                "cycles": end - begin,
            }
            if task.dram_bytes:
                arguments["bytes"] = task.dram_bytes
            if index in idle:
                arguments["idle cycles before"], arguments["waited for"] = idle[index]
            yield {
                "ph": "X",
                "name": issued.instruction.mnemonic,
                "cat": engine.value,
                **_track(core, engine),
                "ts": begin,
                "dur": end - begin,
                "args": arguments,
            }
            free = end


def _waits(streams: Streams, timeline: Timeline) -> Iterator[Event]:
    """An arrow per stall: from the instruction that was waited for last to the one that waited.

    Its ends lie inside the slices that they belong to: the last cycle of the first, the issue of the other.
    """
    number = 0
    for stream, place in enumerate(streams.keys):
        for stall in stalls(streams.tasks, timeline, stream):
            arrow = {"name": "wait", "cat": "wait", "id": number}
            last = timeline.end[stall.blocker][stall.awaited] - 1
            yield {"ph": "s", **arrow, **_track(*streams.keys[stall.blocker]), "ts": last}
            yield {
                "ph": "f",
                "bp": "e",
                **arrow,
                **_track(*place),
                "ts": timeline.start[stream][stall.position],
            }
            number += 1


def _track(core: int, engine: Engine) -> Event:
    """The process and the thread of an engine.

    Perfetto takes a thread number for the same thread wherever it appears, and one that is a process number
    for the main thread of that process, so that all of them differ.
    """
    return {"pid": core, "tid": _THREADS + len(ENGINES) * core + ENGINES.index(engine)}


def _count(name: str, cycle: int, values: Mapping[str, float]) -> Event:
    """Counters of one name from a cycle on; viewers stack them."""
    return {"ph": "C", "name": name, "pid": _COUNTERS, "ts": cycle, "args": dict(values)}
