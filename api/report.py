"""The figures of `nnc compile --json` and `nnc run --json` as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nnc.isa.cost import ceil_div
from nnc.isa.instruction import ENGINES
from nnc.isa.program import Program
from nnc.runtime.ledger import make_ledger
from nnc.runtime.report import EngineUse, Report

if TYPE_CHECKING:
    from nnc.compiler.pipeline import Compilation

ENGINE_NAMES = tuple(engine.value for engine in ENGINES)


def compile_report(compilation: Compilation, compile_seconds: float) -> dict[str, Any]:
    """What a compilation decided and what it will cost.

    DRAM bytes by cause are found from the transfers of the finished program, cycles are the planner's
    prediction; `nnc run` gives the simulated ones.
    """
    program, limits = compilation.program, compilation.floors
    ledger = make_ledger(program)
    predicted = compilation.plan.cycles
    return {
        "chip": program.chip.name,
        "groups": [
            {
                "id": group.index,
                "kind": group.kind.value,
                "layers": list(group.layers),
                "parts": group.parts,
                "axis": group.axis,
                "cores": list(group.cores),
                "reason": group.reason,
            }
            for group in compilation.plan.groups
        ],
        "instructions": instruction_counts(program),
        "dram": {
            "floor_bytes": limits.dram_bytes,
            "total_bytes": ledger.total,
            "ratio": ratio(ledger.total, limits.dram_bytes),
            "by_cause": dict(ledger.whole),
        },
        "cycles": {
            "predicted": predicted,
            "peak_floor": limits.peak_cycles,
            "compute_floor": limits.compute_cycles,
            "dram_floor": limits.dram_cycles,
            "ratio": ratio(predicted, limits.cycles),
        },
        "compile_seconds": round(compile_seconds, 4),
    }


def run_report(
    report: Report,
    outputs: Mapping[str, str | None],
    wall_seconds: float,
    check: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What a run cost; `outputs` are the files of the outputs by name (None: not written)."""
    data: dict[str, Any] = {
        "outputs": dict(outputs),
        "cycles": report.cycles,
        "dram": {"total_bytes": report.dram_bytes, "by_cause": dict(report.dram_causes)},
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


def bounded_by(compilation: Compilation, group: int) -> str:
    """What the cycles of a group mostly are: its DRAM traffic or its computation."""
    prediction = compilation.plan.predictions[group]
    cores = len(compilation.plan.groups[group].cores)
    dram = ceil_div(prediction.dram_bytes, compilation.program.chip.dram.bytes_per_cycle)
    return "DRAM" if dram >= ceil_div(prediction.compute_cycles, cores) else "compute"
