"""The report of a program with a host: its segments, why nodes are the host's, and the tensors that cross."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import Field

from nnc.isa.hosted import ChipSegment, HostedProgram, HostSegment
from nnc.report.entries import Entry
from nnc.report.schema import Report
from nnc.runtime.hosted_session import Crossing


class HostNodeReport(Entry):
    """A node of the model that the host computes."""

    name: str
    operator: str
    reason: str = Field(description="why it is not the chip's")


class SegmentReport(Entry):
    """What one side computes before the other one goes on."""

    side: Literal["chip", "host"]
    entry: str | None = Field(description="name of the chip's program; null for a host's segment")
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    nodes: tuple[HostNodeReport, ...] = Field(description="of the host; none for a chip's segment")
    report: Report | None = Field(description="of the chip's program; null for a host's segment")


class CrossingReport(Entry):
    """A tensor that one segment makes and others read."""

    name: str
    maker: int = Field(description="number of a segment")
    readers: tuple[int, ...]
    bytes: int | None = Field(description="null where a shape is known only at run time, and nothing ran yet")


class HostedReport(Entry):
    """A program with a host, compiled or run."""

    segments: tuple[SegmentReport, ...]
    crossings: tuple[CrossingReport, ...]
    cycles: int = Field(description="of all segments of the chip, one after the other")
    dram_bytes: int = Field(description="that the chip moves")
    host_bytes: int = Field(description="of these, of tensors that the host makes or reads (cause host)")
    host_seconds: float | None = Field(description="wall time of the host's segments, here; null: none ran")
    outputs: dict[str, dict[str, Any]] | None = Field(description="figures of each; null: nothing ran")
    check: dict[str, Any] | None = Field(description="the verdict beside a model, if there is one")


def hosted_report(
    hosted: HostedProgram,
    reports: Mapping[str, Report],
    crossings: Iterable[Crossing] | None = None,
    *,
    host_seconds: float | None = None,
    outputs: dict[str, dict[str, Any]] | None = None,
    check: dict[str, Any] | None = None,
) -> HostedReport:
    """The report of a program with a host.

    Args:
        reports: of the chip's programs, by entry.
        crossings: of a run; None: there was none, and bytes are those that programs know.
        host_seconds, outputs, check: of a run.
    """
    figures = [report.network.figures.dram for report in reports.values()]
    return HostedReport(
        segments=tuple(_segment(hosted, segment, reports) for segment in hosted.segments),
        crossings=tuple(_compiled_crossings(hosted) if crossings is None else map(_crossing, crossings)),
        cycles=sum(report.network.cycles for report in reports.values()),
        dram_bytes=sum(traffic.total_bytes for traffic in figures),
        host_bytes=sum(traffic.by_cause["host"] for traffic in figures),
        host_seconds=host_seconds,
        outputs=outputs,
        check=check,
    )


def _segment(
    hosted: HostedProgram, segment: ChipSegment | HostSegment, reports: Mapping[str, Report]
) -> SegmentReport:
    reads, makes = hosted.reads(segment), hosted.makes(segment)
    if isinstance(segment, ChipSegment):
        report = reports[segment.entry]
        return SegmentReport(
            side="chip", entry=segment.entry, reads=reads, makes=makes, nodes=(), report=report
        )
    nodes = tuple(HostNodeReport(name=n.name, operator=n.operator, reason=n.reason) for n in segment.nodes)
    return SegmentReport(side="host", entry=None, reads=reads, makes=makes, nodes=nodes, report=None)


def _crossing(crossing: Crossing) -> CrossingReport:
    return CrossingReport(
        name=crossing.name, maker=crossing.maker, readers=crossing.readers, bytes=crossing.nbytes
    )


def _compiled_crossings(hosted: HostedProgram) -> Iterable[CrossingReport]:
    blocks = {tensor.name: tensor.block for program in hosted.programs.values() for tensor in program.tensors}
    for name, maker, readers in hosted.crossings():
        nbytes = blocks[name].nbytes if name in blocks else None
        yield CrossingReport(name=name, maker=maker, readers=readers, bytes=nbytes)
