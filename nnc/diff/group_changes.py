"""Which groups became which: groups of both plans that share layers, directly or through others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import networkx as nx

from nnc.diff.byte_causes import ByteCauses, Pair, parts
from nnc.diff.plan_side import PlanSide
from nnc.diff.schema import Change, GroupChange
from nnc.report.schema import GroupReport

_SAID = 4
"""Borders that are named; of more, how many there are."""


@dataclass(frozen=True)
class _Family:
    """Groups of both sides that share layers with each other and with no other group, and these layers."""

    before: Sequence[GroupReport]
    after: Sequence[GroupReport]
    pairs: Sequence[Pair]


def group_changes(
    before: PlanSide, after: PlanSide, pairs: Sequence[Pair], causes: ByteCauses
) -> list[GroupChange]:
    """All groups of both sides, those whose bytes and cycles changed most first.

    Args:
        pairs: all layers of both sides, each in one pair.
    """
    changes = [_change(family, causes) for family in _families(before, after, pairs)]
    return sorted(
        changes,
        key=lambda change: (-abs(change.dram_bytes.delta), -abs(change.cycles.delta), change.after),
    )


def _families(before: PlanSide, after: PlanSide, pairs: Sequence[Pair]) -> Iterator[_Family]:
    shared = nx.Graph()
    for number, side in enumerate((before, after)):
        shared.add_nodes_from((number, group) for group in side.groups)
        idle = ((group, name) for group in side.report.groups for name in group.layers)
        shared.add_edges_from(((number, group.id), name) for group, name in idle if name not in side.entries)
    for pair in pairs:
        for number, (side, name) in enumerate(zip((before, after), pair, strict=True)):
            for entry in side.entries[name] if name is not None else ():
                if entry.group in side.groups:
                    shared.add_edge((number, entry.group), pair)
    groups = {(number, group) for number, side in enumerate((before, after)) for group in side.groups}
    for members in nx.connected_components(shared):
        ids = sorted(members & groups)
        yield _Family(
            [before.groups[group] for side, group in ids if side == 0],
            [after.groups[group] for side, group in ids if side == 1],
            [pair for pair in pairs if pair in members],
        )


def _change(family: _Family, causes: ByteCauses) -> GroupChange:
    kind, what = _what(family, causes.renamed)
    figures = [[group.figures for group in groups] for groups in (family.before, family.after)]
    dram = [sum(entry.dram.total_bytes for entry in side) for side in figures]
    cycles = [sum(group.cycles for group in groups) for groups in (family.before, family.after)]
    energy = [[entry.microjoules for entry in side] for side in figures]
    is_known = all(value is not None for value in chain(*energy))
    if kind == "alike" and (dram[0] != dram[1] or cycles[0] != cycles[1]):
        kind = "figures"
    return GroupChange(
        kind=kind,
        before=tuple(group.id for group in family.before),
        after=tuple(group.id for group in family.after),
        layers=tuple(name for group in family.after or family.before for name in group.layers),
        what=what,
        cycles=Change(before=cycles[0], after=cycles[1]),
        dram_bytes=Change(before=dram[0], after=dram[1]),
        instructions=_change_of(figures, "instructions"),
        microjoules=Change(
            **{side: round(sum(v or 0.0 for v in of), 6) for side, of in zip(_SIDES, energy, strict=True)}
        )
        if is_known
        else None,
        bound_by=(_bound(family.before), _bound(family.after)),
        causes=causes.of_layers(family.pairs),
    )


_SIDES = ("before", "after")


def _change_of(figures: Sequence[Sequence[object]], name: str) -> Change:
    return Change(
        **{side: sum(getattr(f, name) for f in of) for side, of in zip(_SIDES, figures, strict=True)}
    )


def _bound(groups: Sequence[GroupReport]) -> str:
    """What bounds the slowest of some groups."""
    return max(groups, key=lambda group: group.cycles).bound_by if groups else ""


def _what(family: _Family, renamed: Mapping[str, str]) -> tuple[str, str]:
    """Kind of a change, and the change in words."""
    before, after = family.before, family.after
    if not before or not after:
        return (
            ("new", "layers that were not there") if after else ("gone", "layers that are not there any more")
        )
    old = [frozenset(renamed.get(name, name) for name in group.layers) for group in before]
    new = [frozenset(group.layers) for group in after]
    if sorted(map(sorted, old)) == sorted(map(sorted, new)):
        later = dict(zip(new, after, strict=True))
        cuts = [cut for group, layers in zip(before, old, strict=True) for cut in _cut(group, later[layers])]
        return ("cut", "; ".join(cuts)) if cuts else ("alike", "")
    if len(before) == len(after) == 1:
        return "layers", f"{len(new[0] - old[0])} layers more, {len(old[0] - new[0])} fewer"
    kind = "merged" if len(after) == 1 else "split" if len(before) == 1 else "moved"
    return kind, "; ".join(_borders(before, after, renamed)) or "the layers are in another order"


def _cut(before: GroupReport, after: GroupReport) -> Iterator[str]:
    """How the cut of a group differs, and what it finds and leaves on chip."""
    if (before.parts, before.axis) != (after.parts, after.axis):
        yield f"{_cut_of(before)} → {_cut_of(after)}"
    if len(before.cores) != len(after.cores):
        yield f"cores: {len(before.cores)} → {len(after.cores)}"
    for word, old_names, new_names in (
        ("finds on chip", before.finds, after.finds),
        ("leaves on chip", before.leaves, after.leaves),
    ):
        if (old_names or ()) != (new_names or ()) and old_names is not None and new_names is not None:
            yield f"{word}: {', '.join(old_names) or 'nothing'} → {', '.join(new_names) or 'nothing'}"


def _cut_of(group: GroupReport) -> str:
    """Parts and axes of a group; a program alone does not say which axes."""
    along = f" along {group.axis}" if group.parts > 1 and group.axis is not None else ""
    return parts(group.parts) + along


def _borders(
    before: Sequence[GroupReport], after: Sequence[GroupReport], renamed: Mapping[str, str]
) -> Iterator[str]:
    """Borders between groups that are on one side only, by the layers before and behind them."""
    old = [tuple(renamed.get(name, name) for name in border) for border in _ends(before)]
    new = _ends(after)
    for word, borders in (
        ("no border", [border for border in old if border not in new]),
        ("a border", [border for border in new if border not in old]),
    ):
        for first, second in borders[:_SAID]:
            yield f"{word} between {first} and {second}"
        if len(borders) > _SAID:
            yield f"… {word} at {len(borders) - _SAID} more places"


def _ends(groups: Sequence[GroupReport]) -> list[tuple[str, str]]:
    """The last layer of a group, and the first one of the next."""
    return [(first.layers[-1], second.layers[0]) for first, second in pairwise(groups)]
