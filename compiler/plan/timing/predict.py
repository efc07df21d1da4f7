"""The prediction: what the steps of a plan will cost, found from tiles before any instruction exists.

in:   the steps in the order of issue with their waits, and their operands
out:  cycles and DRAM bytes of every group, cycles of the whole program

The same timing core serves planner and simulator: tasks of known bytes and cycles, ordered by the engines and
by their waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from nnc.compiler.plan.plan import Prediction
from nnc.compiler.plan.schedule.transfers import Operands
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, Load, LoadRows, Step, Store, View
from nnc.compiler.plan.timing.segments import IssuedSteps
from nnc.compiler.plan.timing.synchronise import Waits, streams_of
from nnc.compiler.target import layer_work
from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.operand import DRAM, Operand, burst_bytes
from nnc.isa.timing.timeline import Task, schedule, spans_of_groups


class _Prices:
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
    keys, groups = streams_of(chip), len(issued.groups)
    index = {key: number for number, key in enumerate(keys)}
    streams: list[list[Task]] = [[] for _ in keys]
    members: list[list[int]] = [[] for _ in keys]
    nbytes, busy = [0] * groups, [0] * groups
    prices, known = _Prices(chip), dict[int, tuple[int, int, int, int]]()
    columns = zip(issued.order, issued.kinds.tolist(), waits, strict=True)
    for place, (step, kind, mine) in enumerate(columns):
        if (found := known.get(kind)) is None:
            if isinstance(step, View):
                continue
            cycles, moved = prices.of(step, operands(place))
            stream = index[step.core, ENGINE_OF[type(step)]]
            found = known[kind] = stream, cycles, moved, cycles if isinstance(step, Compute) else 0
        stream, cycles, moved, computed = found
        group = step.group
        streams[stream].append(Task(cycles, moved, mine))
        members[stream].append(group)
        nbytes[group] += moved
        busy[group] += computed
    timeline = schedule(streams, chip, engines=[engine for _, engine in keys])
    tasks = zip(members, timeline.end, strict=True)
    ends = (task for owners, times in tasks for task in zip(owners, times, strict=True))
    spans = spans_of_groups(ends, groups)
    predictions = [Prediction(*figures) for figures in zip(spans, nbytes, busy, strict=True)]
    return predictions, timeline.total
