"""Intervals of an order whose layers belong together, against all intervals one by one."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nnc.compiler.plan.network.frontier import ConnectedIntervals


def belong_together(touched: list[frozenset[str]]) -> bool:
    """Whether the layers are connected by the buffers that they touch."""
    net = nx.Graph()
    for number, buffers in enumerate(touched):
        net.add_edges_from((number, buffer) for buffer in buffers)
    return nx.is_connected(net)


@pytest.mark.parametrize(
    ("order", "expected"), [("xa ab yc cd", [2, 3]), ("xa ab yc cd bds", [0, 1, 2, 3, 4])]
)
def test_pictures_belong_together_where_they_are_joined(order: str, expected: list[int]) -> None:
    touched = [frozenset(layer) for layer in order.split()]
    assert ConnectedIntervals(touched).starts(len(touched) - 1, 9) == expected


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    touched=st.lists(
        st.frozensets(st.sampled_from("abcdefgh"), min_size=1, max_size=3), min_size=1, max_size=9
    ),
    longest=st.integers(1, 9),
)
def test_every_interval(touched: list[frozenset[str]], longest: int) -> None:
    intervals = ConnectedIntervals(touched)
    for end in range(len(touched)):
        starts = range(max(0, end + 1 - longest), end + 1)
        together = [start for start in starts if belong_together(touched[start : end + 1])]
        assert intervals.starts(end, longest) == together
