"""Where things lie in DRAM, as operands: boxes of activations, packed pieces of constants, row tables."""

from __future__ import annotations

from collections.abc import Mapping
from operator import mul

from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.runs import unit_of
from nnc.compiler.ir.storage import in_bytes, normal_order
from nnc.isa.operand import DRAM, Operand

Axes = tuple[int, ...]


class DramMap:
    """The DRAM of a network: byte addresses of the packed constants and of the activation buffers."""

    def __init__(self, graph: Graph, pieces: Mapping[Piece, int], buffers: Mapping[str, int]) -> None:
        self.graph, self.pieces, self.buffers = graph, pieces, buffers
        self._blocks: dict[tuple[str, Axes, Axes, Axes], Operand] = {}

    def box(self, tensor: str, low: Axes, shape: Axes, axes: Axes) -> Operand:
        """A box of an activation, its axes in the order `axes`."""
        whole = self.graph.storage[tensor]
        dtype = self.graph.buffers[whole.buffer].dtype
        offset = whole.offset + sum(map(mul, low, whole.strides))
        address = self.buffers[whole.buffer] + offset * dtype.itemsize
        return Operand(DRAM, address, dtype, *in_bytes(shape, whole.strides, dtype.itemsize, axes))

    def piece(self, piece: Piece, axes: Axes) -> Operand:
        """A packed piece of a constant, its axes in the order `axes`."""
        dtype = self.graph.types[piece.constant].dtype
        shape, strides = in_bytes(piece.shape, piece.strides, dtype.itemsize, axes)
        return Operand(DRAM, self.pieces[piece], dtype, shape, strides)

    def block(self, tensor: str, low: Axes, shape: Axes, axes: Axes) -> Operand:
        """What a load or a store moves: a constant is packed as the block on chip nests it.

        All transfers of the same share one object.
        """
        key = (tensor, low, shape, axes)
        block = self._blocks.get(key)
        if block is None:
            if self.graph.is_constant(tensor):
                block = self.piece(Piece(tensor, low, shape, axes), axes)
            else:
                block = self.box(tensor, low, shape, axes)
            self._blocks[key] = block
        return block

    def axes_of_transfer(self, tensor: str, shape: Axes, order: Axes) -> Axes:
        """The axes of a load or a store from outermost to innermost: as they nest in DRAM.

        Args:
            order: of the block on chip, which is also that of a constant.
        """
        storage = self.graph.storage.get(tensor)
        return order if storage is None else normal_order(shape, storage.order)

    def table(self, tensor: str) -> Operand:
        """A whole tensor, rows first: the source of a row gather."""
        whole = table_piece(self.graph, tensor)
        if self.graph.is_constant(tensor):
            return self.piece(whole, whole.order)
        return self.box(tensor, whole.low, whole.shape, whole.order)


def table_piece(graph: Graph, tensor: str) -> Piece:
    """A whole constant in row-major order: the table of a row gather."""
    type_ = graph.types[tensor]
    return Piece.table(tensor, type_.shape, unit_of(type_.dtype, graph.notes.transfer_unit))
