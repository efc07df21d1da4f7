"""How full the memories of a chip are, and how busy its engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nnc.isa.instruction import ENGINES, Engine
from nnc.report.measured import Measured
from nnc.report.schema import EngineReport, MemoryReport
from nnc.runtime.measure.live_blocks import PeakBytes, bytes_in_use

if TYPE_CHECKING:
    from nnc.report.known import Known


def memory_reports(measured: Measured, knowledge: Known | None) -> dict[str, MemoryReport]:
    """How full the memories are: as they were planned, or as a program by itself shows."""
    if knowledge is not None:
        return {name: MemoryReport(**figures) for name, figures in knowledge.memory.items()}
    program, reports = measured.program, {}
    live = dict.fromkeys(program.chip.memory, 0)
    for (memory, _), changes in bytes_in_use(measured.blocks).items():
        (peak,) = PeakBytes(changes).over([0], [measured.timeline.total])
        live[memory] = max(live[memory], peak)
    for name, reach in program.reach.items():
        if reach:
            reports[name] = MemoryReport(
                bytes=program.chip.memory[name].bytes,
                peak_bytes=reach,
                live_bytes=live[name],
                fragmentation=round(1 - live[name] / reach, 4),
            )
    return reports


def engine_reports(measured: Measured) -> list[EngineReport]:
    """The engines that have instructions, by core and kind."""
    streams, timeline = measured.streams, measured.timeline
    span = max(1, timeline.total)
    keys = sorted(range(len(streams.keys)), key=lambda i: (streams.keys[i][0], _rank(streams.keys[i][1])))
    return [
        EngineReport(
            core=streams.keys[stream][0],
            engine=streams.keys[stream][1].value,
            instructions=len(streams.members[stream]),
            busy_cycles=timeline.busy(stream),
            utilisation=round(timeline.busy(stream) / span, 4),
        )
        for stream in keys
    ]


def _rank(engine: Engine) -> int:
    return ENGINES.index(engine)
