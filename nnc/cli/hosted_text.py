"""Reports of programs with a host, for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, plural
from nnc.cli.report_text import compile_text, run_text
from nnc.report.hosted import HostedReport, SegmentReport

if TYPE_CHECKING:
    from rich.table import Table

_MOST_NODES = 12
"""Nodes of a host's segment that are listed without -v."""


def hosted_text(report: HostedReport, *, by: str = "group", verbose: bool) -> Iterator[str | Table]:
    """Segments in their order, the tensors that cross, and what the chip takes in all."""
    for number, segment in enumerate(report.segments):
        if segment.report is None:
            yield from _host_lines(number, segment, verbose=verbose)
        else:
            yield f"segment {number}     chip, entry {segment.entry}"
            ran = segment.report.run is not None
            yield from (
                run_text(segment.report, verbose=verbose)
                if ran
                else compile_text(segment.report, by=by, verbose=verbose)
            )
        yield ""
    for crossing in report.crossings:
        size = "of a size known at run time" if crossing.bytes is None else human_bytes(crossing.bytes)
        readers = " and ".join(map(str, crossing.readers))
        yield f"crosses       {printable(crossing.name)}, {size}: segment {crossing.maker} to {readers}"
    yield (
        f"chip          {report.cycles:,} cycles, {human_bytes(report.dram_bytes)}, of which"
        f" {human_bytes(report.host_bytes)} of the host's tensors"
    )
    if report.host_seconds is not None:
        yield f"host          {report.host_seconds * 1e3:,.1f} ms here, by onnxruntime on one thread"


def _host_lines(number: int, segment: SegmentReport, *, verbose: bool) -> Iterator[str]:
    yield f"segment {number}     host, {plural(len(segment.nodes), 'node')}"
    shown = segment.nodes if verbose else segment.nodes[:_MOST_NODES]
    for node in shown:
        yield f"  {printable(node.name)} ({node.operator}): {printable(node.reason)}"
    if hidden := len(segment.nodes) - len(shown):
        yield f"  … and {plural(hidden, 'node')} more (-v shows all)"
