"""Functions of gates that become one layer, and what only looks like them."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.matching import layers_of
from nnc.compiler.passes.merge_cells import MERGE_CELLS
from nnc.isa.functions import Function

GATED = "a = Sigmoid (x1)  t = Tanh (x2)  y = Mul (a, t)"
LSTM = "a = Sigmoid (x1)  b = Sigmoid (x2)  t = Tanh (x3)  k = Mul (a, x4)  n = Mul (b, t)  y = Add (k, n)"
GRU = "r = Sigmoid (x1)  p = Mul (r, x2)  s = Add (x3, p)  n = Tanh (s)  z = Sigmoid (x4)"
UPDATE = "d = Sub (x5, n)  u = Mul (z, d)  y = Add (n, u)"
MERGED = {
    "gated tanh": (GATED, Function.GATED_TANH),
    "gated tanh, turned": (GATED.replace("a, t", "t, a"), Function.GATED_TANH),
    "lstm": (LSTM, Function.LSTM_STATE),
    "lstm, turned": (LSTM.replace("k, n", "n, k").replace("a, x4", "x4, a"), Function.LSTM_STATE),
    "gru": (f"{GRU}  {UPDATE}", Function.GRU_STATE),
    "gru, turned": (f"{GRU}  {UPDATE.replace('n, u', 'u, n').replace('z, d', 'd, z')}", Function.GRU_STATE),
}
KEPT = {
    "a product that takes in each": "g = MatMul (x1, w)  h = MatMul (x2, w)  a = Sigmoid (g)  t = Tanh (h)"
    "  y = Mul (a, t)",
    "another function": GATED.replace("Tanh", "Softsign"),
    "a gate that others read": f"{GATED.replace('y =', 'v =')}  y = Add (v, a)",
    "a gate that broadcasts": "c = ReduceMean <keepdims=1> (x1)  a = Sigmoid (c)  t = Tanh (x2)"
    "  y = Mul (a, t)",
    "a difference to another": f"{GRU}  {UPDATE.replace('x5, n', 'x5, x1')}",
    "the difference the other way": f"{GRU}  {UPDATE.replace('x5, n', 'n, x5')}",
    "a new state that others read": f"{GRU}  {UPDATE.replace('y =', 'v =')}  y = Add (v, n)",
}
INPUTS = ", ".join(f"float[2,3] x{number}" for number in range(1, 6))


def functions_in(text: str) -> tuple[list[Function], list[Function]]:
    """The functions of a network before the pass and behind it; its values are the same."""
    shapes = {"w": (3, 3)} if "w)" in text else {}
    graph = graph_of(f"({INPUTS}) => (float[2,3] y) {{ {text} }}", shapes)
    result = after(MERGE_CELLS, graph)
    same_values(graph, result)
    before, behind = ([layer.function for layer in layers_of(g, Elementwise)] for g in (graph, result))
    return before, behind


@pytest.mark.parametrize(("text", "function"), MERGED.values(), ids=MERGED)
def test_cell_becomes_one_layer(text: str, function: Function) -> None:
    assert functions_in(text)[1] == [function]


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_others_are_left(text: str) -> None:
    before, behind = functions_in(text)
    assert before == behind


def test_slices_of_a_product_have_no_epilogue_of_their_own() -> None:
    text = "p = MatMul (x, w)  i, g = Split <axis=1, num_outputs=2> (p)"
    text += "  a = Sigmoid (i)  t = Tanh (g)  y = Mul (a, t)"
    graph = graph_of(f"(float[2,3] x) => (float[2,4] y) {{ {text} }}", {"w": (3, 8)})
    result = after(MERGE_CELLS, graph)
    assert kinds(result) == ["matmul", "slice", "slice", "elementwise"]
    same_values(graph, result)


def test_integers_between_are_left() -> None:
    """A sigmoid of codes has a rounding of its own."""
    text = "a = Sigmoid (x1)  t = Tanh (x2)"
    text += "  q = QuantizeLinear (a, s)  d = DequantizeLinear (q, s)  y = Mul (d, t)"
    graph = graph_of(f"({INPUTS}) => (float[2,3] y) {{ {text} }}", s=np.float32(0.01))
    assert kinds(after(MERGE_CELLS, graph)) == kinds(graph)
