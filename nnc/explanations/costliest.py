"""The decisions that cost a network most beside its floors."""

from __future__ import annotations

from collections.abc import Iterator

from nnc.explanations.decisions import Decision, about_cores, about_pair, about_parts, excess_bytes
from nnc.report.schema import GroupReport, Report

MOST = 5
"""Decisions that are told."""


def costliest(report: Report, most: int = MOST) -> list[Decision]:
    """The decisions that cost most, in time of the DRAM for bytes above the floor, or of the cores.

    Bytes that are spilled, or loaded again by another group, are a matter of the border where they go;
    weights and overlapping rows that are loaded again, of the parts; cycles above the floor of a group that
    uses some of the cores, of these.
    """
    costs = sorted(_costs(report), key=lambda item: -item[0])
    decisions = dict[str, Decision]()
    for cost, decision in costs:
        if cost > 0:
            decisions.setdefault(decision.question, decision)
    return [*decisions.values()][:most]


def _costs(report: Report) -> Iterator[tuple[float, Decision]]:
    """Decisions, each with what it costs, in cycles."""
    rate = report.chip.description["dram"]["bytes_per_cycle"]
    cores = report.chip.description["cores"]
    for group in report.groups:
        by_cause = group.figures.dram.by_cause
        if group.id + 1 < len(report.groups) and excess_bytes(group):
            following = _reader(report, group)
            yield by_cause["spill"] / rate, about_pair(report, group.layers[-1], following.layers[0])
        if group.parts > 1:
            again = by_cause["reload"] + by_cause["overlap"]
            yield again / rate, about_parts(report, group.layers[0])
        if len(group.cores) < cores and group.floor.cycles is not None:
            yield float(group.cycles - group.floor.cycles), about_cores(report, group.layers[0])


def _reader(report: Report, group: GroupReport) -> GroupReport:
    """The next group that reads what a group makes; the next one if none is known to."""
    made = {layer.id for layer in report.layers if layer.group == group.id}
    for layer in report.layers:
        if layer.group > group.id and made.intersection(layer.reads):
            return report.groups[layer.group]
    return report.groups[group.id + 1]
