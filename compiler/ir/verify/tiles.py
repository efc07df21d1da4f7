"""The comparison with the network: tiles are boxes of its tensors (from level `partitioned` on).

Every tile is said to be a box of a tensor of the canonical network (`Annotations.boxes`).  Here this is held
against the network, layer by layer: a box of a result is computed by that layer, from just the boxes of the
operands that the rules of the regions ask for.  Boxes are compared as elements of buffers, so that a tensor
and its views are the same thing.  That the bytes on chip are still those tiles is held by `check_contents`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Boxes, Ints, Need
from nnc.compiler.ir.regions.operand_boxes import needed_of_all
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage, identity_order
from nnc.compiler.ir.verify.chunks import Chunks
from nnc.compiler.ir.verify.kernel_parts import check_kernel_parts, is_kernel_part
from nnc.compiler.ir.verify.storage import check_view
from nnc.compiler.ir.verify.subject import Subject, broken
from nnc.isa.instruction import Phase

Vector = tuple[int, ...]
UNFINISHED = (Phase.START, Phase.ADD)
_OF_TILES = {"name", "loc", "phase", "pad_begin", "pad_end", "groups", "origin", "src_origin", "shape"}
"""Fields in which the layer of a tile differs from the whole layer."""


def check_tiles(subject: Subject) -> None:
    """Every node does a box of what a layer of the network does, to the boxes that this takes."""
    if subject.network is not None:
        _Comparison(subject, subject.network).check()


@dataclass(frozen=True, slots=True)
class _Work:
    """Nodes that do boxes of one layer of the network; `in_parts`: with some rows of its kernel each."""

    layer: ir.Layer
    in_parts: bool
    nodes: list[ir.Layer]
    outs: list[str]


class _Comparison:
    def __init__(self, subject: Subject, network: Graph) -> None:
        self.subject, self.network, self.graph = subject, network, subject.graph
        self.boxes, self.types = subject.graph.notes.boxes, subject.graph.types

    def check(self) -> None:
        """Compare the whole graph."""
        self._check_interface()
        for join in self.subject.stored:
            self._check_store(join)
        for view in self.subject.renamed:
            self._check_view(view)
        for load in self.subject.loads:
            self._check_load(load)
        for work in self._work():
            self._check_work(work)

    def _check_interface(self) -> None:
        """Inputs, outputs, constants, and storage of tensors in DRAM are the network's."""
        graph, network = self.graph, self.network
        if (graph.inputs, graph.outputs) != (network.inputs, network.outputs):
            raise broken(graph.name, "its inputs or outputs are not the network's")
        for tensor, storage in network.storage.items():
            if graph.storage.get(tensor) != storage:
                raise broken(tensor, "its storage is not the one in the network")
        for tensor, value in graph.constants.items():
            if network.constants.get(tensor) is not value:
                raise broken(tensor, "it is not the constant of the network")
        for layer in self.subject.layers:
            if layer.name not in graph.notes.part_of and (
                layer.name not in network
                or network.layer(layer.name) != layer
                or network.inputs_of(layer.name) != graph.inputs_of(layer.name)
            ):
                raise broken(layer, "it is not the view of the network")
        for tile in self.subject.tiles:
            if tile not in self.boxes:
                raise broken(tile, "nothing says which box the tile is")
            dtype = network.types[self.boxes[tile].tensor].dtype
            if self.types[tile].dtype is not dtype and tile not in self.sums:
                raise broken(tile, f"it is a tile of {self.types[tile].dtype.value}, not {dtype.value}")

    # --- which elements of which buffer --------------------------------------------------------------------

    def _held(self, tile: str) -> Storage:
        """Of which elements of which buffer a tile consists; a constant is a buffer of its own."""
        box = self.boxes[tile]
        return self._whole(box.tensor).box(box.low, self.types[tile].shape)

    def _whole(self, tensor: str) -> Storage:
        storage = self.network.storage.get(tensor)
        if storage is None:
            shape = self.network.types[tensor].shape
            storage = Storage.dense(tensor, shape, identity_order(len(shape)))
        return storage

    def _is_box(self, tile: str, tensor: str, low: Vector) -> bool:
        """Whether a tile is the box of a tensor at `low`."""
        box = self.boxes[tile]
        if box.tensor == tensor:
            return box.low == low
        return self._held(tile).same_elements(self._whole(tensor).box(low, self.types[tile].shape))

    def same_box(self, tile: str, other: str) -> bool:
        """Whether two tiles are the same elements."""
        box = self.boxes[other]
        return self.types[tile].shape == self.types[other].shape and self._is_box(tile, box.tensor, box.low)

    # --- transfers and views -------------------------------------------------------------------------------

    def _check_store(self, join: ir.Join) -> None:
        tensor = self.graph.output_of(join.name)
        for tile, origin in zip(map(required, self.graph.inputs_of(join.name)), join.origins, strict=True):
            if not self._is_box(tile, tensor, origin):
                raise broken(join, f"{self.said(tile)} is stored at {origin} of {tensor}")
            self._refuse_sums(join, tile)

    def _check_load(self, node: ir.Slice) -> None:
        """What is loaded is the box of the tensor that the tile is said to be."""
        tile, source = self.graph.output_of(node.name), required(self.graph.inputs_of(node.name)[0])
        if node.step.count(1) != len(node.step) or not self._is_box(tile, source, node.start):
            raise broken(node, f"it loads {node.start} of {source} as {self.said(tile)}")

    def _check_view(self, node: ir.Layer) -> None:
        """A view on chip: its result holds the elements of its operands."""
        tile = self.graph.output_of(node.name)
        sources = [required(source) for source in self.graph.inputs_of(node.name)]
        for source in sources:
            self._refuse_sums(node, source)
        if isinstance(node, ir.Slice) and all(step == 1 for step in node.step):
            if not self._lies_at(tile, sources[0], node.start):
                raise broken(node, f"it takes {self.said(tile)} from {self.said(sources[0])}")
        elif isinstance(node, ir.Join):
            for source, origin in zip(sources, node.origins, strict=True):
                if not self._lies_at(source, tile, origin):
                    raise broken(node, f"it puts {self.said(source)} into {self.said(tile)}")
        else:
            held = {name: self._held(name) for name in (tile, *sources)}
            check_view(self.subject, held, node)

    def _lies_at(self, part: str, whole: str, start: Vector) -> bool:
        """Whether a tile is the part of another one that begins at `start` there."""
        mine, theirs = self.boxes[part], self.boxes[whole]
        shape, extent = self.types[part].shape, self.types[whole].shape
        if any(a < 0 or a + n > m for a, n, m in zip(start, shape, extent, strict=True)):
            return False
        if mine.tensor == theirs.tensor:
            return mine.low == _sum(theirs.low, start)
        return self._held(part).same_elements(self._held(whole).box(start, shape))

    # --- computations --------------------------------------------------------------------------------------

    def _work(self) -> Iterator[_Work]:
        """All computations and row gathers, by the layer of the network whose result they compute."""
        found: dict[tuple[str, bool], _Work] = {}
        for node in self.subject.computed:
            tile = self.graph.output_of(node.name)
            if isinstance(node, ir.Copy) and self._is_move(node, tile):
                continue
            layer = self.network.producer(self.boxes[tile].tensor)
            if layer is None or type(layer) is not type(node):
                raise broken(node, f"{self.said(tile)} is computed otherwise in the network")
            in_parts = is_kernel_part(node, layer)
            work = found.get((layer.name, in_parts))
            if work is None:
                work = found[layer.name, in_parts] = _Work(layer, in_parts, [], [])
            work.nodes.append(node)
            work.outs.append(tile)
        yield from found.values()

    def _is_move(self, node: ir.Layer, tile: str) -> bool:
        """Whether a copy keeps elements of a buffer elsewhere on chip, as the same elements."""
        source = required(self.graph.inputs_of(node.name)[0])
        self._refuse_sums(node, source)
        return source in self.boxes and self._held(tile).same_elements(self._held(source))

    @cached_property
    def sums(self) -> frozenset[str]:
        """The tiles that are partial sums."""
        unfinished = (n for n in self.subject.computed if getattr(n, "phase", None) in UNFINISHED)
        return frozenset(self.graph.output_of(node.name) for node in unfinished)

    def _refuse_sums(self, node: ir.Layer, tile: str) -> None:
        if tile in self.sums:
            raise broken(node, f"{tile} are partial sums")

    def _check_work(self, work: _Work) -> None:
        layer, network = work.layer, self.network
        tensors = network.inputs_of(layer.name)
        shapes = [None if t is None else network.types[t].shape for t in tensors]
        whole = network.types[network.output_of(layer.name)].shape
        low = np.array([self.boxes[t].low for t in work.outs], dtype=np.int64)
        boxes = Boxes(low, low + np.array([self.types[t].shape for t in work.outs], dtype=np.int64))
        outside = np.any((low < 0) | (boxes.high > whole), axis=1)
        if outside.any():
            raise broken(work.nodes[int(outside.argmax())], f"its result lies outside of {whole}")
        chunks = None if work.in_parts else Chunks(self, work.nodes, work.outs)
        for slot, need in needed_of_all(layer, boxes, shapes, whole).items():
            if slot >= 2 or chunks:
                self._check_operand(work, slot, required(tensors[slot]), need.boxes, chunks)
                if slot == 0:
                    _check_geometry(work, low, need)
        if chunks:
            chunks.check()
        else:
            check_kernel_parts(self.graph, network, layer, work.nodes)
        differing = _OF_TILES | {"kernel"} if work.in_parts else _OF_TILES
        of_whole = attrgetter("kind", *(f.name for f in fields(layer) if f.name not in differing))
        if (node := next((n for n in work.nodes if of_whole(n) != of_whole(layer)), None)) is not None:
            raise broken(node, f"it does not do what layer {layer.name} does")

    def _check_operand(
        self, work: _Work, slot: int, tensor: str, boxes: Boxes, chunks: Chunks | None
    ) -> None:
        """The tiles in one slot are the boxes of the tensor that the layer reads there."""
        unsaid: list[tuple[int, str]] = []
        expected = zip(
            work.nodes, map(tuple, boxes.low.tolist()), map(tuple, boxes.extents.tolist()), strict=True
        )
        for at, (node, low, extent) in enumerate(expected):
            operands = self.graph.inputs_of(node.name)
            tile = operands[slot] if slot < len(operands) else None
            if tile is None and slot >= 2 and getattr(node, "phase", None) in UNFINISHED:
                continue  # bias and residual are added at last
            if tile == tensor and self.subject.may_read_dram(node, slot):
                continue  # the table of a row gather
            if tile is None or tile not in self.boxes or tile in self.sums:
                raise broken(node, f"operand {slot} is {tile}, and not a tile of {tensor}")
            if self.types[tile].shape != extent or not self._is_box(tile, tensor, low):
                unsaid.append((at, tile))
        wrong = unsaid if chunks is None else chunks.no_chunks(unsaid, tensor, boxes)
        for at, tile in wrong[:1]:
            said = f"{tensor}{boxes.low[at].tolist()} of shape {boxes.extents[at].tolist()}"
            raise broken(work.nodes[at], f"it needs {said}, and reads {self.said(tile)}")

    def said(self, tile: str) -> str:
        box = self.boxes.get(tile)
        return tile if box is None else f"{box.tensor}{list(box.low)} of shape {list(self.types[tile].shape)}"


def _sum(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _check_geometry(work: _Work, low: Ints, need: Need) -> None:
    """Padding and origins of tiles follow from what they need of operand 0."""

    def insist(name: str, expected: Ints) -> None:
        found: list[Any] = [getattr(node, name) for node in work.nodes]
        wrong = np.any(np.array(found, dtype=np.int64).reshape(expected.shape) != expected, axis=1)
        if wrong.any():
            at = int(wrong.argmax())
            raise broken(work.nodes[at], f"{name} is {found[at]}, not {tuple(expected[at].tolist())}")

    match work.layer:
        case ir.Conv() | ir.Pool():
            insist("pad_begin", need.before[:, 2:])
            insist("pad_end", need.after[:, 2:])
        case ir.ConvTranspose():
            insist("pad_begin", need.before[:, 2:])
        case ir.Resize() | ir.Pad():
            insist("origin", low)
            insist("src_origin", need.boxes.low)
