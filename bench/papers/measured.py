"""What nnc gets for a cell: a compilation in this process, and its figures."""

from __future__ import annotations

from typing import NamedTuple

import nnc
from bench.papers.cells import Cell
from bench.papers.networks import network


class Figures(NamedTuple):
    """Cycles as simulated, bytes of DRAM, and the cycles that no schedule goes below."""

    cycles: int
    dram_bytes: int
    floor: int


class Measured(NamedTuple):
    """A cell's figures with the default objective, and with that of least cycles."""

    balanced: Figures
    fastest: Figures

    @property
    def better(self) -> Figures:
        return min(self)


def measure(cell: Cell, objective: str) -> Figures:
    """Compile a cell.

    Raises:
        NncError: it cannot be compiled.
    """
    path = network(cell.network, cell.numbers, cell.batch)
    report = nnc.compile_model(
        path, str(cell.chip_file), overrides=cell.set, objective=objective, softmax=cell.softmax
    ).report.network
    assert report.floor.cycles is not None
    return Figures(report.cycles, report.figures.dram.total_bytes, report.floor.cycles)
