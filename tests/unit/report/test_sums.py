"""nnc.report.build, figures, detail: what reports say adds up at every level, to the simulator's figures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import onnx
import pytest
from harness import random_networks_settings
from hypothesis import given
from hypothesis import strategies as st
from random_networks import networks

import nnc
from nnc import models
from nnc.isa.chip.load import preset_names
from nnc.isa.timing.energy import counts, energy, total
from nnc.isa.timing.streams import timing
from nnc.report.build import make_report
from nnc.report.detail import timeline_of
from nnc.report.entries import Figures
from nnc.report.measured import Measured
from nnc.report.schema import (
    Report,
)
from nnc.runtime.measure.instruction_table import WAITS
from nnc.runtime.measure.ledger import CAUSES

Totals = dict[str, int]


def totals(figures: Iterable[Figures]) -> Totals:
    """The sums of all figures that add up."""
    entries = list(figures)
    return {
        "instructions": sum(f.instructions for f in entries),
        "read": sum(f.dram.read_bytes for f in entries),
        "written": sum(f.dram.written_bytes for f in entries),
        "bytes": sum(f.dram.total_bytes for f in entries),
        **{cause: sum(f.dram.by_cause[cause] for f in entries) for cause in CAUSES},
        "busy": sum(f.compute.busy_cycles for f in entries),
        **{f"wait {wait}": sum(f.compute.waiting_cycles[wait] for f in entries) for wait in WAITS},
        "read cycles": sum(f.read_cycles for f in entries),
        "write cycles": sum(f.write_cycles for f in entries),
        "macs": sum(f.macs for f in entries),
    }


def network_energy(program: nnc.Program) -> dict[str, float] | None:
    """Microjoules by cause, from the counts of all instructions together."""
    chip = program.chip
    whole = total(counts(item.instruction, chip) for item in program.issued)
    causes = energy(whole, chip, cycles=timing(program)[1].total)
    return None if causes is None else {c: pj / 1e6 for c, pj in causes.items() if pj or c == "static"}


def static_of_idle_cores(report: Report) -> float:
    """Microjoules of the cycles in which cores have no work left."""
    static: float = report.chip.description["energy"]["static"]
    return report.network.idle_core_cycles * static / 1e6


def check_sums(report: Report, program: nnc.Program) -> None:
    """Layers, parts and groups sum to the network; it is what the session says, cycle by cycle."""
    whole = totals([report.network.figures])
    assert report.details is not None
    for level in (report.layers, report.groups, report.details.parts, report.operations, report.cores):
        assert totals(entry.figures for entry in level) == whole
    for group in report.groups:
        own = totals([group.figures])
        assert totals(layer.figures for layer in report.layers if layer.group == group.id) == own
        assert totals(part.figures for part in report.details.parts if part.group == group.id) == own
    assert sum(group.cycles for group in report.groups) == report.network.cycles
    cores = report.chip.description["cores"]
    time = report.network.figures.compute
    assert time.core_cycles + report.network.idle_core_cycles == report.network.cycles * cores
    session = nnc.Session(program)
    assert session.ledger.whole == report.network.figures.dram.by_cause
    assert session.report.cycles == report.network.cycles
    assert sum(session.report.stalls.values()) == sum(time.waiting_cycles.values())
    timeline = report.details.timeline
    assert sum(timeline.count) == len(program.issued) == report.instructions["total"]
    assert sum(timeline.dram_bytes) == whole["bytes"]
    expected = network_energy(program)
    assert report.network.figures.energy == (None if expected is None else pytest.approx(expected, abs=1e-3))
    for level in (report.layers, report.groups, report.operations, report.cores):
        for cause, microjoules in (report.network.figures.energy or {}).items():
            idle = static_of_idle_cores(report) if cause == "static" else 0.0
            own = sum((entry.figures.energy or {})[cause] for entry in level)
            assert own + idle == pytest.approx(microjoules, abs=1e-5 * (1 + len(level)))
    for name, memory in report.memory.items():
        assert report.network.figures.sram_peak[name] <= memory.peak_bytes <= memory.bytes


@random_networks_settings(20)
@given(model=networks(), chip=st.sampled_from(preset_names()))
def test_sums_of_random_networks_close(model: onnx.ModelProto, chip: str) -> None:
    try:
        result = nnc.compile_model(model, chip, effort=1)
    except nnc.NncError:
        return  # what a chip does not take has no report
    check_sums(result.make_report(details=True), result.program)


@pytest.mark.parametrize("chip", ["npu", "npu4", "vdsp12", "nna"])
def test_sums_of_fused_groups_close(chip: str) -> None:
    result = nnc.compile_model(models.build("mobilenet_v2", width=0.25, image=32), chip, effort=1)
    report = result.make_report(details=True)
    check_sums(report, result.program)
    floors = result.compilation.floors
    assert report.network.floor.compute_cycles == floors.compute_cycles
    # a layer that several groups work on has a floor as a whole only
    names = [layer.name for layer in report.layers]
    apart = len(names) > len(set(names))
    counted = sum(layer.floor.macs or 0 for layer in report.layers)
    assert counted < floors.macs if apart else counted == floors.macs


def test_a_program_by_itself_has_the_figures_of_its_compilation() -> None:
    result = nnc.compile_model(
        models.build("lenet5"), "npu4", overrides=["memory.sram.bytes=32KiB"], effort=1
    )
    alone = make_report(Measured.of(result.program))
    assert alone.network == result.report.network
    assert [g.figures for g in alone.groups] == [g.figures for g in result.report.groups]
    assert [layer.figures for layer in alone.layers] == [layer.figures for layer in result.report.layers]
    assert alone.chip.title == "npu4, memory.sram.bytes=32KiB"
    assert alone.model is None and alone.options is None


@pytest.mark.parametrize("most", [10_000, 60, 20, 1])
def test_alike_neighbours_share_a_row_if_there_are_too_many(most: int) -> None:
    program = nnc.compile(models.build("lenet5"), "npu4", overrides=["memory.sram.bytes=16KiB"], effort=1)
    table = Measured.of(program).table
    rows = timeline_of(table, most)
    assert sum(rows.count) == len(program.issued)
    assert sum(rows.busy) == int(table.busy.sum()) and sum(rows.wait) == int(table.wait.sum())
    if most >= len(program.issued):
        assert set(rows.count) == {1}
    ends = np.array(rows.end)
    assert (ends >= np.array(rows.start)).all() and ends.max() == Measured.of(program).timeline.total
