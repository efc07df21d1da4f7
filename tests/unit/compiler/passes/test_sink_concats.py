"""Layers behind a concat that are done before it, and those that are not."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_naming, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.sink_concats import SINK_CONCATS

WEIGHTS = {
    "u": (8, 4, 1, 1),
    "v": (3, 4, 3, 3),
    "k": (2, 8, 1, 1),
    "o": (11, 11, 1, 1),
    "q": (1, 4, 1, 1),
    "w": (3, 4, 5, 5),
    "c": (8, 1, 1),
    "d": (1, 4, 3),
}
BRANCHES = "a = Conv (x, u)  b = Conv <pads=[1,1,1,1]> (x, v)"
SMALLER = "MaxPool <kernel_shape=[2,2], strides=[2,2]>"
SUNK = {
    "pool of channels": (f"{BRANCHES} j = Concat <axis=1> (a, b)  y = {SMALLER} (j)", "pool", 2),
    "pool of pictures": (f"h = Neg (x)  j = Concat <axis=0> (x, h)  y = {SMALLER} (j)", "pool", 2),
    "fold": (f"{BRANCHES} j = Concat <axis=1> (a, b)  y = GlobalMaxPool (j)", "reduce", 2),
    "a function on the way": (
        f"{BRANCHES} j = Concat <axis=1> (a, b)  f = Exp (j)  y = {SMALLER} (f)",
        "elementwise",
        2,
    ),
    "concats of concats": (
        f"{BRANCHES} i = Concat <axis=1> (a, b)  j = Concat <axis=1> (x, i)  y = {SMALLER} (j)",
        "pool",
        3,
    ),
    "pixels side by side": (
        "h = Neg (x)  j = Concat <axis=3> (x, h)  t = Transpose <perm=[0,2,3,1]> (j)"
        "  s = Softmax <axis=3> (t)  i = Transpose <perm=[0,3,1,2]> (s)  y = Conv (i, q)",
        "conv",
        2,
    ),
    "sequences of a batch": (
        "f = Reshape (x, flat)  h = Neg (f)  j = Concat <axis=0> (f, h)  y = Conv (j, d)",
        "conv",
        2,
    ),
    "flat pixels": (
        "h = Neg (x)  f = Reshape (x, flat)  g = Reshape (h, flat)  j = Concat <axis=2> (f, g)"
        "  r = Reshape (j, bins)  s = Softmax <axis=2> (r)  y = ReduceMax <keepdims=1> (s, two)",
        "softmax",
        2,
    ),
}
KEPT = {
    "nothing is left out": f"{BRANCHES} j = Concat <axis=1> (a, b)  y = Exp (j)",
    "two readers": f"{BRANCHES} j = Concat <axis=1> (a, b)  i = {SMALLER} (j)"
    "  m = Conv (j, o)  n = GlobalMaxPool (m)  y = Mul (i, n)",
    "along the fold": "h = Neg (x)  j = Concat <axis=2> (x, h)  y = GlobalMaxPool (j)",
    "windows across": f"h = Neg (x)  j = Concat <axis=2> (x, h)  y = {SMALLER} (j)",
    "along the softmax": "h = Neg (x)  j = Concat <axis=1> (x, h)  s = Softmax <axis=1> (j)"
    "  y = ReduceMax <keepdims=1> (s, one)",
    "sums over channels": "h = Neg (x)  j = Concat <axis=1> (x, h)  y = Conv (j, k)",
    "a constant of its own": f"h = Neg (x)  j = Concat <axis=1> (x, h)  i = Mul (j, c)  y = {SMALLER} (i)",
    "many weights": "h = Neg (x)  j = Concat <axis=0> (x, h)  y = Conv (j, w)",
    "two pictures that do not stay apart": "h = Neg (x)  j = Concat <axis=1> (x, h)  r = Reshape (j, one_row)"
    "  y = ReduceMax <keepdims=1> (r, one)",
}
VALUES = {
    "flat": np.array([1, 4, 36]),
    "bins": np.array([1, 2, 2, 72]),
    "one": np.array([1]),
    "two": np.array([2]),
    "one_row": np.array([1, 288]),
}


def network(text: str) -> Graph:
    return graph_naming(text, WEIGHTS, VALUES, "(float[1,4,6,6] x) => (y)")


@pytest.mark.parametrize("case", SUNK)
def test_what_leaves_less_is_done_before_a_concat(case: str) -> None:
    text, kind, count = SUNK[case]
    graph = network(text)
    result = after(SINK_CONCATS, graph)
    assert kinds(result).count(kind) == count
    same_values(graph, result)
    same_values(graph, after(FREE_VIEWS, result))


@pytest.mark.parametrize("case", KEPT)
def test_other_layers_stay_behind_it(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(SINK_CONCATS, graph)) == kinds(graph)


def test_of_many_operands_none_is_done_by_itself() -> None:
    many = "  ".join(f"h{n} = Neg (x)" for n in range(9))
    joined = ", ".join(f"h{n}" for n in range(9))
    graph = network(f"{many} j = Concat <axis=1> ({joined}) y = {SMALLER} (j)")
    assert kinds(after(SINK_CONCATS, graph)) == kinds(graph)
