"""map: give every part its core.

before:  parts of a group without a core
after:   every node of a part with the core that the plan chose, and the reason
"""

from __future__ import annotations

from dataclasses import replace

from nnc.compiler.ir.annotations import PartOf
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import Load


def map_cores(graph: Graph, plan: Plan) -> Graph:
    """The graph with a core for every node of a part."""
    steps = [(planned.group.index, step) for planned in plan.groups for step in planned.steps]
    of_part = {(group, step.part): (step.core, ()) for group, step in steps}
    of_load = {s.tile.name: (s.core, s.receivers) for _, s in steps if isinstance(s, Load) and s.receivers}
    why = {planned.group.index: planned.core_reason for planned in plan.groups}
    part_of: dict[str, PartOf] = {}
    mapped: dict[tuple[int, int, int, tuple[int, ...]], PartOf] = {}  # shared by the nodes of a part
    for name, where in graph.notes.part_of.items():
        core, receivers = of_load.get(name) or of_part[where.group, where.part]
        key = (where.group, where.part, core, receivers)
        if key not in mapped:
            mapped[key] = PartOf(where.group, where.part, core, why[where.group], receivers)
        part_of[name] = mapped[key]
    return graph.with_notes(replace(graph.notes, part_of=part_of))
