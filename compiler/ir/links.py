"""Which layer reads what another one defines: the networkx graph of layers, and the readers of every tensor.

Both are entered when they are first asked for.  Of the hundreds of thousands of nodes of a partitioned graph,
most often nobody asks: a layer is then no more than its record.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from operator import attrgetter

import networkx as nx

from nnc.compiler.ir.layers import Layer
from nnc.isa.errors import InternalError

Readers = dict[str, dict[tuple[str, int], None]]
"""By tensor, the layers and slots that read it."""


@dataclass(slots=True)
class Node:
    """A layer, the tensors that it reads (None: an absent optional one) and defines, and its place in order.

    Layers come by rank where the order is free.
    """

    layer: Layer
    inputs: tuple[str | None, ...]
    outputs: tuple[str, ...]
    rank: float


class Links:
    """Layers as nodes of a networkx graph, edges from who defines a tensor to who reads it.

    Attributes:
        records: of every layer, by name.
        producer: the layer that defines each tensor.
        is_in_order: whether the layers, as they were added, come after what they read.
    """

    def __init__(self) -> None:
        self._net: nx.DiGraph[str] = nx.DiGraph()
        self.records: dict[str, Node] = {}
        self.producer: dict[str, str] = {}
        self._readers: Readers = {}
        self._unlinked: list[str] = []
        self.is_in_order = True

    def add(
        self, layer: Layer, inputs: tuple[str | None, ...], outputs: tuple[str, ...], rank: float
    ) -> None:
        """Add a layer; its edges are entered later."""
        self.records[layer.name] = Node(layer, inputs, outputs, rank)
        self._unlinked.append(layer.name)

    def remove(self, name: str) -> None:
        """Remove a layer and its edges."""
        self.net.remove_node(name)
        del self.records[name]

    def _link(self) -> None:
        self._net.add_nodes_from(self._unlinked)
        for name in self._unlinked:
            self._read(name)
        self._unlinked.clear()

    @property
    def net(self) -> nx.DiGraph[str]:
        """The networkx graph with all edges."""
        self._link()
        return self._net

    @property
    def readers(self) -> Readers:
        """Who reads every tensor, in the order in which it was said."""
        self._link()
        return self._readers

    def set_inputs(self, name: str, inputs: tuple[str | None, ...]) -> None:
        """Give a layer other operands."""
        net, node = self.net, self.records[name]
        above = self._above(node.inputs)
        for slot, tensor in enumerate(node.inputs):
            if tensor is not None:
                self._readers[tensor].pop((name, slot))
        if self._above(inputs) != above:
            net.remove_edges_from([(producer, name) for producer in above])
        node.inputs, self.is_in_order = inputs, False
        self._read(name)

    def _read(self, name: str) -> None:
        inputs = self.records[name].inputs
        for slot, tensor in enumerate(inputs):
            if tensor is not None:
                self._readers.setdefault(tensor, {})[name, slot] = None
        self._net.add_edges_from([(producer, name) for producer in self._above(inputs)])

    def _above(self, operands: Iterable[str | None]) -> list[str]:
        """The layers that define operands, each once."""
        producers = [self.producer.get(tensor) for tensor in operands if tensor is not None]
        return [producer for producer in dict.fromkeys(producers) if producer is not None]

    def layers(self) -> list[Layer]:
        """All layers in topological order; ties in the order of insertion, so the result is stable.

        Raises:
            InternalError: the graph has a cycle.
        """
        records = self.records
        if self.is_in_order:
            return [node.layer for node in records.values()]
        if all(records[above].rank < records[name].rank for above, name in self.net.edges()):
            return [node.layer for node in sorted(records.values(), key=attrgetter("rank"))]
        try:
            order = list(nx.lexicographical_topological_sort(self.net, key=lambda name: records[name].rank))
        except nx.NetworkXUnfeasible as error:
            cycle = " -> ".join(source for source, _ in nx.find_cycle(self.net))
            raise InternalError("the graph has a cycle", found=cycle) from error
        return [records[name].layer for name in order]

    def copy(self) -> Links:
        """Independent ones of the same layers."""
        links = copy(self)
        links._net = self.net.copy()
        links.records = {name: copy(node) for name, node in self.records.items()}
        links.producer = dict(self.producer)
        links._readers = {tensor: dict(users) for tensor, users in self._readers.items()}
        links._unlinked = []
        return links
