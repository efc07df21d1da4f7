"""Elements in DRAM that are none of the network's: pad channels of flattened pictures and of weights (M5)."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from nnc.compiler.ir.annotations import Padding, Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.target.dram_map import DramMap
from nnc.isa.integers import round_up
from nnc.isa.operand import DRAM, Operand


def padding_of_buffer(graph: Graph, buffer: str) -> tuple[Operand, ...]:
    """The padding in a buffer of activations, every element once, however many views show it."""
    blocks: list[Operand] = []
    dtype, address = graph.buffers[buffer].dtype, graph.notes.buffers[buffer]
    for tensor, padding in graph.notes.padding.items():
        storage = graph.storage.get(tensor)
        if storage is None or storage.buffer != buffer:
            continue
        seen = required(storage.reshape(padding.shape))
        box = seen.box(padding.low, padding.extents)
        strides = tuple(stride * dtype.itemsize for stride in box.strides)
        block = Operand(DRAM, address + box.offset * dtype.itemsize, dtype, box.shape, strides)
        if not any(block.overlaps(previous) for previous in blocks):
            blocks.append(_squeezed(block))
    return tuple(blocks)


def padding_of_piece(graph: Graph, dram: DramMap, piece: Piece) -> tuple[Operand, ...]:
    """The padding in a packed piece of a constant, a matrix whose rows are pixels of channels."""
    padding = graph.notes.padding.get(piece.constant)
    if padding is None:
        return ()
    matrix = dram.piece(piece, (0, 1))
    (row, column), columns = matrix.strides, matrix.shape[1]
    return tuple(
        _squeezed(
            Operand(
                DRAM,
                matrix.address + (first - piece.low[0]) * row,
                matrix.dtype,
                (pixels, rows, columns),
                (row * padding.shape[3], row, column),
            )
        )
        for first, pixels, rows in _padded_rows(padding, piece.low[0], piece.low[0] + piece.shape[0])
    )


def _padded_rows(padding: Padding, low: int, high: int) -> Iterator[tuple[int, int, int]]:
    """Rows of low … high that are padding: the first one, of how many pixels, and how many of each.

    Pixels that begin before `low` or end after `high` stand for themselves.
    """
    channels, used = padding.shape[3], padding.low[3]
    low = max(low, padding.low[0] * prod(padding.shape[1:4]))
    inner = min(round_up(low, channels), high)
    outer = max(high // channels * channels, inner)
    for first, last in ((low, inner), (outer, high)):
        start = max(first, first // channels * channels + used)
        if start < last:
            yield start, 1, last - start
    if inner < outer:
        yield inner + used, (outer - inner) // channels, channels - used


def _squeezed(block: Operand) -> Operand:
    """The block without axes of extent 1."""
    axes = [axis for axis, extent in enumerate(block.shape) if extent > 1]
    shape, strides = (tuple(of[axis] for axis in axes) for of in (block.shape, block.strides))
    return Operand(block.memory, block.address, block.dtype, shape, strides)
