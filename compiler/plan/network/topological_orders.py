"""Topological orders of a network's layers, and the prefixes that they share.

Groups are intervals of an order.  Orders differ where branches do: which of them comes first decides what is
on chip while the other computes.  Two orders meet wherever they have computed the same layers; there, a plan
may go on in either.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.plan.views.row_views import CutAxes

MOST_LAYERS = 24
"""Of larger networks, one order is tried: more of them gain little and take a search each."""


def orders_of(graph: Graph) -> list[list[Layer]]:
    """Different orders of the layers that compute: as they came, by level, and those near the end first.

    The level of a layer is the length of the longest path from an input to it.
    """
    layers = {layer.name: layer for layer in graph.layers()}
    net = graph.layer_dag()
    rank = {name: number for number, name in enumerate(layers)}
    level, height = _longest_paths(net), _longest_paths(net.reverse(copy=False))
    found: dict[tuple[str, ...], None] = {}
    for key in (rank, level, height) if len(layers) <= MOST_LAYERS else (rank,):
        order = nx.lexicographical_topological_sort(net, key=lambda name, key=key: (key[name], rank[name]))
        found[tuple(name for name in order if not layers[name].is_view)] = None
    return [[layers[name] for name in names] for names in found]


def _longest_paths(net: nx.DiGraph[str]) -> dict[str, int]:
    """Most edges from any source to every node."""
    lengths: dict[str, int] = {}
    for name in nx.topological_sort(net):
        lengths[name] = max((lengths[before] + 1 for before in net.predecessors(name)), default=0)
    return lengths


class Prefixes:
    """The sets of layers that some orders have computed at some position.

    Attributes:
        of: per order, the number of the prefix at every position from 0 to the end; equal sets have equal
            numbers.
        count: how many there are; by_size: their numbers, the smallest set first.
    """

    def __init__(self, orders: Sequence[Sequence[str]], axes: Sequence[CutAxes] = ()) -> None:
        """Args:
        orders: names of layers.
        axes: per order, along which groups are cut there; none: all alike.
        """
        self._orders, self._axes = orders, axes or [CutAxes.OUTERMOST] * len(orders)
        numbers: dict[frozenset[str], int] = {}
        self.of = [
            [numbers.setdefault(frozenset(order[:end]), len(numbers)) for end in range(len(order) + 1)]
            for order in orders
        ]
        self.count = len(numbers)
        self.by_size = sorted(numbers.values(), key=[len(prefix) for prefix in numbers].__getitem__)

    def places(self, prefix: int) -> list[tuple[int, int]]:
        """(order, position) of a prefix in every order that has it."""
        return [
            (order, position)
            for order, prefixes in enumerate(self.of)
            for position, found in enumerate(prefixes)
            if found == prefix
        ]

    def latest_new(self, order: int, end: int) -> int:
        """The latest start of an interval that ends here and is in no earlier order; −1 if there is none.

        The same layers cut along other axes are another interval.
        """
        mine, latest = self._orders[order], end
        for other in range(order):
            if self._axes[other] != self._axes[order]:
                continue
            if self.of[other][end + 1] == self.of[order][end + 1]:
                theirs = self._orders[other]
                latest = min(latest, next((p for p in range(end, -1, -1) if mine[p] != theirs[p]), -1))
        return latest
