"""What is folded into products behind views, and how queries, keys and values get a product each."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_naming, graph_of, kinds, same_values

from nnc.compiler.ir import layers as ir
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.fold_factors import FOLD_FACTORS
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.split_products import SPLIT_PRODUCTS

CONSTANTS = {
    "heads": np.array([1, 5, 3, 2, 4]),
    "woven": np.array([1, 5, 2, 12]),
    "rows": np.array([5, 8]),
    "turned": np.array([1, 5, 8]),
    "i": np.array(0),
    "j": np.array(1),
    "l": np.array(2),
    "third": np.array([4, 4, 4]),
    "c": np.float32(0.25),
    "e": np.float32(8.0),
    "unit": np.float32(1.0),
}
WEIGHTS = {"w": (6, 24), "n": (6, 8), "b": (24,), "s": (8,), "hh": (2, 1, 1), "t": (5, 8)}
IN_A_ROW = """(float[1,5,6] x) => (y) {
    t0 = MatMul (x, w)  t1 = Add (t0, b)  r = Reshape (t1, heads)  p = Transpose <perm=[2,0,3,1,4]> (r)
    q = Gather <axis=0> (p, i)  k = Gather <axis=0> (p, j)  v = Gather <axis=0> (p, l)
    """
WOVEN = """(float[1,5,6] x) => (y) {
    t0 = MatMul (x, w)  t1 = Add (t0, b)  r = Reshape (t1, woven)  p = Transpose <perm=[0,2,1,3]> (r)
    q, k, v = Split <axis=3> (p, third)
    """
END = "  z = Softmax <axis=3> (g)  y = MatMul (z, v) }"
SCALED = {
    "query": "qs = Mul (q, c)  kt = Transpose <perm=[0,1,3,2]> (k)  g = MatMul (qs, kt)",
    "both": "qs = Mul (c, q)  kt = Transpose <perm=[0,1,3,2]> (k)  ks = Mul (kt, c)  g = MatMul (qs, ks)",
    "divided": "qs = Div (q, e)  kt = Transpose <perm=[0,1,3,2]> (k)  g = MatMul (qs, kt)",
    "behind": "kt = Transpose <perm=[0,1,3,2]> (k)  u = MatMul (q, kt)  g = Div (u, e)",
    "one": "qs = Mul (q, unit)  kt = Transpose <perm=[0,1,3,2]> (k)  g = MatMul (qs, kt)",
}


def network(text: str) -> ir.Graph:
    return graph_naming(text, WEIGHTS, CONSTANTS)


@pytest.mark.parametrize("start", [IN_A_ROW, WOVEN], ids=["in a row", "woven"])
def test_functions_and_norms_may_stand_between(start: str) -> None:
    """Linear attention, and queries and keys that are normalised."""
    between = (
        "qr = Relu (q)  kn = Softmax <axis=3> (k)  kt = Transpose <perm=[0,1,3,2]> (kn)  z = MatMul (qr, kt)"
    )
    graph = network(f"{start}{between}  y = MatMul (z, v) }}")
    split = after(SPLIT_PRODUCTS, after(FOLD_AFFINE, graph))
    assert kinds(split).count("matmul") == 5 and "slice" not in kinds(split)
    same_values(graph, split)


@pytest.mark.parametrize("scaled", SCALED)
@pytest.mark.parametrize("start", [IN_A_ROW, WOVEN], ids=["in a row", "woven"])
def test_scales_of_attention_are_weights_and_each_operand_has_a_product(start: str, scaled: str) -> None:
    graph = network(f"{start}{SCALED[scaled]}{END}")
    folded = after(FOLD_FACTORS, after(FOLD_AFFINE, graph))
    assert "elementwise" not in kinds(folded)
    same_values(graph, folded)
    split = after(SPLIT_PRODUCTS, folded)
    assert kinds(split).count("matmul") == 5 and "slice" not in kinds(split)
    same_values(graph, split)


@pytest.mark.parametrize(
    "text",
    [
        IN_A_ROW + "m = Mul (q, c)  y = Sub (m, q) }",
        "(float[1,5,6] x) => (y, h0) { h0 = MatMul (x, w)  y = Mul (h0, c) }",
        "(float[1,5,6] x) => (y) { h0 = MatMul (x, w)  r = Relu (h0)  y = Mul (r, c) }",
        "(float[1,5,6] x, float[1,6,5] z) => (y) { h0 = MatMul (x, z)  y = Mul (h0, c) }",
        "(float[1,5,6] x) => (y) { h0 = MatMul (x, w)  p = Transpose <perm=[0,2,1]> (h0)  g = MatMul (h0, p)"
        "  m = Mul (g, c)  y = Relu (m) }",
        "(float[1,5,6] x) => (y) { h0 = MatMul (x, w)  y = Mod <fmod=1> (h0, c) }",
    ],
    ids=["read twice", "output", "not adjacent", "no weights", "square", "another function"],
)
def test_numbers_stay(text: str) -> None:
    graph = network(text)
    assert kinds(after(FOLD_FACTORS, graph)) == kinds(graph)


def test_halves_that_would_vanish_keep_their_number() -> None:
    text = "(float16[1,5,6] x) => (y) { h0 = MatMul (x, w)  y = Mul (h0, c) }"
    tiny = np.full((6, 24), 2.0**-13, np.float16)
    graph = graph_of(text, w=tiny, c=np.float16(2.0**-4))
    assert kinds(after(FOLD_FACTORS, graph)) == kinds(graph)


@pytest.mark.parametrize(
    ("between", "constant", "folds"),
    [
        ("g = Reshape (m, rows)", "s", True),
        ("g = Transpose <perm=[1,0,2]> (m)", "s", True),
        ("o = Reshape (m, woven)  g = Transpose <perm=[0,2,1,3]> (o)", "hh", True),
        ("g = Reshape (m, rows)", "t", False),
    ],
)
def test_a_scale_of_columns_folds_through_views(between: str, constant: str, folds: bool) -> None:
    text = f"(float[1,5,6] x) => (y) {{ m = MatMul (x, n)  {between}  y = Mul (g, {constant}) }}"
    graph = graph_of(
        text,
        {name: shape for name, shape in WEIGHTS.items() if name in ("n", constant)},
        **({"rows": CONSTANTS["rows"]} if "rows" in text else {}),
        **({"woven": np.array([1, 5, 2, 4])} if "woven" in text else {}),
    )
    result = after(FOLD_AFFINE, graph)
    assert ("elementwise" in kinds(result)) != folds
    same_values(graph, result)


def test_a_scale_of_heads_folds_where_heads_are_columns() -> None:
    text = "(float[1,5,6] x) => (y) { m = MatMul (x, n)  o = Reshape (m, woven)  y = Mul (o, h) }"
    graph = graph_of(text, {"n": (6, 8), "h": (2, 1)}, woven=np.array([1, 5, 2, 4]))
    result = after(FOLD_AFFINE, graph)
    assert kinds(result) == ["matmul", "reshape"]
    same_values(graph, result)


@pytest.mark.parametrize(
    ("between", "fuses"),
    [
        ("g = Transpose <perm=[1,2,0]> (o)", True),
        ("r = Reshape (o, turned)  g = Transpose <perm=[2,1,0]> (r)", True),
        ("r = Reshape (o, halves)  g = Transpose <perm=[2,1,0]> (r)", False),
    ],
)
def test_a_skip_goes_backwards_through_views_that_keep_axes(between: str, fuses: bool) -> None:
    shape = "8,5,1" if "turned" in between else "5,8,1" if fuses else "4,5,2"
    text = f"""(float[5,6] x, float[{shape}] skip) => (y) {{
        m = MatMul (x, n)  o = Reshape (m, first)  {between}  y = Add (skip, g) }}"""
    shapes = {"first": np.array([1, 5, 8])}
    shapes |= {"turned": np.array([1, 5, 8])} if "turned" in text else {}
    shapes |= {"halves": np.array([2, 5, 4])} if "halves" in text else {}
    graph = graph_of(text, {"n": (6, 8)}, **shapes)
    result = after(FUSE_RESIDUAL, graph)
    assert ("elementwise" in kinds(result)) != fuses
    same_values(graph, result)


@pytest.mark.parametrize(
    "text",
    [
        (IN_A_ROW + "o = Abs (t1)" + SCALED["query"] + END).replace("=> (y) {", "=> (y, o) {"),
        IN_A_ROW + "g = Sub (q, v)  y = Mul (g, k) }",
    ],
    ids=["read whole", "no attention"],
)
def test_products_stay_whole(text: str) -> None:
    graph = network(text)
    assert kinds(after(SPLIT_PRODUCTS, graph)) == kinds(graph)


GATED = """(float[1,5,6] x) => (y{more}) {{
    t0 = MatMul (x, w)  t1 = Add (t0, b)  u, g = Split <axis=2, num_outputs=2> (t1)  {gate}
    }}"""


@pytest.mark.parametrize(
    ("gate", "more", "products"),
    [
        ("f = Sigmoid (g)  y = Mul (u, f)", "", 2),
        ("f = Gelu (g)  h = Abs (u)  y = Mul (h, f)", "", 2),
        ("p = Mul (g, g)  q = Mul (p, p)  y = Add (q, u)", "", 2),
        ("y = Neg (u)  z = Abs (g)", ", z", 1),
        ("y = Mul (u, g)  z = Abs (t1)", ", z", 1),
    ],
    ids=["gate", "functions of both", "powers", "apart", "whole read"],
)
def test_hidden_features_and_their_gates_come_from_a_product_each(
    gate: str, more: str, products: int
) -> None:
    graph = graph_naming(GATED.format(gate=gate, more=more), WEIGHTS, CONSTANTS)
    result = after(SPLIT_PRODUCTS, after(FOLD_AFFINE, graph))
    assert kinds(result).count("matmul") == products
    same_values(graph, result)
