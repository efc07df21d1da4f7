"""Making the report: of a program by itself, or with what its compilation knows, or of a run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from nnc.isa.instruction import ENGINES
from nnc.isa.integers import ceil_div
from nnc.isa.program import Program, fact_of_group
from nnc.isa.timing.timeline import spans_of_groups
from nnc.report.bounds import bounded_by, next_limit
from nnc.report.detail import details_of
from nnc.report.entries import Estimate, Figures, Floor
from nnc.report.figures import PICO_PER_MICRO
from nnc.report.identity import chip_info
from nnc.report.links import layer_links
from nnc.report.measured import Measured
from nnc.report.parts_of_chip import engine_reports, memory_reports
from nnc.report.schema import (
    CoreReport,
    GroupEndReport,
    GroupReport,
    LayerReport,
    Network,
    OperationReport,
    Report,
    RunReport,
    Source,
    StatesReport,
)
from nnc.runtime.measure.instruction_table import Column
from nnc.runtime.measure.ledger import FLOOR_CAUSES
from nnc.version import __version__

if TYPE_CHECKING:
    from nnc.report.known import Known

ENGINE_NAMES = tuple(engine.value for engine in ENGINES)


def make_report(
    measured: Measured,
    knowledge: Known | None = None,
    *,
    model: Source | None = None,
    overrides: Sequence[str] = (),
    program_file: str | None = None,
    compile_seconds: float | None = None,
    run: RunReport | None = None,
    details: bool = False,
) -> Report:
    """The report of a program.

    Args:
        measured: the program and its time.
        knowledge: what its compilation knows; None: of a program alone.
        model: what was compiled.
        overrides: those of the chip.
        program_file: where the program lies.
        compile_seconds: wall time from the model to the program.
        run: a run of it.
        details: with parts, instructions and blocks of memory.
    """
    program = measured.program
    groups = _groups(measured, knowledge)
    return Report(
        nnc=__version__,
        program=program_file,
        model=model,
        chip=chip_info(program.chip, overrides),
        options=None if knowledge is None else knowledge.options,
        instructions=instruction_counts(program),
        network=_network(measured, [group.floor for group in groups]),
        groups=tuple(groups),
        layers=tuple(_layers(measured, knowledge)),
        operations=tuple(_operations(measured)),
        cores=tuple(_cores(measured)),
        memory=memory_reports(measured, knowledge),
        states=_states(program),
        engines=tuple(engine_reports(measured)),
        buffers=() if knowledge is None else knowledge.buffers,
        fc_groups=() if knowledge is None else knowledge.fc_groups,
        stitch=None if knowledge is None else knowledge.stitch,
        quantised=None if knowledge is None else knowledge.quantised,
        compile_seconds=None if compile_seconds is None else round(compile_seconds, 4),
        run=run,
        details=details_of(program, measured.table, measured.sums, measured.blocks) if details else None,
    )


def _states(program: Program) -> StatesReport | None:
    """The states of a program; None if it has none."""
    if not program.states:
        return None
    shapes = {(tensor.role, tensor.name): tensor.block.shape for tensor in program.tensors}
    extents = [
        [shapes[of][state.axis] for of in state.tensors] for state in program.states if state.axis >= 0
    ]
    room, new = (min(column) for column in zip(*extents, strict=True)) if extents else (0, 0)
    return StatesReport(count=len(program.states), bytes=program.state_bytes, rows=room, new_rows=new)


def instruction_counts(program: Program) -> dict[str, int]:
    """Instructions per engine, summed over the cores, and their total."""
    counts = dict.fromkeys(ENGINE_NAMES, 0)
    for item in program.issued:
        counts[item.instruction.engine.value] += 1
    return {**counts, "total": len(program.issued)}


def ratio(value: int, floor: int | None) -> float | None:
    """A figure as a multiple of its floor; None where the floor is zero or not known."""
    return round(value / floor, 4) if floor else None


def _network(measured: Measured, groups: Sequence[Floor]) -> Network:
    """The whole program; floors, predictions and estimates are facts that it carries."""
    program, total = measured.program, measured.timeline.total
    chip, fact = program.chip, program.facts.get
    everything: Column = np.zeros(len(program.issued), dtype=np.int64)
    (figures,) = measured.sums.by(everything, 1)
    idle = total * chip.cores - figures.compute.core_cycles
    (work,) = measured.work_by(everything, 1)
    (cores,) = measured.cores_by(everything, 1)
    return Network(
        cycles=total,
        predicted_cycles=fact("predicted_cycles"),
        estimated=_estimate(program),
        idle_core_cycles=idle,
        microseconds=total / chip.clock_mhz,
        bound_by=_bound(measured, figures, work, len(cores)),
        padding_bytes=sum(block.nbytes for tensor in program.tensors for block in tensor.padding),
        floor=Floor(
            dram_bytes=fact("floor_bytes"),
            compute_cycles=fact("compute_floor_cycles"),
            dram_cycles=fact("dram_floor_cycles"),
            peak_cycles=fact("peak_floor_cycles"),
            macs=fact("macs"),
        ),
        figures=_with_idle_cores(measured, figures, idle),
    )


def _with_idle_cores(measured: Measured, figures: Figures, cycles: int) -> Figures:
    """The figures of a network: its cores leak when they have no work, too."""
    if figures.energy is None:
        return figures
    static = figures.energy["static"] + cycles * measured.work.static / PICO_PER_MICRO
    return figures.model_copy(update={"energy": {**figures.energy, "static": round(static, 6)}})


def _bound(measured: Measured, figures: Figures, work: dict[str, int], cores: int) -> str:
    rate = measured.program.chip.dram.bytes_per_cycle
    return bounded_by(work, cores=cores, dram_cycles=figures.dram.total_bytes / rate)


def _estimate(program: Program, group: int | None = None) -> Estimate | None:
    """What the search counted on for the whole, or for a group; None if the program does not say."""
    name = partial(fact_of_group, group=group) if group is not None else str
    nbytes, cycles = (program.facts.get(name(f"estimated_{what}")) for what in ("dram_bytes", "cycles"))
    return None if nbytes is None or cycles is None else Estimate(dram_bytes=nbytes, cycles=cycles)


def _layers(measured: Measured, knowledge: Known | None) -> list[LayerReport]:
    """The layers in the order of their first instruction; those of no group are not the network's."""
    table, program = measured.table, measured.program
    count = len(table.layers)
    figures, work = measured.sums.by(table.layer, count), measured.work_by(table.layer, count)
    cores = measured.cores_by(table.layer, count)
    first, last = measured.sums.span_of(table.layer, count)
    groups = np.full(count, -1, dtype=np.int64)
    groups[table.layer] = table.group
    reports, groups_of = [], Counter(table.layers)
    reads = _reads(measured)
    for i, name in enumerate(table.layers):
        facts = None if knowledge is None else knowledge.layers.get(name)
        limit = None if facts is None or groups_of[name] > 1 else facts.floor  # it is that of the whole layer
        floor_bytes = sum(figures[i].dram.by_cause[cause] for cause in FLOOR_CAUSES)
        reports.append(
            LayerReport(
                id=i,
                name=name,
                kind=None if facts is None else facts.kind,
                op=None if facts is None else facts.op,
                nodes=() if facts is None else facts.nodes,
                shape=None if facts is None else facts.shape,
                dtype=None if facts is None else facts.dtype,
                group=int(groups[i]),
                reads=tuple(sorted(reads[i])),
                first_cycle=int(first[i]),
                last_cycle=int(last[i]),
                bound_by=_bound(measured, figures[i], work[i], len(cores[i])),
                next_limit=next_limit(figures[i], work[i], program.chip, len(cores[i])),
                floor=Floor(
                    dram_bytes=floor_bytes,
                    compute_cycles=None if limit is None else ceil_div(limit.cycles, program.chip.cores),
                    dram_cycles=ceil_div(floor_bytes, program.chip.dram.bytes_per_cycle),
                    macs=None if limit is None else limit.macs,
                ),
                figures=figures[i],
            )
        )
    return reports


def _reads(measured: Measured) -> dict[int, list[int]]:
    """By layer, the layers whose results it reads."""
    table, reads = measured.table, defaultdict[int, list[int]](list)
    places = zip(table.group.tolist(), table.layer.tolist(), strict=True)
    ids = {(group, table.layers[layer]): layer for group, layer in places}
    for maker, reader in layer_links(measured.program):
        reads[ids[reader]].append(ids[maker])
    return reads


def _groups(measured: Measured, knowledge: Known | None) -> list[GroupReport]:
    program, table = measured.program, measured.table
    count = len(program.groups)
    figures, work = measured.sums.by(table.group, count), measured.work_by(table.group, count)
    cores = measured.cores_by(table.group, count)
    spans = spans_of_groups(zip(table.group.tolist(), table.end.tolist(), strict=True), count)
    reports = []
    for i, info in enumerate(program.groups):
        facts = None if knowledge is None else knowledge.groups[i]
        floor_bytes = sum(figures[i].dram.by_cause[cause] for cause in FLOOR_CAUSES)
        layers = (
            []
            if knowledge is None
            else [knowledge.layers[n].floor for n in info.layers if n in knowledge.layers]
        )
        reports.append(
            GroupReport(
                id=i,
                kind=info.kind,
                layers=info.layers,
                parts=info.parts,
                axis=None if facts is None else facts.axis,
                cores=cores[i] if facts is None else facts.cores,
                reason=info.reason,
                ends_because=None if facts is None else str(facts.ends),
                end=None if facts is None else GroupEndReport(**asdict(facts.ends)),
                finds=None if facts is None else facts.finds,
                leaves=None if facts is None else facts.leaves,
                memory_peak=dict(figures[i].sram_peak if facts is None else facts.memory_peak),
                cycles=spans[i],
                bound_by=_bound(measured, figures[i], work[i], len(cores[i])),
                next_limit=next_limit(figures[i], work[i], program.chip, len(cores[i])),
                estimated=_estimate(program, i),
                floor=Floor(
                    dram_bytes=floor_bytes,
                    compute_cycles=None
                    if knowledge is None
                    else ceil_div(sum(floor.cycles for floor in layers), program.chip.cores),
                    dram_cycles=ceil_div(floor_bytes, program.chip.dram.bytes_per_cycle),
                    macs=None if knowledge is None else sum(floor.macs for floor in layers),
                ),
                figures=figures[i],
            )
        )
    return reports


def _operations(measured: Measured) -> list[OperationReport]:
    table = measured.table
    figures = measured.sums.by(table.mnemonic, len(table.mnemonics))
    return [
        OperationReport(mnemonic=mnemonic, figures=operation_figures)
        for mnemonic, operation_figures in zip(table.mnemonics, figures, strict=True)
    ]


def _cores(measured: Measured) -> list[CoreReport]:
    figures = measured.sums.by(measured.table.core, measured.program.chip.cores)
    total = measured.timeline.total
    return [
        CoreReport(core=core, idle_cycles=total - core_figures.compute.core_cycles, figures=core_figures)
        for core, core_figures in enumerate(figures)
    ]
