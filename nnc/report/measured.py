"""A program and its time: what reports are made of, each table when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams, timing
from nnc.isa.timing.timeline import Timeline
from nnc.report.figures import Sums
from nnc.report.work import UNITS, Work, work_of
from nnc.runtime.effects import issue_order
from nnc.runtime.measure.instruction_table import Column, InstructionTable, instruction_table
from nnc.runtime.measure.ledger import Ledger, make_ledger
from nnc.runtime.measure.live_blocks import LiveBlock, live_blocks


@dataclass(frozen=True)
class Measured:
    """A program, when its instructions run, and its DRAM bytes by cause."""

    program: Program
    streams: Streams
    timeline: Timeline
    ledger: Ledger

    @classmethod
    def of(cls, program: Program) -> Measured:
        """A program with the timing of its chip.

        Raises:
            ProgramInvalidError: it deadlocks.
        """
        streams, timeline = timing(program)
        return cls(program, streams, timeline, make_ledger(program, issue_order(streams, timeline)))

    @cached_property
    def table(self) -> InstructionTable:
        """A row per instruction."""
        return instruction_table(self.program, self.streams, self.timeline, self.ledger)

    @cached_property
    def blocks(self) -> list[LiveBlock]:
        """What lies in the memories when."""
        return live_blocks(self.program, self.streams, self.timeline)

    @cached_property
    def work(self) -> Work:
        """MACs, and cycles by unit, of every instruction."""
        return work_of(self.program)

    @cached_property
    def sums(self) -> Sums:
        """Figures of sets of instructions."""
        return Sums(self.program.chip, self.table, self.work, self.blocks)

    def work_by(self, keys: Column, count: int) -> list[dict[str, int]]:
        """Cycles of the compute engines by unit, of sets of instructions (see `Sums.by`)."""
        rows = np.flatnonzero(keys >= 0)
        sums = np.zeros((count, len(UNITS)), dtype=np.int64)
        np.add.at(sums, keys[rows], self.work.cycles[rows])
        return [dict(zip(UNITS, cycles, strict=True)) for cycles in sums.tolist()]

    def cores_by(self, keys: Column, count: int) -> list[tuple[int, ...]]:
        """The cores on whose engines the instructions of each set run."""
        rows = np.flatnonzero(keys >= 0)
        used = np.zeros((count, self.program.chip.cores), dtype=np.bool_)
        used[keys[rows], self.table.core[rows]] = True
        return [tuple(np.flatnonzero(cores).tolist()) for cores in used]
