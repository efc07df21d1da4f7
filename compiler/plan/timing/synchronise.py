"""What every step waits for: hazards between the bytes that steps touch, on chip and in DRAM.

in:   the steps of all cores in the order of issue, and their operands
out:  the same steps, each with its waits (`IssuedStep`)

    load x.0 -> sram+0        waits for nothing
    compute y.0 = f(x.0)      waits for the load
    load x.2 -> sram+0        waits for the computation, which reads the bytes that it overwrites
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from operator import sub

import numpy as np

from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.plan.schedule.transfers import Operands
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, IssuedStep, Load, LoadRows, Step, Store, View
from nnc.compiler.plan.timing.segments import IssuedSteps, Segment
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.operand import DRAM
from nnc.isa.program import Wait
from nnc.isa.timing.hazards import ByteAccess, State, Synchroniser

_DRAM = (DRAM, -1)


Waits = tuple[tuple[int, int], ...]
"""What a step waits for: instructions 0 … position of a stream, see `streams_of`."""


def streams_of(chip: Chip) -> list[tuple[int, Engine]]:
    """Core and engine of every stream, by number."""
    return [(core, engine) for core in range(chip.cores) for engine in ENGINES]


def waits_of(
    chip: Chip,
    constant_bytes: int,
    order: Sequence[Step],
    operands: Callable[[int], Operands],
    segments: Iterable[Segment],
) -> list[Waits]:
    """What the steps wait for; waits that others or the order of an engine imply are left out.

    What a segment waits for is found once for all that are alike and come after the same.

    Args:
        constant_bytes: DRAM below this address is never written.
        order: the steps of all groups and cores in the order of issue.
        operands: of the step at a place, see `operands_of`.
        segments: of the order.
    """
    streams = streams_of(chip)
    index = {key: number for number, key in enumerate(streams)}
    synchroniser = Synchroniser(streams, constant_bytes)
    known: dict[Hashable, tuple[_Since, list[int], State]] = {}
    state, found = synchroniser.state(), list[Waits]()
    for segment in segments:
        key, counts = (segment.key, state), synchroniser.counts
        if key in known:
            again, issued, state = known[key]
            synchroniser.skip(issued, state)
            found += again.waits(counts)
            continue
        begin = len(found)
        for place in range(segment.begin, segment.end):
            step = order[place]
            if isinstance(step, View):
                found.append(())
                continue
            stream = index[step.core, ENGINE_OF[type(step)]]
            found.append(tuple(synchroniser.issue(stream, step_accesses(step, operands(place)))))
        state = synchroniser.state()
        known[key] = _Since.of(found[begin:], counts), [*map(sub, synchroniser.counts, counts)], state
    return found


@dataclass(frozen=True, slots=True)
class _Since:
    """Waits of steps as columns: streams, and positions counted from a place in the order of issue.

    Attributes:
        ends: how many waits there are up to each step, from 0 on.
    """

    streams: Ints
    positions: Ints
    ends: list[int]

    @staticmethod
    def of(waits: Sequence[Waits], counts: Sequence[int]) -> _Since:
        """Waits of steps; counts: instructions of each stream before them."""
        streams, positions = np.array([*chain(*waits)], dtype=np.int64).reshape(-1, 2).T
        ends = [*accumulate(map(len, waits), initial=0)]
        return _Since(streams, positions - np.array(counts)[streams], ends)

    def waits(self, counts: Sequence[int]) -> Iterator[Waits]:
        """Those of the same steps elsewhere."""
        positions = self.positions + np.array(counts)[self.streams]
        found = [*zip(self.streams.tolist(), positions.tolist(), strict=True)]
        return (tuple(found[begin:end]) for begin, end in pairwise(self.ends))


def with_waits(chip: Chip, issued: IssuedSteps, waits: Sequence[Waits]) -> list[IssuedStep]:
    """The steps with what they wait for."""
    streams = streams_of(chip)
    return [
        IssuedStep(group, step, tuple([Wait(*streams[stream], position) for stream, position in mine]))
        for group, step, mine in zip(issued.group.tolist(), issued.order, waits, strict=True)
    ]


def step_accesses(step: Step, operands: Operands) -> list[ByteAccess]:
    """The bytes that a step touches."""
    core = step.core
    match step:
        case Load():
            there, here = operands
            written = [((here.memory, at), here, True, False) for at in step.receivers or (core,)]
            return [(_DRAM, there, False, False), *written]
        case LoadRows():
            there, listed, here = operands
            index = (listed.memory, core), listed, False, True
            return [(_DRAM, there, False, False), index, ((here.memory, core), here, True, False)]
        case Fill() | Compute():
            *sources, out = operands
            read = [((source.memory, core), source, False, False) for source in sources]
            return [*read, ((out.memory, core), out, True, False)]
        case Store():
            there, here = operands
            return [((here.memory, core), here, False, False), (_DRAM, there, True, False)]
        case View():
            return []
