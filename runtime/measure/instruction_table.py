"""A run as a table with a row per instruction: where it belongs, when it works and waits, what it moves.

Every figure of a report is a sum over rows of this table, so that sums close at every level:

* A compute engine is busy with one instruction or waits for the next one, from cycle 0 to its last
  instruction; the cycles of a wait belong to the instruction that it waits to start.
* A DMA engine is busy while it serves a transfer; those of a wait, likewise, to the transfer behind it.
* Every DRAM byte belongs to the transfer that moves it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.measure.ledger import Ledger

Column = npt.NDArray[np.int64]
WAITS = ("dram", "compute", "write", "other core")
"""What an engine waits for: a read engine (of any core), or the compute or write engine of its own core, or
one of these of another core."""


@dataclass(frozen=True, slots=True)
class InstructionTable:
    """Columns with an entry per instruction, in the order of ``Program.issued``.

    Attributes:
        core, engine: where it runs (an index into `ENGINES`).
        number: its place in the stream of its engine.
        group, part: of its note; −1 of no group.
        layer, mnemonic: indices into `layers` and `mnemonics`.
        start, begin, end: cycles of issue, of the begin of its service, and of completion.
        busy: cycles in which its engine worked on it alone: its computation, or the service of its transfer.
        wait: cycles for which its engine had nothing to do before its issue; waited_for: index into `WAITS`.
        causes: DRAM bytes, a column per cause (`ledger.CAUSES`).
        layers, mnemonics: names; a layer that several groups work on has an entry for each of them.
    """

    core: Column
    engine: Column
    number: Column
    group: Column
    part: Column
    layer: Column
    mnemonic: Column
    start: Column
    begin: Column
    end: Column
    busy: Column
    wait: Column
    waited_for: Column
    causes: Column
    layers: tuple[str, ...]
    mnemonics: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.core)

    @property
    def dram_bytes(self) -> Column:
        """DRAM bytes of each instruction."""
        total: Column = self.causes.sum(axis=1)
        return total

    def of_engine(self, engine: Engine) -> npt.NDArray[np.bool_]:
        """Which instructions run on a kind of engine."""
        rows: npt.NDArray[np.bool_] = self.engine == ENGINES.index(engine)
        return rows


def instruction_table(
    program: Program, streams: Streams, timeline: Timeline, ledger: Ledger
) -> InstructionTable:
    """The table of a run.

    Args:
        program: what ran; streams, timeline, ledger: of that run.
    """
    issued, count = program.issued, len(program.issued)
    layers: dict[tuple[int, str], int] = {}
    mnemonics: dict[str, int] = {}
    for item in issued:
        layers.setdefault((item.note.group, item.note.layer), len(layers))
        mnemonics.setdefault(item.instruction.mnemonic, len(mnemonics))
    start, begin, end, number, busy, wait, waited_for = (np.zeros(count, dtype=np.int64) for _ in range(7))
    for stream, (_, engine) in enumerate(streams.keys):
        members = np.array(streams.members[stream], dtype=np.int64)
        number[members] = np.arange(len(members))
        start[members], begin[members] = timeline.start[stream], timeline.begin[stream]
        end[members] = timeline.end[stream]
        busy[members] = end[members] - (start if engine is Engine.COMPUTE else begin)[members]
        for index, cycles, reason in streams.stalls(timeline, stream):
            wait[index], waited_for[index] = cycles, WAITS.index(reason)
    return InstructionTable(
        core=_column(item.core for item in issued),
        engine=_column(ENGINES.index(item.instruction.engine) for item in issued),
        number=number,
        group=_column(item.note.group for item in issued),
        part=_column(item.note.part for item in issued),
        layer=_column(layers[item.note.group, item.note.layer] for item in issued),
        mnemonic=_column(mnemonics[item.instruction.mnemonic] for item in issued),
        start=start,
        begin=begin,
        end=end,
        busy=busy,
        wait=wait,
        waited_for=waited_for,
        causes=ledger.transfers,
        layers=tuple(name for _, name in layers),
        mnemonics=tuple(mnemonics),
    )


def _column(entries: Iterable[int]) -> Column:
    return np.fromiter(entries, dtype=np.int64)
