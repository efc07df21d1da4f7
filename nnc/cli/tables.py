"""Reports for people: the tables and lines of `nnc compile` and `nnc run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, kibibytes, plural, width
from nnc.compiler.ir.annotations import StitchedLayer
from nnc.compiler.plan.options import PlanOptions
from nnc.isa.instruction import Engine
from nnc.report import ratio, utilisation
from nnc.runtime.measure.ledger import EXCESS_CAUSES, FLOOR_CAUSES

if TYPE_CHECKING:
    from rich.table import Table

    from nnc.compilation import Result
    from nnc.isa.chip.description import Chip
    from nnc.runtime.measure.report import Report
    from nnc.runtime.session import Session

MAX_ROWS = 24
"""Groups that are shown without -v; of more, the ones that take most cycles."""
_TOP = 5
_WIDE = 120
"""Columns of a terminal from which on the table of groups shows all its columns."""
_HEARSAY = "compiler says "
"""Stands before figures that a program carries: nothing in the program proves them."""


def compile_text(result: Result, *, verbose: bool) -> Iterator[str | Table]:
    """The report of a compilation: groups, instructions, DRAM bytes and cycles beside their floors."""
    program, report = result.program, result.report
    counts, dram, cycles = report["instructions"], report["dram"], report["cycles"]
    name = result.compilation.imported.name
    objective = report["objective"]
    if report["effort"] != PlanOptions().effort:
        objective += f", -{report['effort']}"
    yield f"{name} on {program.chip.name}, {objective}, compiled in {result.compile_seconds:.2f} s"
    if report["groups"]:
        yield group_table(result, verbose=verbose)
    hidden = len(report["groups"]) - MAX_ROWS
    if hidden > 0 and not verbose:
        yield f"… and {plural(hidden, 'group')} that take fewer cycles (-v shows all)"
    if verbose:
        yield from _reasons(report["groups"])
    engines = ", ".join(f"{counts[engine]:,} {engine}" for engine in ("read", "compute", "write"))
    yield f"instructions  {counts['total']:,} ({engines})"
    yield from _quantised_lines(report["quantised"], verbose=verbose)
    if report["stitch"] is not None:
        yield from _stitch_lines(report["stitch"], verbose=verbose)
    for memory, use in report["memory"].items():
        yield (
            f"{memory:<12}  {kibibytes(use['peak_bytes'])} of {kibibytes(use['bytes'])} KiB,"
            f" {kibibytes(use['live_bytes'])} alive at once ({use['fragmentation']:.1%} fragmentation)"
        )
    yield from _dram_lines(dram["total_bytes"], dram["by_cause"], dram["floor_bytes"])
    yield from _cycle_lines(
        "predicted", cycles["predicted"], cycles["compute_floor"], cycles["dram_floor"], cycles["peak_floor"]
    )
    if verbose:
        yield _estimate_line(
            cycles["estimated"], dram["estimated_bytes"], cycles["predicted"], dram["total_bytes"]
        )


def _stitch_lines(stitch: Mapping[str, Any], *, verbose: bool) -> Iterator[str]:
    """How many pictures lie side by side, and how well they fill the lanes; with -v layer by layer."""
    lanes = "" if stitch["utilisation"] is None else f", {stitch['utilisation']:.1%} of the lanes are used"
    yield f"stitch        {plural(stitch['pictures'], 'picture')} side by side{lanes}"
    for layer in stitch["layers"] if verbose else ():
        yield f"  {printable(layer['layer'])}: {StitchedLayer(**layer)}"


def group_table(result: Result, *, verbose: bool) -> Table:
    """One row per layer group, in the order of execution; of causes above the floor, those that occur.

    On a narrow terminal, details of the traffic give way.  With `verbose`, layers are only counted: lines of
    their own name them (`_reasons`).
    """
    from rich.table import Table

    chip, groups = result.program.chip, result.report["groups"]
    shown = set(range(len(groups)))
    if not verbose:
        shown = set(sorted(shown, key=lambda index: (-groups[index]["cycles"], index))[:MAX_ROWS])
    is_wide = verbose or width() >= _WIDE
    excess = [cause for cause in EXCESS_CAUSES if result.report["dram"]["by_cause"][cause]]
    details = ["floor", *excess] if is_wide else []
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("group", "kind"):
        table.add_column(column, no_wrap=True)
    table.add_column("layers", overflow="fold", justify="right" if verbose else "left")
    table.add_column("parts", justify="right", no_wrap=True)
    if is_wide:
        table.add_column("cut by", no_wrap=True)
    if chip.cores > 1:
        table.add_column("cores", justify="right", no_wrap=True)
    for column in (f"{' '.join(chip.memory)} KiB", "DRAM", *details, "cycles"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("bound by", no_wrap=True)
    for column in ("estimated", "cycles") if verbose else ():
        table.add_column(column, justify="right", no_wrap=True)
    for index in sorted(shown):
        group = groups[index]
        causes = {**group["dram"]["by_cause"]}
        causes["floor"] = sum(causes[cause] for cause in FLOOR_CAUSES)
        table.add_row(
            str(index),
            group["kind"],
            str(len(group["layers"])) if verbose else printable(_ends(group["layers"])),
            str(group["parts"]),
            *([group["axis"]] if is_wide else []),
            *([str(len(group["cores"]))] if chip.cores > 1 else []),
            _memories(group["memory_peak"], chip),
            human_bytes(group["dram"]["total_bytes"]),
            *(human_bytes(causes[cause]) if causes[cause] else "-" for cause in details),
            f"{group['cycles']:,}",
            group["bound_by"],
            *_estimates(group["estimated"] if verbose else {}),
        )
    return table


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


def _estimates(estimated: Mapping[str, int]) -> list[str]:
    """DRAM bytes and cycles that the search counted on."""
    return [human_bytes(estimated["dram_bytes"]), f"{estimated['cycles']:,}"] if estimated else []


def _estimate_line(cycles: int, dram_bytes: int, true_cycles: int, true_bytes: int) -> str:
    """What the search counted on for the whole, as a multiple of what it became."""
    times = [ratio(cycles, true_cycles) or 1.0, ratio(dram_bytes, true_bytes) or 1.0]
    return (
        f"  estimated   {cycles:,} cycles ({times[0]:.3f} x), {human_bytes(dram_bytes)} ({times[1]:.3f} x)"
        " when the groups were chosen"
    )


def _ends(names: Sequence[str]) -> str:
    """The layers of a group: if they are more than two how many, the first and the last."""
    return ", ".join(names) if len(names) <= 2 else f"{len(names)}: {names[0]} … {names[-1]}"


def _reasons(groups: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """All layers of every group, and why it was chosen: too long for columns beside the figures."""
    yield "groups        layers, and why they are one group"
    for index, group in enumerate(groups):
        yield f"  group {index:<3} {printable(', '.join(group['layers']))}"
        yield f"            {group['reason']}"


def _memories(peak: Mapping[str, int], chip: Chip) -> str:
    """Bytes in use at the most / available, per memory, in KiB."""
    return " ".join(
        f"{kibibytes(peak.get(name, 0))}/{kibibytes(memory.bytes)}" for name, memory in chip.memory.items()
    )


def run_text(session: Session, wall_seconds: float, *, verbose: bool) -> Iterator[str]:
    """What a run cost, beside the floors that the program carries (if it does): its compiler's word.

    Of a jittered run, floors and the DRAM's bandwidth say nothing: its time is not that of the chip.
    """
    report, facts = session.report, session.program.facts
    yield from _dram_lines(report.dram_bytes, report.dram_causes, facts.get("floor_bytes"), _HEARSAY)
    shares = ", ".join(f"{name} {share:.1%}" for name, share in utilisation(report.engines).items())
    if session.jitter is None:
        yield from _cycle_lines(
            "simulated",
            report.cycles,
            facts.get("compute_floor_cycles"),
            facts.get("dram_floor_cycles"),
            facts.get("peak_floor_cycles"),
            _HEARSAY,
        )
        shares += f", DRAM bandwidth {report.dram_utilisation:.1%}"
    else:
        yield f"cycles        {report.cycles:,} of random timing, seed {session.jitter}: not the chip's"
    yield f"compute       {_busy_and_waiting(report)}"
    yield f"utilisation   {shares}"
    yield f"time          {report.microseconds:,.1f} us on the chip, simulated in {wall_seconds:.3f} s"
    if verbose:
        for use in report.engines:
            yield (
                f"  core {use.core} {use.engine:<8} {use.instructions:>7,} instructions,"
                f" {use.busy:>11,} cycles busy ({use.utilisation:.1%})"
            )
        if "predicted_cycles" in facts:
            yield f"  {_HEARSAY}{facts['predicted_cycles']:,} cycles predicted"
        yield from _group_lines(report)


def _group_lines(report: Report) -> Iterator[str]:
    """Every layer group as it ran, beside what the search counted on."""
    for number, group in enumerate(report.groups):
        said = f"  group {number:<3} {group.cycles:>11,} cycles, {human_bytes(group.dram_bytes)}"
        if group.estimated is not None:
            nbytes = human_bytes(group.estimated.dram_bytes)
            said += f" ({_HEARSAY}estimated {group.estimated.cycles:,} cycles, {nbytes})"
        yield said
    if report.estimated is not None:
        mine = report.estimated
        yield _estimate_line(mine.cycles, mine.dram_bytes, report.cycles, report.dram_bytes)


def _busy_and_waiting(report: Report) -> str:
    """Cycles of the compute engines, all cores together: with work, and without by what they wait for."""
    uses = [use for use in report.engines if use.engine == Engine.COMPUTE.value]
    cycles = max(1, report.cycles * len(uses))
    busy = sum(use.busy for use in uses)
    waits = [f"waiting for {reason} {count / cycles:.1%}" for reason, count in report.stalls.items()]
    rest = cycles - busy - sum(report.stalls.values())
    return ", ".join([f"busy {busy / cycles:.1%}", *waits, f"after its last work {rest / cycles:.1%}"])


def _dram_lines(total: int, causes: Mapping[str, int], floor: int | None, says: str = "") -> Iterator[str]:
    beside = "" if floor is None else f", {says}floor {human_bytes(floor)}{_times(total, floor)}"
    yield f"DRAM          {human_bytes(total)} ({total:,} B){beside}"
    parts = ", ".join(f"{cause} {human_bytes(count)}" for cause, count in causes.items() if count)
    yield f"  by cause    {parts or 'nothing'}"


def _cycle_lines(
    kind: str, cycles: int, compute: int | None, dram: int | None, peak: int | None, says: str = ""
) -> Iterator[str]:
    if compute is None or dram is None:
        yield f"cycles        {cycles:,} {kind}"
        return
    yield f"cycles        {cycles:,} {kind}{_times(cycles, max(compute, dram))}"
    yield f"  floors      {says}compute {compute:,}, DRAM {dram:,}" + (
        f", peak {peak:,}" if peak is not None else ""
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
