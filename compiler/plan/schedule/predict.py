"""The prediction: what the plan's steps will cost, found from tiles before any instruction exists.

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by the bytes that they share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from nnc.compiler.ir.annotations import Piece, Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.step import Step, StepKind, Tile
from nnc.compiler.target import layer_work
from nnc.compiler.target.dram_map import DramMap, gathered_tensor
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.program import Wait
from nnc.isa.timing.hazards import ByteAccess, Synchroniser
from nnc.isa.timing.timeline import Task, schedule

ENGINE_OF = {
    StepKind.LOAD: Engine.READ,
    StepKind.LOAD_ROWS: Engine.READ,
    StepKind.COMPUTE: Engine.COMPUTE,
    StepKind.STORE: Engine.WRITE,
}


@dataclass(frozen=True)
class Addresses:
    """Where everything lies: tiles on chip, packed constants and activation buffers in DRAM (bytes)."""

    places: dict[str, Place]
    pieces: dict[Piece, int]
    buffers: dict[str, int]
    constant_bytes: int


def piece_of(tile: Tile) -> Piece:
    """The packed piece of a constant that a tile loads."""
    return Piece(tile.tensor, tile.low, tile.type.shape, tile.order)


def table_tensor(graph: Graph, step: Step) -> str:
    """The tensor whose rows a row gather takes."""
    assert step.out is not None
    return gathered_tensor(graph, step.out.tensor)


def dram_map(graph: Graph, addresses: Addresses) -> DramMap:
    """The addresses as operands."""
    return DramMap(graph, addresses.pieces, addresses.buffers)


def _dram_block(dram: DramMap, tile: Tile) -> Operand:
    """What a load of the tile reads, or a store of it writes, with axes as the tile nests them."""
    return dram.block(tile.tensor, tile.low, tile.type.shape, tile.order)


def step_accesses(graph: Graph, addresses: Addresses, step: Step) -> Iterator[ByteAccess]:
    """The bytes that a step touches."""
    dram = dram_map(graph, addresses)
    if step.kind is StepKind.LOAD:
        assert step.out is not None
        yield ByteAccess((DRAM, -1), _dram_block(dram, step.out), writes=False)
    if step.kind is StepKind.LOAD_ROWS:
        yield ByteAccess((DRAM, -1), dram.table(table_tensor(graph, step)), writes=False)
    for tile in step.ins:
        if tile is not None:
            yield _tile_access(addresses, tile, step, step.core, writes=False)
    if step.kind is StepKind.STORE:
        assert step.ins[0] is not None
        yield ByteAccess((DRAM, -1), _dram_block(dram, step.ins[0]), writes=True)
    if step.out is not None:
        for core in step.receivers or (step.core,):
            yield _tile_access(addresses, step.out, step, core, writes=True)


def _tile_access(addresses: Addresses, tile: Tile, step: Step, core: int, *, writes: bool) -> ByteAccess:
    place = addresses.places[tile.name]
    size = tile.type.dtype.itemsize
    strides = tuple(size * s for s in tile.strides)
    block = Operand(place.memory, place.address, tile.type.dtype, tile.type.shape, strides)
    at_issue = step.kind is StepKind.LOAD_ROWS and not writes
    return ByteAccess((place.memory, core), block, writes, at_issue)


def step_cost(graph: Graph, addresses: Addresses, chip: Chip, step: Step) -> tuple[int, int]:
    """(cycles, 0) of a computation or (0, DRAM bytes) of a transfer."""
    dram = dram_map(graph, addresses)
    match step.kind:
        case StepKind.LOAD:
            assert step.out is not None
            return 0, burst_bytes(_dram_block(dram, step.out), chip.dram.burst)
        case StepKind.STORE:
            assert step.ins[0] is not None
            return 0, burst_bytes(_dram_block(dram, step.ins[0]), chip.dram.burst)
        case StepKind.LOAD_ROWS:
            assert step.ins[1] is not None
            table = dram.table(table_tensor(graph, step))
            row = Operand(DRAM, table.address, table.dtype, table.shape[1:], table.strides[1:])
            return 0, prod(step.ins[1].type.shape) * burst_bytes(row, chip.dram.burst)
        case StepKind.COMPUTE:
            return _compute_cycles(chip, step), 0
        case StepKind.VIEW:
            return 0, 0


def _compute_cycles(chip: Chip, step: Step) -> int:
    assert step.out is not None
    operands = [None if tile is None else tile.type for tile in step.ins]
    shapes = [None if t is None else t.shape for t in operands]
    dtype = layer_work.rate_dtype(step.layer, step.out.type, operands)
    return layer_work.tile_cycles(chip, step.layer, step.out.type.shape, shapes, dtype)


def predict(
    graph: Graph, addresses: Addresses, chip: Chip, order: Sequence[Step], groups: int
) -> tuple[list[Prediction], int, list[tuple[Wait, ...]]]:
    """Cycles and DRAM bytes of every group, the cycles of all together, and the waits of every step.

    Args:
        order: the steps of all groups in the order of issue.
        groups: number of groups.
    """
    keys = [(core, engine) for core in range(chip.cores) for engine in ENGINES]
    index = {key: number for number, key in enumerate(keys)}
    synchroniser = Synchroniser(keys, addresses.constant_bytes)
    streams: list[list[Task]] = [[] for _ in keys]
    members: list[list[int]] = [[] for _ in keys]
    nbytes, busy = [0] * groups, [0] * groups
    found: list[tuple[Wait, ...]] = []
    for step in order:
        if step.kind is StepKind.VIEW:
            continue
        stream = index[step.core, ENGINE_OF[step.kind]]
        waits = synchroniser.issue(stream, step_accesses(graph, addresses, step))
        cycles, moved = step_cost(graph, addresses, chip, step)
        streams[stream].append(Task(cycles, moved, tuple(waits)))
        found.append(tuple(Wait(*keys[other], position) for other, position in waits))
        members[stream].append(step.group)
        nbytes[step.group] += moved
        busy[step.group] += cycles
    timeline = schedule(streams, chip, engines=[engine for _, engine in keys])
    ends = [0] * groups
    for stream, owners in enumerate(members):
        for position, number in enumerate(owners):
            ends[number] = max(ends[number], timeline.end[stream][position])
    predictions, previous = [], 0
    for number in range(groups):
        end = max(previous, ends[number])
        predictions.append(Prediction(end - previous, nbytes[number], busy[number]))
        previous = end
    return predictions, timeline.total, found
