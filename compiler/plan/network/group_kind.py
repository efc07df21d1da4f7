"""M1's kinds of layer groups, told by the structure of a group: forks and joins, never operator names.

And the views that belong to a group: they are part of its structure, but compute nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from nnc.compiler.ir.annotations import GroupKind
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import MacLayer
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
    """Layers of the group and the buffers' definers before it, with an edge per use.

    A fused addition of the layer's own input, the shortest residual, is two edges.
    """
    dag = nx.MultiDiGraph()
    dag.add_nodes_from(range(start, end + 1))
    for position in range(start, end + 1):
        for tensor in _operands(network, position):
            buffer = network.buffer_of(tensor)
            definers = [p for p, _ in network.definitions.get(buffer, []) if p < position] or [-1]
            for definer in definers:
                dag.add_edge(definer if definer >= start else f"input {buffer}", position)
    return dag


def _operands(network: PlanNetwork, position: int) -> list[str]:
    """Activations that a layer reads; twice only if it reads one both as its input and as a residual."""
    tensors = [tensor for _, tensor in network.operands[position]]
    return tensors if isinstance(network.layers[position], MacLayer) else list(dict.fromkeys(tensors))


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
