"""A report as the comparison asks it: layers by name, their groups, neighbours and figures."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property

from nnc.report.schema import GroupReport, LayerReport, Report


class PlanSide:
    """One of two reports that are compared."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.groups = {group.id: group for group in report.groups}

    @cached_property
    def entries(self) -> dict[str, list[LayerReport]]:
        """By layer, what it is in each group that works on it."""
        entries = defaultdict[str, list[LayerReport]](list)
        for layer in self.report.layers:
            entries[layer.name].append(layer)
        return dict(entries)

    @cached_property
    def is_inside(self) -> dict[tuple[str, str], bool]:
        """By maker and reader, whether a tensor goes from one to the other inside of one group."""
        layers = {layer.id: layer for layer in self.report.layers}
        edges = dict[tuple[str, str], bool]()
        for maker, reader in self.report.links:
            names = layers[maker].name, layers[reader].name
            if names[0] != names[1]:
                same = layers[maker].group == layers[reader].group
                edges[names] = edges.get(names, True) and same
        return edges

    @cached_property
    def edges_of(self) -> dict[str, list[tuple[str, str]]]:
        """By layer, its edges to both sides."""
        edges = defaultdict[str, list[tuple[str, str]]](list)
        for edge in self.is_inside:
            for name in edge:
                edges[name].append(edge)
        return edges

    def group_of(self, layer: str) -> GroupReport | None:
        """The group in which a layer moves most bytes; None if it is in none."""
        entries = [entry for entry in self.entries[layer] if entry.group in self.groups]
        if not entries:
            return None
        return self.groups[max(entries, key=lambda entry: entry.figures.dram.total_bytes).group]

    def bytes_by_cause(self, layer: str | None) -> Counter[str]:
        """DRAM bytes of a layer in all groups; none of a layer that this side does not have."""
        total = Counter[str]()
        for entry in self.entries[layer] if layer is not None else ():
            total.update(entry.figures.dram.by_cause)
        return total

    def core_cycles(self, layer: str | None) -> int:
        """Busy and waiting cycles of the cores for a layer."""
        entries = self.entries[layer] if layer is not None else ()
        return sum(entry.figures.compute.core_cycles for entry in entries)
