"""place: give every tile, packed constant and buffer its address (level `placed`).

before:  tiles with a memory but no address
after:   x.0 at sram+0x0 alive in steps 0-2; W packed at dram+0x0; y at dram+0x4400
"""

from __future__ import annotations

from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.decision import Plan


def place(graph: Graph, plan: Plan) -> Graph:
    """The graph with all addresses."""
    graph.notes.places = dict(plan.places)
    graph.notes.pieces = dict(plan.pieces)
    graph.notes.buffers = dict(plan.buffers)
    graph.notes.constant_bytes = plan.constant_bytes
    graph.notes.dram_bytes = plan.dram_bytes
    graph.notes.level = "placed"
    return graph
