"""Rows and columns of buffers around attention: query tokens and heads."""

from __future__ import annotations

from pass_harness import graph_of

from nnc.compiler.pipeline import canonicalise
from nnc.compiler.plan.network.attention_axes import attention_axes, is_scores


def test_scores_and_what_is_made_of_them_are_cut_along_tokens_and_heads() -> None:
    text = """(float[4,32,8] q, float[4,8,32] k, float[4,32,8] v) => (float[4,32,8] y)
    { s = MatMul(q, k) p = Softmax<axis=-1>(s) y = MatMul(p, v) }"""
    graph = canonicalise(graph_of(text, {}))
    axes = attention_axes(graph)
    made = {
        graph.storage[graph.output_of(layer.name)].buffer for layer in graph.layers() if not layer.is_view
    }
    assert {axes[buffer] for buffer in (*made, "q")} == {(1, 0)}
    assert sum(is_scores(graph, layer) for layer in graph.layers()) == 2


def test_networks_without_products_of_activations_have_none() -> None:
    text = "(float[4,32,8] x) => (float[4,32,8] y) { a = MatMul(x, w) y = Softmax<axis=-1>(a) }"
    assert attention_axes(canonicalise(graph_of(text, {"w": (8, 8)}))) == {}
