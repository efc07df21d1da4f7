"""The prediction: what the steps of a plan will cost, found from tiles before any instruction exists.

in:   the steps in the order of issue with their waits, and their operands
out:  cycles and DRAM bytes of every group, cycles of the whole program

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by their waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.place.transfers import Operands, on_chip
from nnc.compiler.plan.place.waits import IssuedSteps, Waits, streams_of
from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, Load, LoadRows, Store, View
from nnc.compiler.target import layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import Engine
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, Timeline, schedule, spans_of_groups


@dataclass(frozen=True, slots=True)
class Times:
    """When steps in the order of issue begin to be served, and when they are done, in cycles; 0 of views."""

    begin: list[int]
    end: list[int]

    def of_leaders(self, begins: Sequence[int]) -> Times:
        """The same of leaders: when the first core begins, and when the last one is done.

        Args:
            begins: of each leader, where it and the same steps of other cores begin; the end of all.
        """
        first = begins[:-1]
        begin, end = np.minimum.reduceat(self.begin, first), np.maximum.reduceat(self.end, first)
        return Times(begin.tolist(), end.tolist())


class ComputationCycles:
    """Cycles of computations; equal layers on tiles of equal shape and strides are looked at once."""

    def __init__(self, chip: Chip) -> None:
        self._chip, self._cycles = chip, dict[Hashable, int]()

    def of(self, step: Compute) -> int:
        """Cycles of a computation, which do not depend on where its blocks lie."""
        tiles = [t and (t.block.memory, t.type.dtype, t.type.shape, t.strides) for t in step.tiles]
        key = (step.layer.signature, *tiles)
        if key not in self._cycles:
            ins = [None if tile is None else on_chip(tile, (tile.block.memory, 0)) for tile in step.ins]
            out = on_chip(step.out, (step.out.block.memory, 0))
            self._cycles[key] = layer_work.tile_cycles(self._chip, step.layer, out, ins)
        return self._cycles[key]


def transfer_price(chip: Chip, step: Load | LoadRows | Fill | Store, operands: Operands) -> tuple[int, int]:
    """Least cycles and DRAM bytes of what the read or the write engine does; a fill moves no bytes."""
    match step:
        case Load() | Store():
            there, here = operands
            return move_cycles(chip, here.nbytes), burst_bytes(there, chip.dram.burst)
        case LoadRows():
            table, listed, result = operands
            row = Operand(DRAM, table.address, table.dtype, table.shape[1:], table.strides[1:])
            nbytes = listed.elements * burst_bytes(row, chip.dram.burst)
            return move_cycles(chip, max(result.nbytes, listed.nbytes)), nbytes
        case Fill():
            return layer_work.tile_cycles(chip, step.layer, operands[0], []), 0


def predict(
    chip: Chip,
    issued: IssuedSteps,
    operands: Callable[[int], Operands],
    waits: Sequence[Waits],
) -> tuple[list[Prediction], int, Times]:
    """Cycles and DRAM bytes of every group, the cycles of all together, and the times of all steps.

    Args:
        operands: of the step at a place, see `operands_of`; steps that are alike are priced once.
        waits: of each step.
    """
    keys, computations, order = streams_of(chip), ComputationCycles(chip), issued.order
    index = {key: number for number, key in enumerate(keys)}
    _, first, kinds = np.unique(issued.kinds, return_index=True, return_inverse=True)
    figures = np.zeros((len(first), 4), dtype=np.int64)
    for kind, place in enumerate(first.tolist()):
        step = order[place]
        match step:
            case View():
                figures[kind, 0] = -1
            case Compute():
                cycles = computations.of(step)
                figures[kind] = index[step.core, Engine.COMPUTE], cycles, 0, cycles
            case _:
                stream = index[step.core, ENGINE_OF[type(step)]]
                figures[kind] = stream, *transfer_price(chip, step, operands(place)), 0
    nbytes, busy = np.zeros((2, len(issued.groups)), dtype=np.int64)
    stream_of, _, moved_by, computed_by = figures[kinds].T
    np.add.at(nbytes, issued.group, moved_by)
    np.add.at(busy, issued.group, computed_by)
    places = [np.flatnonzero(stream_of == number) for number in range(len(keys))]
    streams = [
        [
            *map(
                Task,
                *figures[kinds[stream_places], 1:3].T.tolist(),
                map(waits.__getitem__, stream_places.tolist()),
            )
        ]
        for stream_places in places
    ]
    members = [issued.group[stream_places].tolist() for stream_places in places]
    timeline = schedule(streams, chip, engines=[engine for _, engine in keys])
    tasks = zip(members, timeline.end, strict=True)
    ends = (task for owners, times in tasks for task in zip(owners, times, strict=True))
    spans = spans_of_groups(ends, len(issued.groups))
    columns = zip(spans, nbytes.tolist(), busy.tolist(), strict=True)
    predictions = [Prediction(*row) for row in columns]
    return predictions, timeline.total, _times(places, timeline, len(order))


def _times(places: Sequence[Ints], timeline: Timeline, steps: int) -> Times:
    """The times of so many steps.

    Args:
        places: of each stream, where its tasks stand in the order of issue.
    """
    begin, end = np.zeros((2, steps), dtype=np.int64)
    for stream, stream_places in enumerate(places):
        begin[stream_places], end[stream_places] = timeline.begin[stream], timeline.end[stream]
    return Times(begin.tolist(), end.tolist())
