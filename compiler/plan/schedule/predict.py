"""The prediction: what the steps of a plan will cost, found from tiles before any instruction exists.

in:   the steps in the order of issue with their waits, and all addresses
out:  cycles and DRAM bytes of every group, cycles of the whole program

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by their waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.schedule.transfers import Addresses, on_chip, transfer_of
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, IssuedStep, Load, LoadRows, Step, Store, View
from nnc.compiler.target import layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import ENGINES
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, schedule, spans_of_groups


def step_cost(graph: Graph, addresses: Addresses, chip: Chip, step: Step) -> tuple[int, int]:
    """(cycles, 0) of a computation or (least cycles, DRAM bytes) of a transfer."""
    match step:
        case Load() | Store():
            there, here = transfer_of(graph, addresses, step)
            return move_cycles(chip, here.nbytes), burst_bytes(there, chip.dram.burst)
        case LoadRows():
            table, result = transfer_of(graph, addresses, step)
            row = Operand(DRAM, table.address, table.dtype, table.shape[1:], table.strides[1:])
            nbytes = prod(step.index.type.shape) * burst_bytes(row, chip.dram.burst)
            return move_cycles(chip, max(result.nbytes, step.index.type.nbytes)), nbytes
        case Fill():
            out = on_chip(step.tile, (step.tile.block.memory, 0))
            return layer_work.tile_cycles(chip, step.layer, out, []), 0
        case Compute():
            return _compute_cycles(chip, step), 0
        case View():
            return 0, 0


def _compute_cycles(chip: Chip, step: Compute) -> int:
    """Cycles of a computation, which do not depend on where its blocks lie."""
    ins = [None if tile is None else on_chip(tile, (tile.block.memory, 0)) for tile in step.ins]
    return layer_work.tile_cycles(chip, step.layer, on_chip(step.out, (step.out.block.memory, 0)), ins)


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
        busy[step.group] += cycles if isinstance(step, Compute) else 0
    timeline = schedule(streams, chip, engines=[engine for _, engine in keys])
    tasks = zip(members, timeline.end, strict=True)
    ends = (task for owners, times in tasks for task in zip(owners, times, strict=True))
    spans = spans_of_groups(ends, groups)
    predictions = [Prediction(*figures) for figures in zip(spans, nbytes, busy, strict=True)]
    return predictions, timeline.total
