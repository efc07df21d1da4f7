"""M1's kinds of layer groups, told by the structure of a group: forks and joins, never operator names.

And the views that belong to a group: they are part of its structure, but compute nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Layer, MacLayer
from nnc.compiler.plan.network.plan_network import PlanNetwork

Edge = tuple[Hashable, Hashable]
"""From a layer by its position, a concat, or what enters the group."""


def kind_of(network: PlanNetwork, start: int, end: int) -> GroupKind:
    """The pattern of the group of layers [start … end].

    serial: a chain.  residual: every fork joins again, inside one pair of fork and join.  inverse-y: forks
    whose branches leave the group.  mixed: several joins, or forks of both sorts.
    """
    if start == end:
        return GroupKind.SINGLE
    edges = _Dataflow(network, start, end).edges
    forks = [node for node, n in Counter(source for source, _ in edges).items() if n > 1]
    joins = [node for node, n in Counter(target for _, target in edges).items() if n > 1]
    if not joins:
        return GroupKind.INVERSE_Y if forks else GroupKind.SERIAL
    if len(forks) == len(joins) == 1 and _closes(edges, forks[0], joins[0]):
        return GroupKind.RESIDUAL
    return GroupKind.MIXED


def _closes(edges: Sequence[Edge], fork: Hashable, join: Hashable) -> bool:
    """Whether all branches of the fork meet in the join: none ends elsewhere."""
    reached, todo = set[Hashable](), [fork]
    while todo:
        if (node := todo.pop()) != join and node not in reached:
            reached.add(node)
            todo += [target for source, target in edges if source == node]
    return fork != join and reached <= {source for source, _ in edges}


class _Dataflow:
    """Layers of the group, its concats, and the tensors that enter, with an edge per use.

    A fused addition of the layer's own input, the shortest residual, is two edges.  A concat is a view, but
    M1 counts it as a join: of all its operands if the group reads it, else of those that the group computes.
    """

    def __init__(self, network: PlanNetwork, start: int, end: int) -> None:
        self.edges: list[Edge] = []
        self._graph, self._concats = network.graph, set[str]()
        self._positions = {network.layers[p].name: p for p in range(start, end + 1)}
        for position in range(start, end + 1):
            tensors = [tensor for _, tensor in network.operands[position]]
            if not isinstance(network.layers[position], MacLayer):  # no residual: a use of each
                tensors = list(dict.fromkeys(tensors))
            self.edges += [(source, position) for tensor in tensors for source in self._sources(tensor)]
        for concat in _concats_behind(self._graph, network.defines[start : end + 1]):
            if concat not in self._concats:
                computed = self._computed_by(concat)
                if len(computed) > 1:
                    self._concats.add(concat)
                    self.edges += [(source, concat) for source in computed]

    def _sources(self, tensor: str) -> list[Hashable]:
        """The nodes that a tensor comes from: a layer of the group, a concat, or what enters the group.

        A concat of tensors that all enter is itself what enters.
        """
        layer = self._graph.producer(tensor)
        if layer is None or not layer.is_view or (isinstance(layer, Concat) and not self._computed(tensor)):
            return self._computed(tensor) or [f"input {tensor}"]
        sources = [source for t in self._activations(layer.name) for source in self._sources(t)]
        if not isinstance(layer, Concat):
            return sources
        if layer.name not in self._concats:
            self._concats.add(layer.name)
            self.edges += [(source, layer.name) for source in sources]
        return [layer.name]

    def _computed(self, tensor: str) -> list[Hashable]:
        """The layers of the group, or concats of their results, that a tensor is made of."""
        layer = self._graph.producer(tensor)
        if layer is None or layer.name in self._positions:
            return [] if layer is None else [self._positions[layer.name]]
        if layer.name in self._concats:
            return [layer.name]
        return self._computed_by(layer.name) if layer.is_view else []

    def _computed_by(self, view: str) -> list[Hashable]:
        return [source for tensor in self._activations(view) for source in self._computed(tensor)]

    def _activations(self, layer: str) -> list[str]:
        return [t for t in self._graph.inputs_of(layer) if t is not None and t in self._graph.storage]


def _concats_behind(graph: Graph, tensors: Sequence[str]) -> list[str]:
    """The concats that show one of some tensors, through other views or at once; each once."""
    views, todo = dict[str, Layer](), list(tensors)
    while todo:
        for layer, _ in graph.consumers(todo.pop()):
            if layer.is_view and layer.name not in views:
                views[layer.name] = layer
                todo.append(graph.output_of(layer.name))
    return [name for name, layer in views.items() if isinstance(layer, Concat)]


def views_after(graph: Graph, order: Sequence[str]) -> dict[str, list[str]]:
    """Views belong to the group of the layer that computes their operand (the last one, for a concat).

    Args:
        order: names of the layers that compute.
    """
    owner: dict[str, str] = {}
    views: dict[str, list[str]] = {}
    position = {name: number for number, name in enumerate(order)}
    for layer in graph.layers():
        if not layer.is_view:
            owner[layer.name] = layer.name
            continue
        above = [owner[name] for name in graph.predecessors(layer.name) if name in owner]
        if above:
            owner[layer.name] = max(above, key=lambda name: position[name])
            views.setdefault(owner[layer.name], []).append(layer.name)
    return views
