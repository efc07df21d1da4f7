"""What the passes that fold, fuse and merge may do and must not do (their texts are in tests/golden)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.fold_affine import FOLD_AFFINE
from nnc.compiler.passes.fuse_activation import FUSE_ACTIVATION
from nnc.compiler.passes.fuse_residual import FUSE_RESIDUAL
from nnc.compiler.passes.merge_affine import MERGE_AFFINE
from nnc.compiler.passes.merge_pads import MERGE_PADS
from nnc.compiler.pipeline import canonicalise
from nnc.isa.functions import Function

NORM = {"s": (6,), "b": (6,), "m": (6,), "v": (6,)}
MACS = {
    "conv": ("(float[1,4,7,7] x) => (y) { h = Conv (x, w)", {"w": (6, 4, 3, 3)}),
    "conv-bias": ("(float[1,4,7,7] x) => (y) { h = Conv (x, w, k)", {"w": (6, 4, 3, 3), "k": (6,)}),
    "conv-1d": ("(float[2,4,9] x) => (y) { h = Conv (x, w)", {"w": (6, 4, 3)}),
    "grouped": ("(float[1,4,7,7] x) => (y) { h = Conv <group=2> (x, w, k)", {"w": (6, 2, 3, 3), "k": (6,)}),
    "depthwise": ("(float[1,6,7,7] x) => (y) { h = Conv <group=6> (x, w)", {"w": (6, 1, 3, 3)}),
    "transposed": ("(float[1,4,5,5] x) => (y) { h = ConvTranspose <strides=[2,2]> (x, w, k)",
                   {"w": (4, 6, 2, 2), "k": (6,)}),
    "transposed-grouped": ("(float[1,4,5,5] x) => (y) { h = ConvTranspose <group=2> (x, w)",
                           {"w": (4, 3, 2, 2)}),
    "matmul": ("(float[3,4] x) => (y) { h = MatMul (x, w)", {"w": (4, 6)}),
    "gemm": ("(float[3,4] x) => (y) { h = Gemm (x, w, k)", {"w": (4, 6), "k": (6,)}),
}  # fmt: skip


@pytest.mark.parametrize("case", MACS)
def test_batch_norm_folds(case: str) -> None:
    text, weights = MACS[case]
    graph = graph_of(f"{text}  y = BatchNormalization (h, s, b, m, v) }}", weights | NORM)
    result = after(FOLD_AFFINE, graph)
    assert kinds(result) == [kinds(graph)[0]]
    same_values(graph, result)


def test_batch_norms_in_a_row_fold() -> None:
    text = "(float[1,4,7,7] x) => (y) { h = Conv (x, w)  i = BatchNormalization (h, s, b, m, v)"
    graph = graph_of(f"{text}  y = BatchNormalization (i, b, s, v, m) }}", {"w": (6, 4, 3, 3)} | NORM)
    result = after(FOLD_AFFINE, graph)
    assert kinds(result) == ["conv"]
    same_values(graph, result)


@pytest.mark.parametrize(
    "text",
    [
        "(float[1,4,7,7] x) => (y, h) { h = Conv (x, w)  y = BatchNormalization (h, s, b, m, v) }",
        "(float[1,4,7,7] x) => (y, z) { h = Conv (x, w)  y = BatchNormalization (h, s, b, m, v)  z=Abs(h) }",
        "(float[1,4,7,7] x) => (y) { h = Conv (x, w)  i = Relu (h)  y = BatchNormalization (i, s, b, m, v) }",
        "(float[2,6,3] x) => (y) { h = MatMul (x, n)  y = BatchNormalization (h, s, b, m, v) }",
    ],
    ids=["output", "two readers", "not adjacent", "other axis"],
)
def test_batch_norm_stays(text: str) -> None:
    weights = {"w": (6, 4, 3, 3), "n": (3, 5)} | NORM
    used = {name: shape for name, shape in weights.items() if f"{name})" in text or f"{name}," in text}
    graph = graph_of(text, used)
    assert kinds(after(FOLD_AFFINE, graph)) == kinds(graph)


def test_shared_weights_are_folded_for_each_reader() -> None:
    graph = graph_of(
        """(float[1,6,7,7] x) => (y, z) {
            h = Conv (x, w)  y = BatchNormalization (h, s, b, m, v)
            z = Conv (x, w)
        }""",
        {"w": (6, 6, 3, 3)} | NORM,
    )
    same_values(graph, after(FOLD_AFFINE, graph))


@pytest.mark.parametrize(
    ("chain", "merged"),
    [
        ("i = BatchNormalization (x, s, b, m, v)  j = Mul (i, k)  y = Add (j, l)", ["elementwise"]),
        ("i = Mul (x, k)  y = Mul (l, i)", ["elementwise"]),
        ("i = Sub (x, k)  j = Add (l, i)  y = Relu (j)", ["elementwise", "elementwise"]),
        ("i = Sub (k, x)  y = Add (i, l)", ["elementwise", "elementwise"]),
        ("i = Mul (x, row)  y = Mul (i, column)", ["elementwise", "elementwise"]),
    ],
    ids=["batch norm, scale, bias", "scales", "shifts", "negative operand", "a table would be larger"],
)
def test_affine_layers_in_a_row_merge(chain: str, merged: list[str]) -> None:
    constants = {"k": (6, 1, 1), "l": (6, 1, 1), "row": (7,), "column": (7, 1)} | NORM
    used = {name: shape for name, shape in constants.items() if re.search(rf"\b{name}\b", chain)}
    graph = graph_of(f"(float[1,6,7,7] x) => (y) {{ {chain} }}", used)
    result = after(MERGE_AFFINE, graph)
    assert kinds(result) == merged
    same_values(graph, result)


def test_a_scale_and_a_bias_of_old_exporters_fold() -> None:
    """Batch norm, Mul and Add behind a conv, as in the light models."""
    chain = "h = Conv (x, w)  i = BatchNormalization (h, s, b, m, v)  j = Mul (i, k)  y = Add (j, l)"
    constants = {"w": (6, 4, 3, 3), "k": (6, 1, 1), "l": (6, 1, 1)} | NORM
    graph = graph_of(f"(float[1,4,7,7] x) => (y) {{ {chain} }}", constants)
    result = after(FOLD_AFFINE, after(MERGE_AFFINE, graph))
    assert kinds(result) == ["conv"]
    same_values(graph, result)


# --- epilogues ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "fused"),
    [((6, 1, 1), True), ((1, 6, 1, 1), True), ((1,), True), ((6, 5, 5), False), ((5,), False)],
)
def test_bias_is_one_value_per_channel(shape: tuple[int, ...], fused: bool) -> None:
    graph = graph_of(
        "(float[1,4,7,7] x) => (y) { h = Conv (x, w)  y = Add (h, k) }", {"w": (6, 4, 3, 3), "k": shape}
    )
    is_scalar = shape == (1,)  # the importer makes it a parameter of the addition
    result = after(FOLD_AFFINE, graph)
    assert (kinds(result) == ["conv"]) == (fused and not is_scalar)
    same_values(graph, result)


def residual(text: str, **weights: tuple[int, ...]) -> Graph:
    return after(FUSE_RESIDUAL, graph_of(text, weights))


def test_residual_goes_to_the_later_convolution() -> None:
    graph = residual(
        """(float[1,4,5,5] x) => (y) {
            short = Conv (x, w)  h = Conv (x, w)  long = Conv (h, u)  y = Add (long, short)
        }""",
        w=(4, 4, 1, 1),
        u=(4, 4, 1, 1),
    )
    assert kinds(graph) == ["conv", "conv", "conv"]
    later = graph.producer("y")
    assert later is not None and later.name == "long"
    assert graph.operand("long", 3) == "short"


def test_residual_has_either_place_in_the_addition() -> None:
    graph = residual(
        "(float[1,4,5,5] x) => (y) { skip = Abs (x)  h = Conv (x, w)  y = Add (skip, h) }", w=(4, 4, 1, 1)
    )
    assert graph.operand("h", 3) == "skip"


@pytest.mark.parametrize(
    "text",
    [
        "(float[1,4,5,5] x) => (y) { h = Conv (x, w)  y = Add (h, h) }",
        "(float[1,4,5,5] x) => (y, h) { h = Conv (x, w)  y = Add (h, x) }",
        "(float[1,4,5,5] x, float[1,4,1,1] k) => (y) { h = Conv (x, w)  y = Add (h, k) }",
        "(float[1,4,5,5] x) => (y) { h = Conv (x, w)  r = Relu (h)  y = Add (r, x) }",
        "(float[1,4,5,5] x) => (y) { h = Conv (x, w)  y = Sub (h, x) }",
    ],
    ids=["itself", "output", "broadcast", "not adjacent", "no addition"],
)
def test_no_residual(text: str) -> None:
    assert "elementwise" in kinds(residual(text, w=(4, 4, 1, 1)))


def test_one_residual_per_layer() -> None:
    graph = residual(
        "(float[1,4,5,5] x, float[1,4,5,5] z) => (y) { h = Conv (x, w)  i = Add (h, x)  y = Add (i, z) }",
        w=(4, 4, 1, 1),
    )
    assert kinds(graph) == ["conv", "elementwise"]


def test_epilogue_adds_before_the_activation() -> None:
    graph = canonicalise(
        graph_of(
            "(float[1,4,5,5] x) => (y) { h = Conv (x, w)  i = Add (h, x)  y = Relu (i) }", {"w": (4, 4, 1, 1)}
        )
    )
    (layer,) = graph.layers()
    assert isinstance(layer, ir.Conv) and layer.act is Function.RELU
    assert graph.operand(layer.name, 3) == "x"


@pytest.mark.parametrize(
    "text",
    [
        "(float[1,4,5,5] x) => (y, h) { h = Conv (x, w)  y = Relu (h) }",
        "(float[1,4,5,5] x) => (y) { h = Conv (x, w)  y = Exp (h) }",
        "(float[1,4,5,5] x) => (y) { h = MaxPool <kernel_shape=[2,2]> (x)  y = Relu (h) }",
    ],
    ids=["output", "no activation", "pool"],
)
def test_activation_stays(text: str) -> None:
    weights = {"w": (4, 4, 1, 1)} if "w)" in text else {}
    assert "elementwise" in kinds(after(FUSE_ACTIVATION, graph_of(text, weights)))


# --- pads --------------------------------------------------------------------------------------------------


def padded(
    reader: str, pads: list[int], value: float = 0.0, mode: str = "constant", outputs: str = "y"
) -> Graph:
    """pad, then a reader of p."""
    text = f'(float[1,4,6,6] x) => ({outputs}) {{ p = Pad <mode="{mode}"> (x, pads, value)  {reader} }}'
    weights = {"w": (5, 4, 3, 3)} if "w)" in reader else {}
    return graph_of(text, weights, pads=np.array(pads), value=np.float32(value))


CONV = "y = Conv (p, w)"
POOL = "y = MaxPool <kernel_shape=[3,3]> (p)"
LOWEST = float("-inf")
SPATIAL = [0, 0, 1, 0, 0, 0, 2, 1]


@pytest.mark.parametrize(
    ("reader", "pads", "value"),
    [
        (CONV, SPATIAL, 0.0),
        ("y = Conv <pads=[1,1,0,2], strides=[2,1], dilations=[1,2]> (p, w)", SPATIAL, 0.0),
        (POOL, SPATIAL, LOWEST),
        (
            "y = MaxPool <kernel_shape=[3,3], strides=[2,2], ceil_mode=1> (p)",
            [0, 0, 1, 1, 0, 0, 0, 0],
            LOWEST,
        ),
        (f"{CONV}  z = Conv <pads=[1,1,0,1]> (p, w)", SPATIAL, 0.0),
    ],
    ids=["conv", "conv with pads", "max pool", "ceil", "two readers"],
)
def test_pad_is_merged(reader: str, pads: list[int], value: float) -> None:
    graph = padded(reader, pads, value, outputs="y, z" if "z =" in reader else "y")
    result = after(MERGE_PADS, graph)
    assert "pad" not in kinds(result)
    same_values(graph, result)


@pytest.mark.parametrize("pads", [[0, 0, 3, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 2]])
def test_pad_stays_where_a_window_would_lie_in_padding_alone(pads: list[int]) -> None:
    graph = padded("y = Conv <pads=[0,0,1,1]> (p, w)", pads)
    result = after(MERGE_PADS, graph)
    assert "pad" in kinds(result)
    same_values(graph, result)


@pytest.mark.parametrize(
    "case",
    [
        {"reader": CONV, "pads": SPATIAL, "value": 1.0},
        {"reader": CONV, "pads": SPATIAL, "mode": "reflect"},
        {"reader": CONV, "pads": SPATIAL, "mode": "edge"},
        {"reader": CONV, "pads": [0, 0, 1, -1, 0, 0, 0, 0]},
        {"reader": CONV, "pads": [1, 0, 1, 0, 0, 0, 0, 0]},
        {"reader": POOL, "pads": SPATIAL},
        {"reader": POOL.replace("Max", "Average"), "pads": SPATIAL, "value": LOWEST},
        {"reader": "y = MaxPool <kernel_shape=[3,3], strides=[2,2], ceil_mode=1> (p)",
         "pads": [0, 0, 0, 0, 0, 0, 2, 3], "value": LOWEST},
        {"reader": CONV, "pads": SPATIAL, "outputs": "y, p"},
        {"reader": f"{CONV}  z = Abs (p)", "pads": SPATIAL, "outputs": "y, z"},
    ],
    ids=["value", "reflect", "edge", "crop", "batch", "zero under a max", "average", "ceil", "output",
         "other reader"],
)  # fmt: skip
def test_pad_stays(case: dict[str, Any]) -> None:
    assert "pad" in kinds(after(MERGE_PADS, padded(**case)))


def test_pad_stays_before_a_transposed_convolution() -> None:
    text = "(float[1,4,6,6] x) => (y) { p = Pad (x, pads)  y = ConvTranspose (p, w) }"
    graph = graph_of(text, {"w": (4, 5, 3, 3)}, pads=np.array(SPATIAL))
    assert kinds(after(MERGE_PADS, graph)) == ["pad", "conv_transpose"]


HEAD = """(float[1,2,4,4] x) => ({outputs}) {{
    a = Conv (x, w)  b = Conv <strides=[2,2]> (x, v)
    r = Reshape (a, s)  t = Reshape (b, s)
    c = Concat <axis=2> (r, t)
    y = Sigmoid (c)
}}"""


@pytest.mark.parametrize(("outputs", "fuses"), [("y", True), ("y, c", False), ("y, r", False)])
def test_functions_fuse_through_views_that_nobody_else_reads(outputs: str, *, fuses: bool) -> None:
    weights = {"w": (3, 2, 1, 1), "v": (3, 2, 1, 1)}
    graph = graph_of(HEAD.format(outputs=outputs), weights, s=np.array([1, 3, -1]))
    result = after(FUSE_ACTIVATION, graph)
    products = [layer for layer in result.layers() if isinstance(layer, ir.Conv)]
    assert [layer.act for layer in products] == [Function.SIGMOID if fuses else Function.IDENTITY] * 2
    assert ("elementwise" in kinds(result)) != fuses
    same_values(graph, result)


def test_function_of_a_product_and_another_tensor_stays() -> None:
    text = "(float[1,2,4,4] x) => (y) { a = Conv (x, w)  c = Concat <axis=1> (a, x)  y = Relu (c) }"
    graph = graph_of(text, {"w": (3, 2, 1, 1)})
    assert kinds(after(FUSE_ACTIVATION, graph)) == kinds(graph)
