"""The prediction: what the steps of a plan will cost, found from tiles before any instruction exists.

in:   the steps in the order of issue with their waits, and their operands
out:  cycles and DRAM bytes of every group, cycles of the whole program

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by their waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from nnc.compiler.plan.place.transfers import Operands
from nnc.compiler.plan.place.waits import IssuedSteps, Waits, streams_of
from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, Load, LoadRows, Step, Store, View
from nnc.compiler.target import layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, schedule, spans_of_groups


class StepPrices:
    """What steps cost; computations of equal layers on tiles of equal shape and strides are priced once."""

    def __init__(self, chip: Chip) -> None:
        self._chip, self._cycles = chip, dict[Hashable, int]()

    def of(self, step: Step, operands: Operands) -> tuple[int, int]:
        """(cycles, 0) of a computation or (least cycles, DRAM bytes) of a transfer."""
        chip = self._chip
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
            case Compute():
                return self._compute(step, operands), 0
            case View():
                return 0, 0

    def _compute(self, step: Compute, operands: Operands) -> int:
        """Cycles of a computation, which do not depend on where its blocks lie."""
        slots = tuple([tile is None for tile in step.ins])
        key = (step.layer.signature, slots, *[(b.memory, b.dtype, b.shape, b.strides) for b in operands])
        found = self._cycles.get(key)
        if found is None:
            *sources, out = operands
            blocks = iter(sources)
            ins = [None if tile is None else next(blocks) for tile in step.ins]
            found = self._cycles[key] = layer_work.tile_cycles(self._chip, step.layer, out, ins)
        return found


def predict(
    chip: Chip,
    issued: IssuedSteps,
    operands: Callable[[int], Operands],
    waits: Sequence[Waits],
) -> tuple[list[Prediction], int]:
    """Cycles and DRAM bytes of every group, and the cycles of all together.

    Args:
        operands: of the step at a place, see `operands_of`; steps that are alike are priced once.
        waits: of each step.
    """
    keys, prices, order = streams_of(chip), StepPrices(chip), issued.order
    index = {key: number for number, key in enumerate(keys)}
    _, first, kinds = np.unique(issued.kinds, return_index=True, return_inverse=True)
    figures = np.zeros((len(first), 4), dtype=np.int64)
    for kind, place in enumerate(first.tolist()):
        step = order[place]
        if isinstance(step, View):
            figures[kind, 0] = -1
            continue
        cycles, moved = prices.of(step, operands(place))
        stream = index[step.core, ENGINE_OF[type(step)]]
        figures[kind] = stream, cycles, moved, cycles if isinstance(step, Compute) else 0
    nbytes, busy = np.zeros((2, len(issued.groups)), dtype=np.int64)
    stream_of, _, moved_by, computed_by = figures[kinds].T
    np.add.at(nbytes, issued.group, moved_by)
    np.add.at(busy, issued.group, computed_by)
    places = [np.flatnonzero(stream_of == number) for number in range(len(keys))]
    streams = [
        [*map(Task, *figures[kinds[mine], 1:3].T.tolist(), map(waits.__getitem__, mine.tolist()))]
        for mine in places
    ]
    members = [issued.group[mine].tolist() for mine in places]
    timeline = schedule(streams, chip, engines=[engine for _, engine in keys])
    tasks = zip(members, timeline.end, strict=True)
    ends = (task for owners, times in tasks for task in zip(owners, times, strict=True))
    spans = spans_of_groups(ends, len(issued.groups))
    columns = zip(spans, nbytes.tolist(), busy.tolist(), strict=True)
    predictions = [Prediction(*mine) for mine in columns]
    return predictions, timeline.total
