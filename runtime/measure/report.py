"""What a run costs: cycles, utilisation, stalls, DRAM traffic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from nnc.isa.instruction import Engine
from nnc.isa.program import Program, fact_of_group
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline, spans_of_groups
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
class Estimated:
    """What the compiler's search counted on, before there was any instruction."""

    cycles: int
    dram_bytes: int


@dataclass(frozen=True)
class GroupUse:
    """A layer group as it ran: cycles from the end of the groups before it to its own, and DRAM bytes.

    `estimated` is None if the program does not say.
    """

    cycles: int
    dram_bytes: int
    estimated: Estimated | None


@dataclass(frozen=True)
class Report:
    """One run of a program.

    `stalls` are idle cycles of the compute engines between their instructions, by what they waited for
    (dram, compute, write, other core), summed over the cores; `dram_utilisation` is the share of the DRAM's
    bandwidth that the run used.  `groups` are the layer groups of the debug section, `estimated` is what the
    compiler's search counted on for all of them.
    """

    chip: str
    cycles: int
    microseconds: float
    engines: tuple[EngineUse, ...]
    stalls: dict[str, int]
    dram_bytes: int
    dram_causes: dict[str, int]
    dram_utilisation: float
    groups: tuple[GroupUse, ...] = ()
    estimated: Estimated | None = None

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
        groups=_group_uses(program, streams, timeline, ledger),
        estimated=_estimated(program.facts, "estimated_cycles", "estimated_dram_bytes"),
    )


def _group_uses(
    program: Program, streams: Streams, timeline: Timeline, ledger: Ledger
) -> tuple[GroupUse, ...]:
    """What each layer group of the debug section took."""
    tasks = zip(streams.members, timeline.end, strict=True)
    ends = (
        (program.issued[index].note.group, end)
        for members, times in tasks
        for index, end in zip(members, times, strict=True)
    )
    spans = spans_of_groups(ends, len(program.groups))
    return tuple(
        GroupUse(
            cycles,
            sum(ledger.groups.get(number, {}).values()),
            _estimated(
                program.facts,
                fact_of_group("estimated_cycles", number),
                fact_of_group("estimated_dram_bytes", number),
            ),
        )
        for number, cycles in enumerate(spans)
    )


def _estimated(facts: Mapping[str, int], cycles: str, dram_bytes: str) -> Estimated | None:
    """An estimate by the names of its facts; None if the program does not have them."""
    if cycles not in facts or dram_bytes not in facts:
        return None
    return Estimated(facts[cycles], facts[dram_bytes])
