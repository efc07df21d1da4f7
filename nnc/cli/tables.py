"""Tables of a report: its groups as they were planned, and what layers, groups, operations and cores cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from nnc.cli.columns import Column, fitted
from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, kibibytes, plural, width
from nnc.report.build import ratio
from nnc.report.entries import Figures
from nnc.report.schema import (
    Report,
)
from nnc.runtime.measure.ledger import EXCESS_CAUSES

if TYPE_CHECKING:
    from rich.table import Table

MAX_ROWS = 24
"""Rows that are shown without -v; of more, those that take most."""
WIDE = 1_000
"""Columns for a table that shows all it has (-v); a pager scrolls sideways."""


def group_table(report: Report, *, verbose: bool) -> Table:
    """One row per layer group, in the order of execution; of causes above the floor, those that occur.

    With `verbose`, layers are only counted: lines of their own name them.
    """
    shown = set(range(len(report.groups)))
    if not verbose:
        shown = set(sorted(shown, key=lambda index: (-report.groups[index].cycles, index))[:MAX_ROWS])
    groups = [report.groups[index] for index in sorted(shown)]
    excess = [cause for cause in EXCESS_CAUSES if report.network.figures.dram.by_cause[cause]]
    names = [str(len(group.layers)) if verbose else printable(_ends(group.layers)) for group in groups]
    columns = [
        Column("group", [str(group.id) for group in groups], justify="left"),
        Column("kind", [group.kind for group in groups], 1, justify="left"),
        Column("layers", names, justify="right" if verbose else "left", shrinks=not verbose),
        Column("parts", _integers(groups, "parts"), 2),
        Column("cut by", [group.axis or "-" for group in groups], 7, justify="left"),
    ]
    if report.chip.description["cores"] > 1:
        columns.append(Column("cores", [str(len(group.cores)) for group in groups], 3))
    sizes = report.chip.description["memory"]
    title = f"{' '.join(sizes)} KiB"
    columns += [
        Column(title, [_memories(group.memory_peak, sizes) for group in groups], 4),
        Column("DRAM", [human_bytes(group.figures.dram.total_bytes) for group in groups]),
        Column("floor", [human_bytes(group.floor.dram_bytes or 0) for group in groups], 8),
        *(
            Column(cause, [_some_bytes(group.figures.dram.by_cause[cause]) for group in groups], 9)
            for cause in excess
        ),
        Column("cycles", _integers(groups, "cycles")),
        Column("bound by", [group.bound_by for group in groups], justify="left"),
    ]
    if verbose:
        estimates = [group.estimated for group in groups]
        columns += [
            Column("estimated", [human_bytes(e.dram_bytes) if e else "-" for e in estimates], 9),
            Column("cycles", [f"{e.cycles:,}" if e else "-" for e in estimates], 9),
        ]
    return fitted(columns, WIDE if verbose else width())


def _integers(entries: Iterable[Any], name: str) -> list[str]:
    return [f"{getattr(entry, name):,}" for entry in entries]


def _some_bytes(count: int) -> str:
    return human_bytes(count) if count else "-"


def _ends(names: Sequence[str]) -> str:
    """The layers of a group: if they are more than two how many, the first and the last."""
    return ", ".join(names) if len(names) <= 2 else f"{len(names)}: {names[0]} … {names[-1]}"


def _memories(peak: Mapping[str, int], sizes: Mapping[str, Mapping[str, int]]) -> str:
    """Bytes in use at the most / available, per memory, in KiB."""
    return " ".join(
        f"{kibibytes(peak.get(name, 0))}/{kibibytes(memory['bytes'])}" for name, memory in sizes.items()
    )


# --- where the time, the bytes and the energy go -----------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A thing that costs something, whatever it is.

    Attributes:
        name, group, kind: for people.
        floor_bytes: None where there is none.
        bound_by, limit: what bounds it, and what would next; empty where that is not known.
    """

    name: str
    group: str
    kind: str
    figures: Figures
    floor_bytes: int | None = None
    bound_by: str = ""
    limit: str = ""


def rows_by(report: Report, what: str) -> list[Row]:
    """The rows of a profile: all layers, groups, operations or cores, in their own order."""
    return list(_ROWS[what](report))


def _layer_rows(report: Report) -> Iterator[Row]:
    for layer in report.layers:
        kind, limits = (
            layer.op or layer.kind or "",
            (layer.floor.dram_bytes, layer.bound_by, layer.next_limit),
        )
        yield Row(layer.name, str(layer.group), kind, layer.figures, *limits)


def _group_rows(report: Report) -> Iterator[Row]:
    for group in report.groups:
        name = _ends(group.layers)
        limits = (group.floor.dram_bytes, group.bound_by, group.next_limit)
        yield Row(name, str(group.id), group.kind, group.figures, *limits)


def _operation_rows(report: Report) -> Iterator[Row]:
    for operation in report.operations:
        yield Row(operation.mnemonic, "", "", operation.figures)


def _core_rows(report: Report) -> Iterator[Row]:
    for core in report.cores:
        idle = f"no work left for {core.idle_cycles / max(1, report.network.cycles):.0%} of the run"
        yield Row(f"core {core.core}", "", "", core.figures, limit=idle)


_ROWS: dict[str, Callable[[Report], Iterator[Row]]] = {
    "layer": _layer_rows,
    "group": _group_rows,
    "op": _operation_rows,
    "core": _core_rows,
}

_SORTED_BY: dict[str, Callable[[Row], float]] = {
    "cycles": lambda row: row.figures.compute.core_cycles,
    "bytes": attrgetter("figures.dram.total_bytes"),
    "energy": lambda row: row.figures.microjoules or 0.0,
}


def profile_table(
    report: Report, what: str, *, sort: str | None = None, top: int | None = None, verbose: bool = False
) -> Iterator[str | Table]:
    """Where the time and the bytes go, a row per layer, group, operation or core.

    Args:
        what: one of `options.PROFILES`.
        sort: one of `options.SORTS`, largest first; None: in their own order.
        top: so many rows at most; None: all.
        verbose: all columns, however wide.
    """
    rows = rows_by(report, what)
    if sort is not None:
        rows.sort(key=_SORTED_BY[sort], reverse=True)
    shown = rows if top is None else rows[:top]
    whole = report.network.figures
    columns = [Column(what, [printable(row.name) for row in shown], justify="left", shrinks=True)]
    if what in ("layer", "group"):
        title = "op" if what == "layer" else "kind"
        if any(row.kind for row in shown):  # a program by itself does not say of layers
            columns.append(Column(title, [row.kind for row in shown], 7, justify="left"))
        columns.append(Column("group", [row.group for row in shown], 5))
    columns += [
        Column("core cycles", [f"{row.figures.compute.core_cycles:,}" for row in shown]),
        Column("time", _shares(shown, lambda f: f.compute.core_cycles, whole), 1),
        Column("waits", [_waiting(row.figures) for row in shown], 3),
        Column("DRAM", [human_bytes(row.figures.dram.total_bytes) for row in shown]),
        Column("bytes", _shares(shown, lambda f: f.dram.total_bytes, whole), 6),
        Column("x floor", [_times_floor(row) for row in shown], 8),
        Column("MACs", [f"{row.figures.macs:,}" if row.figures.macs else "-" for row in shown], 9),
        Column("array", [_percent(row.figures.utilisation) for row in shown], 4),
    ]
    if any(row.bound_by for row in shown):
        columns.append(Column("bound by", [row.bound_by for row in shown], 2, justify="left"))
    if whole.energy is not None:
        columns.append(Column("energy", [micro_joules(row.figures) for row in shown], 5))
    if any(row.limit for row in shown):
        columns.append(Column("limit", [row.limit for row in shown], 10, justify="left"))
    yield fitted(columns, WIDE if verbose else width())
    if len(shown) < len(rows):
        yield f"… and {plural(len(rows) - len(shown), 'row')} more (--top shows as many as it says)"


def _shares(rows: Sequence[Row], of: Callable[[Figures], int], whole: Figures) -> list[str]:
    total = max(1, of(whole))
    return [f"{of(row.figures) / total:.1%}" for row in rows]


def _waiting(figures: Figures) -> str:
    """The share of the time of its cores that waits, and mostly for what."""
    waits = figures.compute.waiting_cycles
    if not sum(waits.values()):
        return "-"
    longest = max(waits, key=lambda reason: waits[reason])
    return f"{sum(waits.values()) / figures.compute.core_cycles:.0%} {longest}"


def _times_floor(row: Row) -> str:
    times = ratio(row.figures.dram.total_bytes, row.floor_bytes)
    return "-" if times is None else f"{times:.2f}"


def micro_joules(figures: Figures) -> str:
    """Energy for people; a dash for a chip that says nothing of it."""
    return "-" if figures.microjoules is None else f"{figures.microjoules:,.3g} uJ"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
