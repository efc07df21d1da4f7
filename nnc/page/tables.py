"""What the page says in text: summary, and tables of layers and groups."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nnc.page.marks import is_measured
from nnc.report.entries import Figures
from nnc.report.schema import GroupReport, LayerAccuracy, LayerReport, Report


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell; with a value to sort by if it is a number."""

    text: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row, and the group and layer for which it stands."""

    cells: list[Cell]
    group: int
    layer: int | None = None


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column."""

    name: str
    number: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose rows can be chosen."""

    heads: list[Head]
    rows: list[Row]


def amount(count: int) -> str:
    """A number of bytes for people: decimal units, three digits."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:,.3g} {unit}" if count < 1000 * size else f"{count / size:,.0f} {unit}"
    return f"{count} B"


def summary_tables(report: Report) -> list[list[tuple[str, str]]]:
    """Names and values, in three tables: what it is, what it costs, where that goes."""
    return [_identity(report), _costs(report), _shares(report)]


def _identity(report: Report) -> list[tuple[str, str]]:
    rows = []
    if report.model is not None:
        rows.append(("model", report.model.name))
        if report.model.file:
            rows.append(("file", report.model.file))
        if report.model.sha256:
            rows.append(("SHA-256", report.model.sha256[:16] + " …"))
    if report.program:
        rows.append(("program", report.program))
    rows.append(("chip", report.chip.title))
    if report.options is not None:
        rows.append(("options", f"{report.options.objective}, -{report.options.effort}"))
    rows.append(("groups", f"{len(report.groups):,} of {len(report.layers):,} layers"))
    counts = ", ".join(f"{count:,} {name}" for name, count in report.instructions.items() if name != "total")
    rows.append(("instructions", counts))
    rows.append(("nnc", report.nnc))
    return rows


def _costs(report: Report) -> list[tuple[str, str]]:
    network = report.network
    floor, figures = network.floor, network.figures
    rows = [("cycles", f"{network.cycles:,}{_times(network.cycles, floor.cycles)}")]
    floors = {"compute": floor.compute_cycles, "DRAM": floor.dram_cycles, "peak": floor.peak_cycles}
    shown = ", ".join(f"{name} {value:,}" for name, value in floors.items() if value is not None)
    if shown:
        rows.append(("floors, cycles", shown))
    rows.append(("time", f"{network.microseconds:,.1f} µs"))
    rows.append(("bound by", network.bound_by))
    total = figures.dram.total_bytes
    rows.append(("DRAM", f"{amount(total)} ({total:,} B){_times(total, floor.dram_bytes)}"))
    if floor.dram_bytes is not None:
        rows.append(("floor, DRAM", f"{amount(floor.dram_bytes)} ({floor.dram_bytes:,} B)"))
    for name, memory in report.memory.items():
        used = f"{memory.peak_bytes / 1024:.4g} of {memory.bytes / 1024:.4g} KiB"
        rows.append((name, f"{used}, {memory.live_bytes / 1024:.4g} alive at once"))
    if figures.microjoules is not None:
        rows.append(("energy", f"{figures.microjoules:,.4g} µJ"))
    return rows


def _shares(report: Report) -> list[tuple[str, str]]:
    figures, idle = report.network.figures, report.network.idle_core_cycles
    compute = figures.compute
    whole = max(compute.core_cycles + idle, 1)
    parts = {"computing": compute.busy_cycles}
    parts |= {f"waiting for {name}": cycles for name, cycles in compute.waiting_cycles.items()}
    parts["after the last work"] = idle
    rows = [(name, f"{cycles / whole:.1%} of the cores' cycles") for name, cycles in parts.items() if cycles]
    for cause, count in figures.dram.by_cause.items():
        if count:
            rows.append((f"DRAM, {cause}", f"{amount(count)} ({count / figures.dram.total_bytes:.1%})"))
    for cause, microjoules in (figures.energy or {}).items():
        if microjoules:
            rows.append((f"energy, {cause}", f"{microjoules:,.4g} µJ"))
    return rows


def _times(value: int, floor: int | None) -> str:
    return f", {value / floor:.2f} × floor" if floor else ""


def layer_table(report: Report) -> Table:
    """A row per layer; with columns of accuracy if it was measured."""
    has_accuracy = is_measured(report)
    accuracy = _ACCURACY if has_accuracy else ()
    heads = _heads("layer", "operator", "result", "group#", *accuracy, *_FIGURES, "bound by", "next limit")
    rows = [Row(_layer_cells(layer, has_accuracy), layer.group, layer.id) for layer in report.layers]
    return Table(heads, rows)


def group_table(report: Report) -> Table:
    """A row per group."""
    heads = _heads("group#", "kind", "layers", "parts#", "cycles#", *_FIGURES, "bound by", "why it is one")
    return Table(heads, [Row(_group_cells(group), group.id) for group in report.groups])


_ACCURACY = ("own dB#", "cumulative dB#", "saturated#")
_EQUAL = 1e9
"""By which layers without any error are sorted."""
_FIGURES = ("computing#", "waiting#", "DRAM#", "MACs#", "of peak#", "µJ#")


def _heads(*names: str) -> list[Head]:
    """Heads of columns; those of numbers are marked with #."""
    return [Head(name.removesuffix("#"), name.endswith("#")) for name in names]


def _layer_cells(layer: LayerReport, has_accuracy: bool) -> list[Cell]:
    shape = "" if layer.shape is None else f"{layer.dtype}[{','.join(map(str, layer.shape))}]"
    return [
        Cell(layer.name),
        Cell(layer.op or layer.kind or ""),
        Cell(shape),
        _whole(layer.group),
        *(_accuracy_cells(layer.accuracy) if has_accuracy else ()),
        *_figure_cells(layer.figures),
        Cell(layer.bound_by),
        Cell(layer.next_limit),
    ]


def _accuracy_cells(accuracy: LayerAccuracy | None) -> Iterable[Cell]:
    if accuracy is None:
        return [Cell("-", _EQUAL), Cell("-", _EQUAL), Cell("-", -1.0)]
    ratios = accuracy.own_snr_db, accuracy.cumulative_snr_db
    cells = [Cell("equal", _EQUAL) if ratio is None else Cell(f"{ratio:.1f}", ratio) for ratio in ratios]
    share = accuracy.saturated
    return [*cells, Cell("-", -1.0) if share is None else Cell(f"{share:.2%}", share)]


def _group_cells(group: GroupReport) -> list[Cell]:
    names = group.layers if len(group.layers) <= 2 else (group.layers[0], "…", group.layers[-1])
    return [
        _whole(group.id),
        Cell(group.kind),
        Cell(f"{len(group.layers)}: {' '.join(names)}"),
        _whole(group.parts),
        _whole(group.cycles),
        *_figure_cells(group.figures),
        Cell(group.bound_by),
        Cell(group.reason),
    ]


def _figure_cells(figures: Figures) -> Iterable[Cell]:
    waiting = sum(figures.compute.waiting_cycles.values())
    moved, share, energy = figures.dram.total_bytes, figures.utilisation, figures.microjoules
    return (
        _whole(figures.compute.busy_cycles),
        _whole(waiting),
        Cell(amount(moved), moved),
        _whole(figures.macs),
        Cell("-" if share is None else f"{share:.1%}", share or 0.0),
        Cell("-" if energy is None else f"{energy:,.4g}", energy or 0.0),
    )


def _whole(value: int) -> Cell:
    return Cell(f"{value:,}", value)
