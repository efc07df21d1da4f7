"""Sums over what is stacked that become additions, and those that stay."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_naming, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.drop_dead import DROP_DEAD
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.split_stacks import SPLIT_STACKS

STACK = "h = Neg (x)  a = Unsqueeze (x, one)  b = Unsqueeze (h, one)  s = Concat <axis=1> (a, b)"
LAST = "h = Neg (x)  a = Unsqueeze (x, last)  b = Unsqueeze (h, last)  s = Concat <axis=-1> (a, b)"
SQUEEZED = "ReduceSum <keepdims=0> "
SPLIT = {
    "stack": f"{STACK} y = {SQUEEZED} (s, one)",
    "axis that is kept": f"{STACK} r = ReduceSum <keepdims=1> (s, one)  y = Exp (r)",
    "stack along the last axis": f"{LAST} y = {SQUEEZED} (s, last)",
    "mean": f"{STACK} y = ReduceMean <keepdims=0> (s, one)",
    "extremes": f"{STACK} m = ReduceMax <keepdims=0> (s, one)  n = ReduceMin <keepdims=0> (s, one)"
    "  y = Sub (m, n)",
    "factors": f"{STACK} f = Mul (s, gates)  y = {SQUEEZED} (f, one)",
    "factors of a lower rank": f"{LAST} f = Mul (s, pair)  y = {SQUEEZED} (f, last)",
    "factors of one kind": f"{STACK} f = Mul (s, plain)  y = {SQUEEZED} (f, one)",
    "split attention": f"{STACK} t = {SQUEEZED} (s, one)  p = GlobalAveragePool (t)  q = Conv (p, w)"
    f"  r = Reshape (q, dealt)  g = Softmax <axis=1> (r)  f = Mul (s, g)  y = {SQUEEZED} (f, one)",
    "channels dealt out": f"s = Reshape (x, halves)  e = Exp (s)  y = {SQUEEZED} (e, one)",
    "a function between": f"{STACK} e = Exp (s)  f = Mul (e, gates)  y = {SQUEEZED} (f, one)",
}
KEPT = {
    "channels of one tensor": f"y = {SQUEEZED} (x, one)",
    "two axes": f"{STACK} y = {SQUEEZED} (s, both)",
    "whole tensors side by side": f"h = Neg (x)  j = Concat <axis=1> (x, h)  y = {SQUEEZED} (j, one)",
    "along another axis": f"{STACK} y = {SQUEEZED} (s, two)",
    "squares": f"{STACK} y = ReduceSumSquare <keepdims=0> (s, one)",
    "a function that others read": f"{STACK} e = Exp (s)  f = {SQUEEZED} (e, one)  g = ReduceMax (e)"
    "  y = Add (f, g)",
    "rows of other length": f"s = Reshape (x, other)  y = {SQUEEZED} (s, one)",
}
VALUES = {
    "one": np.array([1]),
    "two": np.array([2]),
    "both": np.array([1, 2]),
    "last": np.array([4]),
    "gates": np.arange(2, 10, dtype=np.float32).reshape(2, 4, 1, 1),
    "plain": np.arange(4, dtype=np.float32).reshape(4, 1, 1),
    "pair": np.array([0.5, 2], np.float32),
    "dealt": np.array([1, 2, 4, 1, 1]),
    "halves": np.array([1, 2, 2, 3, 5]),
    "other": np.array([1, 3, 4, 1, 5]),
}


def network(text: str) -> Graph:
    return graph_naming(text, {"w": (8, 4, 1, 1)}, VALUES, "(float[1,4,3,5] x) => (y)")


@pytest.mark.parametrize("case", SPLIT)
def test_sums_over_stacks_are_additions(case: str) -> None:
    graph = network(SPLIT[case])
    result = after(DROP_DEAD, after(SPLIT_STACKS, graph))
    folds = 1 if case == "split attention" else 0  # the global pool
    assert kinds(result).count("reduce") == folds
    assert "concat" not in kinds(result)
    same_values(graph, result)
    same_values(graph, after(FREE_VIEWS, result))


@pytest.mark.parametrize("case", KEPT)
def test_other_sums_stay(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(SPLIT_STACKS, graph)) == kinds(graph)


def test_high_stacks_stay() -> None:
    many = "  ".join(f"h{n} = Unsqueeze (x, one)" for n in range(9))
    stacked = ", ".join(f"h{n}" for n in range(9))
    graph = network(f"{many} s = Concat <axis=1> ({stacked}) y = {SQUEEZED} (s, one)")
    assert kinds(after(SPLIT_STACKS, graph)) == kinds(graph)
