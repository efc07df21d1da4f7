"""group: write the planned layer groups into the graph (M1's grouping).

before:  conv1 -> relu2 -> conv3
after:   the same graph; conv1 in group 0 (single), conv3 in group 1 (single), each with its reason
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Plan


def group(graph: Graph, plan: Plan) -> Graph:
    """The graph with its groups."""
    groups = tuple(
        replace(
            planned.group,
            cycles=prediction.cycles,
            dram_bytes=prediction.dram_bytes,
            memory_peak=tuple(sorted(peak.items())),
        )
        for planned, prediction, peak in zip(plan.groups, plan.predictions, plan.memory_peak, strict=True)
    )
    return graph.with_notes(replace(graph.notes, groups=groups))
