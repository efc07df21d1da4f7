"""Orders of the layers of forked networks, and the prefixes that they share."""

from __future__ import annotations

import pytest
from fusion_networks import random_graph

from nnc.compiler.plan.network.topological_orders import Prefixes, orders_of
from nnc.compiler.plan.views.row_views import CutAxes


@pytest.mark.parametrize("seed", range(10))
def test_operands_come_first_in_every_order(seed: int) -> None:
    graph = random_graph(seed, 8)
    orders = orders_of(graph)
    assert len({tuple(layer.name for layer in order) for order in orders}) == len(orders)
    for order in orders:
        known = {*graph.inputs, *graph.constants}
        for layer in order:
            assert {t for t in graph.inputs_of(layer.name) if t is not None} <= known
            known |= set(graph.outputs_of(layer.name))


def test_orders_meet_where_they_have_computed_the_same_layers() -> None:
    prefixes = Prefixes(["abcd", "acbd"])
    first, second = prefixes.of
    assert [a == b for a, b in zip(first, second, strict=True)] == [True, True, False, True, True]
    assert prefixes.count == 6
    assert prefixes.places(first[3]) == [(0, 3), (1, 3)]


def test_only_intervals_of_no_earlier_order_are_new() -> None:
    prefixes = Prefixes(["abcd", "acbd"])
    assert [prefixes.latest_new(0, end) for end in range(4)] == [0, 1, 2, 3]
    assert prefixes.latest_new(1, 0) == -1, "just a: the same group"
    assert prefixes.latest_new(1, 1) == 1, "ends with c: no earlier order has computed these"
    assert prefixes.latest_new(1, 2) == 2, "begins after a, c"
    assert prefixes.latest_new(1, 3) == 2, "d alone is known"


def test_the_same_layers_cut_along_other_axes_are_other_groups() -> None:
    prefixes = Prefixes(["abcd", "abcd"], [CutAxes.OUTERMOST, CutAxes.PICTURES])
    assert prefixes.of[0] == prefixes.of[1]
    assert [prefixes.latest_new(1, end) for end in range(4)] == [0, 1, 2, 3]
