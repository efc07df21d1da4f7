"""The figures of `nnc compile --json` and `nnc run --json` as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.instructions import MacInstruction
from nnc.isa.program import Program
from nnc.isa.timing.cost import cycles
from nnc.runtime.measure.ledger import CAUSES, Ledger, make_ledger
from nnc.runtime.measure.report import EngineUse

if TYPE_CHECKING:
    from nnc.compiler.pipeline import Compilation
    from nnc.runtime.session import Session

ENGINE_NAMES = tuple(engine.value for engine in ENGINES)


def compile_report(compilation: Compilation, compile_seconds: float) -> dict[str, Any]:
    """What a compilation decided and what it will cost.

    DRAM bytes by cause are found from the transfers of the finished program, cycles are the planner's
    prediction; `nnc run` gives the simulated ones.  Estimates are what the search counted on when it chose
    the groups, before there was any step of them.
    """
    program, limits = compilation.program, compilation.floors
    ledger = make_ledger(program)
    predicted = compilation.plan.cycles
    return {
        "chip": program.chip.name,
        "objective": compilation.options.objective,
        "effort": compilation.options.effort,
        "overlap": compilation.options.overlap,
        "split": compilation.options.split,
        "stitch": stitch_report(compilation),
        "conv_buffers": compilation.options.conv_buffers,
        "groups": group_reports(compilation, ledger),
        "buffers": [
            {"group": planned.group.index, "layer": planned.group.layers[0], **asdict(planned.group.buffers)}
            for planned in compilation.plan.groups
            if planned.group.buffers is not None
        ],
        "fc_groups": [
            {"group": planned.group.index, "layer": planned.group.layers[0], **planned.pixels.to_json()}
            for planned in compilation.plan.groups
            if planned.pixels is not None
        ],
        "instructions": instruction_counts(program),
        "memory": {
            name: {
                "bytes": program.chip.memory[name].bytes,
                "peak_bytes": use.peak,
                "live_bytes": use.live,
                "fragmentation": round(use.fragmentation, 4),
            }
            for name, use in compilation.plan.memory_use.items()
        },
        "dram": {
            "floor_bytes": limits.dram_bytes,
            "total_bytes": ledger.total,
            "estimated_bytes": program.facts["estimated_dram_bytes"],
            "ratio": ratio(ledger.total, limits.dram_bytes),
            "by_cause": dict(ledger.whole),
            "padding_bytes": sum(block.nbytes for tensor in program.tensors for block in tensor.padding),
        },
        "cycles": {
            "predicted": predicted,
            "estimated": program.facts["estimated_cycles"],
            "peak_floor": limits.peak_cycles,
            "compute_floor": limits.compute_cycles,
            "dram_floor": limits.dram_cycles,
            "ratio": ratio(predicted, limits.cycles),
        },
        "quantised": quantised_report(compilation),
        "compile_seconds": round(compile_seconds, 4),
    }


def quantised_report(compilation: Compilation) -> dict[str, Any] | None:
    """How many layers work on 8-bit integers, and why others do not; None for a network without such."""
    from nnc.compiler.precision import precision

    found = precision(compilation.network)
    if found is None:
        return None
    return {
        "int8_layers": len(found.of_integers),
        "float_layers": len(found.of_reals),
        "conversions": len(found.conversions),
        "float": dict(found.of_reals),
    }


def stitch_report(compilation: Compilation) -> dict[str, Any] | None:
    """How pictures of the batch are stitched (method M4), layer by layer; None: they are not.

    `utilisation` is the share of the lanes that compute outputs of pictures, of all convolutions together.
    """
    stitch = compilation.canonical.notes.stitch
    if not stitch.layers:
        return None
    lane_macs = sum(layer.macs / layer.utilisation for layer in stitch.layers)
    return {
        "asked": compilation.options.stitch,
        "pictures": stitch.pictures,
        "utilisation": round(sum(layer.macs for layer in stitch.layers) / lane_macs, 4)
        if lane_macs
        else None,
        "layers": [{**asdict(layer), "utilisation": round(layer.utilisation, 4)} for layer in stitch.layers],
    }


def group_reports(compilation: Compilation, ledger: Ledger) -> list[dict[str, Any]]:
    """The layer groups: what they are, and what each costs (bytes in use at most, DRAM bytes, cycles)."""
    plan = compilation.plan
    work = work_of_groups(compilation.program)
    reports = []
    for planned, prediction, peak in zip(plan.groups, plan.predictions, plan.memory_peak, strict=True):
        group = planned.group
        causes = ledger.groups.get(group.index, dict.fromkeys(CAUSES, 0))
        moved = sum(causes.values())
        reports.append(
            {
                "id": group.index,
                "kind": group.kind.value,
                "layers": list(group.layers),
                "parts": group.parts,
                "axis": group.axis,
                "cores": list(group.cores),
                "reason": group.reason,
                "memory_peak": dict(peak),
                "dram": {"total_bytes": moved, "by_cause": dict(causes)},
                "cycles": prediction.cycles,
                "estimated": asdict(planned.estimate),
                "bound_by": bounded_by(
                    work.get(group.index, {}),
                    cores=len(group.cores),
                    dram_cycles=moved / compilation.program.chip.dram.bytes_per_cycle,
                ),
            }
        )
    return reports


def work_of_groups(program: Program) -> dict[int, dict[str, int]]:
    """Cycles of the compute engines per group: in the MAC array, the vector unit (all else), and to issue."""
    work: dict[int, dict[str, int]] = {}
    for item in program.issued:
        if item.instruction.engine is not Engine.COMPUTE:
            continue
        mine = work.setdefault(item.note.group, {"MAC": 0, "vector": 0, "issue": 0})
        unit = "MAC" if isinstance(item.instruction, MacInstruction) else "vector"
        mine[unit] += cycles(item.instruction, program.chip) - program.chip.compute.issue
        mine["issue"] += program.chip.compute.issue
    return work


def bounded_by(work: Mapping[str, int], *, cores: int, dram_cycles: float) -> str:
    """What bounds a group if all that can overlap does: DRAM, or the largest part of its computation."""
    if dram_cycles >= sum(work.values()) / cores:
        return "DRAM"
    return max(work, key=lambda unit: work[unit])


def run_report(
    session: Session,
    outputs: Mapping[str, str | None],
    wall_seconds: float,
    check: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What a run of a session cost; `outputs` are the files of the outputs by name (None: not written)."""
    report = session.report
    data: dict[str, Any] = {
        "outputs": dict(outputs),
        "verified": session.verified,
        "jitter": session.jitter,
        "cycles": report.cycles,
        "dram": {"total_bytes": report.dram_bytes, "by_cause": dict(report.dram_causes)},
        "estimated": None if report.estimated is None else asdict(report.estimated),
        "groups": [asdict(group) for group in report.groups],
        "utilisation": utilisation(report.engines),
        "wall_seconds": round(wall_seconds, 6),
    }
    if check is not None:
        data["check"] = dict(check)
    return data


def instruction_counts(program: Program) -> dict[str, int]:
    """Instructions per engine, summed over the cores, and their total."""
    counts = dict.fromkeys(ENGINE_NAMES, 0)
    for item in program.issued:
        counts[item.instruction.engine.value] += 1
    return {**counts, "total": len(program.issued)}


def utilisation(engines: Iterable[EngineUse]) -> dict[str, float]:
    """Share of all cycles that each engine works: the mean over the cores that use any engine."""
    uses = list(engines)
    cores = max(1, len({use.core for use in uses}))
    return {
        name: round(sum(use.utilisation for use in uses if use.engine == name) / cores, 4)
        for name in ENGINE_NAMES
    }


def ratio(value: int, floor: int) -> float | None:
    """A figure as a multiple of its floor; None where the floor is zero."""
    return round(value / floor, 4) if floor else None
