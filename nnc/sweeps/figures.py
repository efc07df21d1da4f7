"""The figures of a point: one number each, out of the report, by the names of a table's columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from nnc.isa.errors import OptionError
from nnc.isa.nearest import did_you_mean
from nnc.report.build import ratio
from nnc.report.entries import Entry
from nnc.report.schema import Report


class PointFigures(Entry):
    """What a network costs on a chip; nothing in it is of the clock of the machine that compiled it."""

    cycles: int = Field(description="as simulated")
    predicted_cycles: int | None = Field(description="of the compiler")
    cycles_floor: int | None = Field(description="the larger of compute_floor_cycles and dram_floor_cycles")
    cycles_ratio: float | None = Field(description="cycles over their floor")
    microseconds: float
    bound_by: str
    dram_bytes: int
    dram_floor: int | None = Field(description="bytes that every schedule moves")
    dram_ratio: float | None = Field(description="bytes over their floor")
    dram_read_bytes: int
    dram_written_bytes: int
    dram_spill_bytes: int
    dram_overlap_bytes: int
    dram_reload_bytes: int
    dram_align_bytes: int
    compute_floor_cycles: int | None
    dram_floor_cycles: int | None
    peak_floor_cycles: int | None = Field(description="needed MACs at the peak rate of all cores")
    energy: float | None = Field(description="microjoules; null for a chip that has no figures of energy")
    area: float | None = Field(description="of the chip, mm²; null for one that has no figures of area")
    macs: int
    utilisation: float | None = Field(description="MACs over the most that the cores do while they are busy")
    instructions: int
    groups: int = Field(description="of layers")
    peak_bytes: dict[str, int] = Field(description="highest byte in use, by memory")


def figures_of(report: Report, area: float | None) -> PointFigures:
    """The figures of a report.

    Args:
        area: of its chip, in mm²; None if that does not say.
    """
    network = report.network
    whole, floor, causes = network.figures, network.floor, network.figures.dram.by_cause
    return PointFigures(
        cycles=network.cycles,
        predicted_cycles=network.predicted_cycles,
        cycles_floor=floor.cycles,
        cycles_ratio=ratio(network.cycles, floor.cycles),
        microseconds=network.microseconds,
        bound_by=network.bound_by,
        dram_bytes=whole.dram.total_bytes,
        dram_floor=floor.dram_bytes,
        dram_ratio=ratio(whole.dram.total_bytes, floor.dram_bytes),
        dram_read_bytes=whole.dram.read_bytes,
        dram_written_bytes=whole.dram.written_bytes,
        dram_spill_bytes=causes["spill"],
        dram_overlap_bytes=causes["overlap"],
        dram_reload_bytes=causes["reload"],
        dram_align_bytes=causes["align"],
        compute_floor_cycles=floor.compute_cycles,
        dram_floor_cycles=floor.dram_cycles,
        peak_floor_cycles=floor.peak_cycles,
        energy=None if whole.microjoules is None else round(whole.microjoules, 6),
        area=None if area is None else round(area, 6),
        macs=whole.macs,
        utilisation=whole.utilisation,
        instructions=report.instructions["total"],
        groups=len(report.groups),
        peak_bytes={name: memory.peak_bytes for name, memory in report.memory.items()},
    )


NAMES = tuple(name for name in PointFigures.model_fields if name not in ("bound_by", "peak_bytes"))
"""Figures that are numbers of their own."""
_ALIASES = {"dram": "dram_bytes", "dram_total_bytes": "dram_bytes", "microjoules": "energy", "time": "cycles"}


def figure_named(name: str, where: str) -> str:
    """The figure that somebody names: dram.ratio is dram_ratio, dram is dram_bytes.

    Raises:
        OptionError: there is none.
    """
    spelled = name.strip().replace(".", "_").replace("-", "_").lower()
    spelled = _ALIASES.get(spelled, spelled)
    if spelled not in NAMES:
        raise OptionError(
            "there is no such figure",
            where=where,
            found=name.strip(),
            expected=", ".join(NAMES),
            remedy=did_you_mean(spelled, NAMES, "name one of them"),
        )
    return spelled


def flat(figures: PointFigures | None, memories: Mapping[str, Any] | list[str]) -> dict[str, Any]:
    """The figures as columns, with one for the peak of each memory; of a failed point, all empty."""
    names = [name for name in PointFigures.model_fields if name != "peak_bytes"]
    columns: dict[str, Any] = {name: None if figures is None else getattr(figures, name) for name in names}
    peaks = {} if figures is None else figures.peak_bytes
    return {**columns, **{f"{memory}_peak_bytes": peaks.get(memory) for memory in memories}}
