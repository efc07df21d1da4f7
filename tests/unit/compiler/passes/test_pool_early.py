"""Averages that come before a convolution of single elements, and those that do not."""

from __future__ import annotations

import pytest
from pass_harness import after, graph_naming, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.pool_early import POOL_EARLY

SINGLE = {"w": (6, 8, 1, 1), "v": (4, 6, 1, 1), "g": (6, 4, 1, 1), "n": (2, 8, 1, 1)}
WEIGHTS = {**SINGLE, "t": (6, 8, 3, 3), "b": (6,)}
HALVES = "kernel_shape=[2,2], strides=[2,2]"
EARLY = {
    "between dense blocks": f"h = Conv (x, w, b)  y = AveragePool <{HALVES}> (h)",
    "windows that overlap": "h = Conv (x, w, b)  y = AveragePool <kernel_shape=[3,3], strides=[2,2]> (h)",
    "padding that is not counted, without a bias":
        "h = Conv (x, w)  y = AveragePool <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]> (h)",
    "padding that counts, without a bias":
        "h = Conv (x, w)  y = AveragePool"
        " <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1], count_include_pad=1> (h)",
    "a last window beyond the edge": f"h = Conv (x, w)  y = AveragePool <{HALVES}, ceil_mode=1> (h)",
    "all pixels": "h = Conv (x, w, b)  y = GlobalAveragePool (h)",
    "groups of channels": f"h = Conv <group=2> (x, g, b)  y = AveragePool <{HALVES}> (h)",
    "two of them": f"k = Conv (x, w, b)  h = Conv (k, v)  y = AveragePool <{HALVES}> (h)",
}  # fmt: skip
KEPT = {
    "maxima": f"h = Conv (x, w, b)  y = MaxPool <{HALVES}> (h)",
    "larger windows": f"h = Conv (x, t, b)  y = AveragePool <{HALVES}> (h)",
    "skipped pixels": f"h = Conv <strides=[2,2]> (x, w, b)  y = AveragePool <{HALVES}> (h)",
    "a function between": f"h = Conv (x, w, b)  r = Relu (h)  y = AveragePool <{HALVES}> (r)",
    "padding that counts beside a bias":
        "h = Conv (x, w, b)  y = AveragePool"
        " <kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1], count_include_pad=1> (h)",
    "windows beside all pixels, which average to zero and not to the bias":
        "h = Conv (x, w, b)  y = AveragePool"
        " <kernel_shape=[2,2], strides=[4,3], dilations=[8,7], pads=[7,6,7,6]> (h)",
    "as many pixels": "h = Conv (x, w, b)  y = AveragePool <kernel_shape=[3,3], pads=[1,1,1,1]> (h)",
    "few of many channels": "h = Conv (x, n)  y = AveragePool <kernel_shape=[2,1], strides=[2,1]> (h)",
    "another reader": f"h = Conv (x, w, b)  p = AveragePool <{HALVES}> (h)  q = MaxPool <{HALVES}> (h)"
        "  y = Add (p, q)",
}  # fmt: skip


def network(text: str) -> Graph:
    return graph_naming(text, WEIGHTS, {}, "(float[2,8,7,6] x) => (y)")


@pytest.mark.parametrize("case", EARLY)
def test_fewer_pixels_are_convolved(case: str) -> None:
    graph = network(EARLY[case])
    result = after(POOL_EARLY, graph)
    assert kinds(result)[0] in ("pool", "reduce")
    assert sorted(kinds(result)) == sorted(kinds(graph))
    same_values(graph, result)


@pytest.mark.parametrize("case", KEPT)
def test_others_stay(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(POOL_EARLY, graph)) == kinds(graph)
