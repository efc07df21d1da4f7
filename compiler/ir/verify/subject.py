"""What all checks of the verifier look at: a graph with its layers in order, found once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from nnc.compiler.ir.annotations import PartOf
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Gather, Join, Layer, Slice
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.columns import Accesses, Numbers, Operands, Order, Tiles, column
from nnc.compiler.ir.verify.whole_program import WholeProgram
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError
from nnc.isa.operand import reach


def broken(where: Layer | str, message: str) -> InternalError:
    """The error that a layer or tensor breaks a promise of the graph's level."""
    if isinstance(where, Layer):
        return InternalError(f"layer {where.name} ({where.kind}): {message}", where=str(where.loc))
    return InternalError(message, where=where)


def hull(storage: Storage) -> tuple[int, int]:
    """First and last element of its buffer or block that a tensor touches."""
    low, high = reach(storage.shape, storage.strides)
    return storage.offset + low, storage.offset + high


class Subject:
    """A graph under verification.

    Attributes:
        graph, chip: as given.
        network: the canonical graph that this one computes, if it is known.
        layers: in topological order.
        producer: the layer that defines each tensor, by the layers' own lists of results.
    """

    def __init__(self, graph: Graph, chip: Chip | None, network: Graph | None = None) -> None:
        self.graph, self.chip, self.network = graph, chip, network
        self.layers = graph.layers()
        self.producer: dict[str, Layer] = {}
        for layer in self.layers:
            for tensor in graph.outputs_of(layer.name):
                if tensor in self.producer:
                    raise broken(layer, f"{tensor} is defined twice")
                self.producer[tensor] = layer

    @cached_property
    def in_place(self) -> dict[Hashable, bool]:
        """Which computations may overwrite which operand, by their structure (see `check_contents`)."""
        return {}

    @cached_property
    def _sorted(self) -> _Sorted:
        return _Sorted(self.graph, self.layers)

    @property
    def nodes(self) -> list[Layer]:
        """The nodes of partial networks (level `partition`), in topological order."""
        return self._sorted.nodes

    @property
    def tiles(self) -> dict[str, Layer]:
        """The tensors on chip (level `partition`), each with the node that defines it."""
        return self._sorted.tiles

    @property
    def issued(self) -> list[Layer]:
        """The nodes that become an instruction each: loads, gathers and computations."""
        return self._sorted.issued

    @property
    def loads(self) -> list[Slice]:
        """The nodes that bring a box of a tensor in DRAM."""
        return self._sorted.loads

    @property
    def computed(self) -> list[Layer]:
        """All other nodes that become an instruction each: computations, fills and row gathers."""
        return self._sorted.computed

    @property
    def loaded(self) -> Ints:
        """The tiles that loads bring, by number."""
        return column(self._sorted.loaded)

    @property
    def results(self) -> Ints:
        """The tiles that the nodes in `computed` make, by number."""
        return column(self._sorted.results)

    @property
    def stored(self) -> list[Join]:
        """The nodes whose operands are written to a tensor in DRAM."""
        return self._sorted.stored

    @property
    def free(self) -> list[Layer]:
        """What is not issued as it is: joins whose operands are stored, and what only names bytes again."""
        return self._sorted.free

    @property
    def renamed(self) -> list[Layer]:
        """The nodes that only name bytes on chip again."""
        return self._sorted.renamed

    def is_store(self, node: Layer) -> bool:
        """Whether a node is a join whose operands are written to a tensor in DRAM."""
        return node.name in self._sorted.stores

    def is_view_on_chip(self, node: Layer) -> bool:
        """Whether a node only names bytes on chip again; a slice of a tensor in DRAM is a load."""
        return node.name in self._sorted.views

    @cached_property
    def numbered(self) -> Tiles:
        """The tensors on chip by number."""
        return Tiles.of(self.graph, self.tiles)

    @cached_property
    def touched(self) -> Accesses:
        """What the order of issue reads and writes."""
        return Accesses.of(self.graph, self.order, self.stored, self.numbered.number, self.operands)

    @cached_property
    def order(self) -> Order:
        """What every issue is."""
        return Order.of(self.graph, self.tiles, self.stored)

    @cached_property
    def operands(self) -> Operands:
        """What the nodes that define tiles read."""
        return Operands.of(self.graph, self.tiles, self.numbered.number)

    @cached_property
    def bases(self) -> Ints:
        """The address at which the block of every tile begins."""
        tiles, places = self.numbered, self.graph.notes.places
        return column([places[tile].address for tile in tiles.names]) - tiles.offset * tiles.size

    @cached_property
    def parts(self) -> tuple[list[PartOf], Ints]:
        """Parts of groups, and the part of the node that defines every tile, by number."""
        part_of, numbers = self.graph.notes.part_of, Numbers[int]()
        parts = [part_of[layer.name] for layer in self.tiles.values()]
        which = column([numbers[id(part)] for part in parts])
        return [parts[index] for index in np.unique(which, return_index=True)[1].tolist()], which

    @cached_property
    def group_of_issues(self) -> Ints:
        """The group of everything in the order of issue (of an order that `check_order` holds good)."""
        order, (parts, part) = self.order, self.parts
        of_tiles = column(where.group for where in parts)[part]
        of_joins = column(self.graph.notes.part_of[join.name].group for join in self.stored)
        groups = np.full(len(order.node), -1, dtype=np.int64)
        groups[order.tiles] = of_tiles[order.node[order.tiles]]
        groups[order.stores] = of_joins[order.join[order.stores]]
        return groups

    @cached_property
    def whole_program(self) -> WholeProgram:
        """What the program touches, copies of groups included (where `check_copies` holds them good)."""
        return WholeProgram.of(self.graph.notes, self.group_of_issues, self.touched)

    @cached_property
    def leaders(self) -> frozenset[int]:
        """Groups that have copies."""
        return frozenset(copy.leader for copy in self.graph.notes.copies)

    @cached_property
    def tensors_of_group(self) -> dict[int, set[str]]:
        """The tensors of the network that the nodes of every leader move, or have boxes of."""
        part_of, boxes = self.graph.notes.part_of, self.graph.notes.boxes
        by_group: dict[int, set[str]] = {leader: set() for leader in self.leaders}
        for node in self.nodes:
            group = part_of[node.name].group
            if group in by_group:
                tensors = (*self.graph.inputs_of(node.name), *self.graph.outputs_of(node.name))
                named = [tensor for tensor in tensors if tensor is not None]
                by_group[group].update([boxes[t].tensor if t in boxes else t for t in named])
        return by_group

    def is_whole(self, layer: Layer) -> bool:
        """Whether a layer that computes is in no part: another group stands for its group."""
        return not layer.is_view and layer.name not in self.graph.notes.part_of

    @cached_property
    def readers_in_dram(self) -> dict[str, list[Layer]]:
        """The layers that read every tensor that is not on chip."""
        readers: dict[str, list[Layer]] = {}
        for layer in self.layers:
            for tensor in self.graph.inputs_of(layer.name):
                if tensor is not None and tensor not in self.tiles:
                    readers.setdefault(tensor, []).append(layer)
        return readers

    def access(self, place: int) -> tuple[Layer, tuple[str, ...], str | None]:
        """At a place in the order of issue, the node, the tiles that it reads, and the tile that it writes.

        The latter is None for a store.
        """
        issue = self.graph.notes.order[place]
        node, operands = self.graph.layer(issue.node), self.graph.inputs_of(issue.node)
        if issue.slot is not None:
            return node, (required(operands[issue.slot]),), None
        reads = tuple([tensor for tensor in operands if tensor is not None and tensor in self.tiles])
        return node, reads, self.graph.output_of(node.name)

    def may_read_dram(self, node: Layer, slot: int) -> bool:
        """Whether an operand may be a tensor in DRAM: what slices load, and tables of row gathers."""
        return isinstance(node, Slice) or (isinstance(node, Gather) and slot == 0)


class _Sorted:
    """The layers of a graph by what they are; see `Subject`."""

    def __init__(self, graph: Graph, layers: Sequence[Layer]) -> None:
        self.nodes: list[Layer] = []
        self.tiles: dict[str, Layer] = {}
        self.issued: list[Layer] = []
        self.loads: list[Slice] = []
        self.computed: list[Layer] = []
        self.loaded: list[int] = []
        self.results: list[int] = []
        self.stored: list[Join] = []
        self.free: list[Layer] = []
        self.renamed: list[Layer] = []
        self.stores: set[str] = set()
        self.views: set[str] = set()
        part_of, storage, buffers = graph.notes.part_of, graph.storage, graph.buffers
        for layer in layers:
            name = layer.name
            if isinstance(layer, Join):
                place = storage.get(graph.output_of(name))
                if place is None or place.buffer in buffers:
                    self.stores.add(name)
                else:
                    self.views.add(name)
            elif layer.is_view and graph.inputs_of(name)[0] in self.tiles:
                self.views.add(name)
            if name not in part_of:
                self.free.append(layer)
                continue
            self.nodes.append(layer)
            if isinstance(layer, Join) and name in self.stores:
                self.stored.append(layer)
                self.free.append(layer)
                continue
            number = len(self.tiles)
            self.tiles[graph.output_of(name)] = layer
            if name in self.views:
                self.renamed.append(layer)
                self.free.append(layer)
                continue
            self.issued.append(layer)
            if isinstance(layer, Slice):
                self.loads.append(layer)
                self.loaded.append(number)
            else:
                self.computed.append(layer)
                self.results.append(number)


def clashes(first: Ints, last: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Pairs (i, j) of blocks low ≤ byte < high, alive from step first to last, that share bytes and time.

    Compared are those that share time, or those that share bytes if these are fewer; i begins first.
    """
    in_time, in_memory = _followers(first, last + 1), _followers(low, high)
    order, counts = min(in_time, in_memory, key=lambda candidate: int(candidate[1].sum()))
    i = np.repeat(np.arange(len(order)), counts)
    j = i + 1 + np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
    a, b = order[i], order[j]
    share = (low[a] < high[b]) & (low[b] < high[a]) & (first[a] <= last[b]) & (first[b] <= last[a])
    a, b = a[share], b[share]
    return np.where(first[a] <= first[b], a, b), np.where(first[a] <= first[b], b, a)


def _followers(begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Ranges begin ≤ x < end as they begin, and of each how many that come behind it begin before it ends."""
    order = np.argsort(begin, kind="stable")
    begun = np.searchsorted(begin[order], end[order])
    return order, np.maximum(begun - np.arange(len(order)) - 1, 0)
