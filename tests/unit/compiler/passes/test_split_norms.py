"""Normalisations of large pictures that become folds of rows and functions, and those that stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pass_harness import after, graph_naming, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Normalise
from nnc.compiler.passes.for_memory.split_folds import SPLIT_FOLDS
from nnc.compiler.passes.for_memory.split_norms import SPLIT_NORMS
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.merge_norms import MERGE_NORMS
from nnc.isa.functions import NormaliseFunction

INSTANCE = "InstanceNormalization <epsilon=0.001>"
GROUPED = f"a = Reshape (x, grouped)  b = {INSTANCE} (a, u, v)  y = Reshape (b, whole)"
FIT_IN_A_QUARTER = {
    "every channel": f"y = {INSTANCE} (x, s, t)",
    "computed factors": f"m = ReduceMax <keepdims=0> (x, pixels)  y = {INSTANCE} (x, m, t)",
    "groups of channels": GROUPED,
    "the whole picture": "y = LayerNormalization <axis=1> (x, p, p)",
    "the whole picture, reshaped": "a = Reshape (x, one)  b = LayerNormalization <axis=2> (a, q)"
    "  y = Reshape (b, whole)",
}
FIT_AT_ONCE = {
    "every line": "y = LayerNormalization <axis=-1> (x, r)",
    "signals": f"a = Reshape (x, lines)  h = Exp (a)  b = {INSTANCE} (h, s, t)  y = Reshape (b, whole)",
}
VALUES = {
    "pixels": np.array([0, 2, 3]),
    "grouped": np.array([2, 2, -1]),
    "one": np.array([2, 1, -1]),
    "lines": np.array([2, 4, -1]),
    "whole": np.array([2, 4, 3, 5]),
}
SHAPES = {"s": (4,), "t": (4,), "u": (2,), "v": (2,), "p": (4, 3, 5), "q": (60,), "r": (5,)}
BYTES = 2 * 4 * 3 * 5 * 4


def network(text: str) -> Graph:
    return graph_naming(text, SHAPES, VALUES, "(float[2,4,3,5] x) => (y)")


@pytest.mark.parametrize("case", FIT_IN_A_QUARTER)
def test_large_pictures_are_folded_row_by_row(case: str) -> None:
    graph, memory = network(FIT_IN_A_QUARTER[case]), 4 * BYTES - 4
    result = after(SPLIT_FOLDS, after(SPLIT_NORMS, graph, memory_bytes=memory), memory_bytes=memory)
    assert "normalise" not in kinds(result)
    same_values(graph, result)
    same_values(graph, after(FREE_VIEWS, result))


@pytest.mark.parametrize("case", FIT_IN_A_QUARTER)
def test_small_pictures_are_normalised_by_one_instruction(case: str) -> None:
    graph = network(FIT_IN_A_QUARTER[case])
    assert kinds(after(SPLIT_NORMS, graph, memory_bytes=4 * BYTES)) == kinds(graph)


@pytest.mark.parametrize(
    ("case", "least"),
    [("every line", 3 * 5 * 4), ("signals", 2 * 15 * 4 + 32)],
)
def test_what_does_not_fit_at_once_is_folded_in_chunks(case: str, least: int) -> None:
    graph = network(FIT_AT_ONCE[case])
    result = after(SPLIT_NORMS, graph, memory_bytes=least - 4)
    assert "normalise" not in kinds(result)
    same_values(graph, result)
    assert kinds(after(SPLIT_NORMS, graph, memory_bytes=least)) == kinds(graph)


def test_variances_far_from_zero_are_no_differences_of_squares() -> None:
    """Of values about 512 that differ by one, squares in f32 would take a hundredth off the variance."""
    text = f"h = Add (x, far)  n = {INSTANCE} (h, s, t)  y = Mul (n, half)"
    values = {"far": np.float32(512), "half": np.float32(0.5)}
    graph = graph_of(f"(float[2,4,3,5] x) => (y) {{ {text} }}", {"s": (4,), "t": (4,)}, **values)
    result = after(SPLIT_NORMS, graph, memory_bytes=BYTES)
    assert "normalise" not in kinds(result)
    same_values(graph, result)


def test_root_mean_squares_have_no_mean() -> None:
    graph = network("y = LayerNormalization <axis=-1> (x, r)")
    (layer,) = (layer for layer in graph.layers() if isinstance(layer, Normalise))
    graph.replace(replace(layer, function=NormaliseFunction.ROOT_MEAN_SQUARE))
    result = after(SPLIT_NORMS, graph, memory_bytes=3 * 5 * 4 - 4)
    assert kinds(result).count("reduce") == 1
    same_values(graph, result)


WRITTEN = (
    "m = ReduceMean (a, last)  d = Sub (a, m)  q = Mul (d, d)  e = ReduceMean (q, last)  f = Sqrt (e)"
    "  n = Div (d, f)  b = Mul"
)
SIGNALS = {
    "every channel": f"y = {INSTANCE} (h, s, t)",
    "groups of channels": f"a = Reshape (h, grouped)  b = {INSTANCE} (a, u, v)  y = Reshape (b, whole)",
    "groups with factors written out": f"a = Reshape (h, grouped)  {WRITTEN} (n, k)  y = Reshape (b, whole)",
    "all channels": f"a = Reshape (h, one)  b = {INSTANCE} (a, z, z)  y = Reshape (b, whole)",
}


def signals(text: str, places: int, producer: str = "Conv (x, w)") -> Graph:
    """Two signals of four channels that a convolution makes."""
    shapes = {"w": (4, 4, 1), "g": (places,), "s": (4,), "t": (4,), "u": (2,), "v": (2,), "z": (1,)}
    shapes |= {"k": (1, 2, 1), "l": (2, 2, 1)}
    views = {name: np.array([2, n, -1]) for name, n in (("grouped", 2), ("one", 1), ("whole", 4))}
    views["last"] = np.array([2])
    header = f"(float[2,4,{places}] x) => (y)"
    return graph_naming(f"h = {producer}  {text}", shapes, views, header)


def split(graph: Graph, places: int) -> Graph:
    """Signals without norms, in a memory of the size of them all."""
    return after(SPLIT_NORMS, graph, memory_bytes=2 * 4 * places * 4)


@pytest.mark.parametrize("case", SIGNALS)
@pytest.mark.parametrize("places", [60, 21])
def test_signals_are_folded_as_pictures_of_some_places_in_a_row(case: str, places: int) -> None:
    graph = signals(SIGNALS[case], places)
    written = split(after(MERGE_NORMS, graph), places)
    assert "normalise" not in kinds(written)
    rows = {type_.shape[2] for type_ in written.types.values() if len(type_.shape) == 4}
    assert rows == {{60: 4, 21: 7}[places]}  # of 15 places, and of 3
    result = after(SPLIT_FOLDS, written, memory_bytes=2 * 4 * places * 4)
    same_values(graph, result)
    same_values(graph, after(FREE_VIEWS, result))


@pytest.mark.parametrize(("places", "producer"), [(13, "Conv (x, w)"), (60, "LayerNormalization (x, g)")])
def test_signals_without_rows_are_normalised_at_once(places: int, producer: str) -> None:
    """13 places make no rows; and what follows tokens has them along another axis."""
    graph = signals(SIGNALS["every channel"], places, producer)
    assert "normalise" in kinds(split(graph, places))


def test_signals_of_a_batch_with_factors_of_their_own_are_normalised_at_once() -> None:
    graph = signals(f"a = Reshape (h, grouped)  {WRITTEN} (n, l)  y = Reshape (b, whole)", 60)
    result = split(after(MERGE_NORMS, graph), 60)
    assert "normalise" in kinds(result)
    same_values(graph, result)
