"""Rows that a layer makes of a buffer, and where parts of them end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.buffers import MadeRows
from nnc.compiler.plan.network.plan_network import PlanNetwork

SCALES = """(float[1,2,4,6] x) => (float[1,3,30] y) {
    a = Conv (x, v)
    p = MaxPool <kernel_shape=[2,2], strides=[2,2]> (x)
    b = Conv (p, w)
    c = Reshape (a, s)
    d = Reshape (b, s)
    y = Concat <axis=2> (c, d)
}"""


def made_rows_of(text: str, kind: str, order: Sequence[int] = (), **values: np.ndarray) -> list[MadeRows]:
    """Of the layers of a kind, in their order, or in another topological one."""
    weights = {name: (3, 2, 1, 1) for name in "vw" if f", {name})" in text}
    graph = canonicalise(graph_of(text, weights, **values))
    layers = [layer for layer in graph.layers() if not layer.is_view]
    network = PlanNetwork(graph, [layers[at] for at in order] if order else layers)
    return [network.made_rows(at) for at, layer in enumerate(network.layers) if layer.kind == kind]


def test_pixels_of_several_scales_in_a_list() -> None:
    """Each copy makes rows of its own; the pixels of a line are made of one line."""
    found = made_rows_of(SCALES, "copy", (0, 3, 1, 2, 4), s=np.array([1, 3, -1]))  # a and its copy, p, b
    assert found == [MadeRows(0, 24, 6), MadeRows(24, 6, 3)]


def test_pieces_that_are_made_one_right_after_the_other_are_cut_together() -> None:
    """A picture that is rolled by a line: what is made last lies behind the first piece."""
    text = """(float[1,2,4,4] x) => (float[1,3,4,4] y) {
        h = Conv (x, v)
        a = Slice (h, one, four, two)
        b = Slice (h, zero, one, two)
        y = Concat <axis=2> (a, b)
    }"""
    ends = {name: np.array([n]) for name, n in {"zero": 0, "one": 1, "two": 2, "four": 4}.items()}
    assert made_rows_of(text, "copy", **ends) == [MadeRows(0, 3, 1), MadeRows(0, 4, 1)]


def test_rows_of_pictures_are_made_of_other_rows_each() -> None:
    assert made_rows_of(SCALES, "conv", s=np.array([1, 3, -1])) == [MadeRows(0, 4, 1), MadeRows(0, 2, 1)]


@pytest.mark.parametrize(
    ("made", "parts", "ends"),
    [
        (MadeRows(0, 10, 1), 3, [3, 6, 10]),
        (MadeRows(24, 6, 3), 2, [27, 30]),
        (MadeRows(0, 24, 6), 3, [6, 12, 24]),
        (MadeRows(100, 24, 6), 5, [104, 109, 114, 119, 124]),
    ],
)
def test_parts_end_with_whole_steps_if_there_are_enough(made: MadeRows, parts: int, ends: list[int]) -> None:
    assert made.ends(parts).tolist() == ends
