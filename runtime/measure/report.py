"""What a run costs: cycles, utilisation, stalls, DRAM traffic."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from nnc.isa.instruction import Engine
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.measure.ledger import Ledger


@dataclass(frozen=True)
class EngineUse:
    """One engine of one core: instructions, cycles with work in it, and that as a share of all cycles."""

    core: int
    engine: str
    instructions: int
    busy: int
    utilisation: float


@dataclass(frozen=True)
class Report:
    """One run of a program.

    `stalls` are idle cycles of the compute engines between their instructions, by what they waited for
    (dram, compute, write, other core), summed over the cores; `dram_utilisation` is the share of the DRAM's
    bandwidth that the run used.
    """

    chip: str
    cycles: int
    microseconds: float
    engines: tuple[EngineUse, ...]
    stalls: dict[str, int]
    dram_bytes: int
    dram_causes: dict[str, int]
    dram_utilisation: float

    def to_json(self) -> dict[str, object]:
        """The report as plain data."""
        return asdict(self)


def make_report(program: Program, streams: Streams, timeline: Timeline, ledger: Ledger) -> Report:
    """Summarise a schedule and its ledger."""
    chip, cycles = program.chip, timeline.total
    span = max(1, cycles)
    engines = []
    stalls: dict[str, int] = {}
    for stream, (core, engine) in enumerate(streams.keys):
        busy = timeline.busy(stream)
        engines.append(EngineUse(core, engine.value, len(streams.members[stream]), busy, busy / span))
        if engine is Engine.COMPUTE:
            for _, idle, reason in streams.stalls(timeline, stream):
                stalls[reason] = stalls.get(reason, 0) + idle
    engines.sort(key=lambda use: (use.core, [e.value for e in Engine].index(use.engine)))
    return Report(
        chip=chip.name,
        cycles=cycles,
        microseconds=cycles / chip.clock_mhz,
        engines=tuple(engines),
        stalls=dict(sorted(stalls.items())),
        dram_bytes=ledger.total,
        dram_causes=dict(ledger.whole),
        dram_utilisation=ledger.total / (span * chip.dram.bytes_per_cycle),
    )
