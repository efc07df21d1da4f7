"""Layers that do the same become one, and only these."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_of, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.share_layers import SHARE_LAYERS

SHARED = {
    "chains": ("a = Exp (x)  b = Exp (x)  p = Neg (a)  q = Neg (b)  y = Add (p, q)", 3),
    "constants of equal bytes": ("a = Add (x, v)  b = Add (x, w)  y = Mul (a, b)", 2),
    "beside an output": ("y = Exp (x)  b = Exp (x)  z = Neg (b)", 2),
}
SIGNS = "a = Mul (x, zero)  b = Mul (x, minus)  p = Reciprocal (a)  q = Reciprocal (b)"
APART = {
    "zeros of two signs": f"{SIGNS}  y = Add (p, a)  z = Add (q, b)",
    "operands in another order": "e = Exp (x)  a = Sub (x, e)  b = Sub (e, x)  y = Mul (a, b)  z = Neg (y)",
    "other constants": "a = Add (x, v)  b = Add (x, u)  y = Mul (a, b)  z = Neg (y)",
    "two outputs": "y = Exp (x)  z = Exp (x)",
}


def network(body: str) -> Graph:
    vector = np.arange(4, dtype=np.float32)
    constants = {
        "v": vector,
        "w": vector.copy(),
        "u": vector + 1,
        "zero": np.float32(0),
        "minus": np.float32(-0.0),
    }
    second = ", float[3,4] z" if "z =" in body else ""
    used = {name: value for name, value in constants.items() if f" {name})" in body}
    return graph_of(f"(float[3,4] x) => (float[3,4] y{second}) {{ {body} }}", **used)


@pytest.mark.parametrize("name", SHARED)
def test_equal_layers_become_one(name: str) -> None:
    body, layers = SHARED[name]
    graph = network(body)
    shared = after(SHARE_LAYERS, graph)
    assert len(shared.layers()) == layers
    same_values(graph, shared)


@pytest.mark.parametrize("name", APART)
def test_layers_that_differ_stay(name: str) -> None:
    graph = network(APART[name])
    assert len(after(SHARE_LAYERS, graph).layers()) == len(graph.layers())
