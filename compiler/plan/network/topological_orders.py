"""Topological orders of a network's layers, and the prefixes that they share.

Groups are intervals of an order.  Orders differ where branches do: which of them comes first decides what is
on chip while the other computes.  Two orders meet wherever they have computed the same layers; there, a plan
may go on in either.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf

import networkx as nx

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.ir.required import required
from nnc.compiler.plan.views.attention_axes import is_contraction
from nnc.compiler.plan.views.row_views import CutAxes

MOST_LAYERS = 24
"""Of larger networks, two orders that differ in few places are tried: more of them take a search each."""


def orders_of(graph: Graph, most_layers: int = MOST_LAYERS) -> list[list[Layer]]:
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
        first = contractions_first(graph, with_little_alive(graph, next(iter(found))))
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
    given, memory = _Memory(graph, order), _Memory(graph, order)
    for name in order:
        given.do(name)
    for name in order:
        ready = [name]
        while ready:
            if (mine := ready.pop()) not in memory.done and (mine == name or memory.gain(mine) >= 0):
                memory.do(mine)
                ready += reversed(memory.concerned(mine))
    return list((memory if 2 * memory.most <= given.most else given).done)


def freeing_early(graph: Graph, order: Sequence[str]) -> list[str]:
    """The same layers; one that is the last to read more than it makes comes as soon as it can.

    x -> a -> b -> y = b + c,  x -> c, where c, a strided convolution, makes less than x: c, a, b, y.  Behind
    a, x is gone: a group may end there, and the result of a, which b reads next, may follow x as its rows are
    used up.
    """
    memory = _Memory(graph, order)
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
    net, memory = graph.layer_dag(), _Memory(graph, order)
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


class _Memory:
    """Which buffers layers read and make, and which layers are done; steps take time by their own operands.

    Attributes:
        reads: the buffers that each layer reads.
        waiting: the layers that are not done yet and read a buffer, in order.
        done: the layers that are done, in order.
        most: most bytes that were alive at a layer.
    """

    def __init__(self, graph: Graph, order: Sequence[str]) -> None:
        self._graph = graph
        self._makes = {name: graph.storage[graph.output_of(name)].buffer for name in order}
        self.reads = {name: _buffers_read(graph, name) for name in order}
        self.done: dict[str, None] = {}
        self.waiting: dict[str, dict[str, None]] = defaultdict(dict)
        self._unmade = Counter(self._makes.values())
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
        self._begun.add(self._makes[name])
        self._unmade[self._makes[name]] -= 1
        for buffer in self.reads[name]:
            del self.waiting[buffer][name]

    def do_small(self, order: Sequence[str], most: int) -> None:
        """Let all layers be done that can, and begin no buffer of more bytes."""
        for name in order:
            if name not in self.done and self._bytes_made(name) <= most and self.gain(name) > -inf:
                self.do(name)

    def concerned(self, name: str) -> list[str]:
        """What may be computed or free memory since a layer was done: its readers, last readers beside it."""
        readers = [] if self._unmade[self._makes[name]] else [*self.waiting[self._makes[name]]]
        others = (self.waiting[buffer] for buffer in self.reads[name])
        return readers + [last for mine in others if len(mine) == 1 for last in mine]

    def last_beside(self, name: str) -> list[str]:
        """The layers that alone wait for an operand of a layer beside it, and free more than they make."""
        waiting = (self.waiting[buffer] for buffer in self.reads[name])
        others = [mine.keys() - {name} for mine in waiting if len(mine) <= 2]
        lasts = dict.fromkeys(last for mine in others if len(mine) == 1 for last in mine)
        return [last for last in lasts if self.gain(last, name) > 0]

    def gain(self, name: str, beside: str = "") -> float:
        """Bytes that a layer, or one beside it, frees beyond those it makes; −∞ if it cannot come yet."""
        if any(self._unmade[buffer] for buffer in self.reads[name]):
            return -inf
        return self._bytes_freed(name, beside) - self._graph.buffers[self._makes[name]].nbytes

    def _bytes_freed(self, name: str, beside: str = "") -> int:
        """Bytes that a layer reads and no layer reads any more behind it and one beside it."""
        unread = (b for b in self.reads[name] if b not in self._outputs)
        few = (b for b in unread if len(self.waiting[b]) <= 2)
        last = (b for b in few if not self.waiting[b].keys() - {name, beside})
        return sum(self._graph.buffers[buffer].nbytes for buffer in last)

    def _bytes_made(self, name: str) -> int:
        """Bytes of the buffer that a layer begins; none if others have begun it."""
        made = self._makes[name]
        return 0 if made in self._begun else self._graph.buffers[made].nbytes


def _buffers_read(graph: Graph, name: str) -> list[str]:
    """The buffers of the activations that a layer reads."""
    operands = (tensor for tensor in graph.inputs_of(name) if tensor is not None and tensor in graph.storage)
    return list(dict.fromkeys(graph.storage[tensor].buffer for tensor in operands))


def _longest_paths(net: nx.DiGraph[str]) -> dict[str, int]:
    """Most edges from any source to every node."""
    lengths: dict[str, int] = {}
    for name in nx.topological_sort(net):
        lengths[name] = max((lengths[before] + 1 for before in net.predecessors(name)), default=0)
    return lengths


def _shared(order: Sequence[str], other: Sequence[str], known: Sequence[int]) -> list[int | None]:
    """Per position of an order: the number of the prefix of another one that has the same layers."""
    found: list[int | None] = [known[0]]
    apart: set[str] = set()
    for mine, theirs, number in zip(order, other, known[1:], strict=True):
        apart ^= {mine}
        apart ^= {theirs}
        found.append(None if apart else number)
    return found


class Prefixes:
    """The sets of layers that some orders have computed at some position.

    Attributes:
        of: per order, the number of the prefix at every position from 0 to the end; equal sets have equal
            numbers.
        count: how many there are; by_size: their numbers, the smallest set first.
    """

    def __init__(
        self, orders: Sequence[Sequence[str]], axes: Sequence[CutAxes] = (), *, as_sets: bool = False
    ) -> None:
        """Args:
        orders: names of layers.
        axes: per order, along which groups are cut there; none: all alike.
        as_sets: whether intervals of the same layers are one, whatever the order inside.
        """
        self._orders, self._axes = orders, axes or [CutAxes.OUTERMOST] * len(orders)
        self._as_sets = as_sets
        self.of: list[list[int]] = []
        sizes: list[int] = []
        for order in orders:
            numbers: list[int | None] = [None] * (len(order) + 1)
            for other, known in zip(orders, self.of, strict=False):
                numbers = [
                    mine if same is None else same
                    for mine, same in zip(numbers, _shared(order, other, known), strict=True)
                ]
            for end, number in enumerate(numbers):
                if number is None:
                    numbers[end] = len(sizes)
                    sizes.append(end)
            self.of.append([number for number in numbers if number is not None])
        self.count = len(sizes)
        self.by_size = sorted(range(self.count), key=sizes.__getitem__)
        self._places: list[list[tuple[int, int]]] = [[] for _ in sizes]
        for number, prefixes in enumerate(self.of):
            for position, prefix in enumerate(prefixes):
                self._places[prefix].append((number, position))

    def places(self, prefix: int) -> list[tuple[int, int]]:
        """(order, position) of a prefix in every order that has it."""
        return self._places[prefix]

    def new_starts(self, order: int, end: int) -> range | list[int]:
        """The starts of intervals that end here and are in no earlier order.

        The same layers cut along other axes are another interval.
        """
        if not self._as_sets:
            return range(self._latest_new(order, end) + 1)
        mine = self.of[order]
        earlier = [n for other, n in enumerate(self.of[:order]) if self._axes[other] == self._axes[order]]
        if all(numbers[end + 1] != mine[end + 1] for numbers in earlier):
            return range(end + 1)
        return [start for start in range(end + 1) if all(n[start] != mine[start] for n in earlier)]

    def _latest_new(self, order: int, end: int) -> int:
        """The latest start of an interval that ends here and is in no earlier order; −1 if there is none."""
        mine, latest = self._orders[order], end
        for other in range(order):
            if self._axes[other] != self._axes[order]:
                continue
            if self.of[other][end + 1] == self.of[order][end + 1]:
                theirs = self._orders[other]
                latest = min(latest, next((p for p in range(end, -1, -1) if mine[p] != theirs[p]), -1))
        return latest
