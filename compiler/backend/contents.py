"""What the operands of instructions are made of: the same lowering, with buffers in place of memories.

An operand of the program is an address and strides in a memory; the contents of it are an offset and strides
in a buffer of the network.  So the contents of an instruction are its lowering once more, by operands that
lie where their elements do in the network.
"""

from __future__ import annotations

from functools import cached_property

from nnc.compiler.backend.operands import Axes, Operands, merged_shape
from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.storage import Storage, identity_order, ordered_strides, permute
from nnc.compiler.target.dram_map import DramMap
from nnc.isa.instruction import Instruction, Phase
from nnc.isa.operand import Operand
from nnc.isa.program import Content


def operand_of(graph: Graph, elements: Storage, tensor: str, axes: Axes) -> Operand:
    """Elements of a buffer as an operand, with the type of a tensor and its axes in the order `axes`."""
    dtype = graph.types[tensor].dtype
    size = dtype.itemsize
    strides = tuple(size * s for s in permute(elements.strides, axes))
    return Operand(elements.buffer, size * elements.offset, dtype, permute(elements.shape, axes), strides)


class BufferMap(DramMap):
    """The DRAM of a network as its buffers and constants: addresses count bytes in them."""

    def box(self, tensor: str, low: Axes, shape: Axes, axes: Axes) -> Operand:
        """The elements of a box of an activation."""
        return operand_of(self.graph, self.graph.storage[tensor].box(low, shape), tensor, axes)

    def piece(self, piece: Piece, axes: Axes) -> Operand:
        """The elements of a packed piece of a constant."""
        whole = self.graph.types[piece.constant].shape
        strides = ordered_strides(whole, identity_order(len(whole)))
        elements = Storage(piece.constant, 0, whole, strides).box(piece.low, piece.shape)
        return operand_of(self.graph, elements, piece.constant, axes)


class BufferOperands(Operands):
    """Operands whose memory is a buffer of the network, and whose addresses count bytes in it."""

    @cached_property
    def _sums(self) -> frozenset[str]:
        """Tiles of partial sums: they are not yet what the result will be in their place."""
        unfinished = (Phase.START, Phase.ADD)
        layers = [self.graph.layer(name) for name in self.graph.notes.part_of]
        chunks = [layer for layer in layers if getattr(layer, "phase", None) in unfinished]
        return frozenset(self.graph.output_of(layer.name) for layer in chunks)

    def _elements(self, tensor: str) -> Storage:
        """The elements of a tile, in the buffer that its tensor lies in."""
        box, shape = self.graph.notes.boxes[tensor], self.graph.types[tensor].shape
        if self.graph.is_constant(box.tensor):
            whole = self.graph.types[box.tensor].shape
            return Storage.dense(box.tensor, whole, identity_order(len(whole))).box(box.low, shape)
        found = self.graph.storage[box.tensor].box(box.low, shape)
        if tensor in self._sums:
            return Storage(f"{found.buffer} (sums)", found.offset, shape, found.strides)
        return found

    def tile(self, tensor: str, axes: Axes | None = None) -> Operand:
        """The elements of a tile on chip."""
        return operand_of(
            self.graph, self._elements(tensor), tensor, self.order(tensor) if axes is None else axes
        )

    def vector(self, tensor: str, axes: int) -> Operand:
        """Elements of a dense tile, its first axes merged into one; of no shape if no strides say which."""
        shape = merged_shape(self.graph.types[tensor].shape, axes)
        elements = self._elements(tensor).reshape(shape)
        if elements is None:
            return operand_of(self.graph, Storage("", 0, (), ()), tensor, ())
        return operand_of(self.graph, elements, tensor, identity_order(len(shape)))

    @property
    def dram(self) -> DramMap:
        """What lies in DRAM, as elements of buffers."""
        return BufferMap(self.graph, {}, {})


def contents_of(instruction: Instruction, elements: Instruction) -> tuple[Content | None, ...]:
    """The contents of the operands of an instruction, given its lowering by `BufferOperands`."""
    pairs = zip(instruction.accesses(), elements.accesses(), strict=True)
    return tuple(_content(block, held) for (block, _, _), (held, _, _) in pairs)


def _content(block: Operand, held: Operand) -> Content | None:
    if block.shape != held.shape:
        return None
    size = block.dtype.itemsize
    axes = zip(block.shape, block.strides, held.strides, strict=True)
    own = all(n == 1 or a == b for n, a, b in axes)
    return Content(held.memory, held.address // size, None if own else tuple(s // size for s in held.strides))
