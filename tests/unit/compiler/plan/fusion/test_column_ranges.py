"""Columns of every buffer in every strip of a fused group, against columns that are marked one by one."""

from __future__ import annotations

import pytest
from fusion_networks import network_of, random_graph, rows, taps
from pass_harness import graph_of

from nnc.compiler.ir.required import required
from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.fusion.buffer_rows import ColumnRange
from nnc.compiler.plan.fusion.column_ranges import ColumnRanges
from nnc.compiler.plan.infeasible import Infeasible
from nnc.compiler.plan.network.buffers import CutAxes
from nnc.compiler.plan.network.orders import orders_of
from nnc.compiler.plan.network.plan_network import PlanNetwork
from nnc.compiler.tuning import TUNING

COLUMNS = 3
"""The axis of columns."""


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("strips", [2, 3])
def test_a_strip_needs_the_hull_of_the_columns_that_its_outputs_need(seed: int, strips: int) -> None:
    network = network_of(random_graph(seed, 6))
    last = len(network.layers) - 1
    ranges = ColumnRanges(network, last, strips, TUNING.cuts.min_core_columns)
    for position in range(last, -1, -1):
        assert ranges.extend(position) is None
    total = network.graph.types[network.defines[last]].shape[COLUMNS]
    for strip in range(strips):
        marked = {network.defines[last]: set(range(strip * total // strips, (strip + 1) * total // strips))}
        for position in range(last, -1, -1):
            made = marked[network.buffer_of(network.defines[position])]
            for slot, tensor in network.operands[position]:
                marks = marked.setdefault(network.buffer_of(tensor), set())
                marks |= taps(network, position, slot, COLUMNS, set(range(min(made), max(made) + 1)))
        for buffer, needed in marked.items():
            columns = ranges.of(buffer)
            assert columns is not None
            assert rows(columns.low, columns.high, strip) == set(range(min(needed), max(needed) + 1))


def test_strips_begin_in_whole_bursts_where_rows_do() -> None:
    text = "(float[1,3,96,80] x) => (float[1,3,96,80] y) { y = Conv<kernel_shape=[1,1]>(x, w) }"
    graph = canonicalise(graph_of(text, {"w": (3, 3, 1, 1)}))
    network = PlanNetwork(graph, orders_of(graph)[0], burst=64)
    found = ColumnRanges(network, 0, 2, TUNING.cuts.min_columns)
    assert found.extend(0) is None
    assert required(found.of("y")).low.tolist() == [0, 48]  # 16 columns of 12 bytes: 3 bursts


def test_strips_of_too_few_columns_are_infeasible() -> None:
    network = network_of(random_graph(0, 3))
    last = len(network.layers) - 1
    reason = ColumnRanges(network, last, 100, TUNING.cuts.min_columns).extend(last)
    assert isinstance(reason, Infeasible)
    assert (reason.demand, reason.bound) == (800, network.graph.types[network.defines[last]].shape[COLUMNS])


def test_an_output_that_is_read_inside_cannot_be_cut_into_strips() -> None:
    """Its columns where strips overlap would be written twice."""
    for seed in range(30):
        network = network_of(random_graph(seed, 6))
        forked = [
            b for b in network.buffers if len(network.uses.get(b, ())) > 1 and network.first_def[b] >= 0
        ]
        if forked:
            break
    (first, *_, last) = network.uses[forked[0]]
    found = ColumnRanges(network, last - 1, 2, TUNING.cuts.min_core_columns)
    reasons = [found.extend(p) for p in range(last - 1, network.first_def[forked[0]] - 1, -1)]
    assert first < last
    assert "read inside" in str(reasons[-1])


def test_the_widest_strip_decides_about_bytes() -> None:
    import numpy as np

    columns = ColumnRange(np.array([0, 3]), np.array([5, 8]), 8)
    assert (columns.widest, columns.summed, columns.scaled(80)) == (5, 10, 50)


def test_strips_of_pictures_that_were_joined_before_read_their_own() -> None:
    """Two inputs of a picture each are written beside each other; each picture of the batch is read once."""
    text = """(float[1,3,96,80] a, float[1,3,96,80] b) => (float[2,3,96,80] y) {
        c = Relu (a)  d = Relu (b)  e = Concat<axis=0> (c, d)  y = Conv<kernel_shape=[1,1]>(e, w) }"""
    graph = canonicalise(graph_of(text, {"w": (3, 3, 1, 1)}))
    network = PlanNetwork(graph, orders_of(graph)[0], CutAxes.PICTURES)
    last = len(network.layers) - 1
    found = ColumnRanges(network, last, 2, TUNING.cuts.min_core_columns - 1)
    assert found.extend(last) is None
    columns = required(found.of(network.buffer_of(network.operands[last][0][1])))
    assert (columns.low.tolist(), columns.high.tolist()) == ([0, 1], [1, 2])
    assert isinstance(found.extend(last - 1), Infeasible)  # a strip would make half of what another reads
