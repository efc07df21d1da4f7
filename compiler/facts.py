"""Figures of the compiler that a program carries for reports: floors, estimates, predictions."""

from __future__ import annotations

from dataclasses import asdict

from nnc.compiler.floors import Floors
from nnc.compiler.plan.options import SOFTMAX_TYPES, PlanOptions
from nnc.compiler.plan.plan import Plan
from nnc.isa.program import fact_of_group

SOFTMAX = "softmax"
"""The fact that says, as a place among `SOFTMAX_TYPES`, in what softmax between integers is computed."""


def program_facts(limits: Floors, plan: Plan, options: PlanOptions) -> dict[str, int]:
    """The facts of a program, by name; what a softmax is computed in, where that is not as the model says."""
    asked = {} if options.softmax == SOFTMAX_TYPES[0] else {SOFTMAX: SOFTMAX_TYPES.index(options.softmax)}
    estimates = [group.estimate for group in plan.groups]
    return {
        **asked,
        "floor_bytes": limits.dram_bytes,
        "macs": limits.macs,
        "peak_floor_cycles": limits.peak_cycles,
        "compute_floor_cycles": limits.compute_cycles,
        "dram_floor_cycles": limits.dram_cycles,
        "predicted_cycles": plan.cycles,
        "predicted_dram_bytes": sum(prediction.dram_bytes for prediction in plan.predictions),
        "estimated_cycles": sum(estimate.cycles for estimate in estimates),
        "estimated_dram_bytes": sum(estimate.dram_bytes for estimate in estimates),
        **{
            fact_of_group(f"estimated_{name}", number): figure
            for number, estimate in enumerate(estimates)
            for name, figure in asdict(estimate).items()
        },
    }
