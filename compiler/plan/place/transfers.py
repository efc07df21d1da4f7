"""What the transfers of a plan move: blocks in DRAM and on chip, or the whole runs that the DMA demands.

in:   loads, row gathers and stores, and all addresses
out:  both sides as operands (`transfer_of`), which predict, synchronise and lowering agree on
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.runs import is_exclusive, unit_of
from nnc.compiler.ir.storage import identity_order, in_bytes
from nnc.compiler.plan.step import Compute, Fill, Load, LoadRows, Step, Store, Tile, View
from nnc.compiler.target.dram_map import DramMap, table_piece
from nnc.compiler.target.transfers import row_units, rows_of_units, whole_piece, whole_runs
from nnc.isa.errors import InternalError
from nnc.isa.operand import Operand

Operands = tuple[Operand, ...]


@dataclass(frozen=True)
class Addresses:
    """Where blocks on chip, packed constants, and buffers of activations in DRAM begin (bytes)."""

    offsets: Mapping[str, int]
    pieces: dict[Piece, int]
    buffers: dict[str, int]
    constant_bytes: int


def piece_of(tile: Tile) -> Piece:
    """The packed piece of a constant that a tile loads."""
    return Piece(tile.tensor, tile.low, tile.type.shape, tile.order)


def dram_map(graph: Graph, addresses: Addresses) -> DramMap:
    """The addresses as operands."""
    return DramMap(graph, addresses.pieces, addresses.buffers)


def moved(dram: DramMap, tile: Tile, place: tuple[str, int]) -> tuple[Operand, Operand] | None:
    """What a load or a store of a tile moves: (in DRAM, on chip); None if that is no aligned runs.

    Args:
        place: memory and address of the tile.
    """
    order = dram.axes_of_transfer(tile.tensor, tile.type.shape, tile.order)
    there = dram.block(tile.tensor, tile.low, tile.type.shape, order)
    dtype = tile.type.dtype
    here = Operand(*place, dtype, *in_bytes(tile.type.shape, tile.strides, dtype.itemsize, order))
    if dram.graph.is_constant(tile.tensor):
        return whole_piece(there, here, dram.graph.notes.transfer_unit)
    return whole_runs(there, here, dram.graph.notes.transfer_unit)


def on_chip(tile: Tile, place: tuple[str, int]) -> Operand:
    """A tile as an operand, its axes as they are numbered."""
    dtype, shape = tile.type.dtype, tile.type.shape
    return Operand(*place, dtype, *in_bytes(shape, tile.strides, dtype.itemsize, identity_order(len(shape))))


def gathered(
    dram: DramMap, step: LoadRows, places: Sequence[tuple[str, int]]
) -> tuple[Operand, Operand] | None:
    """What a row gather moves: (table, result); None if its rows are no aligned runs.

    Args:
        places: memory and address of the list of rows and of the result.
    """
    table, nbytes = dram.table(step.table), dram.graph.notes.transfer_unit
    listed, result = (
        on_chip(tile, place) for tile, place in zip((step.index, step.out), places, strict=True)
    )
    if nbytes == 1:
        return table, result
    row, rank = row_units(table, nbytes), len(listed.shape)
    operands = rows_of_units(table, 1, row), rows_of_units(result, rank, row)
    if operands[0] is None or operands[1] is None or rows_of_units(listed, rank, 0) is None:
        return None
    return operands[0], operands[1]


def operands_of(dram: DramMap, addresses: Addresses, step: Step) -> Operands:
    """All blocks that a step touches, at their addresses; `dram` holds those in DRAM (see `dram_map`).

    Of transfers (in DRAM, on chip), of row gathers (table, list of rows, result), else what is read, and then
    the result.
    """
    match step:
        case Load() | Store():
            return transfer_of(dram, addresses, step)
        case LoadRows():
            table, result = transfer_of(dram, addresses, step)
            return table, _at_its_place(addresses, step.index), result
        case Fill():
            return (_at_its_place(addresses, step.tile),)
        case Compute():
            sources = [_at_its_place(addresses, tile) for tile in step.ins if tile is not None]
            return (*sources, _at_its_place(addresses, step.out))
        case View():
            return ()


def _at_its_place(addresses: Addresses, tile: Tile) -> Operand:
    return on_chip(tile, _place(addresses, tile))


def _place(addresses: Addresses, tile: Tile) -> tuple[str, int]:
    """Memory and address of a tile."""
    block = tile.block
    return block.memory, addresses.offsets[block.name] + tile.offset * tile.type.dtype.itemsize


def transfer_of(
    dram: DramMap, addresses: Addresses, step: Load | Store | LoadRows
) -> tuple[Operand, Operand]:
    """What a transfer moves: (in DRAM, on chip).

    Raises:
        InternalError: that is no aligned runs.
    """
    tiles = (step.index, step.out) if isinstance(step, LoadRows) else (step.tile,)
    places = [_place(addresses, tile) for tile in tiles]
    operands = (
        gathered(dram, step, places) if isinstance(step, LoadRows) else moved(dram, step.tile, places[0])
    )
    if operands is None:
        raise InternalError("a transfer that is no aligned runs", where=tiles[-1].name)
    return operands


def unaligned_step(graph: Graph, steps: Iterable[Step], *, shared_blocks: bool) -> Step | None:
    """The first step whose transfer the DMA cannot move in whole runs; None if all obey.

    What is stored must be the only elements in its runs; so must be what is loaded to a block that holds
    other data too.

    Args:
        shared_blocks: whether tiles that are loaded may lie beside others in their blocks.
    """
    if graph.notes.transfer_unit == 1:
        return None
    for step in steps:
        if isinstance(step, LoadRows):
            places = [(t.block.memory, t.offset * t.type.dtype.itemsize) for t in (step.index, step.out)]
            nowhere = DramMap(graph, {table_piece(graph, step.table): 0}, _Zeros())
            if gathered(nowhere, step, places) is None:
                return step
        elif isinstance(step, Load | Store):
            alone = isinstance(step, Load) and not shared_blocks
            if not _obeys(graph, step.tile, alone=alone):
                return step
    return None


def _obeys(graph: Graph, tile: Tile, *, alone: bool) -> bool:
    if graph.is_constant(tile.tensor):
        return True
    nowhere = DramMap(graph, {}, _Zeros())
    if moved(nowhere, tile, (tile.block.memory, tile.offset * tile.type.dtype.itemsize)) is None:
        return False
    storage = graph.storage[tile.tensor]
    box, owner = storage.box(tile.low, tile.type.shape), graph.storage[storage.buffer]
    return alone or is_exclusive(owner, box, unit_of(tile.type.dtype, graph.notes.transfer_unit))


class _Zeros(dict[str, int]):
    """Every buffer begins at a whole unit: where, does not matter."""

    def __missing__(self, name: str) -> int:
        return 0
