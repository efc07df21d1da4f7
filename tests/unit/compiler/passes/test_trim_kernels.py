"""Kernels whose ends lie on padding for every result, and those that stay as they are."""

from __future__ import annotations

import onnx
import pytest
from harness import random_networks_settings
from hypothesis import given
from pass_harness import after, graph_of, same_values
from random_padding import padded_networks

from nnc.compiler.floors import floor_bytes
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Conv, ConvTranspose, Pool
from nnc.compiler.passes.trim_kernels import TRIM_KERNELS

WEIGHTS = {"a": (6, 4, 7, 7), "b": (6, 4, 3, 3), "t": (4, 6, 5, 5), "v": (6, 4, 7)}
TRIMMED = {
    "a line": ("1,9", "Conv <pads=[3,3,3,3]> (x, a)", (1, 7)),
    "two lines": ("2,9", "Conv <pads=[3,3,3,3]> (x, a)", (3, 7)),
    "dilated by as much as the picture": ("5,5", "Conv <pads=[5,5,5,5], dilations=[5,5]> (x, b)", (1, 1)),
    "one end": ("9,2", "Conv <pads=[1,4,1,0], dilations=[1,2]> (x, b)", (3, 1)),
    "a stride": ("1,9", "Conv <pads=[1,1,1,1], strides=[2,2]> (x, b)", (1, 3)),
    "one axis": ("3", "Conv <pads=[6,6]> (x, v)", (7,)),
    "one axis, short": ("3", "Conv <pads=[3,3]> (x, v)", (5,)),
    "transposed": ("1,9", "ConvTranspose <pads=[2,2,2,2]> (x, t)", (1, 5)),
    "maxima": ("2,9", "MaxPool <kernel_shape=[5,5], pads=[2,2,2,2]> (x)", (3, 5)),
    "averages": ("2,9", "AveragePool <kernel_shape=[5,5], pads=[2,2,2,2]> (x)", (3, 5)),
}
KEPT = {
    "each tap meets a corner": ("6,6", "Conv <pads=[5,5,5,5], dilations=[5,5]> (x, b)"),
    "averages that count padding": (
        "1,9",
        "AveragePool <kernel_shape=[3,3], pads=[1,1,1,1], count_include_pad=1> (x)",
    ),
    "a picture that no window meets": ("1,1", "Conv <pads=[5,5,5,5], strides=[20,20]> (x, b)"),
}


def network(extents: str, text: str) -> Graph:
    used = {name: shape for name, shape in WEIGHTS.items() if f", {name})" in text}
    return graph_of(f"(float[2,4,{extents}] x) => (y) {{ y = {text} }}", used)


def kernels(graph: Graph) -> list[tuple[int, ...]]:
    return [layer.kernel for layer in graph.layers() if isinstance(layer, Conv | ConvTranspose | Pool)]


@pytest.mark.parametrize("case", TRIMMED)
def test_ends_on_padding_are_cut(case: str) -> None:
    extents, text, kernel = TRIMMED[case]
    graph = network(extents, text)
    result = after(TRIM_KERNELS, graph)
    assert kernels(result) == [kernel]
    same_values(graph, result)


@pytest.mark.parametrize("case", KEPT)
def test_others_stay(case: str) -> None:
    graph = network(*KEPT[case])
    assert kernels(after(TRIM_KERNELS, graph)) == kernels(graph)


def test_weights_of_two_readers_stay() -> None:
    """They are loaded for the larger picture anyway."""
    text = """(float[1,4,1,9] x, float[1,4,9,9] z) => (y, u) {
        y = Conv <pads=[1,1,1,1]> (x, b)
        u = Conv <pads=[1,1,1,1]> (z, b)
    }"""
    graph = graph_of(text, {"b": WEIGHTS["b"]})
    assert kernels(after(TRIM_KERNELS, graph)) == [(3, 3), (3, 3)]


@random_networks_settings(40)
@given(padded_networks())
def test_networks_compute_the_same_and_need_no_more(model: onnx.ModelProto) -> None:
    graph = import_model(model)
    result = after(TRIM_KERNELS, graph)
    same_values(graph, result)
    assert floor_bytes(result) == floor_bytes(graph)
    assert kernels(after(TRIM_KERNELS, result)) == kernels(result)
