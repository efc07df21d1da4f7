"""Concats that others repeat, functions that read them, and batch norms before activations."""

from __future__ import annotations

import numpy as np
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.fuse_clamp import FUSE_CLAMP
from nnc.compiler.passes.nest_concats import NEST_CONCATS
from nnc.compiler.passes.split_functions import SPLIT_FUNCTIONS
from nnc.compiler.tuning import TUNING
from nnc.isa.functions import Function

PIECES = "a = Abs (x)  b = Neg (x)  c = Exp (x)  d = Sin (x)"
BIASES = {f"s{n}": (4 * n, 1, 1) for n in range(2, 9)}


def read_by(concats: str, outputs: str = "y") -> Graph:
    return graph_of(f"(float[1,4,3,3] x) => ({outputs}) {{ {PIECES} {concats} }}", BIASES)


def copies(graph: Graph) -> int:
    """Copies that concats need at the end."""
    return kinds(after(FREE_VIEWS, after(NEST_CONCATS, graph))).count("copy")


NESTED = {
    "prefix": ("e = Concat <axis=1> (a, b)  f = Relu (e)  y = Concat <axis=1> (a, b, c)", "y, f", 0),
    "suffix": ("e = Concat <axis=1> (b, c)  f = Relu (e)  y = Concat <axis=1> (a, b, c)", "y, f", 0),
    "two at once": (
        "e = Concat <axis=1> (a, b)  f = Concat <axis=1> (c, d)  g = Add (e, f)"
        "  y = Concat <axis=1> (a, b, c, d)",
        "y, g",
        0,
    ),
    "chain": (
        "e = Concat <axis=1> (a, b)  f = Relu (e)  g = Concat <axis=1> (a, b, c)  h = Relu (g)"
        "  y = Concat <axis=1> (a, b, c, d)",
        "y, f, h",
        0,
    ),
    "the same twice": (
        "e = Concat <axis=1> (a, b)  f = Concat <axis=1> (a, b)  y = Add (e, f)",
        "y",
        0,
    ),
    "an output twice": ("y = Concat <axis=1> (a, b)  z = Concat <axis=1> (a, b)", "y, z", 2),
    "another axis": ("e = Concat <axis=2> (a, b)  f = Relu (e)  y = Concat <axis=1> (a, b)", "y, f", 2),
    "another order": ("e = Concat <axis=1> (b, a)  f = Relu (e)  y = Concat <axis=1> (a, b)", "y, f", 2),
    "overlapping": (
        "e = Concat <axis=1> (a, b)  f = Relu (e)  g = Concat <axis=1> (b, c)  h = Relu (g)"
        "  y = Concat <axis=1> (a, b, c)",
        "y, f, h",
        2,
    ),
}


@pytest.mark.parametrize("case", NESTED)
def test_concats_that_others_repeat_are_operands_of_them(case: str) -> None:
    text, outputs, count = NESTED[case]
    graph = read_by(text, outputs)
    assert copies(graph) == count
    same_values(graph, after(NEST_CONCATS, graph))


def dense_block(reader: str = "e{n} = Add (c{n}, s{n})", count: int = 8, outputs: str = "y") -> Graph:
    """Every piece is made of a function of all pieces before it; the last concat is read, too."""
    text = [f"p{n} = Conv (x, w{n})" for n in (0, 1)]
    for n in range(2, count + 1):
        text.append(f"c{n} = Concat <axis=1> ({', '.join(f'p{m}' for m in range(n))})")
        text.append(reader.format(n=n))
        text.append(f"p{n} = Conv (e{n}, w{n})" if n < count else f"y = Relu (e{n})")
    weights = {f"w{n}": (4, 4 * max(n, 1), 1, 1) for n in range(count)}
    return graph_of(f"(float[1,4,3,3] x) => ({outputs}) {{ {'  '.join(text)} }}", weights | BIASES)


@pytest.mark.parametrize(
    "reader", ["e{n} = Add (c{n}, s{n})", "e{n} = Mul (s{n}, c{n})", "e{n} = Sin (c{n})"]
)
def test_functions_of_a_dense_block_read_pieces(reader: str) -> None:
    graph = dense_block(reader)
    result = after(SPLIT_FUNCTIONS, after(NEST_CONCATS, graph))
    same_values(graph, result)
    placed = after(FREE_VIEWS, result)
    assert "copy" not in kinds(placed)
    pieces = {placed.storage[f"p{n}"].buffer for n in range(8)}
    assert 1 < len(pieces) <= TUNING.passes.max_dense_pieces


@pytest.mark.parametrize(
    ("reader", "count", "outputs"),
    [
        ("e{n} = MaxPool <kernel_shape=[1,1]> (c{n})", 8, "y"),
        ("e{n} = Add (c{n}, c{n})", 8, "y"),
        ("e{n} = Add (c{n}, s{n})", 8, "y, c4"),
        ("e{n} = Add (c{n}, s{n})", 3, "y"),
        ("e{n} = Add (c{n}, s{n})  f{n} = Concat <axis=1> (c{n}, x)  g{n} = Abs (f{n})", 8, "y, g5"),
    ],
    ids=["pool", "both operands", "output", "few concats", "two concats"],
)
def test_what_is_read_otherwise_stays_in_one_buffer(reader: str, count: int, outputs: str) -> None:
    graph = after(NEST_CONCATS, dense_block(reader, count, outputs))
    assert kinds(after(SPLIT_FUNCTIONS, graph)) == kinds(graph)


def batch_norm(bounded: str, outputs: str = "y") -> Graph:
    values = {name: np.linspace(0.5, 2, 4, dtype=np.float32) for name in "sbmv"}
    text = f"(float[1,4,3,3] x) => ({outputs}) {{ h = BatchNormalization (x, s, b, m, v)  {bounded} }}"
    return graph_of(text, low=np.float32(-0.5), high=np.float32(0.5), **values)


@pytest.mark.parametrize("function", ["y = Relu (h)", "y = Clip (h, low, high)", "y = Clip (h, low)"])
def test_bounds_behind_a_scale_and_shift_are_part_of_it(function: str) -> None:
    graph = batch_norm(function)
    result = after(FUSE_CLAMP, graph)
    (layer,) = result.layers()
    assert layer.function is Function.SCALE_SHIFT  # type: ignore[attr-defined]
    same_values(graph, result)


@pytest.mark.parametrize(
    ("bounded", "outputs"),
    [("y = Relu (h)", "y, h"), ("y = Relu (h)  z = Abs (h)", "y, z"), ("y = LeakyRelu (h)", "y")],
    ids=["output", "two readers", "no bound"],
)
def test_other_functions_stay(bounded: str, outputs: str) -> None:
    graph = batch_norm(bounded, outputs)
    assert kinds(after(FUSE_CLAMP, graph)) == kinds(graph)


def test_bounds_are_fused_once() -> None:
    result = after(FUSE_CLAMP, batch_norm("r = Relu (h)  y = Clip (r, low, high)"))
    assert kinds(result) == ["elementwise", "elementwise"]
