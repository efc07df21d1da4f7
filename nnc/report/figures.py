"""Sums over sets of instructions: from the table of a run to figures of layers, parts, groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES, Engine
from nnc.report.entries import ComputeTime, Figures, Traffic
from nnc.report.work import Work
from nnc.runtime.measure.instruction_table import WAITS, Column, InstructionTable
from nnc.runtime.measure.ledger import CAUSES
from nnc.runtime.measure.live_blocks import LiveBlock, PeakBytes, bytes_in_use

PICO_PER_MICRO = 1e6
"""Picojoules in a microjoule."""
_READ, _COMPUTE, _WRITE = (ENGINES.index(engine) for engine in (Engine.READ, Engine.COMPUTE, Engine.WRITE))


class Sums:
    """Figures of sets of instructions that partition a table (or of some rows of it)."""

    def __init__(self, chip: Chip, table: InstructionTable, work: Work, blocks: Sequence[LiveBlock]) -> None:
        self._chip, self._table, self._work = chip, table, work
        self._blocks = blocks

    @cached_property
    def _peaks(self) -> dict[str, list[PeakBytes]]:
        peaks: dict[str, list[PeakBytes]] = {name: [] for name in self._chip.memory}
        for (memory, _), changes in sorted(bytes_in_use(self._blocks).items()):
            peaks[memory].append(PeakBytes(changes))
        return peaks

    def by(self, keys: Column, count: int) -> list[Figures]:
        """The figures of `count` sets: instruction i is in set ``keys[i]``; in none if that is negative."""
        table, work = self._table, self._work
        rows = np.flatnonzero(keys >= 0)
        keys = keys[rows]

        def total(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
            sums = np.zeros((count, *values.shape[1:]), dtype=np.int64)
            np.add.at(sums, keys, values[rows])
            return sums

        def of_engine(values: Column, engine: int) -> Column:
            return np.where(table.engine == engine, values, 0)

        causes, moved = total(table.causes), table.dram_bytes
        read, written = (total(of_engine(moved, engine)) for engine in (_READ, _WRITE))
        busy, serving_reads, serving_writes = (
            total(of_engine(table.busy, engine)) for engine in (_COMPUTE, _READ, _WRITE)
        )
        waits = np.zeros((len(table), len(WAITS)), dtype=np.int64)
        waits[np.arange(len(table)), table.waited_for] = of_engine(table.wait, _COMPUTE)
        waiting, instructions = total(waits), total(np.ones(len(table), dtype=np.int64))
        macs, slots = total(work.macs), total(work.mac_slots)
        energy = self._energy(rows, keys, count, busy + waiting.sum(axis=1))
        peaks = self._peaks_of(*self.spans(keys, rows, count))
        return [
            Figures(
                instructions=int(instructions[i]),
                dram=Traffic(
                    total_bytes=int(causes[i].sum()),
                    read_bytes=int(read[i]),
                    written_bytes=int(written[i]),
                    by_cause=dict(zip(CAUSES, causes[i].tolist(), strict=True)),
                ),
                compute=ComputeTime(
                    busy_cycles=int(busy[i]),
                    waiting_cycles=dict(zip(WAITS, waiting[i].tolist(), strict=True)),
                ),
                read_cycles=int(serving_reads[i]),
                write_cycles=int(serving_writes[i]),
                macs=int(macs[i]),
                utilisation=round(int(macs[i]) / int(slots[i]), 4) if slots[i] else None,
                energy=None
                if energy is None
                else {cause: round(float(microjoules[i]), 6) for cause, microjoules in energy.items()},
                sram_peak={memory: peak[i] for memory, peak in peaks.items()},
            )
            for i in range(count)
        ]

    def spans(self, keys: Column, rows: Column, count: int) -> tuple[Column, Column]:
        """Cycles of the first issue and the last completion of each set; 0 and 0 for one without rows."""
        far = np.iinfo(np.int64).max
        first, last = np.full(count, far, dtype=np.int64), np.zeros(count, dtype=np.int64)
        np.minimum.at(first, keys, self._table.start[rows])
        np.maximum.at(last, keys, self._table.end[rows])
        return np.where(first == far, 0, first), last

    def span_of(self, keys: Column, count: int) -> tuple[Column, Column]:
        """`spans` of sets by keys of all instructions."""
        rows = np.flatnonzero(keys >= 0)
        return self.spans(keys[rows], rows, count)

    def _energy(
        self, rows: Column, keys: Column, count: int, core_cycles: Column
    ) -> dict[str, npt.NDArray[np.float64]] | None:
        """Microjoules by cause; the static ones are those of the cycles in which cores are busy or wait."""
        work = self._work
        if work.energy is None:
            return None
        by_cause: dict[str, npt.NDArray[np.float64]] = {
            cause: np.bincount(keys, weights=picojoules[rows], minlength=count) / PICO_PER_MICRO
            for cause, picojoules in work.energy.items()
        }
        by_cause["static"] = (core_cycles * work.static / PICO_PER_MICRO).astype(np.float64)
        return by_cause

    def _peaks_of(self, first: Column, last: Column) -> dict[str, list[int]]:
        """Most bytes alive during each span, by memory, of the core with most."""
        return {
            memory: [max(cores) for cores in zip(*(peak.over(first, last) for peak in peaks), strict=True)]
            if peaks
            else [0] * len(first)
            for memory, peaks in self._peaks.items()
        }
