"""Addresses: tiles on chip by the live ranges of their blocks, constants and buffers in DRAM.

in:   steps in the order of demand (blocks), groups (buffers that visit DRAM)
out:  an offset per block and memory; DRAM addresses; how much is used at the most
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import lcm
from operator import gt

import numpy as np

from nnc.compiler.errors import CapacityError
from nnc.compiler.ir.annotations import Piece
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Layer
from nnc.compiler.plan.place.allocate import Allocation, allocate
from nnc.compiler.plan.place.live_ranges import Extent, Touches, bytes_alive, spans_of
from nnc.compiler.plan.place.transfers import Addresses, piece_of
from nnc.compiler.plan.plan import GroupPlan, MemoryUse
from nnc.compiler.plan.step import Load, LoadRows, Step, Store
from nnc.compiler.target.dram_map import table_piece
from nnc.isa.chip.description import Chip
from nnc.isa.errors import InternalError, NncError
from nnc.isa.integers import round_up
from nnc.isa.program import CONSTANT_ALIGN


def allocate_blocks(touches: Touches, chip: Chip) -> dict[str, Allocation]:
    """Offsets of all blocks, per memory (a memory that is not used has no entry)."""
    return {
        memory: allocate(extents, chip.block_align(memory)) for memory, extents in touches.by_memory().items()
    }


def fits(allocations: dict[str, Allocation], chip: Chip) -> bool:
    """Whether every memory is large enough."""
    return all(allocation.peak <= chip.memory[name].bytes for name, allocation in allocations.items())


def placeless(steps: Sequence[Step], chip: Chip, layer: Layer) -> NncError:
    """Why the steps of a layer alone find no place, though its bytes were counted and fit."""
    where = f"{layer.loc} on chip {chip.name}"
    for memory, allocation in allocate_blocks(Touches(steps), chip).items():
        if allocation.peak > (most := chip.memory[memory].bytes):
            setting = f"memory.{memory}.bytes={allocation.peak}"
            return CapacityError(
                f"the blocks of {layer.name} find no addresses in {memory}, even in the finest tiles",
                where=where,
                found=f"{most} B",
                expected=f"{allocation.bound} B are in use at a time, which lie within {allocation.peak} B",
                remedy=f"a larger memory (--set {setting}), or a smaller element type or input",
            )
    return InternalError("a layer in tiles has transfers that the DMA cannot move", where=where)


def overflowing_groups(touches: Touches, allocations: dict[str, Allocation], chip: Chip) -> list[int]:
    """Groups with blocks that end beyond their memory; if some ask for too many bytes, these alone."""
    if fits(allocations, chip):
        return []
    if not (failed := _too_full(touches, allocations, chip)):
        failed = _beyond(touches, allocations, chip)
    return sorted(failed)


def _too_full(touches: Touches, allocations: dict[str, Allocation], chip: Chip) -> set[int]:
    """Groups with a step at which more bytes are alive than a memory has."""
    failed, lives = set[int](), touches.by_memory()
    for memory, allocation in allocations.items():
        if allocation.bound <= chip.memory[memory].bytes:
            continue
        spans = spans_of(lives[memory], chip.block_align(memory))
        taken = bytes_alive(spans, len(touches.order))[:-1]
        full = taken > chip.memory[memory].bytes
        failed.update(touches.group[full].tolist())
    return failed


def _beyond(touches: Touches, allocations: dict[str, Allocation], chip: Chip) -> set[int]:
    """Groups with blocks that end beyond their memory."""
    ends = (allocations[block.memory].offsets[block.name] + block.nbytes for block in touches.blocks)
    capacity = (chip.memory[block.memory].bytes for block in touches.blocks)
    is_beyond = np.fromiter(map(gt, ends, capacity), dtype=np.bool_)
    return {*touches.group[touches.place[is_beyond[touches.block]]].tolist()}


def group_peaks(touches: Touches, offsets: dict[str, int], groups: int) -> tuple[dict[str, int], ...]:
    """Per group, the highest byte in use per memory."""
    number = {
        name: index for index, name in enumerate(dict.fromkeys(block.memory for block in touches.blocks))
    }
    ends = np.array([offsets[block.name] + block.nbytes for block in touches.blocks], dtype=np.int64)
    memory = np.array([number[block.memory] for block in touches.blocks], dtype=np.int64)
    group = touches.group[touches.place]
    peaks = np.zeros((groups, len(number)), dtype=np.int64)
    np.maximum.at(peaks, (group, memory[touches.block]), ends[touches.block])
    return tuple(
        {name: peak for name, peak in zip(number, row, strict=True) if peak} for row in peaks.tolist()
    )


def memory_use(touches: Touches, offsets: dict[str, int], chip: Chip) -> dict[str, MemoryUse]:
    """Peak and most bytes alive at one step, per memory that is used."""
    uses = dict[str, MemoryUse]()
    for memory, extents in touches.by_memory().items():
        align = chip.block_align(memory)
        ends = max([offsets[extent.name] + extent.nbytes for extent in extents])  # blocks begin at units
        uses[memory] = MemoryUse(round_up(ends, align), int(bytes_alive(spans_of(extents, align)).max()))
    return uses


def address_dram(
    graph: Graph, chip: Chip, groups: Sequence[GroupPlan], offsets: Mapping[str, int]
) -> tuple[Addresses, int]:
    """DRAM addresses (packed constants first, then buffers by live ranges) and the bytes that are used.

    Args:
        offsets: where blocks begin on chip, by name.

    Raises:
        CapacityError: the chip's DRAM is too small.
    """
    align = lcm(CONSTANT_ALIGN, chip.dram.burst, chip.transfer_unit)  # estimates count on whole bursts
    pieces: dict[Piece, int] = {}
    end = 0
    for piece in dict.fromkeys(_pieces(graph, groups)):
        pieces[piece] = end
        nbytes = piece.elements * graph.types[piece.constant].dtype.itemsize
        end = round_up(end + nbytes, align)
    allocation = allocate(_buffer_lives(graph, groups), align)
    total = end + round_up(allocation.peak, align)
    if total > chip.dram.bytes:
        raise CapacityError(
            f"the program needs {total} B of DRAM",
            where=f"chip {chip.name}",
            found=f"dram.bytes = {chip.dram.bytes}",
            expected=f"at least {total}: {end} B of constants and {allocation.peak} B of activations",
            remedy=f"--set dram.bytes={total}, or a smaller input or batch",
        )
    buffers = {name: end + offset for name, offset in allocation.offsets.items()}
    return Addresses(offsets, pieces, buffers, end), total


def _pieces(graph: Graph, groups: Sequence[GroupPlan]) -> list[Piece]:
    pieces = []
    for group in groups:
        for step in group.steps:
            if isinstance(step, Load) and graph.is_constant(step.tile.tensor):
                pieces.append(piece_of(step.tile))
            elif isinstance(step, LoadRows) and graph.is_constant(step.table):
                pieces.append(table_piece(graph, step.table))
    return pieces


def _buffer_lives(graph: Graph, groups: Sequence[GroupPlan]) -> list[Extent]:
    """Live ranges over the groups of buffers that visit DRAM; network inputs and outputs live throughout.

    So do tensors with padding: an address says by itself whether a byte of it is an element.
    """
    count = len(groups)
    first: dict[str, int] = {}
    last: dict[str, int] = {}

    def touch(tensor: str, when: int) -> None:
        buffer = graph.storage[tensor].buffer
        first[buffer] = min(first.get(buffer, when), when)
        last[buffer] = max(last.get(buffer, when), when)

    padded = {graph.storage[tensor].buffer for tensor in graph.notes.padding if tensor in graph.storage}
    for tensor in (*graph.inputs, *graph.outputs):
        if tensor in graph.storage:
            touch(tensor, 0)
            touch(tensor, count + 1)
    for planned in groups:
        for step in planned.steps:
            match step:
                case LoadRows() if not graph.is_constant(step.table):
                    touch(step.table, planned.group.index + 1)
                case Load() | Store() if step.tile.tensor in graph.storage:
                    touch(step.tile.tensor, planned.group.index + 1)
    for buffer in padded & first.keys():
        first[buffer], last[buffer] = 0, count + 1
    return [Extent(name, graph.buffers[name].nbytes, first[name], last[name]) for name in first]
