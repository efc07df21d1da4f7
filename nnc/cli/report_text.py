"""Reports for people: the lines of `nnc compile`, `nnc run` and `nnc profile`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, kibibytes, plural
from nnc.cli.tables import MAX_ROWS, group_table, micro_joules, profile_table
from nnc.compiler.ir.annotations import StitchedLayer
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.instruction import Engine
from nnc.report.build import ENGINE_NAMES, ratio
from nnc.report.entries import Estimate, Figures, Floor, Traffic
from nnc.report.schema import (
    Report,
)

if TYPE_CHECKING:
    from rich.table import Table

_TOP = 5
_HEARSAY = "compiler says "
"""Stands before figures that a program carries: nothing in the program proves them."""


def compile_text(report: Report, *, by: str = "group", verbose: bool) -> Iterator[str | Table]:
    """The report of a compilation: groups, instructions, DRAM bytes and cycles beside their floors."""
    yield _title(report)
    if by != "group":
        yield from profile_table(report, by, verbose=verbose)
    elif report.groups:
        yield group_table(report, verbose=verbose)
        hidden = len(report.groups) - MAX_ROWS
        if hidden > 0 and not verbose:
            yield f"… and {plural(hidden, 'group')} that take fewer cycles (-v shows all)"
        if verbose:
            yield from _reasons(report)
    counts = report.instructions
    engines = ", ".join(f"{counts[engine]:,} {engine}" for engine in ("read", "compute", "write"))
    yield f"instructions  {counts['total']:,} ({engines})"
    yield from _quantised_lines(report.quantised, verbose=verbose)
    if report.stitch is not None:
        yield from _stitch_lines(report.stitch, verbose=verbose)
    for memory, use in report.memory.items():
        yield (
            f"{memory:<12}  {kibibytes(use.peak_bytes)} of {kibibytes(use.bytes)} KiB,"
            f" {kibibytes(use.live_bytes)} alive at once ({use.fragmentation:.1%} fragmentation)"
        )
    if report.states is not None:
        kept = report.states
        rows = f"; room for {kept.rows:,} rows, {kept.new_rows:,} new a run, all read (masked)"
        yield f"states        {kept.count:,} of {human_bytes(kept.bytes)}{rows if kept.rows else ''}"
    yield from _dram_lines(report.network.figures.dram, report.network.floor)
    yield from _cycle_lines("predicted", report.network.cycles, report.network.floor)
    yield from _energy_lines(report.network.figures)
    if verbose:
        yield from _estimate_lines(report)


def profile_text(
    report: Report, by: str, *, sort: str | None, top: int | None, verbose: bool
) -> Iterator[str | Table]:
    """Where the time and the bytes of a program go, and the whole beside the floors that it carries."""
    yield f"{printable(report.program or 'program')} on {report.chip.title}"
    yield from profile_table(report, by, sort=sort, top=top, verbose=verbose)
    idle = report.network.idle_core_cycles
    cores = plural(report.chip.description["cores"], "core")
    yield f"{cores}, {idle:,} core cycles after the last work of each"
    yield from _dram_lines(report.network.figures.dram, report.network.floor, _HEARSAY)
    yield from _cycle_lines("simulated", report.network.cycles, report.network.floor, _HEARSAY)
    yield from _energy_lines(report.network.figures)


def _energy_lines(figures: Figures) -> Iterator[str]:
    """What it takes of energy, by cause; nothing for a chip that does not say."""
    if figures.energy is None:
        return
    yield f"energy        {micro_joules(figures)}"
    causes = sorted(figures.energy.items(), key=lambda item: -item[1])
    whole = max(figures.microjoules or 0.0, 1e-12)
    yield "  by cause    " + ", ".join(f"{cause} {uj / whole:.1%}" for cause, uj in causes if uj)


def _title(report: Report) -> str:
    """What was compiled for what, and how."""
    assert report.model is not None and report.options is not None
    name, file = report.model.name, report.model.file
    if file is not None and Path(file).stem != name:
        name += f" ({Path(file).name})"
    objective = report.options.objective
    if report.options.effort != PlanOptions().effort:
        objective += f", -{report.options.effort}"
    seconds = f"compiled in {report.compile_seconds:.2f} s"
    return f"{printable(name)} on {report.chip.title}, {objective}, {seconds}"


def _reasons(report: Report) -> Iterator[str]:
    """All layers of every group, and why it was chosen: too long for columns beside the figures."""
    yield "groups        layers, and why they are one group"
    for group in report.groups:
        yield f"  group {group.id:<3} {printable(', '.join(group.layers))}"
        yield f"            {group.reason}"
        if group.ends_because is not None:
            yield f"            ends: {printable(group.ends_because)}"


def _stitch_lines(stitch: Mapping[str, Any], *, verbose: bool) -> Iterator[str]:
    """How many pictures lie side by side, and how well they fill the lanes; with -v layer by layer."""
    lanes = "" if stitch["utilisation"] is None else f", {stitch['utilisation']:.1%} of the lanes are used"
    yield f"stitch        {plural(stitch['pictures'], 'picture')} side by side{lanes}"
    for layer in stitch["layers"] if verbose else ():
        yield f"  {printable(layer['layer'])}: {StitchedLayer(**layer)}"


def _quantised_lines(figures: Mapping[str, Any] | None, *, verbose: bool) -> Iterator[str]:
    """Layers on 8-bit integers and in float, with the reasons; nothing for a network without the former."""
    if figures is None:
        return
    counts = Counter(figures["float"].values())
    reasons = "; ".join(f"{count}: {reason}" for reason, count in counts.most_common())
    yield (
        f"int8          {plural(figures['int8_layers'], 'layer')}, float"
        f" {plural(figures['float_layers'], 'layer')}{f' ({reasons})' if reasons else ''},"
        f" {plural(figures['conversions'], 'conversion')}"
    )
    if verbose:
        for layer, reason in figures["float"].items():
            yield f"  float       {printable(layer)}: {reason}"


def _estimate_lines(report: Report) -> Iterator[str]:
    """What the search counted on for the whole, as a multiple of what it became."""
    network, estimated = report.network, report.network.estimated
    if estimated is None:
        return
    times = [
        ratio(estimated.cycles, network.cycles) or 1.0,
        ratio(estimated.dram_bytes, network.figures.dram.total_bytes) or 1.0,
    ]
    yield (
        f"  estimated   {estimated.cycles:,} cycles ({times[0]:.3f} x), {human_bytes(estimated.dram_bytes)}"
        f" ({times[1]:.3f} x) when the groups were chosen"
    )


def run_text(report: Report, *, verbose: bool) -> Iterator[str]:
    """What a run cost, beside the floors that the program carries (if it does): its compiler's word.

    Of a jittered run, floors and the DRAM's bandwidth say nothing: its time is not that of the chip.
    """
    network, run = report.network, report.run
    assert run is not None
    yield from _dram_lines(network.figures.dram, network.floor, _HEARSAY)
    shares = ", ".join(f"{name} {share:.1%}" for name, share in utilisation(report).items())
    if run.jitter is None:
        yield from _cycle_lines("simulated", network.cycles, network.floor, _HEARSAY)
        rate = report.chip.description["dram"]["bytes_per_cycle"]
        moved = network.figures.dram.total_bytes / (max(1, network.cycles) * rate)
        shares += f", DRAM bandwidth {moved:.1%}"
        yield from _energy_lines(network.figures)
    else:
        yield f"cycles        {network.cycles:,} of random timing, seed {run.jitter}: not the chip's"
    yield f"compute       {_busy_and_waiting(report)}"
    yield f"utilisation   {shares}"
    yield f"time          {network.microseconds:,.1f} us on the chip, simulated in {run.wall_seconds:.3f} s"
    if verbose:
        for use in report.engines:
            yield (
                f"  core {use.core} {use.engine:<8} {use.instructions:>7,} instructions,"
                f" {use.busy_cycles:>11,} cycles busy ({use.utilisation:.1%})"
            )
        if network.predicted_cycles is not None:
            yield f"  {_HEARSAY}{network.predicted_cycles:,} cycles predicted"
        yield from _group_lines(report)


def _group_lines(report: Report) -> Iterator[str]:
    """Every layer group as it ran, beside what the search counted on."""
    for group in report.groups:
        nbytes = human_bytes(group.figures.dram.total_bytes)
        yield f"  group {group.id:<3} {group.cycles:>11,} cycles, {nbytes}{_as_estimated(group.estimated)}"
    yield from _estimate_lines(report)


def _as_estimated(estimated: Estimate | None) -> str:
    if estimated is None:
        return ""
    return f" ({_HEARSAY}estimated {estimated.cycles:,} cycles, {human_bytes(estimated.dram_bytes)})"


def utilisation(report: Report) -> dict[str, float]:
    """Share of all cycles that each kind of engine works: the mean over the cores that use any engine."""
    cores = max(1, len({use.core for use in report.engines}))
    return {
        name: round(sum(use.utilisation for use in report.engines if use.engine == name) / cores, 4)
        for name in ENGINE_NAMES
    }


def _busy_and_waiting(report: Report) -> str:
    """Cycles of the compute engines in use: with work, and without by what they wait for."""
    cores = {use.core for use in report.engines if use.engine == Engine.COMPUTE.value}
    cycles = max(1, report.network.cycles * len(cores))
    time = report.network.figures.compute
    waits = [
        f"waiting for {reason} {count / cycles:.1%}"
        for reason, count in sorted(time.waiting_cycles.items())
        if count
    ]
    rest = report.network.cycles * len(cores) - time.core_cycles
    busy, after = f"busy {time.busy_cycles / cycles:.1%}", f"after its last work {rest / cycles:.1%}"
    return ", ".join([busy, *waits, after])


def _dram_lines(traffic: Traffic, floor: Floor, says: str = "") -> Iterator[str]:
    total, least = traffic.total_bytes, floor.dram_bytes
    beside = "" if least is None else f", {says}floor {human_bytes(least)}{_times(total, least)}"
    yield f"DRAM          {human_bytes(total)} ({total:,} B){beside}"
    parts = ", ".join(f"{cause} {human_bytes(count)}" for cause, count in traffic.by_cause.items() if count)
    yield f"  by cause    {parts or 'nothing'}"


def _cycle_lines(kind: str, cycles: int, floor: Floor, says: str = "") -> Iterator[str]:
    if floor.cycles is None:
        yield f"cycles        {cycles:,} {kind}"
        return
    yield f"cycles        {cycles:,} {kind}{_times(cycles, floor.cycles)}"
    yield f"  floors      {says}compute {floor.compute_cycles:,}, DRAM {floor.dram_cycles:,}" + (
        f", peak {floor.peak_cycles:,}" if floor.peak_cycles is not None else ""
    )


def _times(value: int, floor: int) -> str:
    """`` (1.25 x floor)``."""
    times = ratio(value, floor)
    return "" if times is None else f" ({times:.2f} x floor)"


def output_text(name: str, array: npt.NDArray[Any]) -> str:
    """An output in a line or two: shape, range, and of a vector its largest entries."""
    shape = ",".join(map(str, array.shape))
    line = f"output {name} {array.dtype}[{shape}]"
    if not array.size:
        return line
    values = array.astype(np.float64)
    line += f" min {values.min():.4g}, max {values.max():.4g}, mean {values.mean():.4g}"
    if array.ndim and 1 < array.shape[-1] == array.size:
        flat = values.ravel()
        top = np.argsort(-flat, kind="stable")[:_TOP]
        line += "\n  largest: " + ", ".join(f"[{index}] {flat[index]:.4g}" for index in top)
    return line
