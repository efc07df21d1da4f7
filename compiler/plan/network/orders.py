"""Topological orders of a network's layers.

Groups are intervals of an order.  Orders differ where branches do: which of them comes first decides what is
on chip while the other computes.

Branches that end: a -> b -> c, and behind them the heads of a detector, a -> p, b -> q, c -> r, as exporters
write them: a, b, c, p, q, r.  While p and q are computed, c must stay on chip or visit DRAM.  In the order
a, b, c, r, q, p it need not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import inf

import networkx as nx

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.network.attention_axes import is_contraction
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
    orders: dict[tuple[str, ...], None] = {}
    for key in (rank, level, height) if len(layers) <= most_layers else (rank,):
        order = nx.lexicographical_topological_sort(net, key=lambda name, key=key: (key[name], rank[name]))
        orders[tuple(name for name in order if not layers[name].is_view)] = None
    if len(layers) > most_layers:
        first = newest_first(graph, with_little_alive(graph, next(iter(orders))))
        first = contractions_first(graph, first)
        orders = dict.fromkeys((tuple(first), tuple(freeing_early(graph, first))))
    else:
        first = contractions_first(graph, next(iter(orders)))
        orders[tuple(first)] = None
    return [[layers[name] for name in names] for names in orders]


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
            if (candidate := ready.pop()) not in memory.done and (
                candidate == name or memory.gain(candidate) >= 0
            ):
                memory.do(candidate)
                ready += reversed(memory.concerned(candidate))
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


@dataclass(eq=False)
class _Branch:
    """Layers one behind the other, each of which reads what the one before it makes.

    Attributes:
        reads: the buffers that other layers make for it; ends: whether others read little of what it makes.
    """

    layers: list[str]
    reads: set[str] = field(default_factory=set)
    ends: bool = False


def newest_first(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers; before a branch that ends come all others that end and read what was made later."""
    memory = OrderMemory(graph, order)
    branches, waiting = _branches(graph, memory, order), defaultdict[str, list[_Branch]](list)
    for branch in reversed(branches):
        for buffer in branch.reads if branch.ends else ():
            waiting[buffer].append(branch)
    ready = [branch for branch in reversed(branches) if branch.ends and memory.are_made(branch.reads)]
    for branch in branches:  # those that had to wait longest are done last
        while branch.layers[0] not in memory.done:
            following = ready.pop() if branch.ends and ready else branch
            for name in following.layers if following.layers[0] not in memory.done else ():
                memory.do(name)
                made = waiting[memory.makes[name]] if memory.are_made({memory.makes[name]}) else []
                ready += [reader for reader in made if memory.are_made(reader.reads)]
    return list(memory.done)


def _branches(graph: Graph, memory: OrderMemory, order: Sequence[str]) -> list[_Branch]:
    """The branches of an order; a new one begins where a layer does not read what was just made."""
    branches, made = list[_Branch](), ""
    for name in order:
        if made not in memory.reads[name]:
            branches.append(_Branch([]))
        branches[-1].layers.append(name)
        made = memory.makes[name]
    layers_of = Counter(memory.makes.values())
    for branch in branches:
        inside = set(branch.layers)
        count = Counter(memory.makes[name] for name in branch.layers)
        own = {buffer for buffer, n in count.items() if n == layers_of[buffer]}
        branch.reads = {buffer for name in branch.layers for buffer in memory.reads[name]} - own
        handed_on = [
            name for name in branch.layers if not inside.issuperset(memory.waiting[memory.makes[name]])
        ]
        left = sum(graph.types[graph.output_of(name)].nbytes for name in handed_on)
        read = sum(graph.buffers[buffer].nbytes for buffer in branch.reads)
        branch.ends = TUNING.search.branch_end_share * left <= read
    return branches


class OrderMemory:
    """Which buffers layers read and make, and which layers are done; steps take time by their own operands.

    Attributes:
        makes, reads: the buffer that each layer makes, those that it reads.
        waiting: the layers that are not done yet and read a buffer, in order.
        done: the layers that are done, in order.
        most: most bytes that were alive at a layer.
    """

    def __init__(self, graph: Graph, order: Sequence[str]) -> None:
        self._graph = graph
        self.makes = {name: graph.storage[graph.output_of(name)].buffer for name in order}
        self.reads = {name: buffers_read(graph, name) for name in order}
        self.done: dict[str, None] = {}
        self.waiting: dict[str, dict[str, None]] = defaultdict(dict)
        self._unmade = Counter(self.makes.values())
        self._outputs = {graph.storage[tensor].buffer for tensor in graph.outputs}
        for name in order:
            for buffer in self.reads[name]:
                self.waiting[buffer][name] = None
        self._begun: set[str] = set()
        self._alive = self.most = 0

    def do(self, name: str) -> None:
        """Let a layer be done."""
        self._alive += self._bytes_made(name)
        self.most = max(self.most, self._alive)
        self._alive -= self._bytes_freed(name)
        self.done[name] = None
        self._begun.add(self.makes[name])
        self._unmade[self.makes[name]] -= 1
        for buffer in self.reads[name]:
            del self.waiting[buffer][name]

    def are_made(self, buffers: Iterable[str]) -> bool:
        """Whether no layer has yet to make some of a buffer."""
        return not any(self._unmade[buffer] for buffer in buffers)

    def do_small(self, order: Sequence[str], most: int) -> None:
        """Let all layers be done that can, and begin no buffer of more bytes."""
        for name in order:
            if name not in self.done and self._bytes_made(name) <= most and self.gain(name) > -inf:
                self.do(name)

    def concerned(self, name: str) -> list[str]:
        """What may be computed or free memory since a layer was done: its readers, last readers beside it."""
        made = self.makes[name]
        readers = [*self.waiting[made]] if self.are_made([made]) else []
        others = (self.waiting[buffer] for buffer in self.reads[name])
        return readers + [last for waiters in others if len(waiters) == 1 for last in waiters]

    def last_beside(self, name: str) -> list[str]:
        """The layers that alone wait for an operand of a layer beside it, and free more than they make."""
        waiting = (self.waiting[buffer] for buffer in self.reads[name])
        others = [waiters.keys() - {name} for waiters in waiting if len(waiters) <= 2]
        lasts = dict.fromkeys(last for readers in others if len(readers) == 1 for last in readers)
        return [last for last in lasts if self.gain(last, name) > 0]

    def gain(self, name: str, beside: str = "") -> float:
        """Bytes that a layer, or one beside it, frees beyond those it makes; −∞ if it cannot come yet."""
        if not self.are_made(self.reads[name]):
            return -inf
        return self._bytes_freed(name, beside) - self._graph.buffers[self.makes[name]].nbytes

    def _bytes_freed(self, name: str, beside: str = "") -> int:
        """Bytes that a layer reads and no layer reads any more behind it and one beside it."""
        unread = (b for b in self.reads[name] if b not in self._outputs)
        few = (b for b in unread if len(self.waiting[b]) <= 2)
        last = (b for b in few if not self.waiting[b].keys() - {name, beside})
        return sum(self._graph.buffers[buffer].nbytes for buffer in last)

    def _bytes_made(self, name: str) -> int:
        """Bytes of the buffer that a layer begins; none if others have begun it."""
        made = self.makes[name]
        return 0 if made in self._begun else self._graph.buffers[made].nbytes


def buffers_read(graph: Graph, name: str) -> list[str]:
    """The buffers of the activations that a layer reads."""
    operands = (tensor for tensor in graph.inputs_of(name) if tensor is not None and tensor in graph.storage)
    return list(dict.fromkeys(graph.storage[tensor].buffer for tensor in operands))
