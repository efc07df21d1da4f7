"""Weights that several products share: held as a tensor where that saves loads, else left alone."""

from __future__ import annotations

import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.passes.for_memory.hold_weights import HOLD_WEIGHTS

THREE = "h = MatMul (x, w)  i = MatMul (h, w)  y = MatMul (i, w)"
OTHERS = {
    "two readers": ("float[1,8]", "h = MatMul (x, w)  y = MatMul (h, w)", 1024),
    "no room": ("float[1,8]", THREE, 340),
    "many rows": ("float[5,8]", THREE, 1024),
    "an operand elsewhere": (
        "float[1,8]",
        f"{THREE.replace('y =', 'j =')}  k = MatMul (j, w)  y = Add (k, w)",
        1024,
    ),
}


@pytest.mark.parametrize("memory", [342, 1024])
def test_weights_of_three_products_are_held(memory: int) -> None:
    """256 bytes of weights in three quarters of a memory."""
    graph = graph_of(f"(float[1,8] x) => (y) {{ {THREE} }}", {"w": (8, 8)})
    result = after(HOLD_WEIGHTS, graph, memory_bytes=memory)
    assert sorted(kinds(result)) == ["copy", "matmul", "matmul", "matmul"]
    same_values(graph, result)


@pytest.mark.parametrize(("shape", "text", "memory"), OTHERS.values(), ids=OTHERS)
def test_others_are_left(shape: str, text: str, memory: int) -> None:
    graph = graph_of(f"({shape} x) => (y) {{ {text} }}", {"w": (8, 8)})
    assert kinds(after(HOLD_WEIGHTS, graph, memory_bytes=memory)) == kinds(graph)


def test_a_bias_of_all_products_is_held_with_their_weights() -> None:
    text = "h = Gemm (x, w, b)  i = Gemm (h, w, b)  y = Gemm (i, w, b)"
    graph = graph_of(f"(float[1,8] x) => (y) {{ {text} }}", {"w": (8, 8), "b": (8,)})
    result = after(HOLD_WEIGHTS, graph, memory_bytes=1024)
    assert kinds(result).count("copy") == 2
    same_values(graph, result)


def test_biases_that_differ_are_left() -> None:
    text = "h = Gemm (x, w, b)  i = Gemm (h, w, c)  y = Gemm (i, w, b)"
    graph = graph_of(f"(float[1,8] x) => (y) {{ {text} }}", {"w": (8, 8), "b": (8,), "c": (8,)})
    assert kinds(after(HOLD_WEIGHTS, graph, memory_bytes=1024)).count("copy") == 1
