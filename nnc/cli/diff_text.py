"""The difference of two programs for people: as text, or as Markdown for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from nnc.cli.columns import Column, fitted
from nnc.cli.failures import printable
from nnc.cli.output import human_bytes, plural, width
from nnc.diff.schema import Change, Diff, GroupChange
from nnc.runtime.measure.ledger import CAUSES

if TYPE_CHECKING:
    from rich.table import Table

_MOST_GROUPS = 12
_MOST_CAUSES = 3
"""Groups and causes of each that are shown without -v; the largest changes come first."""
_NAMES = 2
_TOTALS = {
    "cycles": "cycles",
    "dram_bytes": "DRAM bytes",
    "microjoules": "energy, uJ",
    "instructions": "instructions",
    "groups": "groups",
    "layers": "layers",
    "macs": "MACs",
    "floor_bytes": "floor of bytes",
    "floor_cycles": "floor of cycles",
}
_ALWAYS = ("cycles", "dram_bytes", "microjoules", "instructions", "groups")


def diff_text(diff: Diff, *, form: str, verbose: bool) -> Iterator[str | Table]:
    """What changed, largest first.

    Args:
        form: text or markdown.
        verbose: with all groups and causes.
    """
    table = _markdown if form == "markdown" else _fitted
    bullet = "- " if form == "markdown" else ""
    yield f"{bullet}before   {printable(diff.before.title)}"
    yield f"{bullet}after    {printable(diff.after.title)}"
    for setting in diff.settings:
        yield f"{bullet}differs  {setting.key}: {_value(setting.before)} → {_value(setting.after)}"
    yield ""
    yield from table(_totals(diff))
    changed = [group for group in diff.groups if group.kind != "alike"]
    shown = changed if verbose else changed[:_MOST_GROUPS]
    yield ""
    if shown:
        yield from table(_groups(shown))
        if len(shown) < len(changed):
            yield f"… and {plural(len(changed) - len(shown), 'change')} more of groups (-v shows all)"
        yield ""
        yield from _reasons(shown, form=form, verbose=verbose)
    else:
        yield "All groups are alike, and cost the same."
    if diff.changed_bytes:
        yield ""
        yield f"causes are told for {diff.told_share:.1%} of {human_bytes(diff.changed_bytes)} that changed"
    yield from (f"FAILED: {failure}" for failure in diff.failures)


def summary_text(diffs: Mapping[str, Diff], *, form: str, verbose: bool) -> Iterator[str | Table]:
    """A line for each of several networks, by their names, and then what changed in those that did."""
    table = _markdown if form == "markdown" else _fitted
    yield from table(_networks(diffs))
    for name, diff in diffs.items():
        if any(group.kind != "alike" for group in diff.groups):
            yield ""
            yield f"### {name}" if form == "markdown" else f"{name}:"
            yield from diff_text(diff, form=form, verbose=verbose)


def _networks(diffs: Mapping[str, Diff]) -> list[Column]:
    cycles = [diff.totals["cycles"] for diff in diffs.values()]
    moved = [diff.totals["dram_bytes"] for diff in diffs.values()]
    return [
        Column("network", [*diffs], justify="left"),
        Column("cycles", [_figure(change.after) for change in cycles]),
        Column("%", [_percent(change) for change in cycles]),
        Column("DRAM bytes", [_figure(change.after) for change in moved]),
        Column("%", [_percent(change) for change in moved]),
        Column("", ["WORSE" if diff.failures else "ok" for diff in diffs.values()], justify="left"),
    ]


def _value(value: str | None) -> str:
    return "none" if value is None else printable(value)


def _totals(diff: Diff) -> list[Column]:
    """Figures of the whole: the most important always, others if they changed."""
    causes = {cause: f"  {cause}" for cause in CAUSES}
    order = ["cycles", "dram_bytes", *causes, *list(_TOTALS)[2:]]
    names = [name for name in order if name in diff.totals and (name in _ALWAYS or diff.totals[name].delta)]
    changes = [diff.totals[name] for name in names]
    return [
        Column("", [{**_TOTALS, **causes}[name] for name in names], justify="left"),
        Column("before", [_figure(change.before) for change in changes]),
        Column("after", [_figure(change.after) for change in changes]),
        Column("change", [_signed(change.delta) for change in changes]),
        Column("%", [_percent(change) for change in changes]),
    ]


def _groups(groups: Sequence[GroupChange]) -> list[Column]:
    return [
        Column("groups", [_ids(group) for group in groups], justify="left"),
        Column("change", [group.kind for group in groups], justify="left"),
        Column("layers", [_layers(group.layers) for group in groups], justify="left", shrinks=True),
        Column("DRAM bytes", [_signed(group.dram_bytes.delta) for group in groups]),
        Column("cycles", [_signed(group.cycles.delta) for group in groups]),
        Column("instructions", [_signed(group.instructions.delta) for group in groups], 3),
        Column("bound by", [_bounds(group) for group in groups], 2, justify="left"),
    ]


def _reasons(groups: Sequence[GroupChange], *, form: str, verbose: bool) -> Iterator[str]:
    """Of each group what differs, and why bytes changed."""
    outer, bullet = ("- ", "  - ") if form == "markdown" else ("", "  ")
    for group in groups:
        if not (group.what or group.causes):
            continue
        yield f"{outer}groups {_ids(group)}: {printable(group.what) or 'the same layers, in the same cut'}"
        shown = group.causes if verbose else group.causes[:_MOST_CAUSES]
        for cause in shown:
            names = ", ".join(cause.layers[:_NAMES])
            more = f" and {len(cause.layers) - _NAMES} more" if len(cause.layers) > _NAMES else ""
            why = cause.why or "nothing that is known differs"
            yield printable(f"{bullet}{_signed(cause.delta)} B {cause.cause} ({names}{more}): {why}")
        if len(shown) < len(group.causes):
            yield f"{bullet}… and {plural(len(group.causes) - len(shown), 'cause')} more (-v shows all)"


def _ids(group: GroupChange) -> str:
    """``3, 4 → 3``."""
    sides = (", ".join(map(str, _ranges(ids))) or "none" for ids in (group.before, group.after))
    return " → ".join(sides)


def _ranges(ids: Sequence[int]) -> Iterator[str]:
    """Numbers with those that follow each other as a range."""
    first = 0
    for place in range(1, len(ids) + 1):
        if place == len(ids) or ids[place] != ids[place - 1] + 1:
            last = ids[place - 1]
            yield str(ids[first]) if first == place - 1 else f"{ids[first]}-{last}"
            first = place


def _layers(names: Sequence[str]) -> str:
    joined = ", ".join(names) if len(names) <= _NAMES else f"{len(names)}: {names[0]} … {names[-1]}"
    return printable(joined)


def _bounds(group: GroupChange) -> str:
    before, after = group.bound_by
    return before if before == after else f"{before or '-'} → {after or '-'}"


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _signed(value: float) -> str:
    if not value:
        return "-"
    return f"{value:+,}" if isinstance(value, int) else f"{value:+,.4g}"


def _percent(change: Change) -> str:
    if not change.delta:
        return "-"
    return "new" if change.share is None else f"{change.share:+.2%}"


def _fitted(columns: Sequence[Column]) -> Iterator[Table]:
    yield fitted(columns, width())


def _markdown(columns: Sequence[Column]) -> Iterator[str]:
    """A table of Markdown; bars in cells are written such that they end none."""
    yield _row([column.title for column in columns])
    yield _row([":--" if column.justify == "left" else "--:" for column in columns])
    for cells in zip(*(column.cells for column in columns), strict=True):
        yield _row(cells)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.strip().replace("|", "\\|") for cell in cells) + " |"
