"""M1's kinds of layer groups, told by the structure of a group: forks and joins, never operator names.

And the views that belong to a group: they are part of its structure, but compute nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import networkx as nx

from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Layer, MacLayer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.network.plan_network import PlanNetwork


def kind_of(network: PlanNetwork, start: int, end: int) -> GroupKind:
    """The pattern of the group of layers [start … end].

    serial: a chain.  residual: every fork joins again, inside one pair of fork and join.  inverse-y: forks
    whose branches leave the group.  mixed: several joins, or forks of both sorts.
    """
    if start == end:
        return GroupKind.SINGLE
    dag = _dataflow(network, start, end)
    forks = [node for node in dag if dag.out_degree(node) > 1]
    joins = [node for node in dag if dag.in_degree(node) > 1]
    if not forks and not joins:
        return GroupKind.SERIAL
    if forks and not joins:
        return GroupKind.INVERSE_Y
    if len(forks) == 1 and len(joins) == 1 and _closes(dag, forks[0], joins[0]):
        return GroupKind.RESIDUAL
    return GroupKind.MIXED


def _dataflow(network: PlanNetwork, start: int, end: int) -> nx.MultiDiGraph:
    """Layers of the group, its concats, and the tensors that enter, with an edge per use.

    A fused addition of the layer's own input, the shortest residual, is two edges.  A concat is a view, but
    M1 counts it as a join: of all its operands if the group reads it, else of those that the group computes.
    """
    flow = _Dataflow(network, start, end)
    for position in range(start, end + 1):
        flow.dag.add_node(position)
        for tensor in _operands(network, position):
            flow.dag.add_edges_from((source, position) for source in flow.sources(tensor))
    for concat in _concats_behind(network.graph, network.defines[start : end + 1]):
        if concat.name not in flow.dag:
            operands = network.graph.inputs_of(concat.name)
            computed = [source for tensor in operands for source in flow.computed(required(tensor))]
            if len(computed) > 1:
                flow.dag.add_edges_from((source, concat.name) for source in computed)
    return flow.dag


def _operands(network: PlanNetwork, position: int) -> list[str]:
    """Activations that a layer reads; twice only if it reads one both as its input and as a residual."""
    tensors = [tensor for _, tensor in network.operands[position]]
    return tensors if isinstance(network.layers[position], MacLayer) else list(dict.fromkeys(tensors))


class _Dataflow:
    """Where the tensors of a group come from, through views."""

    def __init__(self, network: PlanNetwork, start: int, end: int) -> None:
        self.dag = nx.MultiDiGraph()
        self._graph = network.graph
        self._positions = {network.layers[p].name: p for p in range(start, end + 1)}

    def sources(self, tensor: str) -> list[Hashable]:
        """The nodes that a tensor comes from: a layer of the group, a concat, or what enters the group.

        A concat of tensors that all enter is itself what enters.
        """
        layer = self._graph.producer(tensor)
        if layer is None or not layer.is_view:
            return [self._node(layer, tensor)]
        if not isinstance(layer, Concat):
            return [source for t in self._activations(layer) for source in self.sources(t)]
        if not self.computed(tensor):
            return [f"input {tensor}"]
        if layer.name not in self.dag:
            self.dag.add_node(layer.name)
            for operand in self._activations(layer):
                self.dag.add_edges_from((source, layer.name) for source in self.sources(operand))
        return [layer.name]

    def computed(self, tensor: str) -> list[Hashable]:
        """The layers of the group, or concats of their results, that a tensor is made of."""
        layer = self._graph.producer(tensor)
        if layer is None or layer.name in self._positions:
            return [] if layer is None else [self._positions[layer.name]]
        if not layer.is_view:
            return []
        if layer.name in self.dag:
            return [layer.name]
        return [source for t in self._activations(layer) for source in self.computed(t)]

    def _node(self, layer: Layer | None, tensor: str) -> Hashable:
        if layer is None or layer.name not in self._positions:
            return f"input {tensor}"
        return self._positions[layer.name]

    def _activations(self, layer: Layer) -> list[str]:
        return [t for t in self._graph.inputs_of(layer.name) if t is not None and t in self._graph.storage]


def _concats_behind(graph: Graph, tensors: Sequence[str]) -> list[Concat]:
    """The concats that show one of some tensors, through other views or at once; each once."""
    concats, todo = dict[str, Concat](), list(tensors)
    while todo:
        for layer, _ in graph.consumers(todo.pop()):
            if layer.is_view and layer.name not in concats:
                if isinstance(layer, Concat):
                    concats[layer.name] = layer
                todo.append(graph.output_of(layer.name))
    return list(concats.values())


def _closes(dag: nx.MultiDiGraph, fork: object, join: object) -> bool:
    """Whether all branches of the fork meet in the join: it post-dominates the fork."""
    reverse = dag.reverse(copy=True)
    sinks = [node for node in dag if dag.out_degree(node) == 0]
    reverse.add_edges_from(("end", sink) for sink in sinks)
    dominators = nx.immediate_dominators(reverse, "end")
    node = fork
    while node != "end":
        node = dominators[node]
        if node == join:
            return True
    return False


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
