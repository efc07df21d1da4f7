"""Numbers of parts that are tried."""

from __future__ import annotations

import pytest
from fusion_networks import network_of
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.cut import cuts_worth_trying
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.tuning import TUNING
from nnc.isa.integers import ceil_div


def numbers_of_parts(height: int) -> list[int]:
    """Numbers of parts of a table."""
    shape = f"float[{height}, 4]"
    network = network_of(canonicalise(graph_of(f"({shape} x) => ({shape} y) {{ y = Relu(x) }}")))
    return [cut.parts for cut in cuts_worth_trying(network, 0, TUNING.cuts.parts)]


@pytest.mark.parametrize("height", [28, 64, 100, 224])
def test_many_rows_are_cut_into_parts_of_one_and_of_two_rows(height: int) -> None:
    assert {height, ceil_div(height, 2)} <= set(numbers_of_parts(height))


@pytest.mark.parametrize("height", [7, 13, 28, 64, 96, 100, 224, 300])
def test_few_parts_are_tried_of_any_rows_and_many_of_whole_ones(height: int) -> None:
    """Of many parts, no fewer would do with as many rows in the largest: 24 of 96 rows, not 28."""
    found = numbers_of_parts(height)
    assert found == sorted(set(found)) and found[-1] <= height
    few = TUNING.cuts.min_parts_with_strips
    assert {parts for parts in TUNING.cuts.parts if parts <= min(height, few)} <= set(found)
    many = [parts for parts in found if parts > few]
    assert many == [ceil_div(height, ceil_div(height, parts)) for parts in many]


def test_queries_of_heads_are_cut_into_parts_of_dozens_too() -> None:
    """Of 2,048 queries, 14 parts are too large for most memories, and 64 are many steps."""
    shape = "float[4, 2048, 16]"
    text = f"""({shape} q, float[4, 16, 64] k, float[4, 64, 16] v) => ({shape} y) {{
        s = MatMul (q, k)  y = MatMul (s, v)
    }}"""
    graph = canonicalise(graph_of(text))
    network = PlanNetwork(graph, [*graph.layers()], CutAxes.HEADS)
    found = {cut.parts for cut in cuts_worth_trying(network, 1, TUNING.cuts.parts)}
    assert {2048 // queries for queries in (128, 64, 32)} | {ceil_div(2048, 96), ceil_div(2048, 48)} <= found
