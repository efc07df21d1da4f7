"""A sweep for people: the front as a table, what was searched for with its proof, what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nnc.cli.columns import Column, fitted
from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, plural, width
from nnc.sweeps.figures import PointFigures
from nnc.sweeps.schema import FindingReport, PointReport, SweepReport
from nnc.sweeps.vary import text_of_value

if TYPE_CHECKING:
    from rich.table import Table

_MOST_ROWS = 24
_MOST_FAILURES = 5
_WIDE = 1_000
_KIB = 1024


def sweep_text(report: SweepReport, *, verbose: bool) -> Iterator[str | Table]:
    """The lines and tables of a sweep; the answers to a question in place of the front.

    Args:
        verbose: all points in place of the front, however wide and many.
    """
    failed = [point for point in report.points if point.error is not None]
    about = f"{plural(len(report.points), 'point')}, {len(failed):,} failed" if failed else ""
    about = about or plural(len(report.points), "point")
    if report.findings and not verbose:  # what a search looks at is chosen for its question, not for a front
        yield about
    else:
        yield f"{about}; front by {', '.join(report.minimised)}"
    by_number = {point.point: point for point in report.points}
    front = [by_number[number] for number in report.front]
    rows = list(report.points) if verbose else [] if report.findings else front
    if rows:
        most = len(rows) if verbose else _MOST_ROWS
        yield _table(report, rows[:most], verbose=verbose)
        if len(rows) > most:
            yield f"… and {plural(len(rows) - most, 'point')} more (-o writes all of them, -v shows them)"
    for finding in report.findings:
        yield from _finding(report, finding)
    yield from _failures(failed)


def _table(report: SweepReport, points: Sequence[PointReport], *, verbose: bool) -> Table:
    columns = _heads(report, points)
    columns += [Column(title, list(map(show, points)), rank) for title, show, rank in _FIGURES]
    for name in report.minimised:
        if name not in _SHOWN:
            columns.append(Column(_UNITS.get(name, name), [_figure(point, name) for point in points]))
    if all(point.figures is None or point.figures.energy is None for point in points):
        columns = [column for column in columns if column.title != "energy"]
    if verbose and any(point.error for point in points):
        columns.append(Column("error", [point.error or "" for point in points], justify="left"))
    return fitted(columns, _WIDE if verbose else width())


def _heads(report: SweepReport, points: Sequence[PointReport]) -> list[Column]:
    """Which points these are: what differs among all of them."""
    columns = []
    if len(report.models) > 1:
        names = [printable(Path(point.model).name) for point in points]
        columns.append(Column("model", names, justify="left", shrinks=True))
    if len(report.chips) > 1:
        names = [printable(point.chip) for point in points]
        columns.append(Column("chip", names, justify="left", shrinks=True))
    for key in report.varied:
        columns.append(Column(printable(key), [shown_value(key, point.values[key]) for point in points]))
    return columns


def shown_value(key: str, value: bool | int | float | str) -> str:
    """A value for people: sizes in KiB where these are whole."""
    if key.endswith("bytes") and isinstance(value, int) and value and value % _KIB == 0:
        return f"{value // _KIB:,} KiB"
    return printable(f"{value:,}" if isinstance(value, int) and value >= _KIB else text_of_value(value))


def _finding(report: SweepReport, finding: FindingReport) -> Iterator[str]:
    """The answer to a question, and the neighbours that prove it."""
    others = [f"{key} = {shown_value(key, value)}" for key, value in finding.values.items()]
    place = [Path(finding.model).name] if len(report.models) > 1 else []
    place += [finding.chip] if len(report.chips) > 1 else []
    of = f" ({', '.join([*place, *others])})" if place or others else ""
    if finding.found is None:
        yield f"found     none{of}: {printable(finding.question)}"
    else:
        yield f"found     {finding.key} = {shown_value(finding.key, finding.found)}{of}: {finding.question}"
    for name, number in (("before", finding.before), ("found", finding.point), ("after", finding.after)):
        if number is not None:
            yield f"  {name:<8}{_proof(report.point(number), finding.key)}"
    if finding.holds_after is False:
        yield "  but it does not hold for the next value: values that were not looked at may hold, too"
    yield f"  {plural(finding.points, 'point')} looked at"


def _proof(point: PointReport, key: str) -> str:
    value = shown_value(key, point.values[key])
    if point.figures is None:
        return f"{value}: {point.error} {printable(point.message or '')}"
    figures = point.figures
    return (
        f"{value}: {figures.cycles:,} cycles{_beside(figures.cycles_ratio)},"
        f" DRAM {human_bytes(figures.dram_bytes)}{_beside(figures.dram_ratio)}"
    )


def _failures(failed: Sequence[PointReport]) -> Iterator[str]:
    """What went wrong, most often first."""
    counts = Counter((point.error, point.message) for point in failed)
    for (error, message), count in counts.most_common(_MOST_FAILURES):
        yield f"failed    {plural(count, 'point')}: {error} {printable(message or '')}"
    if len(counts) > _MOST_FAILURES:
        yield f"          and {len(counts) - _MOST_FAILURES:,} more messages (-o writes all of them)"


def _beside(ratio: float | None) -> str:
    """`` (1.250 x floor)``; three digits, as questions are about little more than 1."""
    return "" if ratio is None else f" ({ratio:.3f} x floor)"


def _figure(point: PointReport, name: str) -> str:
    value: Any = None if point.figures is None else getattr(point.figures, name)
    return "-" if value is None else f"{value:,}"


def _of(show: Callable[[PointFigures], str]) -> Callable[[PointReport], str]:
    return lambda point: "-" if point.figures is None else show(point.figures)


def _ratio(value: float | None, form: str = ".2f") -> str:
    return "-" if value is None else format(value, form)


_FIGURES: tuple[tuple[str, Callable[[PointReport], str], int], ...] = (
    ("cycles", _of(lambda f: f"{f.cycles:,}"), 0),
    ("x floor", _of(lambda f: _ratio(f.cycles_ratio)), 3),
    ("DRAM", _of(lambda f: human_bytes(f.dram_bytes)), 0),
    ("x floor", _of(lambda f: _ratio(f.dram_ratio)), 2),
    ("energy", _of(lambda f: "-" if f.energy is None else f"{f.energy:,.4g} uJ"), 1),
    ("array", _of(lambda f: _ratio(f.utilisation, ".0%")), 5),
    ("bound by", _of(lambda f: f.bound_by), 6),
    ("instructions", _of(lambda f: f"{f.instructions:,}"), 7),
)
"""Title, cell, and how soon a narrow terminal does without."""
_UNITS = {"area": "area mm²"}
_SHOWN = ("cycles", "cycles_ratio", "dram_bytes", "dram_ratio", "energy", "utilisation", "instructions")
