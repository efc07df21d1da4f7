"""Topological orders of a network's layers.

Groups are intervals of an order.  Orders differ where branches do: which of them comes first decides what is
on chip while the other computes.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.orders.branches import newest_first
from nnc.compiler.plan.orders.order_memory import OrderMemory
from nnc.compiler.plan.views.attention_axes import is_contraction
from nnc.compiler.tuning import TUNING


def orders_of(graph: Graph, most_layers: int = EFFORTS["O2"].ordered_layers) -> list[list[Layer]]:
    """Different orders of the layers that compute: as they came, by level, and those near the end first.

    The level of a layer is the length of the longest path from an input to it.

    Args:
        most_layers: of larger networks, as they came or `with_little_alive`, and those early that free memory
            (`freeing_early`).
    """
    layers = {layer.name: layer for layer in graph.layers()}
    net = graph.layer_dag()
    rank = {name: number for number, name in enumerate(layers)}
    level, height = _longest_paths(net), _longest_paths(net.reverse(copy=False))
    found: dict[tuple[str, ...], None] = {}
    for key in (rank, level, height) if len(layers) <= most_layers else (rank,):
        order = nx.lexicographical_topological_sort(net, key=lambda name, key=key: (key[name], rank[name]))
        found[tuple(name for name in order if not layers[name].is_view)] = None
    if len(layers) > most_layers:
        first = newest_first(graph, with_little_alive(graph, next(iter(found))))
        first = contractions_first(graph, first)
        found = dict.fromkeys((tuple(first), tuple(freeing_early(graph, first))))
    else:
        first = contractions_first(graph, next(iter(found)))
        found[tuple(first)] = None
    return [[layers[name] for name in names] for names in found]


def with_little_alive(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers as they came, or depth first if that halves the most bytes that are alive.

    Depth first, a layer comes as soon as its operands are there if it makes no more than it frees: of a
    thousand tensors that are added up, two are alive, not all.
    """
    given, memory = OrderMemory(graph, order), OrderMemory(graph, order)
    for name in order:
        given.do(name)
    for name in order:
        ready = [name]
        while ready:
            if (mine := ready.pop()) not in memory.done and (mine == name or memory.gain(mine) >= 0):
                memory.do(mine)
                ready += reversed(memory.concerned(mine))
    return list((memory if TUNING.search.depth_first_ratio * memory.most <= given.most else given).done)


def freeing_early(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers; one that is the last to read more than it makes comes as soon as it can.

    x -> a -> b -> y = b + c,  x -> c, where c, a strided convolution, makes less than x: c, a, b, y.  Behind
    a, x is gone: a group may end there, and the result of a, which b reads next, may follow x as its rows are
    used up.
    """
    memory = OrderMemory(graph, order)
    for name in order:
        if name in memory.done:
            continue
        for last in memory.last_beside(name):
            memory.do(last)
        memory.do(name)
        for last in memory.last_beside(name):
            memory.do(last)
    return list(memory.done)


def contractions_first(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers; what a sum over products of rows needs comes first, then what is small, then the rest.

    k, v -> sum of k x v -> y <- q:  q comes behind the sum, in the group that reads both, and visits no DRAM.
    """
    net, memory = graph.layer_dag(), OrderMemory(graph, order)
    for name in order:
        if name not in memory.done and is_contraction(graph, graph.layer(name)):
            needed = nx.ancestors(net, name)
            for before in order:
                if before in needed and before not in memory.done:
                    memory.do(before)
            memory.do_small(order, most=graph.types[required(graph.inputs_of(name)[0])].nbytes)
    for name in order:
        if name not in memory.done:
            memory.do(name)
    return list(memory.done)


def _longest_paths(net: nx.DiGraph[str]) -> dict[str, int]:
    """Most edges from any source to every node."""
    lengths: dict[str, int] = {}
    for name in nx.topological_sort(net):
        lengths[name] = max((lengths[before] + 1 for before in net.predecessors(name)), default=0)
    return lengths
