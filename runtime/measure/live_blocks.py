"""Which bytes of the on-chip memories hold something that is still to be read, and when: live ranges.

A block lives from the issue of the instruction that writes it to the completion of the last one that reads
it, or until something else is written over it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program
from nnc.isa.timing.accesses import touched
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline

MemoryOfCore = tuple[str, int]
"""Name of a memory, and the core that it belongs to."""


@dataclass(slots=True, eq=False)
class LiveBlock:
    """Bytes among low … high − 1 of a memory, alive from cycle `begin` until cycle `end`.

    Attributes:
        nbytes: how many hold elements; all of low … high − 1 where there are no gaps.
        elements: where they are; None where there are no gaps, or where part of it was overwritten since.
        writer: index in ``Program.issued`` of the instruction that wrote them.
        last_reader: of the last one that reads them; that of the writer if nobody does.
    """

    memory: str
    core: int
    low: int
    high: int
    begin: int
    end: int
    nbytes: int
    elements: Operand | None
    writer: int
    last_reader: int

    def holds(self, operand: Operand) -> bool:
        """Whether an operand that reaches into low … high − 1 has bytes of it, and not of its gaps alone."""
        return self.elements is None or self.elements.overlaps(operand)

    def around(self, low: int, high: int) -> Iterator[LiveBlock]:
        """What is left of it when bytes low … high − 1 are overwritten."""
        if self.low < low:
            yield self._between(self.low, low, self.end)
        if high < self.high:
            yield self._between(high, self.high, self.end)

    def _between(self, low: int, high: int, end: int) -> LiveBlock:
        """A piece of it; its share of the elements, if there are gaps."""
        nbytes, memory, core = self.nbytes * (high - low) // (self.high - self.low), self.memory, self.core
        return LiveBlock(
            memory, core, low, high, self.begin, end, nbytes, None, self.writer, self.last_reader
        )

    def until(self, cycle: int, low: int, high: int) -> Iterator[LiveBlock]:
        """What of it is overwritten in a cycle: alive until its last reader completes, or until then."""
        if self.begin < cycle:
            end = min(max(self.end, self.begin), cycle)
            yield self._between(max(low, self.low), min(high, self.high), end)


def live_blocks(program: Program, streams: Streams, timeline: Timeline) -> list[LiveBlock]:
    """All blocks of a run, in the order in which they die."""
    alive: dict[MemoryOfCore, list[LiveBlock]] = defaultdict(list)
    dead: list[LiveBlock] = []
    times = [
        (timeline.start[stream][position], timeline.end[stream][position])
        for stream, position in streams.places
    ]
    for index in sorted(range(len(times)), key=times.__getitem__):
        start, end = times[index]
        accesses = [access for access in touched(program, index) if access[0] != DRAM]
        for memory, core, operand, access, _ in sorted(accesses, key=lambda it: it[3].writes):
            low, high = operand.hull
            blocks = alive[memory, core]
            near = [block for block in blocks if block.low < high and low < block.high]
            met = [block for block in near if block.holds(operand)]
            for block in met:
                if access.writes:
                    blocks.remove(block)
                    blocks += block.around(low, high)
                    dead += block.until(start, low, high)
                elif end > block.end:
                    block.end, block.last_reader = end, index
            if access.writes:
                elements, nbytes = None if operand.is_dense else operand, operand.distinct_bytes
                blocks.append(LiveBlock(memory, core, low, high, start, end, nbytes, elements, index, index))
    return dead + [block for blocks in alive.values() for block in blocks]


def bytes_in_use(blocks: Iterable[LiveBlock]) -> dict[MemoryOfCore, dict[int, int]]:
    """Per memory, by how much the bytes in use change at which cycles."""
    changes: dict[MemoryOfCore, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for block in blocks:
        of_memory = changes[block.memory, block.core]
        of_memory[block.begin] += block.nbytes
        of_memory[block.end] -= block.nbytes
    return changes


class PeakBytes:
    """The most bytes in use of one memory, over any span of cycles."""

    def __init__(self, changes: Mapping[int, int]) -> None:
        cycles = sorted(changes)
        self._cycles = np.array([-1, *cycles], dtype=np.int64)  # nothing is there at first
        levels = [0, *(changes[cycle] for cycle in cycles)]
        self._levels: npt.NDArray[np.int64] = np.cumsum(levels, dtype=np.int64)

    def over(self, begin: npt.ArrayLike, end: npt.ArrayLike) -> Iterator[int]:
        """The peak of each span from cycle `begin` to cycle `end`."""
        firsts = np.searchsorted(self._cycles, begin, side="right") - 1
        lasts = np.searchsorted(self._cycles, end, side="left")
        for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
            yield int(self._levels[first : max(last, first + 1)].max(initial=0))
