"""The prediction: what the steps of a plan will cost, found from tiles before any instruction exists.

in:   the steps in the order of issue with their waits, and all addresses
out:  cycles and DRAM bytes of every group, cycles of the whole program

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by their waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from nnc.compiler.ir.annotations import Piece, Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.step import ENGINE_OF, Compute, IssuedStep, Load, LoadRows, Step, Store, Tile, View
from nnc.compiler.target import layer_work
from nnc.compiler.target.dram_map import DramMap
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, schedule


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


def dram_map(graph: Graph, addresses: Addresses) -> DramMap:
    """The addresses as operands."""
    return DramMap(graph, addresses.pieces, addresses.buffers)


def dram_block(dram: DramMap, tile: Tile) -> Operand:
    """What a load of the tile reads, or a store of it writes, with axes as the tile nests them."""
    return dram.block(tile.tensor, tile.low, tile.type.shape, tile.order)


def step_cost(graph: Graph, addresses: Addresses, chip: Chip, step: Step) -> tuple[int, int]:
    """(cycles, 0) of a computation or (0, DRAM bytes) of a transfer."""
    dram = dram_map(graph, addresses)
    match step:
        case Load() | Store():
            return 0, burst_bytes(dram_block(dram, step.tile), chip.dram.burst)
        case LoadRows():
            table = dram.table(step.table)
            row = Operand(DRAM, table.address, table.dtype, table.shape[1:], table.strides[1:])
            return 0, prod(step.index.type.shape) * burst_bytes(row, chip.dram.burst)
        case Compute():
            return _compute_cycles(chip, step), 0
        case View():
            return 0, 0


def _compute_cycles(chip: Chip, step: Compute) -> int:
    operands = [None if tile is None else tile.type for tile in step.ins]
    shapes = [None if t is None else t.shape for t in operands]
    dtype = layer_work.rate_dtype(step.layer, step.out.type, operands)
    return layer_work.tile_cycles(chip, step.layer, step.out.type.shape, shapes, dtype)


def predict(
    graph: Graph, addresses: Addresses, chip: Chip, order: Sequence[IssuedStep], groups: int
) -> tuple[list[Prediction], int]:
    """Cycles and DRAM bytes of every group, and the cycles of all together.

    Args:
        order: the steps of all groups in the order of issue, with their waits.
        groups: number of groups.
    """
    keys = [(core, engine) for core in range(chip.cores) for engine in ENGINES]
    index = {key: number for number, key in enumerate(keys)}
    streams: list[list[Task]] = [[] for _ in keys]
    members: list[list[int]] = [[] for _ in keys]
    nbytes, busy = [0] * groups, [0] * groups
    for issued in order:
        step = issued.step
        if isinstance(step, View):
            continue
        stream = index[step.core, ENGINE_OF[type(step)]]
        waits = tuple((index[wait.core, wait.engine], wait.index) for wait in issued.waits)
        cycles, moved = step_cost(graph, addresses, chip, step)
        streams[stream].append(Task(cycles, moved, waits))
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
    return predictions, timeline.total
