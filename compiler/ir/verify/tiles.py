"""The comparison with the network: tiles are boxes of its tensors (from level `partitioned` on).

Every tile is said to be a box of a tensor of the canonical network (`Annotations.boxes`).  Here this is held
against the network, layer by layer: a box of a result is computed by that layer, from just the boxes of the
operands that the rules of the regions ask for.  Boxes are compared as elements of buffers, so that a tensor
and its views are the same thing.  That the bytes on chip are still those tiles is held by `check_contents`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

import numpy as np

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Boxes, Ints, Need
from nnc.compiler.ir.regions.operand_boxes import needed_of_all
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import Storage
from nnc.compiler.ir.verify.chunks import PHASES, Chunks
from nnc.compiler.ir.verify.columns import ABSENT, Numbers, column
from nnc.compiler.ir.verify.kernel_parts import check_kernel_parts, is_kernel_part
from nnc.compiler.ir.verify.storage import check_view
from nnc.compiler.ir.verify.subject import Subject, broken
from nnc.compiler.ir.verify.tile_boxes import TileBoxes, rows_of
from nnc.isa.instruction import Phase
from nnc.isa.types import DType

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
    """Nodes that do boxes of one layer of the network; `in_parts`: with some rows of its kernel each.

    `outs` are the tiles that they make, by number.
    """

    layer: ir.Layer
    in_parts: bool
    nodes: list[ir.Layer]
    outs: list[int]


class _Comparison:
    def __init__(self, subject: Subject, network: Graph) -> None:
        self.subject, self.network, self.graph = subject, network, subject.graph
        self.boxes, self.types = subject.graph.notes.boxes, subject.graph.types
        for tile in sorted(subject.tiles.keys() - self.boxes.keys()):
            raise broken(tile, "nothing says which box the tile is")
        self.columns = TileBoxes(network, subject.numbered, self.boxes)
        phases = [PHASES[getattr(node, "phase", Phase.WHOLE)] for node in subject.computed]
        self.phase = np.full(len(subject.tiles), PHASES[Phase.WHOLE], dtype=np.int64)
        self.phase[subject.results] = phases
        self.is_sum = np.isin(self.phase, [PHASES[phase] for phase in UNFINISHED])

    def check(self) -> None:
        """Compare the whole graph."""
        self._check_interface()
        for join in self.subject.stored:
            self._check_store(join)
        for view in self.subject.renamed:
            self._check_view(view)
        self._check_loads()
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
        tiles, dtypes = self.subject.numbered, Numbers[DType]()
        tile_dtypes = column([dtypes[dtype] for dtype, _ in tiles.kinds])[tiles.kind]
        tensor_dtypes = column([dtypes[network.types[name].dtype] for name in self.columns.tensors])[
            self.columns.tensor
        ]
        for number in np.flatnonzero((tile_dtypes != tensor_dtypes) & ~self.is_sum)[:1].tolist():
            dtype = network.types[self.boxes[tiles.names[number]].tensor].dtype
            tile_dtype = self.types[tiles.names[number]].dtype
            raise broken(tiles.names[number], f"it is a tile of {tile_dtype.value}, not {dtype.value}")
        for number in np.flatnonzero(self.columns.rank != tiles.ranks)[:1].tolist():
            raise broken(tiles.names[number], f"it is no box of {self.boxes[tiles.names[number]]}")

    # --- which elements of which buffer --------------------------------------------------------------------

    def _held(self, tile: str) -> Storage:
        """Of which elements of which buffer a tile consists; a constant is a buffer of its own."""
        box = self.boxes[tile]
        return self.columns.whole(box.tensor).box(box.low, self.types[tile].shape)

    # --- transfers and views -------------------------------------------------------------------------------

    def _check_store(self, join: ir.Join) -> None:
        tensor, number = self.graph.output_of(join.name), self.subject.numbered.number
        names = [required(tile) for tile in self.graph.inputs_of(join.name)]
        tiles = column(number[name] for name in names)
        tensors = np.full(len(tiles), self.columns.tensors[tensor])
        for slot in np.flatnonzero(~self.columns.are(tiles, tensors, *rows_of(join.origins)))[:1].tolist():
            raise broken(join, f"{self.said(names[slot])} is stored at {join.origins[slot]} of {tensor}")
        for slot in np.flatnonzero(self.is_sum[tiles])[:1].tolist():
            self._refuse_sums(join, names[slot])

    def _check_loads(self) -> None:
        """What is loaded is the box of the tensor that the tile is said to be."""
        loads, tiles = self.subject.loads, self.subject.loaded
        sources = [required(self.graph.inputs_of(load.name)[0]) for load in loads]
        tensors = column([self.columns.tensors[source] for source in sources])
        good = self.columns.are(tiles, tensors, *rows_of([load.start for load in loads]))
        steps = Numbers[Vector]()
        step = column([steps[load.step] for load in loads])
        good &= np.array([set(vector) <= {1} for vector in steps], dtype=np.bool_)[step]
        for index in np.flatnonzero(~good)[:1].tolist():
            said = self.said(self.subject.numbered.names[tiles[index]])
            raise broken(loads[index], f"it loads {loads[index].start} of {sources[index]} as {said}")

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
        part_box, whole_box = self.boxes[part], self.boxes[whole]
        shape, extent = self.types[part].shape, self.types[whole].shape
        if any(a < 0 or a + n > m for a, n, m in zip(start, shape, extent, strict=True)):
            return False
        if part_box.tensor == whole_box.tensor:
            return part_box.low == _sum(whole_box.low, start)
        return self._held(part).same_elements(self._held(whole).box(start, shape))

    # --- computations --------------------------------------------------------------------------------------

    def _work(self) -> Iterator[_Work]:
        """All computations and row gathers, by the layer of the network whose result they compute."""
        works: dict[tuple[str, bool], _Work] = {}
        layers = [self.network.producer(tensor) for tensor in self.columns.tensors]
        outs = self.subject.results.tolist()
        tensors = self.columns.tensor[self.subject.results].tolist()
        for node, out, tensor in zip(self.subject.computed, outs, tensors, strict=True):
            if isinstance(node, ir.Copy) and self._is_move(node, self.subject.numbered.names[out]):
                continue
            layer = layers[tensor]
            if layer is None or type(layer) is not type(node):
                said = self.said(self.subject.numbered.names[out])
                raise broken(node, f"{said} is computed otherwise in the network")
            in_parts = is_kernel_part(node, layer)
            work = works.get((layer.name, in_parts))
            if work is None:
                work = works[layer.name, in_parts] = _Work(layer, in_parts, [], [])
            work.nodes.append(node)
            work.outs.append(out)
        yield from works.values()

    def _is_move(self, node: ir.Layer, tile: str) -> bool:
        """Whether a copy keeps elements of a buffer elsewhere on chip, as the same elements."""
        source = required(self.graph.inputs_of(node.name)[0])
        self._refuse_sums(node, source)
        return source in self.boxes and self._held(tile).same_elements(self._held(source))

    def _refuse_sums(self, node: ir.Layer, tile: str) -> None:
        if self.is_sum[self.subject.numbered.number[tile]]:
            raise broken(node, f"{tile} are partial sums")

    def _check_work(self, work: _Work) -> None:
        layer, network = work.layer, self.network
        tensors = network.inputs_of(layer.name)
        shapes = [None if t is None else network.types[t].shape for t in tensors]
        whole = network.types[network.output_of(layer.name)].shape
        outs = column(work.outs)
        low = self.columns.low(outs, len(whole))
        boxes = Boxes(low, low + self.columns.extents(outs, len(whole)))
        outside = np.any((low < 0) | (boxes.high > whole), axis=1)
        if outside.any():
            raise broken(work.nodes[int(outside.argmax())], f"its result lies outside of {whole}")
        chunks = None if work.in_parts else Chunks(self.subject.numbered, self.columns, outs, self.phase)
        for slot, need in needed_of_all(layer, boxes, shapes, whole).items():
            if slot >= 2 or chunks:
                self._check_operand(work, slot, required(tensors[slot]), need.boxes, chunks)
                if slot == 0:
                    _check_geometry(work, low, need)
        if chunks:
            chunks.check(work.nodes, self.subject.operands)
        else:
            check_kernel_parts(self.graph, network, layer, work.nodes)
        differing = _OF_TILES | {"kernel"} if work.in_parts else _OF_TILES
        of_whole = attrgetter("kind", *(f.name for f in fields(layer) if f.name not in differing))
        expected = of_whole(layer)
        for node in work.nodes:
            # A parameter may be NaN, which equals no other NaN; its text does.
            if (does := of_whole(node)) != expected and repr(does) != repr(expected):
                raise broken(node, f"it does not do what layer {layer.name} does")

    def _check_operand(
        self, work: _Work, slot: int, tensor: str, boxes: Boxes, chunks: Chunks | None
    ) -> None:
        """The tiles in one slot are the boxes of the tensor that the layer reads there."""
        outs, rank = column(work.outs), boxes.low.shape[1]
        tiles, number = self.subject.operands.slot(outs, slot), self.columns.tensors[tensor]
        rows = np.arange(len(outs))
        if slot >= 2:  # bias and residual are added at last
            rows = rows[(tiles != ABSENT) | ~self.is_sum[outs]]
        table = self.subject.operands.elsewhere.get(tensor)
        if table is not None and self.subject.may_read_dram(work.layer, slot):
            rows = rows[tiles[rows] != -2 - table]  # the table of a row gather
        for wrong in rows[(tiles[rows] < 0) | self.is_sum[tiles[rows]]][:1].tolist():
            tile = self.graph.operand(work.nodes[wrong].name, slot)
            raise broken(work.nodes[wrong], f"operand {slot} is {tile}, and not a tile of {tensor}")
        operands, tensors, ranks = tiles[rows], np.full(len(rows), number), np.full(len(rows), rank)
        good = (self.columns.extents(operands, rank) == boxes.extents[rows]).all(axis=1)
        good &= self.subject.numbered.ranks[operands] == rank
        good[good] = self.columns.are(operands[good], tensors[good], boxes.low[rows[good]], ranks[good])
        if chunks is not None and not good.all():
            good[~good] = chunks.are_chunks(rows[~good], operands[~good], number, boxes)
        for wrong in rows[~good][:1].tolist():
            said = f"{tensor}{boxes.low[wrong].tolist()} of shape {boxes.extents[wrong].tolist()}"
            read = self.said(self.subject.numbered.names[tiles[wrong]])
            raise broken(work.nodes[wrong], f"it needs {said}, and reads {read}")

    def said(self, tile: str) -> str:
        box = self.boxes.get(tile)
        return tile if box is None else f"{box.tensor}{list(box.low)} of shape {list(self.types[tile].shape)}"


def _sum(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _check_geometry(work: _Work, low: Ints, need: Need) -> None:
    """Padding and origins of tiles follow from what they need of operand 0."""

    def insist(name: str, expected: Ints) -> None:
        values: list[Any] = [getattr(node, name) for node in work.nodes]
        wrong = np.any(np.array(values, dtype=np.int64).reshape(expected.shape) != expected, axis=1)
        if wrong.any():
            index = int(wrong.argmax())
            raise broken(
                work.nodes[index], f"{name} is {values[index]}, not {tuple(expected[index].tolist())}"
            )

    match work.layer:
        case ir.Conv() | ir.Pool():
            insist("pad_begin", need.before[:, 2:])
            insist("pad_end", need.after[:, 2:])
        case ir.ConvTranspose():
            insist("pad_begin", need.before[:, 2:])
        case ir.Resize() | ir.Pad():
            insist("origin", low)
            insist("src_origin", need.boxes.low)
