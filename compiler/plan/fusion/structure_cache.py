"""A cache of costs by structure: intervals of layers that look alike are costed once (repeated blocks).

A *chain* is an interval seen from its last layer upstream.  Its layers and buffers are described without
names: layers by their structure, buffers by number in the order in which the chain touches them.  What
happens beyond the reach of a group does not matter.  Chains with equal descriptions share a `Node` of a tree,
and what was found for one holds for all of them, in any order of the layers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nnc.compiler.plan.network.hidden_runs import HiddenRun
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import ResidentKey, Residents

IntervalT = TypeVar("IntervalT")


@dataclass(slots=True, eq=False)
class Node:
    """Node of the structure trie: an interval without names.

    Structurally equal intervals share it and its costs.

    Attributes:
        buffers: how many buffers it touches.
        longer: nodes of the intervals with one more layer upstream, by the structure of that layer.
        intervals: what the group costs, or why it cannot be, by all that it depends on of the cut.
    """

    buffers: int = 0
    longer: dict[Hashable, Node] = field(default_factory=dict)
    intervals: dict[Hashable, Any] = field(default_factory=dict)


class StructureCache:
    """The trie of all chains of some graphs on a chip, and what is known of layers that are alike.

    Attributes:
        layers, cycles: of layers that are alike, as `FusedOrder` finds them.
    """

    def __init__(self) -> None:
        self.root = Node()
        self.layers: dict[Hashable, LayerCycles] = {}
        self.cycles: dict[Hashable, int] = {}
        self._keys: dict[Hashable, ResidentKey] = {}

    def forget(self) -> None:
        """Drop the chains: their intervals hold what is large."""
        self.root = Node()

    def resident_key(
        self, stays: tuple[tuple[int, int], ...], whole: frozenset[int], others: int
    ) -> ResidentKey:
        """The one object for these residents."""
        key = (stays, whole, others)
        if key not in self._keys:
            self._keys[key] = ResidentKey(*key)
        return self._keys[key]


class Chain:
    """All intervals that end at one layer, from the shortest on.

    Attributes:
        numbers: of buffers, in the order in which the chain touches them.
    """

    def __init__(
        self,
        network: PlanNetwork,
        end: int,
        cache: StructureCache,
        runs: Mapping[int, HiddenRun] | None = None,
    ) -> None:
        """Args:
        runs: of hidden channels, by the positions of their layers: those that look alike have the same.
        """
        self.network, self.end, self._cache, self._runs = network, end, cache, runs or {}
        self.numbers: dict[str, int] = {}
        self._read, self._made = set[str](), set[str]()  # buffers
        self._nodes = [cache.root]
        self._walks: dict[Hashable, dict[int, Any]] = {}
        self._keys: dict[tuple[int, Residents], ResidentKey] = {}

    def walk(self, key: Hashable) -> dict[int, Any]:
        """What was found of rows, or of columns, by position; to be shared by all cuts with the same."""
        return self._walks.setdefault(key, {})

    def node(self, start: int) -> Node:
        """The node of the interval from `start` to the end of the chain."""
        while self.end - start + 2 > len(self._nodes):
            self._extend(self.end + 1 - len(self._nodes))
        return self._nodes[self.end - start + 1]

    def interval(
        self, start: int, cut: Hashable, sliced_from: int, compute: Callable[[], IntervalT]
    ) -> IntervalT:
        """What the group from `start` on costs with a cut, computed for the first one that looks alike.

        Args:
            cut: how it is cut into parts.
            sliced_from: the first layer that runs in slices of channels.
            compute: finds the costs, or the reason why neither this interval nor a longer one can be cut so.
        """
        intervals, key = self.node(start).intervals, (cut, sliced_from - self.end)
        if key not in intervals:
            intervals[key] = compute()
        interval: IntervalT = intervals[key]
        return interval

    def resident_key(self, start: int, residents: Residents) -> ResidentKey:
        """Residents as the interval from `start` sees them."""
        key = (start, residents)
        if (resident_key := self._keys.get(key)) is None:
            touched, stays = self.node(start).buffers, self.network.stays(residents)
            inside = {name: self.numbers[name] for name in stays.keys() & self.numbers.keys()}
            inside = {name: number for name, number in inside.items() if number < touched}
            own = tuple(sorted((number, stays[name]) for name, number in inside.items()))
            whole = frozenset(inside[name] for name in inside.keys() & residents.whole)
            others = sum(stays.values()) - sum(nbytes for _, nbytes in own)
            resident_key = self._keys[key] = self._cache.resident_key(own, whole, others)
        return resident_key

    def _extend(self, position: int) -> None:
        network, run = self.network, self._runs.get(position)
        made, read = network.defines[position], network.operands[position]
        buffers = [network.buffer_of(tensor) for tensor in (made, *(tensor for _, tensor in read))]
        source = network.in_place_source(position)
        token = (
            network.structure(position),
            tuple(self.numbers.setdefault(name, len(self.numbers)) for name in buffers),
            tuple((slot, _lies(network, tensor), self._of_read(tensor)) for slot, tensor in read),
            (_lies(network, made), self._of_made(made)),
            network.made_rows(position) if position == self.end else None,
            None if source is None else self.numbers[source],
            None if run is None else (position - run.first, run.last - position, run.rows),
            (position == 0, self.end == len(network.layers) - 1),
        )
        self._nodes.append(self._nodes[-1].longer.setdefault(token, Node(len(self.numbers))))

    def _of_read(self, tensor: str) -> Hashable:
        """Of the first tensor of a buffer that is read, all that costs depend on of the buffer."""
        network, name = self.network, self.network.buffer_of(tensor)
        if name in self._read:
            return None
        self._read.add(name)
        definitions, since = network.definitions.get(name, []), None
        if definitions and definitions[-1][0] + network.longest_group > self.end:
            since = self.end - definitions[0][0]
        made = tuple((position - definitions[0][0], _lies(network, piece)) for position, piece in definitions)
        return _size(network, name), made, since, network.last_use[name] > self.end

    def _of_made(self, tensor: str) -> Hashable:
        """The same of the first that is made."""
        network, name = self.network, self.network.buffer_of(tensor)
        if name in self._made:
            return None
        self._made.add(name)
        begun = self.end - network.first_def[name]
        since = begun if begun < network.longest_group else None
        return _size(network, name), since, network.last_use[name] > self.end


def _size(network: PlanNetwork, name: str) -> Hashable:
    """What buffers share that are alike, whoever makes them."""
    info, storage = network.buffers[name], network.graph.storage[name]
    ends = (name in network.network_inputs, name in network.network_outputs, name in network.uncut)
    size = (info.axis, info.column_axis, info.rows, info.strides, info.nbytes, info.row_bytes)
    return size, storage.shape, storage.order, ends


def _lies(network: PlanNetwork, tensor: str) -> Hashable:
    """How a tensor lies in its buffer."""
    view, storage = network.view(tensor), network.graph.storage[tensor]
    return view.axis, view.first, view.rows, view.origin, storage.strides, storage.offset
