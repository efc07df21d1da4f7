"""Convolutions of single elements that read a strided view, and those that do not."""

from __future__ import annotations

from typing import Literal

import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.subsample import SUBSAMPLE

WEIGHTS = {"w": (6, 4, 1, 1), "v": (3, 4, 1, 1), "t": (6, 4, 3, 3), "d": (4, 1, 1, 1)}
SKIPPING = {
    "every other pixel": ("y = Conv <strides=[2,2]> (h, w)", 1),
    "rows alone": ("y = Conv <strides=[3,1]> (h, w)", 1),
    "two of the same": ("k = Conv <strides=[2,2]> (h, w)  l = Conv <strides=[2,2]> (h, v)"
                        "  y = Concat <axis=1> (k, l)", 1),
    "two of other strides": ("k = Conv <strides=[2,2]> (h, w)  l = Conv <strides=[3,3]> (h, v)"
                             "  m = GlobalMaxPool (k)  n = GlobalMaxPool (l)  y = Concat <axis=1> (m, n)", 2),
    "depthwise": ("y = Conv <strides=[2,2], group=4> (h, d)", 1),
}  # fmt: skip
KEPT = {
    "no strides": "y = Conv (h, w)",
    "larger windows": "y = Conv <strides=[2,2]> (h, t)",
    "padding": "y = Conv <strides=[2,2], pads=[1,1,1,1]> (h, w)",
}


def network(text: str) -> Graph:
    used = {name: shape for name, shape in WEIGHTS.items() if f", {name})" in text}
    return graph_of(f"(float[2,4,7,6] x) => (y) {{ h = Sin (x)  {text} }}", used)


@pytest.mark.parametrize("case", SKIPPING)
def test_what_skips_pixels_reads_a_view_without_them(case: str) -> None:
    text, views = SKIPPING[case]
    graph = network(text)
    result = after(SUBSAMPLE, graph, burst=16)
    assert kinds(result).count("slice") == views
    assert all(max(layer.stride) == 1 for layer in result.layers() if isinstance(layer, Conv))
    same_values(graph, result)
    placed = after(FREE_VIEWS, result)
    assert "copy" not in kinds(placed)
    same_values(graph, placed)


@pytest.mark.parametrize("case", KEPT)
def test_others_stay(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(SUBSAMPLE, graph, burst=16)) == kinds(graph)


@pytest.mark.parametrize(
    ("burst", "lanes"),
    [(0, "channels"), (32, "channels"), (16, "pixels")],
    ids=["unknown bursts", "pixels within bursts", "lanes along pixels"],
)
def test_chips_that_gain_nothing(burst: int, lanes: Literal["channels", "pixels"]) -> None:
    graph = network(SKIPPING["every other pixel"][0])
    assert kinds(after(SUBSAMPLE, graph, burst=burst, map=lanes)) == kinds(graph)
