"""Operands of instructions from a placed graph: tiles on chip and boxes in DRAM, axes in any order."""

from __future__ import annotations

from dataclasses import dataclass

from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Slice
from nnc.compiler.ir.storage import ordered_strides, permute
from nnc.isa.operand import DRAM, Operand

Axes = tuple[int, ...]


def merged_shape(shape: Axes, count: int) -> Axes:
    """A shape with its first axes merged so that the first extent is `count`."""
    rest, left = list(shape), count
    while left > 1 or (rest and rest[0] == 1):
        left //= rest.pop(0)
    return (count, *rest)


@dataclass(frozen=True)
class Operands:
    """Finds the bytes of the tensors of a placed graph."""

    graph: Graph

    def tile(self, tensor: str, axes: Axes | None = None) -> Operand:
        """A tile on chip, with its axes in the order `axes` (default: as they nest in memory)."""
        place, type_ = self.graph.notes.places[tensor], self.graph.types[tensor]
        storage = self.graph.storage[tensor]
        axes = storage.order if axes is None else axes
        strides = tuple(type_.dtype.itemsize * s for s in permute(storage.strides, axes))
        return Operand(place.memory, place.address, type_.dtype, permute(type_.shape, axes), strides)

    def optional(self, tensor: str | None, axes: Axes | None = None) -> Operand | None:
        """A tile that may be absent."""
        return None if tensor is None else self.tile(tensor, axes)

    def broadcast(self, tensor: str, rank: int, axes: Axes) -> Operand:
        """A tile of lower or equal rank, with leading axes of extent 1 and the order `axes` of the result."""
        block = self.tile(tensor, tuple(range(len(self.graph.types[tensor].shape))))
        missing = rank - len(block.shape)
        shape, strides = (1,) * missing + block.shape, (0,) * missing + block.strides
        return Operand(block.memory, block.address, block.dtype, permute(shape, axes), permute(strides, axes))

    def vector(self, tensor: str, count: int) -> Operand:
        """A dense tile with its first axes merged so that the first extent is `count`."""
        block = self.tile(tensor)
        return Operand.dense(block.memory, block.address, block.dtype, merged_shape(block.shape, count))

    def order(self, tensor: str) -> Axes:
        """Axes of a tile from the outermost to the innermost."""
        return self.graph.storage[tensor].order

    def slice_source(self, layer: Slice, tensor: str, tile: str) -> Operand:
        """What a slice layer reads from DRAM: a packed piece of a constant, or a box of an activation."""
        type_, axes = self.graph.types[tile], self.order(tile)
        if self.graph.is_constant(tensor):
            piece = Piece(tensor, layer.start, layer.shape, axes)
            return self._piece(piece, axes)
        return self.dram_box(tensor, layer.start, type_.shape, axes)

    def dram_box(self, tensor: str, low: Axes, shape: Axes, axes: Axes) -> Operand:
        """A box of an activation in DRAM."""
        box = self.graph.storage[tensor].box(low, shape)
        dtype = self.graph.buffers[box.buffer].dtype
        size = dtype.itemsize
        return Operand(
            DRAM,
            self.graph.notes.buffers[box.buffer] + box.offset * size,
            dtype,
            permute(shape, axes),
            permute(tuple(size * s for s in box.strides), axes),
        )

    def table(self, tensor: str) -> Operand:
        """A whole tensor in DRAM with its own order of axes: the source of a row gather."""
        shape = self.graph.types[tensor].shape
        axes = tuple(range(len(shape)))
        low = (0,) * len(shape)
        if self.graph.is_constant(tensor):
            return self._piece(Piece(tensor, low, shape, axes), axes)
        return self.dram_box(tensor, low, shape, axes)

    def _piece(self, piece: Piece, axes: Axes) -> Operand:
        dtype = self.graph.types[piece.constant].dtype
        strides = tuple(dtype.itemsize * s for s in ordered_strides(piece.shape, piece.order))
        address = self.graph.notes.pieces[piece]
        return Operand(DRAM, address, dtype, permute(piece.shape, axes), permute(strides, axes))
