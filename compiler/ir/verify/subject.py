"""What all checks of the verifier look at: a graph with its layers in order, found once."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Gather, Join, Layer, Slice
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
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
    def nodes(self) -> list[Layer]:
        """The nodes of partial networks (level `partition`), in topological order."""
        return [layer for layer in self.layers if layer.name in self.graph.notes.part_of]

    @cached_property
    def tiles(self) -> dict[str, Layer]:
        """The tensors on chip (level `partition`), each with the node that defines it."""
        return {self.graph.output_of(node.name): node for node in self.nodes if not self.is_store(node)}

    @cached_property
    def issued(self) -> list[Layer]:
        """The nodes that become an instruction each: loads, gathers and computations."""
        nodes = (node for node in self.nodes if not self.is_store(node))
        return [node for node in nodes if not self.is_view_on_chip(node)]

    @cached_property
    def _stores(self) -> frozenset[str]:
        joins = [layer for layer in self.layers if isinstance(layer, Join)]
        places = [(join.name, self.graph.storage.get(self.graph.output_of(join.name))) for join in joins]
        return frozenset(
            name for name, place in places if place is None or place.buffer in self.graph.buffers
        )

    @cached_property
    def _views(self) -> frozenset[str]:
        views = [node for node in self.layers if node.is_view or isinstance(node, Join)]
        return frozenset(
            view.name
            for view in views
            if (not self.is_store(view))
            and (isinstance(view, Join) or self.graph.inputs_of(view.name)[0] in self.tiles)
        )

    def is_store(self, node: Layer) -> bool:
        """Whether a node is a join whose operands are written to a tensor in DRAM."""
        return node.name in self._stores

    def is_view_on_chip(self, node: Layer) -> bool:
        """Whether a node only names bytes on chip again; a slice of a tensor in DRAM is a load."""
        return node.name in self._views

    @cached_property
    def issue_position(self) -> dict[tuple[str, int | None], int]:
        """Place in the order of issue of every node, and of every write of an operand of a join."""
        return {(issue.node, issue.slot): at for at, issue in enumerate(self.graph.notes.order)}

    @cached_property
    def ready(self) -> dict[str, int]:
        """After which issue every layer is complete; −1 for what is there from the start."""
        found: dict[str, int] = {}
        issued = {node.name for node in self.issued}
        position = self.issue_position
        for layer in self.layers:
            if layer.name in issued:
                found[layer.name] = position[layer.name, None]
            elif layer.name in self.graph.notes.part_of and self.is_store(layer):
                slots = range(len(self.graph.inputs_of(layer.name)))
                found[layer.name] = max(self.issue_position[layer.name, n] for n in slots)
            else:
                found[layer.name] = max((found[p] for p in self.graph.predecessors(layer.name)), default=-1)
        return found

    @cached_property
    def accesses(self) -> list[tuple[Layer, tuple[str, ...], str | None]]:
        """Per issue, the node with the tiles that it reads and the tile that it writes (None: a store)."""
        found: list[tuple[Layer, tuple[str, ...], str | None]] = []
        graph, tiles = self.graph, self.tiles
        for issue in graph.notes.order:
            node, operands = graph.layer(issue.node), graph.inputs_of(issue.node)
            if issue.slot is not None:
                found.append((node, (required(operands[issue.slot]),), None))
                continue
            reads = tuple([tensor for tensor in operands if tensor is not None and tensor in tiles])
            found.append((node, reads, graph.output_of(node.name)))
        return found

    def may_read_dram(self, node: Layer, slot: int) -> bool:
        """Whether an operand may be a tensor in DRAM: what slices load, and tables of row gathers."""
        return isinstance(node, Slice) or (isinstance(node, Gather) and slot == 0)


def clashes(first: Ints, last: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """Pairs (i, j) of blocks low ≤ byte < high, alive from step first to last, that share bytes and time.

    Only blocks that begin while another is alive are compared, so few pairs are looked at.
    """
    by_start = np.argsort(first, kind="stable")
    starts, ends = first[by_start], last[by_start]
    begun = np.searchsorted(starts, ends, side="right")
    counts = np.maximum(begun - np.arange(len(starts)) - 1, 0)
    i = np.repeat(np.arange(len(starts)), counts)
    j = i + 1 + np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
    a, b = by_start[i], by_start[j]
    share = (low[a] < high[b]) & (low[b] < high[a])
    return a[share], b[share]
