"""Attention of pictures [channels, pixels]: what is a column per query becomes a row per query."""

from __future__ import annotations

import re

import numpy as np
import pytest
from harness import check_model, chip_of
from onnx import helper
from pass_harness import after, graph_of, kinds, model_of, same_values
from random_net import RandomNet, Value

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, MatMul, Softmax
from nnc.compiler.passes.turn_products import TURN_PRODUCTS
from nnc.compiler.plan.options import PlanOptions

BEHIND = "g = MatMul (qt, k)  s = Softmax <axis=2> (g)  r = Transpose <perm=[0,2,1]> (s)"
COLUMNS = "kt = Transpose <perm=[0,2,1]> (k)  u = MatMul (kt, q)"
BEFORE = "kt = Transpose <perm=[0,2,1]> (k)  g = MatMul (kt, q)  r = Softmax <axis=1> (g)"
TURNED = {
    "behind": BEHIND,
    "before": BEFORE,
    "scaled": f"{COLUMNS}  g = Mul (u, c)  r = Softmax <axis=1> (g)",
    "function": f"{BEHIND.replace('r =', 't =')}  r = Mul (t, c)",
    "two readers": f"{BEHIND}  z = Relu (s)",
}
KEPT = {
    "scores read twice": BEFORE.replace("r =", "z = Relu (g)  r ="),
    "transpose read twice": f"{BEHIND}  z = Relu (r)",
    "of channels": "kt = Transpose <perm=[0,2,1]> (k)  u = MatMul (q, kt)  r = Softmax <axis=2> (u)",
    "a mask": f"{COLUMNS}  g = Add (u, m)  r = Softmax <axis=1> (g)",
}


def text(scores: str, pixels: int = 20) -> str:
    """Attention of some pixels with 3 channels, as networks of pictures write it."""
    shape, more = f"float[2,3,{pixels}]", ", z" if "z =" in scores else ""
    product = "MatMul (r, v)" if "MatMul (q, kt)" in scores else "MatMul (v, r)"
    head = f"({shape} q, {shape} k, {shape} v) => (y{more}) {{ qt = Transpose <perm=[0,2,1]> (q)"
    return f"{head}  {scores}  y = {product} }}"


def rows_of_scores(graph: Graph) -> bool:
    """Whether the last product has the scores as its rows."""
    *_, last = (layer for layer in graph.layers() if isinstance(layer, MatMul))
    softmax = next(layer for layer in graph.layers() if isinstance(layer, Softmax))
    source = graph.producer(graph.inputs_of(last.name)[0] or "")
    return softmax.axis == 2 and source is not None and source.kind in ("softmax", "elementwise")


NUMBERS = {"c": (1,), "m": (20, 20)}


def used(scores: str) -> dict[str, tuple[int, ...]]:
    return {name: shape for name, shape in NUMBERS.items() if f", {name})" in scores}


@pytest.mark.parametrize("scores", TURNED.values(), ids=TURNED)
def test_rows_are_queries(scores: str) -> None:
    graph = graph_of(text(scores), used(scores))
    result = after(TURN_PRODUCTS, graph)
    assert rows_of_scores(result)
    assert kinds(result).count("matmul") == 2 and kinds(result).count("softmax") == 1
    same_values(graph, result)


@pytest.mark.parametrize("scores", KEPT.values(), ids=KEPT)
def test_others_stay_as_they_are(scores: str) -> None:
    graph = graph_of(text(scores), used(scores))
    assert kinds(after(TURN_PRODUCTS, graph)) == kinds(graph)


@pytest.mark.parametrize("scores", [BEHIND, BEFORE], ids=["behind", "before"])
def test_no_scores_visit_dram(scores: str) -> None:
    """Of 200 pixels, scores take 160 KB a picture."""
    placed = check_model(
        model_of(text(scores, 200)), chip_of(sram="48KiB"), options=PlanOptions()
    ).compilation.placed
    joined = [placed.types[placed.output_of(x.name)].shape for x in placed.layers() if isinstance(x, Join)]
    assert joined and all(shape[-2:] != (200, 200) for shape in joined)


LOW_RANK = {
    "columns": "float[2,3,8,40] v) => (y) { TOP t = Transpose <perm=[1,0]> (s)  y = MatMul (v, t) }",
    "rows": "float[2,3,40,8] v) => (y) { TOP y = MatMul (s, v) }",
}


@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("end", LOW_RANK.values(), ids=LOW_RANK)
def test_scores_without_a_batch_weigh_matrices_of_one(end: str, chip: str) -> None:
    """Axes of operands of lower rank are counted from the last one."""
    top = "g = MatMul (q, k)  s = Softmax <axis=-1> (g)"
    model = model_of(f"(float[40,8] q, float[8,40] k, {end.replace('TOP', top)}")
    check_model(model, chip_of(chip, sram="16KiB"))


TOKENS = (
    "(float[2,30,8] x) => (y) { v = LayerNormalization <axis=-1> (x, ones)  t = Transpose <perm=[0,2,1]> (v)"
)
MIXED = {
    "alone": "m = MatMul (t, w)  y = Transpose <perm=[0,2,1]> (m) }",
    "biased": "m = MatMul (t, w)  n = Add (m, b)  y = Transpose <perm=[0,2,1]> (n) }",
    "functions": """m = MatMul (t, w)  n = Add (b, m)  o = Gelu (n)  p = Mul (o, per)
        y = Transpose <perm=[0,2,1]> (p) }""",
}
CHOSEN = "m = MatMul (t, w)  n = Where (per_token, m, b)  y = Transpose <perm=[0,2,1]> (n) }"
MIXED_KEPT = {
    "read twice": """m = MatMul (t, w)  n = Add (m, b)  y0 = Relu (n)
        z = Transpose <perm=[0,2,1]> (n)  y = Neg (z) }""",
    "two products": "m = MatMul (t, w)  n = MatMul (m, back)  y = Transpose <perm=[0,2,1]> (n) }",
    "other axes": "m = MatMul (t, w)  y = Transpose <perm=[2,0,1]> (m) }",
    "another tensor": "m = MatMul (t, w)  n = Add (m, m)  y = Transpose <perm=[0,2,1]> (n) }",
}
MIXING = {"ones": (8,), "w": (30, 20), "b": (20,), "per": (8, 1), "back": (20, 30)}


def mixing(end: str, head: str = TOKENS) -> Graph:
    text = f"{head}  {end}".replace("=> (y)", "=> (y0, y)" if "y0 =" in end else "=> (y)")
    return graph_of(text, {name: shape for name, shape in MIXING.items() if re.search(rf"\b{name}\b", text)})


@pytest.mark.parametrize("end", MIXED.values(), ids=MIXED)
def test_mixed_tokens_have_a_row_each(end: str) -> None:
    graph = mixing(end)
    result = after(TURN_PRODUCTS, graph)
    assert "transpose" not in kinds(result)
    (product,) = (layer for layer in result.layers() if isinstance(layer, MatMul))
    assert result.is_constant(result.inputs_of(product.name)[0] or "")
    same_values(graph, result)


def test_a_constant_may_choose() -> None:
    """Its first operand has a type of its own."""
    text = f"{TOKENS}  {CHOSEN}"
    constants = {name: np.ones(MIXING[name], np.float32) for name in ("ones", "w", "b")}
    graph = graph_of(text, **constants, per_token=np.arange(20) % 3 == 0)
    result = after(TURN_PRODUCTS, graph)
    assert "transpose" not in kinds(result)
    same_values(graph, result)


@pytest.mark.parametrize("end", MIXED_KEPT.values(), ids=MIXED_KEPT)
def test_products_that_are_not_turned_back_stay(end: str) -> None:
    graph = mixing(end)
    assert kinds(after(TURN_PRODUCTS, graph)) == kinds(graph)


def test_channels_of_pixels_stay_columns() -> None:
    """A picture has its channels innermost: the product has a row per pixel as it is."""
    head = """(float[2,30,4,2] x) => (y) <int64[3] pixels = {2, 30, 8}> {
        c = MaxPool <kernel_shape=[1,1]> (x)  v = Reshape (c, pixels)  t = Transpose <perm=[0,2,1]> (v)"""
    graph = mixing(MIXED["biased"], head)
    assert kinds(after(TURN_PRODUCTS, graph)) == kinds(graph)


def test_a_block_that_mixes_tokens_moves_little_more_than_its_operands() -> None:
    """gMLP: of 60 tokens, neither what is mixed nor its gate is a group of its own."""
    net = RandomNet(np.random.default_rng(0))
    x = Value("x", (1, 60, 24))
    hidden = net.append("MatMul", [x.name, net.weight(24, 96, fan_in=24)], (1, 60, 96))
    net.nodes.append(helper.make_node("Split", [hidden.name], ["u", "v"], axis=2, num_outputs=2))
    v = net.append("LayerNormalization", ["v", net.weight(48)], (1, 60, 48))
    turned = net.append("Transpose", [v.name], (1, 48, 60), perm=[0, 2, 1])
    mixed = net.append("MatMul", [turned.name, net.weight(60, 60, fan_in=60)], turned.shape)
    back = net.append("Transpose", [mixed.name], v.shape, perm=[0, 2, 1])
    gated = net.append("Mul", ["u", back.name], v.shape)
    net.values.append(net.append("MatMul", [gated.name, net.weight(48, 24, fan_in=48)], x.shape))
    compilation = check_model(net.model(x), chip_of(sram="40KiB"), options=PlanOptions()).compilation
    assert compilation.program.facts["floor_bytes"] * 1.25 > compilation.plan.dram_bytes
