"""place: give all that is stored its address, every instruction its waits.

before:  tiles with a memory but no address
after:   x.0 at sram+0x0 alive in steps 0-2; W packed at dram+0x0; y at dram+0x4400; y.p0 waits for x.0
"""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from nnc.compiler.ir.annotations import Place
from nnc.compiler.ir.graph import Graph
from nnc.compiler.plan.plan import Plan
from nnc.compiler.plan.step import View


def place(graph: Graph, plan: Plan) -> Graph:
    """The graph with all addresses and waits."""
    issues = [0, *accumulate(int(not isinstance(issued.step, View)) for issued in plan.order)]
    places = {  # views take no place in the order of issue
        name: Place(place.memory, place.address, place.nbytes, issues[place.first], issues[place.last])
        for name, place in plan.places.items()
    }
    instructions = (issued for issued in plan.order if not isinstance(issued.step, View))
    issued_at = zip(graph.notes.order, instructions, strict=True)
    notes = replace(
        graph.notes,
        places=places,
        waits={issue: issued.waits for issue, issued in issued_at},
        pieces=plan.pieces,
        buffers=plan.buffers,
        constant_bytes=plan.constant_bytes,
        dram_bytes=plan.dram_bytes,
    )
    return graph.with_notes(notes)
