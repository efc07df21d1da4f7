"""Decisions of a plan about layers, read from its report: question, reason, bound, and whether it stands.

A decision is a question to any report of the same model: with another chip, `stands` says whether the plan
still decides so.  None: the layers are others there, which answers nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nnc.explanations.schema import Bound
from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean
from nnc.report.schema import GroupEndReport, GroupReport, Report

_EXCESS = ("spill", "overlap", "reload")


@dataclass(frozen=True)
class Decision:
    """Something that the planner decided.

    Attributes:
        layers: those that it is about; how many channels they make may decide.
        stands: whether the plan of a report decides the same; None if that cannot be said.
    """

    question: str
    decided: str
    reason: str
    bound: Bound
    layers: tuple[str, ...]
    stands: Callable[[Report], bool | None]


def layer_named(report: Report, name: str) -> str:
    """The layer of a name; nodes of the model stand for the layers that compute them.

    Raises:
        OptionError: there is no such layer in a group.
    """
    in_groups = {layer: None for group in report.groups for layer in group.layers}
    if name in in_groups:
        return name
    nodes = {node: layer.name for layer in report.layers for node in layer.nodes}
    if nodes.get(name) in in_groups:
        return nodes[name]
    candidates = [*in_groups, *(node for node, layer in nodes.items() if layer in in_groups)]
    raise OptionError(
        "there is no such layer, nor node of the model",
        found=name,
        expected="a name that nnc compile --by layer shows",
        remedy=did_you_mean(name, candidates, "nnc compile MODEL.onnx --by layer lists them"),
    )


def about_pair(report: Report, first: str, second: str) -> Decision:
    """Why two layers are in one group, or in several."""
    groups = group_of(report, first), group_of(report, second)
    assert groups[0] is not None and groups[1] is not None
    earlier, later = sorted((groups[0], groups[1]), key=lambda group: group.id)

    def stands(other: Report) -> bool | None:
        homes = group_of(other, first), group_of(other, second)
        if homes[0] is None or homes[1] is None:
            return None
        return (homes[0].id == homes[1].id) is (earlier.id == later.id)

    if earlier.id == later.id:
        question, decided = f"why are {first} and {second} in one group?", f"both are in group {earlier.id}"
        return Decision(question, decided, earlier.reason, _price_of(earlier), (first, second), stands)
    question = f"why are {first} and {second} not in one group?"
    decided = f"groups {earlier.id} and {later.id}"
    reason, bound = earlier.ends_because or "", border_bound(report, earlier)
    return Decision(question, decided, reason, bound, (first, second), stands)


def about_layer(report: Report, name: str) -> Iterator[Decision]:
    """All decisions about one layer: its group's borders, its result, parts and cores."""
    group = group_of(report, name)
    assert group is not None
    for border in (group.id - 1, group.id):
        if 0 <= border < len(report.groups) - 1:
            before, after = report.groups[border], report.groups[border + 1]
            yield about_pair(report, before.layers[-1], after.layers[0])
    if _stored(report, name):
        yield about_residents(report, name)
    if group.parts > 1:
        yield about_parts(report, name)
    if len(group.cores) < report.chip.description["cores"]:
        yield about_cores(report, name)


def about_residents(report: Report, name: str) -> Decision:
    """Why the result of a layer does not stay on chip until others read it."""
    group = group_of(report, name)
    assert group is not None
    stored = _stored(report, name)
    memory, peak = max(group.memory_peak.items(), key=lambda item: item[1])

    def stands(other: Report) -> bool | None:
        return None if group_of(other, name) is None else _stored(other, name) > 0

    kept = f"; it leaves {', '.join(group.leaves)} there" if group.leaves else ""
    return Decision(
        f"why does the result of {name} not stay on chip?",
        f"{stored:,} B of it go to DRAM in group {group.id}{kept}",
        group.reason,
        Bound(
            what=f"bytes of {memory} that {_members(group)} use at the most, and that result beside them",
            demand=peak + stored,
            available=report.memory[memory].bytes,
            unit="bytes",
        ),
        (name,),
        stands,
    )


def _stored(report: Report, name: str) -> int:
    """Bytes of a layer's result that are written to DRAM, and are no output of the network."""
    figures = [layer.figures.dram for layer in report.layers if layer.name == name]
    return sum(dram.written_bytes - dram.by_cause["output"] - dram.by_cause["state"] for dram in figures)


def about_parts(report: Report, name: str) -> Decision:
    """Why the group of a layer is cut in so many parts, and no fewer."""
    group = group_of(report, name)
    assert group is not None
    memory, peak = max(group.memory_peak.items(), key=lambda item: item[1])
    size = report.memory[memory].bytes

    def stands(other: Report) -> bool | None:
        home = group_of(other, name)
        return None if home is None else home.parts >= group.parts

    parts = f"{group.parts} parts" + (f" along {group.axis}" if group.axis else "")
    return Decision(
        f"why is the group of {name} computed in {parts}?",
        f"group {group.id} of {_members(group)}",
        group.reason,
        Bound(
            what=f"bytes of {memory} in use at the most by {_members(group)} in {parts}",
            demand=peak,
            available=size,
            unit="bytes",
        ),
        (name,),
        stands,
    )


def about_cores(report: Report, name: str) -> Decision:
    """Why no more cores work on a layer."""
    group = group_of(report, name)
    assert group is not None
    count = len(group.cores)

    def stands(other: Report) -> bool | None:
        home = group_of(other, name)
        return None if home is None else len(home.cores) <= count

    cores = report.chip.description["cores"]
    return Decision(
        f"why do {count} of {cores} cores work on {name}?" if count > 1 else f"why does one core do {name}?",
        f"group {group.id} of {_members(group)}",
        group.reason,
        Bound(
            what=f"cycles of {_members(group)}, beside those if their work were even over all cores",
            demand=group.cycles,
            available=group.floor.cycles,
            unit="cycles",
        ),
        (name,),
        stands,
    )


def group_of(report: Report, name: str) -> GroupReport | None:
    """The first group that a layer is in; None if there is none."""
    return next((group for group in report.groups if name in group.layers), None)


def border_bound(report: Report, group: GroupReport) -> Bound:
    """What speaks against the next layer in a group: it does not fit, costs more there, or others need it."""
    end = group.end
    if end is None or not end.next_layer:
        return Bound(what="the network ends here", demand=None, available=None, unit="bytes")
    if end.dram_bytes is not None and end.cycles is not None:
        return _price_of_joining(report, group, end)
    counted = end.demand or end.bound
    beside = f" in {end.cut}" if end.cut else ""
    return Bound(
        what=f"{end.what}: {_members(group)} with {end.next_layer}{beside}",
        demand=end.demand if counted else None,
        available=end.bound if counted else None,
        unit=end.unit,
    )


def _price_of_joining(report: Report, group: GroupReport, end: GroupEndReport) -> Bound:
    """What a group would cost with the next layer, beside the group and that layer as they are."""
    assert end.dram_bytes is not None and end.cycles is not None
    of_next = [layer.figures for layer in report.layers if layer.name == end.next_layer]
    moved = sum(figures.dram.total_bytes for figures in of_next)
    worked = sum(figures.compute.core_cycles for figures in of_next) // len(group.cores)
    sides = {
        "bytes": (end.dram_bytes[0], end.dram_bytes[1] + moved),
        "cycles": (end.cycles[0], end.cycles[1] + worked),
    }
    joined = f"{_members(group)} with {end.next_layer}, {end.cut}"
    for unit, (together, separate) in sides.items():
        if together > separate:
            what = f"{_UNITS[unit]} of {joined}, beside those of both apart"
            return Bound(what=what, demand=together, available=separate, unit=unit)
    what = f"joined, both would cost less; what stays on chip around them decides: DRAM bytes of {joined}"
    return Bound(what=what, demand=sides["bytes"][0], available=sides["bytes"][1], unit="bytes")


_UNITS = {"bytes": "DRAM bytes", "cycles": "cycles"}


def _price_of(group: GroupReport) -> Bound:
    """What a group costs beside its floor."""
    return Bound(
        what=f"DRAM bytes of {_members(group)}, beside their floor",
        demand=group.figures.dram.total_bytes,
        available=group.floor.dram_bytes,
        unit="bytes",
    )


def _members(group: GroupReport) -> str:
    names = group.layers
    return " and ".join(names) if len(names) <= 2 else f"{names[0]} … {names[-1]} ({len(names)} layers)"


def excess_bytes(group: GroupReport) -> int:
    """DRAM bytes of a group above the floor, but for bursts."""
    return sum(group.figures.dram.by_cause[cause] for cause in _EXCESS)
