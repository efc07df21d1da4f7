"""What the search estimates of layers alone against the simulated program: bytes exactly, cycles within 10 %.

That predicted and simulated are the same is held by the tests of whole compilations (`assert_predicted`).
"""

from __future__ import annotations

import re

from hypothesis import strategies as st
from pass_harness import graph_of
from tiling_cases import drawn, planned_alone, random_layers, shrunk_chip

from nnc.compiler.ir.graph import Graph
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.options import OBJECTIVES
from nnc.compiler.plan.plan import Plan
from nnc.isa.chip.load import load_chip

LAYERS = 60
MOST = 0.9
"""So many are within 10 %; the cycles of the others depend on how blocks happen to fragment a memory."""
LEAST, LARGEST = 0.7, 2.0
"""Of what they take; in the smallest memories, placement finds room for transfers that the search misses."""


@st.composite
def cases(draw: st.DrawFn) -> tuple[Graph, str, int, float, str]:
    """A layer, a chip, its bursts, a part of what the layer touches as its memories, and an objective."""
    chip = draw(st.sampled_from(["npu", "npu-banked", "npu4", "vdsp12"]))
    burst = draw(st.sampled_from([1, 64, 256]))
    part = draw(st.sampled_from([1.2, 2, 4, 8, 16]))
    return draw(random_layers()), chip, burst, part, draw(st.sampled_from([*OBJECTIVES]))


def estimate_of(plan: Plan) -> tuple[int, int]:
    """Bytes and cycles of the only group of a plan, as its reason tells them."""
    found = re.search(r"about (\d+) B and (\d+) cycles", plan.groups[0].group.reason)
    assert found
    return int(found[1]), int(found[2])


def test_bytes_are_exact_and_cycles_near() -> None:
    near, far = 0, []
    for graph, name, burst, part, objective in drawn(cases(), LAYERS):
        chip = shrunk_chip(name, graph, part, f"dram.burst={burst}")
        plan = planned_alone(graph, chip, objective)
        nbytes, cycles = estimate_of(plan)
        case = (name, burst, part, objective, [*graph.layers()], nbytes, cycles, plan.cycles)
        assert nbytes == plan.predictions[0].dram_bytes, case
        near += abs(cycles - plan.cycles) <= 0.1 * plan.cycles
        if not LEAST * plan.cycles <= cycles <= LARGEST * plan.cycles:
            far.append(case)
    assert near >= MOST * LAYERS and not far, (near, far)


def test_rows_come_behind_the_list_of_them() -> None:
    """Index, rows, and the result out: three times the latency, where it had been two."""
    graph = canonicalise(graph_of("(float[20,16] x, int32[5] i) => (y) { y = Gather <axis=0> (x, i) }", {}))
    plan = planned_alone(graph, load_chip("npu"), "balanced")
    assert estimate_of(plan) == (plan.predictions[0].dram_bytes, plan.cycles)
    assert plan.cycles > 300
