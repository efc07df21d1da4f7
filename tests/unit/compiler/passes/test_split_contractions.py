"""Products that sum over rows: which are summed piece by piece, and that they are the same."""

from __future__ import annotations

import numpy as np
import pytest
from harness import check_model, chip_of
from pass_harness import after, graph_naming, kinds, model_of, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Elementwise, Join, MatMul
from nnc.compiler.passes.for_memory.split_contractions import SPLIT_CONTRACTIONS
from nnc.compiler.passes.for_memory.split_folds import SPLIT_FOLDS
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.merge_views import MERGE_VIEWS
from nnc.compiler.plan.options import PlanOptions

KEYS = "k = MatMul (x, w)  v = MatMul (x, u)  kt = Transpose <perm=[0,2,1]> (k)"
HEADS = """k0 = MatMul (x, w)  k1 = Reshape (k0, heads)  v0 = MatMul (x, u)  v1 = Reshape (v0, heads)
    kt = Transpose <perm=[0,2,3,1]> (k1)  v = Transpose <perm=[0,2,1,3]> (v1)"""
UNIT = "n = ReduceL2 (kt, last)  nx = Expand (n, wide)  kn = Div (kt, nx)"
SPLIT = {
    "keys and values": f"{KEYS}  y = MatMul (kt, v)",
    "a function": f"{KEYS}  e = Elu (kt)  y = MatMul (e, v)",
    "heads": f"{HEADS}  y = MatMul (kt, v)",
    "vectors of length one": f"{KEYS}  {UNIT}  y = MatMul (kn, v)",
    "one length each": f"{KEYS}  {UNIT}  t = Transpose <perm=[0,2,1]> (kn)  y = MatMul (kn, t)",
    "a mask behind": f"{KEYS}  g = MatMul (kt, v)  y = Add (g, m)",
    "a function of all that is summed": f"{KEYS}  r = Mul (kt, c)  y = MatMul (r, v)",
    "shared out over tokens": f"{KEYS}  e = Softmax <axis=2> (kt)  y = MatMul (e, v)",
    "shared out over features": f"{KEYS}  e = Softmax <axis=1> (kt)  y = MatMul (e, v)",
    "two readers": f"{KEYS}  {UNIT}  z = Neg (kn)  g = MatMul (kn, v)  y = Add (g, m)",
}
KEPT = {
    "scores": f"{KEYS}  y = MatMul (v, kt)",
    "values": f"{KEYS}  g = MatMul (v, kt)  s = Softmax <axis=2> (g)  y = MatMul (s, v)",
    "of constants": "k = MatMul (x, w)  kt = Transpose <perm=[0,2,1]> (k)  y = MatMul (kt, p)",
}
SHAPES = {"w": (8, 4), "u": (8, 4), "m": (4, 4), "p": (48, 4), "c": (4, 1)}
NUMBERS = {"tiny": 1e-12, "eighth": 0.125, "huge": 1e30, "small": 1e-30, "nothing": 0.0}
VALUES = {"heads": np.array([2, 48, 2, 2]), "last": np.array([2]), "wide": np.array([2, 4, 48])}
VALUES |= {name: np.full((1, 4, 1), number, np.float32) for name, number in NUMBERS.items()}
BYTES = 2 * 48 * 4 * 4


def network(text: str) -> Graph:
    outputs = "(y, z)" if "z =" in text else "(y)"
    return graph_naming(text, SHAPES, VALUES, f"(float[2,48,8] x) => {outputs}")


def split(graph: Graph, memory_bytes: int = 4 * BYTES - 4) -> Graph:
    return after(SPLIT_CONTRACTIONS, graph, memory_bytes=memory_bytes)


def sums(graph: Graph) -> list[int]:
    """How many elements each product of two results sums over."""
    found = (layer for layer in graph.layers() if isinstance(layer, MatMul))
    inputs = [graph.inputs_of(layer.name) for layer in found]
    return [graph.types[x or ""].shape[-1] for x, weight, *_ in inputs if not graph.is_constant(weight)]


@pytest.mark.parametrize("text", SPLIT.values(), ids=SPLIT)
def test_rows_are_summed_in_pieces(text: str) -> None:
    graph = network(text)
    result = split(graph)
    assert sums(result) == [8 if "heads" in text else 16]
    same_values(graph, result)
    same_values(graph, after(FREE_VIEWS, after(SPLIT_FOLDS, result, memory_bytes=4 * BYTES - 4)))


def test_keys_that_are_shared_out_over_tokens_are_divided_behind_the_sum() -> None:
    result = split(network(SPLIT["shared out over tokens"]))
    assert "softmax" not in kinds(result)


@pytest.mark.parametrize("end", ["z = Relu (s)", "e = ReduceSum (k, ax)  j = MatMul (q, e)  z = Div (s, j)"])
def test_heads_are_written_beside_each_other(end: str) -> None:
    """Rows of what queries make of a sum are tokens, as those of the queries: no copy puts heads in order."""
    queries = "q0 = MatMul (x, p)  q1 = Reshape (q0, heads)  q = Transpose <perm=[0,2,1,3]> (q1)"
    start = HEADS.replace("kt =", "k =")
    behind = "t = Transpose <perm=[0,2,1,3]> (z)  r = Reshape (t, flat)  y = MatMul (r, o)"
    sums = f"{start}  {queries}  g = MatMul (k, v)  s = MatMul (q, g)"
    text = f"(float[1,48,8] x) => (y) {{ {sums}  {end}  {behind} }}"
    values = {"heads": np.array([1, 48, 2, 2]), "flat": np.array([1, 48, 4]), "ax": np.array([3])}
    shapes = {"w": (8, 4), "u": (8, 4), "p": (8, 4), "o": (4, 4)}
    graph = graph_naming(text, shapes, values)
    result = after(MERGE_VIEWS, split(graph, BYTES * 2 - 4))
    result = after(FREE_VIEWS, after(SPLIT_FOLDS, result, memory_bytes=BYTES * 2 - 4))
    assert "copy" not in kinds(result)
    same_values(graph, result)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_other_products_stay(text: str) -> None:
    graph = network(text)
    assert kinds(split(graph)) == kinds(graph)


def test_what_is_there_as_a_whole_is_summed_at_once() -> None:
    graph = network(SPLIT["keys and values"])
    assert kinds(split(graph, 4 * BYTES)) == kinds(graph)


@pytest.mark.parametrize(("case", "count"), [("vectors of length one", 0), ("two readers", 1)])
def test_factors_come_behind_the_sum_if_nobody_else_reads_with_them(case: str, count: int) -> None:
    result = split(network(SPLIT[case]))
    assert kinds(result).count("expand") == count


@pytest.mark.parametrize("shape", ["[1,512,8]", "[2,256,8]"], ids=["one", "a batch"])
def test_keys_and_values_visit_no_dram(shape: str) -> None:
    """Linear attention: what the keys and values of 512 tokens are summed to is a matrix of 4 x 4."""
    text = f"(float{shape} x) => (y) {{ {KEYS}  g = MatMul (kt, v)  q = MatMul (x, w)  y = MatMul (q, g) }}"
    weights = {name: SHAPES[name] for name in "wu"}
    placed = check_model(
        model_of(text, weights), chip_of(sram="12KiB"), options=PlanOptions()
    ).compilation.placed
    joined = {placed.output_of(layer.name) for layer in placed.layers() if isinstance(layer, Join)}
    assert "y" in joined and not joined & {"k", "v"}


def factors_in_front(graph: Graph) -> int:
    """How many functions of elements come before the products that are summed up, once these are split."""
    result = split(graph)
    functions = (layer for layer in result.layers() if isinstance(layer, Elementwise))
    return sum(result.types[result.output_of(layer.name)].shape[1:] == (4, 48) for layer in functions)


@pytest.mark.parametrize(
    ("length", "in_front"),
    [
        ("n = ReduceL2 (kt, last)", 0),
        ("l = ReduceL2 (kt, last)  n = Max (l, tiny)", 0),
        ("s = Mul (kt, kt)  f = ReduceSum (s, last)  n = Sqrt (f)", 1),
        ("a = Abs (kt)  n = ReduceMax (a, last)", 2),
        ("n = ReduceL1 (kt, last)", 1),
        ("o = Exp (kt)  n = ReduceL2 (o, last)", 2),  # of another tensor
    ],
)
def test_sums_without_factors_keep_to_the_range(length: str, in_front: int) -> None:
    """Lengths come behind the sum; beside others, the products alone might overflow."""
    graph = network(f"{KEYS}  {length}  nx = Expand (n, wide)  kn = Div (kt, nx)  y = MatMul (kn, v)")
    assert factors_in_front(graph) == in_front


@pytest.mark.parametrize(("size", "in_front"), [("eighth", 0), ("huge", 1), ("small", 1), ("nothing", 1)])
def test_plain_numbers_are_factors_unless_they_are_huge(size: str, in_front: int) -> None:
    assert factors_in_front(network(f"{KEYS}  r = Mul (kt, {size})  y = MatMul (r, v)")) == in_front


def test_what_reads_a_sum_on_many_ways_is_looked_at_once() -> None:
    """Two ways through each of sixty layers: 2**60 in all."""
    ways = "".join(f"  t{n} = Tanh (y{n})  y{n + 1} = Add (y{n}, t{n})" for n in range(60))
    graph = network(f"{KEYS}  y0 = MatMul (kt, v){ways}  y = Neg (y60)")
    assert sums(split(graph)) == [16]
