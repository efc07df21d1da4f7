"""place: give every tile, packed constant and buffer its address (level `placed`).

before:  tiles with a memory but no address
after:   x.0 at sram+0x0 alive in steps 0-2; W packed at dram+0x0; y at dram+0x4400
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import StepKind


def place(graph: Graph, plan: Plan) -> Graph:
    """The graph with all addresses."""
    issues = [0, *accumulate(int(step.kind is not StepKind.VIEW) for step in plan.order)]
    places = {  # views take no place in the order of issue
        name: replace(place, first=issues[place.first], last=issues[place.last])
        for name, place in plan.places.items()
    }
    notes = replace(
        graph.notes,
        places=places,
        pieces=plan.pieces,
        buffers=plan.buffers,
        constant_bytes=plan.constant_bytes,
        dram_bytes=plan.dram_bytes,
        level="placed",
    )
    return graph.with_notes(notes)
