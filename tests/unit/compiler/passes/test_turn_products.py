"""Attention of pictures [channels, pixels]: what is a column per query becomes a row per query."""

from __future__ import annotations

import pytest
from harness import check_model, chip_of
from pass_harness import after, graph_of, kinds, model_of, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Join, MatMul, Softmax
from nnc.compiler.passes.turn_products import TURN_PRODUCTS

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
    placed = check_model(model_of(text(scores, 200)), chip_of(sram="48KiB")).compilation.placed
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
