"""Repeated blocks: intervals of layers that look alike, so that each is costed once.

A *chain* is an interval seen from its last layer upstream.  Its layers and buffers are described without
names: layers by their structure, buffers by number in the order in which the chain touches them.  Chains
with equal descriptions share a `Node` of a tree, and what was found for one holds for all of them, in any
order of the layers.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from nnc.compiler.plan.fusion.cut import Cut
from nnc.compiler.plan.fusion.group_cost import Held, Interval
from nnc.compiler.plan.network.in_place import in_place_source
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import Residents, resident_of


@dataclass(slots=True, eq=False)
class Node:
    """An interval of layers as any block that looks alike sees it.

    Attributes:
        buffers: how many buffers it touches.
        intervals: what the group costs, by its cut and the layers of its tail; None if it cannot be cut so,
            and neither can any longer one.
    """

    buffers: int = 0
    longer: dict[Hashable, Node] = field(default_factory=dict)
    intervals: dict[tuple[Cut, int], Interval | None] = field(default_factory=dict)


class Repeats:
    """The tree of all chains of a graph, and numbers for layers that are alike."""

    def __init__(self) -> None:
        self.root = Node()
        self._alike: dict[Hashable, int] = {}
        self._layers: dict[str, int] = {}
        self._held: dict[Hashable, Held] = {}

    def held(self, stays: tuple[tuple[int, int], ...], whole: frozenset[int], others: int) -> Held:
        """The one object for these residents."""
        key = (stays, whole, others)
        if key not in self._held:
            self._held[key] = Held(*key)
        return self._held[key]

    def structure(self, network: PlanNetwork, position: int) -> int:
        """A number that layers share if they differ in names and values only."""
        name = network.layers[position].name
        if name not in self._layers:
            self._layers[name] = self._alike.setdefault(network.structure(position), len(self._alike))
        return self._layers[name]


class Chain:
    """All intervals that end at one layer, from the shortest on."""

    def __init__(self, network: PlanNetwork, end: int, repeats: Repeats) -> None:
        self.network, self.end, self._repeats = network, end, repeats
        self.numbers: dict[str, int] = {}
        self._nodes = [repeats.root]
        self._held: dict[tuple[int, Residents], Held] = {}

    def node(self, start: int) -> Node:
        """The node of the interval from `start` to the end of the chain."""
        while self.end - start + 2 > len(self._nodes):
            self._extend(self.end + 1 - len(self._nodes))
        return self._nodes[self.end - start + 1]

    def held(self, start: int, residents: Residents) -> Held:
        """Residents as the interval from `start` sees them."""
        key = (start, residents)
        if key not in self._held:
            touched = self.node(start).buffers
            network, stays, whole = self.network, [], []
            for buffer in dict.fromkeys(resident_of(name)[0] for name in sorted(residents)):
                number = self.numbers.get(buffer, touched)
                if number < touched:
                    stays.append((number, network.stays(buffer, residents)))
                    if buffer in residents:
                        whole.append(number)
            others = network.nbytes_of(residents) - sum(nbytes for _, nbytes in stays)
            self._held[key] = self._repeats.held(tuple(stays), frozenset(whole), others)
        return self._held[key]

    def _extend(self, position: int) -> None:
        network = self.network
        tensors = [network.defines[position], *(tensor for _, tensor in network.operands[position])]
        slots = tuple(slot for slot, _ in network.operands[position])
        seen = len(self.numbers)
        uses = tuple((self._number(tensor), self._lies(tensor)) for tensor in tensors)
        new = tuple(self._buffer(name) for name in list(self.numbers)[seen:])
        source = in_place_source(network, position)
        over = None if source is None else self.numbers[source]
        token = (self._repeats.structure(network, position), slots, uses, new, over)
        node = self._nodes[-1].longer.setdefault(token, Node(len(self.numbers)))
        self._nodes.append(node)

    def _number(self, tensor: str) -> int:
        return self.numbers.setdefault(self.network.buffer_of(tensor), len(self.numbers))

    def _lies(self, tensor: str) -> Hashable:
        """How a tensor lies in its buffer."""
        view, storage = self.network.view(tensor), self.network.graph.storage[tensor]
        return view.axis, view.first, view.rows, view.origin, storage.strides, storage.offset

    def _buffer(self, name: str) -> Hashable:
        """All that costs depend on of a buffer, beside who uses it in the chain."""
        network, info = self.network, self.network.buffers[name]
        storage, types = network.graph.storage[name], network.graph.types
        made = tuple(
            (self.end - position, types[tensor].nbytes, self._lies(tensor))
            for position, tensor in network.definitions.get(name, ())
        )
        ends = (name in network.network_inputs, name in network.network_outputs)
        is_needed_later = network.last_use[name] > self.end
        size = (info.rows, info.stride, info.nbytes, info.row_bytes)
        return size, storage.shape, storage.order, made, ends, is_needed_later
