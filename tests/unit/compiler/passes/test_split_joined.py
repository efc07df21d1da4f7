"""Convolutions of concats that become sums of convolutions, and those that do not."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_naming, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.for_memory.split_joined import SPLIT_JOINED
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL

CHANNELS = {"a": (3, 4, 1, 1), "b": (5, 4, 3, 3), "v": (6, 8, 3, 3), "u": (6, 12, 1, 1), "g": (8, 1, 3, 3)}
CHANNELS |= {"w": (9, 8, 3, 3), "s": (4, 8, 1, 1), "bias": (6,), "t": (6, 16, 1, 1)}
VALUES = {"n0": np.array([0]), "n2": np.array([2]), "n4": np.array([4]), "n1": np.array([1])}
BRANCHES = "p = Conv (x, a)  q = Conv <pads=[1,1,1,1]> (x, b)  j = Concat <axis=1> (p, q)"
HALVES = "i = Slice (x, n0, n2, n1)  k = Slice (x, n2, n4, n1)"
SPLIT = {
    "two branches": (f"{BRANCHES}  y = Conv <pads=[1,1,1,1]> (j, v, bias)", 2),
    "strides": (f"{BRANCHES}  y = Conv <strides=[2,2]> (j, v)", 2),
    "three operands": (f"{BRANCHES.replace('(p, q)', '(p, x, q)')}  y = Conv (j, u, bias)", 3),
    "concats of concats": (f"{BRANCHES}  c = Concat <axis=1> (j, x)  y = Conv (c, u)", 3),
    "halves": (f"h = Neg (x)  {HALVES}  j = Concat <axis=1> (i, k, h)  y = Conv (j, v)", 2),
    "halves in another order": (f"h = Neg (x)  {HALVES}  j = Concat <axis=1> (k, i, h)  y = Conv (j, v)", 3),
    "a half alone": (
        f"h = Exp (x)  {HALVES}  f = Sin (h)  j = Concat <axis=1> (i, f, k)  y = Conv (j, v)",
        3,
    ),
}
KEPT = {
    "two readers": f"{BRANCHES}  h = Conv (j, s)  k = GlobalMaxPool (j)  m = Conv (k, s)  y = Add (h, m)",
    "more channels": f"{BRANCHES}  y = Conv <pads=[1,1,1,1]> (j, w)",
    "depthwise": f"{BRANCHES}  y = Conv <group=8> (j, g)",
    "an operand twice": "h = Neg (x)  j = Concat <axis=1> (h, h)  y = Conv (j, v)",
    "two concats": "h = Neg (x)  j = Concat <axis=1> (x, h)  i = Concat <axis=1> (x, h, h, x)"
    "  f = Conv (j, s)  k = Conv (i, t)  y = Concat <axis=1> (f, k)",
    "along rows": "h = Neg (x)  j = Concat <axis=2> (x, h)  y = Conv (j, a)",
}


def network(text: str) -> Graph:
    return graph_naming(text, CHANNELS, VALUES, "(float[1,4,6,6] x) => (y)")


@pytest.mark.parametrize("case", SPLIT)
def test_a_convolution_of_a_concat_is_a_sum(case: str) -> None:
    text, count = SPLIT[case]
    graph = network(text)
    result = after(SPLIT_JOINED, graph, memory_bytes=1024)
    assert "concat" not in kinds(result)
    assert kinds(result).count("conv") == kinds(graph).count("conv") + count - 1
    same_values(graph, result)
    placed = after(FREE_VIEWS, result)
    assert "copy" not in kinds(placed)
    same_values(graph, placed)


def test_a_skip_that_is_added_stays() -> None:
    fused = after(FUSE_RESIDUAL, network(f"{BRANCHES}  h = Conv (j, s)  y = Add (h, x)"))
    result = after(SPLIT_JOINED, fused, memory_bytes=1024)
    assert kinds(result) == ["conv"] * 4
    same_values(fused, result)


@pytest.mark.parametrize("case", KEPT)
def test_others_stay(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(SPLIT_JOINED, graph, memory_bytes=1024)) == kinds(graph)


@pytest.mark.parametrize("memory_bytes", [0, 1 << 20], ids=["unknown", "large"])
def test_concats_of_little_memory_stay(memory_bytes: int) -> None:
    graph = network(SPLIT["two branches"][0])
    assert kinds(after(SPLIT_JOINED, graph, memory_bytes=memory_bytes)) == kinds(graph)


def test_of_many_operands_the_concat_stays() -> None:
    many = "  ".join(f"h{n} = Conv (x, w{n})" for n in range(7))
    text = f"{many}  j = Concat <axis=1> ({', '.join(f'h{n}' for n in range(7))})  y = Conv (j, t)"
    shapes = {f"w{n}": (4, 4, 1, 1) for n in range(7)} | {"t": (6, 28, 1, 1)}
    graph = graph_of(f"(float[1,4,6,6] x) => (y) {{ {text} }}", shapes)
    assert kinds(after(SPLIT_JOINED, graph, memory_bytes=1024)) == kinds(graph)
