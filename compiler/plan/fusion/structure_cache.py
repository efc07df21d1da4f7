"""A cache of costs by structure: intervals of layers that look alike are costed once (repeated blocks).

A *chain* is an interval seen from its last layer upstream.  Its layers and buffers are described without
names: layers by their structure, buffers by number in the order in which the chain touches them.  Where a
buffer is only written, as by the operands of a concat, or only read, as by the readers of a split, tensors
lie relative to the last of them, and what happens beyond the reach of a group does not matter.  Chains with
equal descriptions share a `Node` of a tree, and what was found for one holds for all of them, in any order of
the layers.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from math import lcm
from typing import TYPE_CHECKING

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.network.hidden_runs import HiddenRun
from nnc.compiler.plan.network.layer_cycles import LayerCycles
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.plan.network.residents import ResidentKey, Residents

if TYPE_CHECKING:
    from nnc.compiler.plan.fusion.column_ranges import ColumnWalk
    from nnc.compiler.plan.fusion.cut import Cut
    from nnc.compiler.plan.fusion.group_cost import Interval
    from nnc.compiler.plan.fusion.row_ranges import RowWalk
    from nnc.compiler.plan.infeasible import Infeasible


@dataclass(slots=True, eq=False)
class Node:
    """Node of the structure trie: an interval without names.

    Structurally equal intervals share it and its costs.

    Attributes:
        buffers: how many buffers it touches.
    """

    buffers: int = 0
    _longer: dict[Hashable, Node] = field(default_factory=dict)
    _intervals: dict[Hashable, Interval | Infeasible] = field(default_factory=dict)

    def longer(self, structure: Hashable, buffers: int) -> Node:
        """The node of the interval with one more layer upstream, by the structure of that layer."""
        return self._longer.setdefault(structure, Node(buffers))

    def interval(self, key: Hashable, compute: Callable[[], Interval | Infeasible]) -> Interval | Infeasible:
        """What the group costs with a cut, computed the first time.

        Args:
            key: all that it depends on of the cut (see `Chain.interval`).
            compute: finds the costs, or the reason why neither this interval nor a longer one can be cut so.
        """
        if key not in self._intervals:
            self._intervals[key] = compute()
        return self._intervals[key]


class StructureCache:
    """The trie of all chains of some graphs on a chip, and numbers for layers that are alike.

    Attributes:
        layers, cycles, cycles_of_parts: of layers that are alike, as `FusedOrder` finds them.
    """

    def __init__(self) -> None:
        self.root = Node()
        self.layers: dict[Hashable, LayerCycles] = {}
        self.cycles: dict[Hashable, int] = {}
        self.cycles_of_parts: dict[Hashable, int] = {}
        self._alike: dict[Hashable, int] = {}
        self._layers: dict[tuple[Graph, str], int] = {}
        self._places: dict[tuple[PlanNetwork, int], tuple[int, list[str], str | None]] = {}
        self._buffers: dict[tuple[PlanNetwork, str, bool], int] = {}
        self._lie: dict[tuple[PlanNetwork, str, str | None], int] = {}
        self._keys: dict[Hashable, ResidentKey] = {}

    def forget(self) -> None:
        """Drop the chains: their intervals ask an order for cycles, which holds this cache, a circle."""
        self.root = Node()

    def layer(self, network: PlanNetwork, position: int) -> tuple[int, list[str], str | None]:
        """A number that layers share if they and all their tensors are alike, wherever these lie; the buffers
        of these tensors, of the result first; and the one that the result may overwrite.
        """
        key = network, position
        if key not in self._places:
            tensors = [network.defines[position], *(tensor for _, tensor in network.operands[position])]
            token = self.structure(network, position), tuple(slot for slot, _ in network.operands[position])
            buffers = [network.buffer_of(tensor) for tensor in tensors]
            self._places[key] = self._number(token), buffers, network.in_place_source(position)
        return self._places[key]

    def size(self, network: PlanNetwork, name: str) -> int:
        """A number that buffers share if they are alike, whoever makes them."""
        key = network, name, False
        if key not in self._buffers:
            info, storage = network.buffers[name], network.graph.storage[name]
            ends = (name in network.network_inputs, name in network.network_outputs, name in network.uncut)
            size = (info.axis, info.column_axis, info.rows, info.strides, info.nbytes, info.row_bytes)
            self._buffers[key] = self._number((size, storage.shape, storage.order, ends))
        return self._buffers[key]

    def contents(self, network: PlanNetwork, name: str) -> int:
        """A number that buffers share if they are made alike, too."""
        key = network, name, True
        if key not in self._buffers:
            definitions, types = network.definitions.get(name, []), network.graph.types
            made = tuple(
                (position - definitions[0][0], types[tensor].nbytes, _lies(network, tensor))
                for position, tensor in definitions
            )
            self._buffers[key] = self._number((self.size(network, name), made))
        return self._buffers[key]

    def place(self, network: PlanNetwork, tensor: str, other: str | None = None) -> int:
        """A number that tensors share if they lie alike in their buffers, seen from another one if given."""
        key = network, tensor, other
        if key not in self._lie:
            token = _lies(network, tensor) if other is None else _lies_behind(network, tensor, other)
            self._lie[key] = self._number(token)
        return self._lie[key]

    def _number(self, token: Hashable) -> int:
        return self._alike.setdefault(token, len(self._alike))

    def resident_key(
        self, stays: tuple[tuple[int, int], ...], whole: frozenset[int], others: int
    ) -> ResidentKey:
        """The one object for these residents."""
        key = (stays, whole, others)
        if key not in self._keys:
            self._keys[key] = ResidentKey(*key)
        return self._keys[key]

    def structure(self, network: PlanNetwork, position: int) -> int:
        """A number that layers share if they differ in names and values only."""
        key = network.graph, network.layers[position].name
        if key not in self._layers:
            self._layers[key] = self._number(network.structure(position))
        return self._layers[key]


class Chain:
    """All intervals that end at one layer, from the shortest on."""

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
        self._first_read, self._first_made = dict[str, str](), dict[str, str]()  # by buffer: the tensor
        self._nodes = [cache.root]
        self._shifted = list[tuple[tuple[int, int], ...]]()  # of intervals: first rows made, by buffer
        self._row_walks: dict[Hashable, RowWalk] = {}
        self._column_walks: dict[Hashable, ColumnWalk] = {}
        self._keys: dict[tuple[int, Residents], ResidentKey] = {}
        self._numbered: dict[Residents, _Numbered] = {}

    def row_walk(self, cut: Cut) -> RowWalk:
        """What was found of rows, to be shared by all cuts with the same."""
        shards = cut.row_shards, cut.column_shards
        return self._row_walks.setdefault((cut.parts, cut.recompute, shards), {})

    def column_walk(self, cut: Cut) -> ColumnWalk:
        """What was found of columns, to be shared by all cuts with the same."""
        return self._column_walks.setdefault((cut.columns, cut.column_shards), {})

    def node(self, start: int) -> Node:
        """The node of the interval from `start` to the end of the chain."""
        while self.end - start + 2 > len(self._nodes):
            self._extend(self.end + 1 - len(self._nodes))
        return self._nodes[self.end - start + 1]

    def interval(
        self, start: int, cut: Cut, sliced_from: int, compute: Callable[[], Interval | Infeasible]
    ) -> Interval | Infeasible:
        """What the group from `start` on costs with a cut, computed for the first one that looks alike.

        Args:
            cut: how it is cut into parts.
            sliced_from: the first layer that runs in slices of channels.
            compute: finds the costs, or the reason why neither this interval nor a longer one can be cut so.
        """
        node = self.node(start)  # which rows are a core's own depends on where they lie
        shifted = self._shifted[self.end - start] if cut.row_shards > 1 else ()
        return node.interval((cut, sliced_from - self.end, shifted), compute)

    def resident_key(self, start: int, residents: Residents) -> ResidentKey:
        """Residents as the interval from `start` sees them."""
        key = (start, residents)
        found = self._keys.get(key)
        if found is None:
            touched = self.node(start).buffers
            if residents not in self._numbered:
                stays = self.network.stays(residents)
                self._numbered[residents] = _Numbered(self._cache, stays, residents.whole)
            found = self._keys[key] = self._numbered[residents].below(touched, self.numbers)
        return found

    def _extend(self, position: int) -> None:
        layer, buffers, source = self._cache.layer(self.network, position)
        uses = tuple(self.numbers.setdefault(name, len(self.numbers)) for name in buffers)
        read = tuple(self._read(tensor) for _, tensor in self.network.operands[position])
        over = None if source is None else self.numbers[source]
        run = self._runs.get(position)
        place = None if run is None else (position - run.first, run.last - position, run.rows)
        token = (layer, uses, read, self._made(position), over, place)
        self._nodes.append(self._nodes[-1].longer(token, len(self.numbers)))
        tensor, known = self.network.defines[position], self._shifted[-1] if self._shifted else ()
        name, first = self.network.buffer_of(tensor), self.network.view(tensor).first
        is_shifted = first > 0 and self._first_made[name] == tensor
        self._shifted.append((*known, (self.numbers[name], first)) if is_shifted else known)

    def _read(self, tensor: str) -> Hashable:
        """How an operand lies; of the first in a buffer, all that costs depend on of that, too."""
        there, is_first = self._lies(tensor, self._first_read, self._first_made)
        if not is_first:
            return there
        network, name, since = self.network, self.network.buffer_of(tensor), None
        definitions = network.definitions.get(name)
        if definitions and definitions[-1][0] + network.longest_group > self.end:
            since = self.end - definitions[0][0]
        return there, self._cache.contents(network, name), since, network.last_use[name] > self.end

    def _made(self, position: int) -> Hashable:
        """How the result of a layer lies; of the first in a buffer, all that costs depend on of that, too."""
        network, tensor = self.network, self.network.defines[position]
        there, is_first = self._lies(tensor, self._first_made, self._first_read)
        if not is_first:
            return there
        name = network.buffer_of(tensor)
        begun, later = self.end - network.first_def[name], network.last_use[name] > self.end
        since = begun if begun < network.longest_group else None
        return there, self._cache.size(network, name), since, later, self._rows_to_cut(position)

    def _lies(self, tensor: str, mine: dict[str, str], others: dict[str, str]) -> tuple[Hashable, bool]:
        """How a tensor lies that is read (or made), and whether it is the first of its buffer that is.

        As long as tensors of the buffer are not made (or read), too, it does not matter where the first lies.

        Args:
            mine: by buffer, as seen from the end: the first that is read (or made); others: made (or read).
        """
        network, name = self.network, self.network.buffer_of(tensor)
        first = mine.setdefault(name, tensor)
        if name not in others:
            return self._cache.place(network, tensor, first), first == tensor
        other = self._cache.place(network, others[name]) if first == tensor else None
        return (self._cache.place(network, tensor), other), first == tensor

    def _rows_to_cut(self, position: int) -> Hashable:
        """The rows that parts cut if the layer is the last one, seen from those that it makes."""
        if position < self.end:
            return None
        made = self.network.made_rows(position)
        return made.first - self.network.view(self.network.defines[position]).first, made.count, made.step


class _Numbered:
    """Residents by the numbers of their buffers, as far as a chain has numbered these."""

    def __init__(self, cache: StructureCache, stays: Mapping[str, int], whole: frozenset[str]) -> None:
        """Args:
        stays: bytes that stay of each buffer; whole: buffers of which all stays.
        """
        self._cache, self._rest, self._whole = cache, stays, whole
        self._total, self._seen = sum(stays.values()), 0
        self._numbers: list[int] = []
        self._stays: list[tuple[int, int, bool]] = []
        self._keys: dict[int, ResidentKey] = {}

    def below(self, touched: int, numbers: dict[str, int]) -> ResidentKey:
        """The residents as an interval sees them that touches the first buffers of a chain.

        Args:
            touched: how many; numbers: of the buffers of the chain, at least of these.
        """
        if len(numbers) > self._seen:  # larger numbers than those that were known
            names, self._seen = self._rest.keys() & numbers.keys(), len(numbers)
            self._stays = sorted((numbers[name], self._rest[name], name in self._whole) for name in names)
            self._numbers = [number for number, _, _ in self._stays]
        count = bisect_left(self._numbers, touched)
        if count not in self._keys:
            mine = self._stays[:count]
            stays = tuple((number, nbytes) for number, nbytes, _ in mine)
            whole = frozenset(number for number, _, is_whole in mine if is_whole)
            others = self._total - sum(nbytes for _, nbytes in stays)
            self._keys[count] = self._cache.resident_key(stays, whole, others)
        return self._keys[count]


def _lies(network: PlanNetwork, tensor: str) -> Hashable:
    """How a tensor lies in its buffer."""
    view, storage = network.view(tensor), network.graph.storage[tensor]
    return view.axis, view.first, view.rows, view.origin, storage.strides, storage.offset


def _lies_behind(network: PlanNetwork, tensor: str, other: str) -> Hashable:
    """How a tensor lies in its buffer, seen from another one there: equal for all that cost the same.

    Where bursts begin matters, and whether there are rows before it.
    """
    view, storage = network.view(tensor), network.graph.storage[tensor]
    base, unit = network.view(other), lcm(network.burst, network.graph.notes.transfer_unit)
    if view.origin is None or base.origin is None:
        return _lies(network, tensor)
    start = storage.offset * network.graph.types[tensor].dtype.itemsize
    apart = tuple(a - b for a, b in zip(view.origin, base.origin, strict=True))
    shape = view.axis, view.rows, storage.strides
    return shape, view.first > 0, start % unit, view.first - base.first, apart
