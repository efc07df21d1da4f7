"""A run as a trace for Perfetto or chrome://tracing (the Trace Event Format).

One process per core with a track per engine, and one process of counters.  Times are microseconds of the
chip; every slice carries its cycles, bytes, group, part, layer, and why the engine stood idle before it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.measure.live_blocks import bytes_in_use, live_blocks

Event = dict[str, Any]
_COUNTERS = 1000
"""Number of the process that holds the counters: above any core."""


def trace_of(program: Program, streams: Streams, timeline: Timeline) -> dict[str, Any]:
    """The trace of a run, as JSON data.

    Args:
        program: what ran.
        streams, timeline: its instruction streams and when each instruction issues and completes.
    """
    mhz = program.chip.clock_mhz
    events = [*_names(streams), *_slices(program, streams, timeline)]
    events += _counter("DRAM", "bytes per cycle", _bandwidth(streams, timeline))
    for (memory, core), changes in sorted(bytes_in_use(live_blocks(program, streams, timeline)).items()):
        events += _counter(f"core {core} {memory}", "bytes in use", changes)
    for event in events:
        for key in ("ts", "dur"):
            if key in event:
                event[key] = event[key] / mhz
    return {
        "traceEvents": events,
        "displayTimeUnit": "ns",
        "otherData": {"chip": program.chip.name, "clock_mhz": mhz, "cycles": timeline.total},
    }


def _names(streams: Streams) -> Iterator[Event]:
    for core in sorted({core for core, _ in streams.keys}):
        yield {"ph": "M", "name": "process_name", "pid": core, "args": {"name": f"core {core}"}}
        yield {"ph": "M", "name": "process_sort_index", "pid": core, "args": {"sort_index": core}}
    for core, engine in streams.keys:
        tid = ENGINES.index(engine)
        yield {"ph": "M", "name": "thread_name", "pid": core, "tid": tid, "args": {"name": engine.value}}
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
                "pid": core,
                "tid": ENGINES.index(engine),
                "ts": begin,
                "dur": end - begin,
                "args": arguments,
            }
            free = end


def _counter(name: str, unit: str, changes: Mapping[int, float]) -> Iterator[Event]:
    """A counter that changes by some amounts at some cycles."""
    value = 0.0
    for cycle, change in sorted(changes.items()):
        value += change
        yield {"ph": "C", "name": name, "pid": _COUNTERS, "ts": cycle, "args": {unit: round(value, 3)}}


def _bandwidth(streams: Streams, timeline: Timeline) -> dict[int, float]:
    """Bytes per cycle of the DRAM: those of each transfer, spread over the time in which it is served."""
    changes: dict[int, float] = defaultdict(float)
    for stream, (_, engine) in enumerate(streams.keys):
        if engine is Engine.COMPUTE:
            continue
        for task, begin, end in zip(
            streams.tasks[stream], timeline.begin[stream], timeline.end[stream], strict=True
        ):
            if task.dram_bytes:
                rate = task.dram_bytes / (end - begin)
                changes[begin] += rate
                changes[end] -= rate
    return changes
