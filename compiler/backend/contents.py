"""What the operands of instructions are made of: which elements of which buffer of the network.

An operand of the program is an address and strides in a memory; the contents of it are an offset and strides
in a buffer of the network.  `TracedOperands` finds both for whatever the lowering asks for.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from weakref import proxy

from nnc.compiler.backend.operands import Axes, Operands, merged_shape
from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.storage import Storage, identity_order, permute
from nnc.compiler.target.dram_map import DramMap
from nnc.compiler.target.transfers import rows_of_units, whole_runs
from nnc.isa.instruction import Instruction, Phase
from nnc.isa.operand import Operand
from nnc.isa.program import Content

SUMS = " (sums)"
"""What follows the name of a buffer whose elements are not yet what they will be."""


class _Elements:
    """Finds the elements of tiles, and of boxes of tensors, in the buffers of the network."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._boxes, self._types = graph, graph.notes.boxes, graph.types
        self._wholes: dict[str, Storage] = {}
        unfinished = (Phase.START, Phase.ADD)
        layers = [graph.layer(name) for name in graph.notes.part_of]
        chunks = [layer for layer in layers if getattr(layer, "phase", None) in unfinished]
        # tiles of partial sums: they are not yet what the result will be in their place
        self._sums = frozenset(graph.output_of(layer.name) for layer in chunks)

    def box_of(self, tensor: str) -> tuple[str, Axes, bool]:
        """Of which tensor a tile is a box, where that begins, and whether it holds partial sums."""
        box = self._boxes[tensor]
        return box.tensor, box.low, tensor in self._sums

    def tile(self, tensor: str) -> Storage:
        """The elements of a tile, in the buffer that its tensor lies in."""
        box, shape = self._boxes[tensor], self._types[tensor].shape
        elements = self.box(box.tensor, box.low, shape)
        if tensor in self._sums:
            return Storage(elements.buffer + SUMS, elements.offset, shape, elements.strides)
        return elements

    def box(self, tensor: str, low: Axes, shape: Axes) -> Storage:
        """The elements of a box of an activation or a constant."""
        whole = self._wholes.get(tensor)
        if whole is None:
            whole = self._wholes[tensor] = self._whole(tensor)
        return whole.box(low, shape)

    def _whole(self, tensor: str) -> Storage:
        if self._graph.is_constant(tensor):
            shape = self._types[tensor].shape
            return Storage.dense(tensor, shape, identity_order(len(shape)))
        return self._graph.storage[tensor]


class TracedOperands(Operands):
    """Operands that remember of which elements each operand that they have given is made."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.elements = _Elements(graph)
        self._tiles: dict[tuple[str, Axes | None], Operand] = {}
        self._contents: dict[Hashable, Content | None] = {}
        self._given: dict[int, tuple[Operand, Content | None]] = {}

    def tile(self, tensor: str, axes: Axes | None = None) -> Operand:
        """A tile on chip; the one object for a tensor and an order of its axes."""
        operand = self._tiles.get((tensor, axes))
        if operand is None:
            order = self.order(tensor) if axes is None else axes
            operand = self._tiles[tensor, axes] = super().tile(tensor, order)
            self._given[id(operand)] = (operand, self._content_of_tile(tensor, operand, order))
        return operand

    def _content_of_tile(self, tensor: str, block: Operand, axes: Axes) -> Content | None:
        """The content of a tile: one for all tiles of a box that lie alike, as often as it is loaded."""
        box = self.elements.box_of(tensor)
        key = (*box, block.dtype, block.shape, block.strides, axes)
        if key not in self._contents:
            self._contents[key] = _content(block, self.elements.tile(tensor), axes)
        return self._contents[key]

    def broadcast(self, tensor: str, rank: int, axes: Axes) -> Operand:
        """A tile of lower or equal rank, with leading axes of extent 1."""
        tile = self.elements.tile(tensor)
        missing = rank - len(tile.shape)
        elements = Storage(
            tile.buffer, tile.offset, (1,) * missing + tile.shape, (0,) * missing + tile.strides
        )
        return self.given(super().broadcast(tensor, rank, axes), elements, axes)

    def vector(self, tensor: str, axes: int) -> Operand:
        """A dense tile, its first axes merged into one."""
        shape = merged_shape(self.graph.types[tensor].shape, axes)
        elements = self.elements.tile(tensor).reshape(shape)
        return self.given(super().vector(tensor, axes), elements, identity_order(len(shape)))

    def transfer(self, tensor: str, low: Axes, tile: str) -> tuple[Operand, Operand]:
        """What moves between a box of a tensor in DRAM and its tile; whole runs have elements beside it."""
        there, here = super().transfer(tensor, low, tile)
        if id(there) in self._given:
            return there, here
        elements = self.elements.box(tensor, low, self.graph.types[tile].shape)
        if self.graph.is_constant(tensor):
            return self._give_packed(there, elements, tile), self._give_packed(here, elements, tile)
        box = self._as_operand(elements, tile)
        moved = whole_runs(box, box, self.graph.notes.transfer_unit)
        return self._give(there, moved and moved[0]), self._give(here, moved and moved[0])

    def rows(self, table: str, index: str, out: str) -> tuple[Operand, Operand, Operand]:
        """A row gather: (table, list of rows, result)."""
        source, listed, result = super().rows(table, index, out)
        if self.graph.notes.transfer_unit == 1:
            return source, listed, result
        rank, row = len(self.graph.types[index].shape), source.shape[1] if len(result.shape) == 2 else 0
        shape = self.graph.types[table].shape
        elements = self._as_operand(self.elements.box(table, (0,) * len(shape), shape), table)
        self._give(source, None if self.graph.is_constant(table) else rows_of_units(elements, 1, row))
        self._give(listed, rows_of_units(self._as_operand(self.elements.tile(index), index), rank, 0))
        self._give(result, rows_of_units(self._as_operand(self.elements.tile(out), out), rank, row))
        return source, listed, result

    def _as_operand(self, elements: Storage, tensor: str) -> Operand:
        """Elements of a buffer as an operand in it."""
        dtype = self.graph.types[tensor].dtype
        strides = tuple(dtype.itemsize * step for step in elements.strides)
        return Operand(elements.buffer, elements.offset * dtype.itemsize, dtype, elements.shape, strides)

    def _give(self, block: Operand, moved: Operand | None) -> Operand:
        """Enter an operand, given the elements that it moves as an operand in their buffer."""
        if moved is None:
            return self.given(block, None, ())
        size = moved.dtype.itemsize
        steps = tuple(step // size for step in moved.strides)
        elements = Storage(moved.memory, moved.address // size, moved.shape, steps)
        return self.given(block, elements, identity_order(len(steps)))

    def _give_packed(self, block: Operand, elements: Storage, tile: str) -> Operand:
        """Enter a side of the load of a packed piece of no whole unit: a vector with reserved elements."""
        axes = self.order(tile)
        strides, shape = permute(elements.strides, axes), permute(elements.shape, axes)
        self._given[id(block)] = (block, Content(elements.buffer, elements.offset, strides, shape))
        return block

    @cached_property
    def dram(self) -> DramMap:
        """What lies in DRAM."""
        return _TracedDram(proxy(self))  # which lives as long as these operands, and no longer

    def given(self, block: Operand, elements: Storage | None, axes: Axes) -> Operand:
        """Enter an operand with its elements (None: no strides say which), and give it back."""
        self._given[id(block)] = (block, None if elements is None else _content(block, elements, axes))
        return block

    def contents_of(self, instruction: Instruction) -> tuple[Content | None, ...]:
        """The contents of the operands of an instruction, all of which were given here."""
        given = self._given
        return tuple([given[id(block)][1] for block, *_ in instruction.accesses()])


class _TracedDram(DramMap):
    """The DRAM of traced operands."""

    def __init__(self, traced: TracedOperands) -> None:
        super().__init__(traced.graph, traced.graph.notes.pieces, traced.graph.notes.buffers)
        self._traced = traced

    def box(self, tensor: str, low: Axes, shape: Axes, axes: Axes) -> Operand:
        """A box of an activation."""
        operand = super().box(tensor, low, shape, axes)
        return self._traced.given(operand, self._traced.elements.box(tensor, low, shape), axes)

    def piece(self, piece: Piece, axes: Axes) -> Operand:
        """A packed piece of a constant."""
        elements = self._traced.elements.box(piece.constant, piece.low, piece.shape)
        return self._traced.given(super().piece(piece, axes), elements, axes)


def _content(block: Operand, elements: Storage, axes: Axes) -> Content | None:
    if block.shape != permute(elements.shape, axes):
        return None
    return Content(elements.buffer, elements.offset, permute(elements.strides, axes))
