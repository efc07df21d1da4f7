"""Which products of functions become one function, and which do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pass_harness import after, graph_of, same_values

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.merge_functions import MERGE_FUNCTIONS
from nnc.isa.functions import Function

NUMBERS: dict[str, Any] = {
    name: np.float32(value)
    for name, value in {
        "zero": 0, "half": 0.5, "one": 1, "two": 2, "three": 3, "six": 6, "sixth": 1 / 6, "alpha": 1.702,
        "root": np.sqrt(2), "ramp": np.sqrt(2 / np.pi), "cube": 0.044715,
    }.items()
}  # fmt: skip

ONE = {
    "swish": ("s = Sigmoid (x)  y = Mul (s, x)", Function.SWISH),
    "swish-alpha": ("a = Mul (x, alpha)  s = Sigmoid (a)  y = Mul (x, s)", Function.SWISH),
    "hard-swish": ("s = HardSigmoid <alpha=0.16666667, beta=0.5> (x)  y = Mul (x, s)", Function.HARD_SWISH),
    "hard-swish-late": ("a = Add (x, three)  c = Clip (a, zero, six)  m = Mul (x, c)  y = Div (m, six)",
                        Function.HARD_SWISH),
    "hard-swish-early": ("a = Add (three, x)  c = Clip (a, zero, six)  m = Mul (sixth, c)  y = Mul (m, x)",
                         Function.HARD_SWISH),
    "hard-sigmoid": ("a = Add (x, three)  c = Clip (a, zero, six)  y = Div (c, six)", Function.HARD_SIGMOID),
    "mish": ("s = Softplus (x)  t = Tanh (s)  y = Mul (x, t)", Function.MISH),
    "gelu": ("d = Div (x, root)  e = Erf (d)  a = Add (e, one)  m = Mul (x, a)  y = Mul (m, half)",
             Function.GELU),
    "gelu-early": ("d = Div (x, root)  e = Erf (d)  a = Add (one, e)  m = Mul (half, x)  y = Mul (m, a)",
                   Function.GELU),
    "gelu-tanh": ("""p = Pow (x, three)  q = Mul (p, cube)  r = Add (x, q)  u = Mul (r, ramp)  t = Tanh (u)
                     a = Add (t, one)  h = Mul (x, half)  y = Mul (h, a)""", Function.GELU_TANH),
    "gelu-tanh-products": ("""s = Mul (x, x)  p = Mul (x, s)  q = Mul (cube, p)  r = Add (q, x)
                     u = Mul (r, ramp)  t = Tanh (u)  a = Add (t, one)  h = Mul (x, half)  y = Mul (h, a)""",
                           Function.GELU_TANH),
}  # fmt: skip

NONE = {
    "other tensor": "r = Neg (x)  s = Sigmoid (r)  t = Tanh (x)  y = Mul (t, s)",
    "gate read twice": "s = Sigmoid (x)  m = Mul (x, s)  y = Add (m, s)",
    "gate is an output": "z = Sigmoid (x)  y = Mul (x, z)",
    "broadcast": "m = ReduceMean <keepdims=1> (x, axes)  s = Sigmoid (m)  y = Mul (m, s)  z = Mul (x, s)",
    "shifted": "a = Add (x, one)  s = Sigmoid (a)  y = Mul (x, s)",
    "other ramp": "a = Add (x, two)  c = Clip (a, zero, six)  m = Mul (x, c)  y = Div (m, six)",
    "other scale": "d = Div (x, two)  e = Erf (d)  a = Add (e, one)  m = Mul (x, a)  y = Mul (m, half)",
    "not halved": "d = Div (x, root)  e = Erf (d)  a = Add (e, one)  y = Mul (x, a)",
    "divided by": "s = Sigmoid (x)  y = Div (x, s)",
}


def _functions(text: str, outputs: str = "y") -> tuple[Any, Any]:
    used = {name: value for name, value in NUMBERS.items() if f" {name})" in text or f" {name}," in text
            or f"({name}," in text}  # fmt: skip
    if "axes" in text:
        used["axes"] = np.array([1])
    graph = graph_of(f"(float[2,3,5] x) => ({outputs}) {{ {text} }}", **used)
    return graph, after(MERGE_FUNCTIONS, graph)


@pytest.mark.parametrize("case", ONE)
def test_is_one_function(case: str) -> None:
    text, function = ONE[case]
    graph, result = _functions(text)
    (layer,) = result.layers()
    assert isinstance(layer, Elementwise) and layer.function is function
    same_values(graph, result)


@pytest.mark.parametrize("case", NONE)
def test_is_not(case: str) -> None:
    graph, result = _functions(NONE[case], "y, z" if "z = " in NONE[case] else "y")
    assert [layer.name for layer in result.layers()] == [layer.name for layer in graph.layers()]


def test_rest_of_a_product_stays() -> None:
    graph, result = _functions("s = Sigmoid (x)  m = Mul (x, s)  y = Mul (m, two)")
    assert [layer.function for layer in result.layers()] == [Function.SWISH, Function.MUL]
    same_values(graph, result)


@pytest.mark.parametrize("order", ["r, s", "s, r"])
def test_tensor_that_is_a_function_itself(order: str) -> None:
    graph, result = _functions(f"c = Sigmoid (x)  r = Add (c, three)  s = Sigmoid (r)  y = Mul ({order})")
    assert [layer.function for layer in result.layers()] == [Function.SIGMOID, Function.ADD, Function.SWISH]
    same_values(graph, result)
