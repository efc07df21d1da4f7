"""Where the graph of layers is drawn: groups one after another as they run, layers in generations inside.

Groups run in sequence, so that each of them takes columns of its own, left to right; rows of columns are
broken like lines of text.  Inside a group, a layer stands one column behind the last of those of its group
that it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import networkx as nx

_GAP = 0.4
"""Between groups, in columns, and between rows of groups, in layers."""
_ASPECT = 0.35
"""Columns and layers per row: about as high as wide, with boxes three times as wide as high."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the drawing: columns to the right, layers upwards (all of them negative)."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def middle(self) -> float:
        """Half its height."""
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes of layers and of groups, by their numbers."""

    layers: dict[int, Box]
    groups: dict[int, Box]


def draw_layers(groups: Mapping[int, Sequence[int]], links: Iterable[tuple[int, int]]) -> Drawing:
    """Find a place for every layer.

    Args:
        groups: the layers of each group, groups in the order in which they run.
        links: pairs of layers, reader second.
    """
    home = {layer: group for group, layers in groups.items() for layer in layers}
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(home)
    graph.add_edges_from((a, b) for a, b in links if a in home and b in home and home[a] == home[b])
    columns = {group: _generations(graph, layers) for group, layers in groups.items() if layers}
    width = sum(len(group_columns) + _GAP for group_columns in columns.values())
    height = max((len(column) for group_columns in columns.values() for column in group_columns), default=1)
    line = max(ceil(sqrt(width * (height + _GAP) / _ASPECT)), max(map(len, columns.values()), default=1), 8)
    drawing = Drawing({}, {})
    x, y, deepest = 0.0, 0.0, 0
    for group, group_columns in columns.items():
        if x and x + len(group_columns) > line:
            x, y, deepest = 0.0, y - deepest - 2 * _GAP, 0
        tall = max(map(len, group_columns))
        deepest = max(deepest, tall)
        drawing.groups[group] = Box(x, x + len(group_columns), y - tall, y)
        for number, column in enumerate(group_columns):
            top = y - (tall - len(column)) / 2
            for place, layer in enumerate(column):
                drawing.layers[layer] = Box(
                    x + number + 0.08, x + number + 0.92, top - place - 0.86, top - place - 0.14
                )
        x += len(group_columns) + _GAP
    return drawing


def _generations(graph: nx.DiGraph[int], layers: Sequence[int]) -> list[list[int]]:
    """The layers of a group in columns, each behind those that it reads, near their height."""
    inside = nx.DiGraph(graph.subgraph(layers))
    if not nx.is_directed_acyclic_graph(inside):  # layers of one name that run in turns
        return [[layer] for layer in layers]
    height: dict[int, float] = {}
    columns = []
    for generation in nx.topological_generations(inside):

        def wanted(layer: int) -> tuple[float, int]:
            sources = [height[source] for source in inside.predecessors(layer) if source in height]
            return (sum(sources) / len(sources) if sources else 0.0, layer)

        column = sorted(generation, key=wanted)
        height.update((layer, place - (len(column) - 1) / 2) for place, layer in enumerate(column))
        columns.append(column)
    return columns
