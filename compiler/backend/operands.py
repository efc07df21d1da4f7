"""Operands of instructions from a placed graph: tiles on chip, axes in any order, and what lies in DRAM."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TypeVar

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.storage import identity_order, in_bytes
from nnc.compiler.target.dram_map import DramMap
from nnc.compiler.target.transfers import row_units, rows_of_units, whole_piece, whole_runs
from nnc.isa.errors import InternalError
from nnc.isa.operand import Operand

Axes = tuple[int, ...]
MovedT = TypeVar("MovedT")


def merged_shape(shape: Axes, axes: int) -> Axes:
    """A shape with its first axes, so many, merged into one."""
    return (prod(shape[:axes]), *shape[axes:])


class Operands:
    """Finds the bytes of the tensors of a placed graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._places, self._types, self._storage = graph.notes.places, graph.types, graph.storage

    @cached_property
    def dram(self) -> DramMap:
        """What lies in DRAM."""
        return DramMap(self.graph, self.graph.notes.pieces, self.graph.notes.buffers)

    def tile(self, tensor: str, axes: Axes | None = None) -> Operand:
        """A tile on chip, with its axes in the order `axes` (default: as they nest in memory)."""
        place, dtype, storage = self._places[tensor], self._types[tensor].dtype, self._storage[tensor]
        axes = storage.order if axes is None else axes
        shape, strides = in_bytes(storage.shape, storage.strides, dtype.itemsize, axes)
        return Operand(place.memory, place.address, dtype, shape, strides)

    def optional(self, tensor: str | None, axes: Axes | None = None) -> Operand | None:
        """A tile that may be absent."""
        return None if tensor is None else self.tile(tensor, axes)

    def broadcast(self, tensor: str, rank: int, axes: Axes) -> Operand:
        """A tile of lower or equal rank, with leading axes of extent 1 and the order `axes` of the result."""
        place, dtype, storage = self._places[tensor], self._types[tensor].dtype, self._storage[tensor]
        missing = rank - len(storage.shape)
        shape, strides = (1,) * missing + storage.shape, (0,) * missing + storage.strides
        shape, strides = in_bytes(shape, strides, dtype.itemsize, axes)
        return Operand(place.memory, place.address, dtype, shape, strides)

    def vector(self, tensor: str, axes: int) -> Operand:
        """A dense tile in the order of its axes, the first of them, so many, merged into one."""
        block = self.tile(tensor, identity_order(len(self.graph.types[tensor].shape)))
        return Operand.dense(block.memory, block.address, block.dtype, merged_shape(block.shape, axes))

    def transfer(self, tensor: str, low: Axes, tile: str) -> tuple[Operand, Operand]:
        """What moves between a box of a tensor in DRAM and its tile: (in DRAM, on chip).

        Raises:
            InternalError: the tile does not lie on chip in runs that the DMA can move.
        """
        shape, nbytes = self.graph.types[tile].shape, self.graph.notes.transfer_unit
        axes = self.dram.axes_of_transfer(tensor, shape, self.order(tile))
        there, here = self.dram.block(tensor, low, shape, axes), self.tile(tile, axes)
        if self.graph.is_constant(tensor):
            return whole_piece(there, here, nbytes)
        return self._moved(whole_runs(there, here, nbytes), tile)

    def rows(self, table: str, index: str, out: str) -> tuple[Operand, Operand, Operand]:
        """A row gather: (table, list of rows, result), the rows with their reserved elements.

        Raises:
            InternalError: rows do not follow each other at one distance.
        """
        source, rank = self.dram.table(table), len(self.graph.types[index].shape)
        if self.graph.notes.transfer_unit == 1:
            return source, self.vector(index, rank), self.vector(out, rank)
        row = row_units(source, self.graph.notes.transfer_unit)
        listed = self.tile(index, identity_order(rank))
        result = self.tile(out, identity_order(len(self.graph.types[out].shape)))
        moved = rows_of_units(listed, rank, 0), rows_of_units(result, rank, row)
        source = self._moved(rows_of_units(source, 1, row), table)
        return source, self._moved(moved[0], index), self._moved(moved[1], out)

    def _moved(self, moved: MovedT | None, tensor: str) -> MovedT:
        if moved is None:
            raise InternalError("a tile does not lie in runs that the DMA can move", where=tensor)
        return moved

    def order(self, tensor: str) -> Axes:
        """Axes of a tile from the outermost to the innermost."""
        return self.graph.storage[tensor].order
