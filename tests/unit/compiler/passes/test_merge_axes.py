"""Axes of tokens that become one axis, as they are one in the attention around, and those that stay apart."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pass_harness import after, graph_of, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, MatMul, Normalise, Softmax
from nnc.compiler.passes.merge_axes import MERGE_AXES

VALUES = {
    "five": np.array([4, 2, 3, 2, 5]),
    "three": np.array([4, 6, 10]),
    "four": np.array([1, 2, 3, 8]),
    "one": np.array([1, 6, 8]),
    "heads": np.array([1, 6, 2, 4]),
    "six": np.array([1, 2, 3, 2, 2, 8]),
    "windows": np.array([4, 6, 8]),
}
WEIGHTS = {
    "w": (8, 8),
    "u": (8, 8),
    "b": (8,),
    "row": (4, 2, 3, 2, 1),
    "column": (4, 2, 3, 1, 5),
    "other": (4, 1, 3, 2, 1),
}
SCORES = """f = Reshape (x, five)  {}
    v = Reshape (s, three)  k = Transpose <perm=[0,2,1]> (x)  y = MatMul (v, k)"""


def network(text: str, shape: str) -> Graph:
    words = set(re.findall(r"\w+", text))
    weights = {name: size for name, size in WEIGHTS.items() if name in words}
    values = {name: value for name, value in VALUES.items() if name in words}
    return graph_of(f"(float[{shape}] x) => (y) {{ {text} }}", weights, **values)


def shapes(graph: Graph) -> list[tuple[int, ...]]:
    """Of the results of layers that compute with every element by itself, or with the last axis."""
    kinds = (Elementwise, MatMul, Normalise, Softmax)
    found = [mine for mine in graph.layers() if isinstance(mine, kinds)]
    return [graph.types[graph.output_of(mine.name)].shape for mine in found]


@pytest.mark.parametrize(
    ("sums", "expected"),
    [
        ("s = Add (f, row)", [(4, 6, 2, 5)]),
        ("s = Add (column, f)", [(4, 6, 2, 5)]),
        ("t = Add (f, row)  s = Add (t, column)", [(4, 6, 2, 5)] * 2),
        ("s = Add (f, other)", [(4, 2, 3, 2, 5)]),
        ("t = Add (f, row)  s = Softmax <axis=4> (t)", [(4, 6, 2, 5)] * 2),
        ("t = Add (f, row)  s = Softmax <axis=3> (t)", [(4, 2, 3, 2, 5)] * 2),
    ],
)
def test_queries_have_one_axis_where_keys_have_two(sums: str, expected: list[tuple[int, ...]]) -> None:
    """But not where an operand has one of two axes only, or something is computed along another one."""
    graph = network(SCORES.format(sums), "4,6,10")
    result = after(MERGE_AXES, graph)
    assert shapes(result) == [*expected, (4, 6, 6)]
    same_values(graph, result)


def test_axes_of_tokens_are_merged_from_layer_to_layer() -> None:
    text = """f = Reshape (x, four)  n = LayerNormalization <axis=-1> (f, b)  p = MatMul (n, w)  g = Relu (p)
        o = MatMul (g, u)  a = Add (o, f)  h = Reshape (a, heads)  q = Transpose <perm=[0,2,1,3]> (h)
        k = Transpose <perm=[0,2,3,1]> (h)  y = MatMul (q, k)"""
    graph = network(text, "1,6,8")
    result = after(MERGE_AXES, graph)
    assert shapes(result) == [*[(1, 6, 8)] * 5, (1, 2, 6, 6)]
    same_values(graph, result)


def test_what_a_transpose_takes_apart_stays() -> None:
    text = """p = MatMul (x, w)  t = Transpose <perm=[0,2,1,3]> (p)  q = Reshape (t, one)
        k = Transpose <perm=[0,2,1]> (q)  y = MatMul (q, k)"""
    assert shapes(after(MERGE_AXES, network(text, "1,2,3,8"))) == [(1, 2, 3, 8), (1, 6, 6)]


def test_without_attention_nothing_is_merged() -> None:
    graph = network("f = Reshape (x, five)  s = Add (f, row)  y = Reshape (s, three)", "4,6,10")
    assert shapes(after(MERGE_AXES, graph)) == [(4, 2, 3, 2, 5)]


def test_windows_keep_rows_and_columns() -> None:
    """Tokens of windows are tokens of rows and columns: both axes have a meaning there."""
    text = """n = LayerNormalization <axis=-1> (x, b)  s = Reshape (n, six)
        t = Transpose <perm=[0,1,3,2,4,5]> (s)  v = Reshape (t, windows)  p = MatMul (v, w)
        k = Transpose <perm=[0,2,1]> (p)  y = MatMul (p, k)"""
    graph = network(text, "1,6,4,8")
    assert shapes(after(MERGE_AXES, graph)) == [(1, 6, 4, 8), (4, 6, 8), (4, 6, 6)]


def test_constants_are_merged_and_stay_constants() -> None:
    result = after(MERGE_AXES, network(SCORES.format("s = Add (f, row)"), "4,6,10"))
    (layer,) = (mine for mine in result.layers() if isinstance(mine, Elementwise))
    tensors = [tensor for tensor in result.inputs_of(layer.name) if tensor]
    assert [result.types[tensor].shape for tensor in tensors] == [(4, 6, 2, 5), (4, 6, 2, 1)]
    assert [result.is_constant(tensor) for tensor in tensors] == [False, True]
