"""map: give every part its core (level `mapped`).

before:  parts of a group without a core
after:   every node of a part with the core that the plan chose, and the reason
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.decision import Plan


def map_cores(graph: Graph, plan: Plan) -> Graph:
    """The graph with a core for every node of a part."""
    cores = {(step.group, step.part): step.core for planned in plan.groups for step in planned.steps}
    why = {planned.index: planned.core_reason for planned in plan.groups}
    part_of = {
        name: replace(where, core=cores[where.group, where.part], reason=why[where.group])
        for name, where in graph.notes.part_of.items()
    }
    return graph.with_notes(replace(graph.notes, part_of=part_of, level="mapped"))
