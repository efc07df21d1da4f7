"""Normalisations that are written out and become one layer, and what only looks like them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Normalise
from nnc.compiler.passes.merge_norms import MERGE_NORMS
from nnc.isa.functions import NormaliseFunction

CENTRED = "m = ReduceMean (x, axes)  d = Sub (x, m)"
POWER = f"{CENTRED}  q = Pow (d, two)  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
TWICE = f"{POWER}  m2 = ReduceMean (x, axes)  d2 = Sub (x, m2)"
PRODUCT = f"{CENTRED}  q = Mul (d, d)  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
ROOT = "q = Pow (x, two)  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
MERGED = {
    "power": (f"{POWER}  y = Div (d, s)", 0),
    "product": (f"{PRODUCT}  y = Div (d, s)", 0),
    "reciprocal": (f"{POWER}  r = Reciprocal (s)  y = Mul (r, d)", 0),
    "one over the root": (f"{POWER}  r = Div (one, s)  y = Mul (d, r)", 0),
    "root in a power": (f"{POWER}  r = Pow (e, root)  y = Mul (d, r)", 0),
    "difference twice": (f"{TWICE}  y = Div (d2, s)", 0),
    "scale and shift": (f"{POWER}  n = Div (d, s)  g = Mul (n, w)  y = Add (b, g)", 0),
    "scale alone": (f"{POWER}  n = Div (d, s)  y = Mul (w, n)", 0),
    "shift alone": (f"{POWER}  n = Div (d, s)  y = Add (n, b)", 1),
    "scale before": (f"{POWER}  g = Mul (w, d)  n = Div (g, s)  y = Add (n, b)", 0),
    "computed scale": (f"{POWER}  n = Div (d, s)  z = Sigmoid (x)  y = Mul (n, z)", 2),
    "no epsilon": (f"{CENTRED}  q = Pow (d, two)  v = ReduceMean (q, axes)  s = Sqrt (v)  y = Div (d, s)", 0),
    "root mean square": (f"{ROOT}  y = Div (x, s)", 0),
    "root mean square, scaled": (f"{ROOT}  r = Reciprocal (s)  n = Mul (x, r)  y = Mul (n, w)", 0),
    "statistics that others read": (f"{POWER}  n = Div (d, s)  z = Mul (n, v)  y = Add (z, m)", 6),
}
KEPT = {
    "another dividend": f"{POWER}  z = Exp (x)  y = Div (z, s)",
    "another mean": f"{CENTRED}  m2 = ReduceMean (x, others)  d2 = Sub (x, m2)  q = Pow (d2, two)"
    "  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)  y = Div (d, s)",
    "cubes": f"{CENTRED}  q = Pow (d, three)  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
    "  y = Div (d, s)",
    "powers of two": f"{CENTRED}  q = Pow (two, d)  v = ReduceMean (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
    "  y = Div (d, s)",
    "no root": f"{CENTRED}  q = Pow (d, two)  v = ReduceMean (q, axes)  e = Add (v, eps)  y = Div (d, e)",
    "the divisor above": f"{POWER}  y = Div (s, d)",
    "sums": f"{CENTRED}  q = Pow (d, two)  v = ReduceSum (q, axes)  e = Add (v, eps)  s = Sqrt (e)"
    "  y = Div (d, s)",
}
VALUES = {
    "two": np.float32(2),
    "one": np.float32(1),
    "root": np.float32(-0.5),
    "three": np.float32(3),
    "eps": np.float32(0.01),
    "w": np.float32([[0.5], [1], [2]]),
    "b": np.float32([[1], [0], [-1]]),
    "others": np.array([1]),
}


def network(text: str, axes: tuple[int, ...] = (2,), dtype: str = "float") -> Graph:
    words = set(re.findall(r"\w+", text))
    used = {name: value for name, value in (VALUES | {"axes": np.array(axes)}).items() if name in words}
    return graph_of(f"({dtype}[2,3,4] x) => ({dtype}[2,3,4] y) {{ {text} }}", {}, **used)


@pytest.mark.parametrize("case", MERGED)
@pytest.mark.parametrize("axes", [(2,), (1,), (1, 2)])
def test_a_norm_that_is_written_out_becomes_one_layer(case: str, axes: tuple[int, ...]) -> None:
    text, others = MERGED[case]
    graph = network(text, axes)
    result = after(MERGE_NORMS, graph)
    assert kinds(result).count("normalise") == 1
    assert len(kinds(result)) == 1 + others
    same_values(graph, result)


@pytest.mark.parametrize("case", KEPT)
def test_what_is_no_norm_stays(case: str) -> None:
    graph = network(KEPT[case])
    assert kinds(after(MERGE_NORMS, graph)) == kinds(graph)


def test_mean_squares_of_a_difference_that_is_no_mean_are_of_itself() -> None:
    """d is x less the mean over other axes: its root mean square, not the variance of x, divides it."""
    text = "m = ReduceMean (x, others)  d = Sub (x, m)  q = Pow (d, two)  v = ReduceMean (q, axes)"
    graph = network(f"{text}  e = Add (v, eps)  s = Sqrt (e)  y = Div (d, s)")
    result = after(MERGE_NORMS, graph)
    (layer,) = (layer for layer in result.layers() if isinstance(layer, Normalise))
    assert layer.function is NormaliseFunction.ROOT_MEAN_SQUARE
    same_values(graph, result)


def test_halves_stay_as_they_are_rounded() -> None:
    graph = network(
        f"{CENTRED}  q = Mul (d, d)  v = ReduceMean (q, axes)  s = Sqrt (v)  y = Div (d, s)", dtype="float16"
    )
    assert kinds(after(MERGE_NORMS, graph)) == kinds(graph)


def test_lanes_along_pixels_leave_norms_as_they_are() -> None:
    """What does not fit a memory is not taken apart again there."""
    graph = network(MERGED["power"][0])
    assert kinds(after(MERGE_NORMS, graph, map="pixels")) == kinds(graph)
