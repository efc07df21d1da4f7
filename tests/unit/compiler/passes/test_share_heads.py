"""Heads of keys and values that several heads of queries read."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_naming, kinds, same_values
from random_attention import random_attention

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MatMul
from nnc.compiler.passes.share_heads import SHARE_HEADS
from nnc.isa.types import DType

KEYS = "e = Expand (k, {many})  r = Reshape (e, heads)  t = Transpose <perm=[0,1,3,2]> (r)"
VALUES = "f = Expand (v, {many})  u = Reshape (f, heads)"
SHARED = {
    "bare": "s = Softmax <axis=3> (g)",
    "scaled": "a = Mul (g, c)  s = Softmax <axis=3> (a)",
    "a mask": "a = Add (g, m)  s = Softmax <axis=3> (a)",
    "a mask per head": "a = Add (mh, g)  s = Softmax <axis=3> (a)",
    "a mask for all heads": "a = Where (mb, g, low)  s = Softmax <axis=3> (a)",
}
NUMBERS = {
    "heads": np.array([2, 6, 5, 4]),
    "each": np.array([2, 2, 3, 5, 4]),
    "all": np.array([2, 3, 2, 5, 4]),
    "c": np.float32(0.5),
    "m": np.random.default_rng(0).standard_normal((7, 5)).astype(np.float32),
    "mh": np.random.default_rng(1).standard_normal((6, 7, 5)).astype(np.float32),
    "mb": np.random.default_rng(2).random((1, 1, 7, 5)) < 0.5,
    "low": np.float32(-9),
    "most": np.array([3, 2, 3, 4, 5]),
    "few": np.array([3, 6, 4, 5]),
}


def text(scores: str, often: str = "each", more: str = "") -> str:
    """Attention of 6 heads of 7 queries, which share 2 heads of 5 keys: each or all of them three times."""
    shape = "float[2,2,1,5,4]" if often == "each" else "float[2,1,2,5,4]"
    head = f"(float[2,6,7,4] q, {shape} k, {shape} v) => (float[2,6,7,4] y{', z' if more else ''})"
    both = f"{KEYS}  {VALUES}".replace("{many}", often)
    return f"{head} {{ {both}  g = MatMul (q, t)  {scores}  y = MatMul (s, u) {more} }}"


@pytest.mark.parametrize("often", ["each", "all"])
@pytest.mark.parametrize("scores", SHARED.values(), ids=SHARED)
def test_no_head_is_repeated(scores: str, often: str) -> None:
    graph = graph_naming(text(scores, often), {}, NUMBERS)
    result = after(SHARE_HEADS, graph)
    assert "expand" not in kinds(result)
    products = [layer for layer in result.layers() if isinstance(layer, MatMul)]
    extents = (2, 3) if often == "each" else (3, 2)
    assert all(result.types[result.output_of(layer.name)].shape[1:3] == extents for layer in products)
    same_values(graph, result)


@pytest.mark.parametrize(
    ("scores", "more"),
    [("s = Softmax <axis=1> (g)", ""), ("s = Softmax <axis=3> (g)", "z = Neg (g)"), ("s = Relu (g)", "")],
    ids=["over heads", "scores read twice", "a function"],
)
def test_what_else_reads_the_product_has_its_shape(scores: str, more: str) -> None:
    graph = graph_naming(text(scores, more=more), {}, NUMBERS)
    result = after(SHARE_HEADS, graph)
    assert "expand" not in kinds(result)
    same_values(graph, result)


@pytest.mark.parametrize(
    "written",
    [
        text("s = Softmax <axis=3> (g)", more="z = Neg (t)").replace("(v, each)", "(v, each)  zu = Neg (v)"),
        "(float[1,6,7,4] q, float[1,2,1,4,5] k) => (y)"
        " { e = Expand (k, most)  r = Reshape (e, few)  y = MatMul (q, r) }",
    ],
    ids=["keys read twice", "queries of all batches"],
)
def test_other_heads_stay_repeated(written: str) -> None:
    graph = graph_naming(written, {}, NUMBERS)
    assert "expand" in kinds(after(SHARE_HEADS, graph))


@pytest.mark.parametrize("seed", range(6))
def test_random_heads_that_are_grouped(seed: int) -> None:
    graph = import_model(random_attention(seed, written="grouped"))
    same_values(graph, after(SHARE_HEADS, graph))


def test_functions_of_shared_heads_keep_their_types() -> None:
    """Keys of halves, as a cache holds them, become singles on their way."""
    cast = "rf = Cast <to=1> (r)  t ="
    halves = text("s = Softmax <axis=3> (g)").replace("float[2,2,1,5,4] k", "float16[2,2,1,5,4] k")
    graph = graph_naming(halves.replace("(r)", "(rf)").replace("t =", cast), {}, NUMBERS)
    result = after(SHARE_HEADS, graph)
    types = [result.types[result.output_of(layer.name)].dtype for layer in result.layers()]
    assert set(types) == {DType.F32}
