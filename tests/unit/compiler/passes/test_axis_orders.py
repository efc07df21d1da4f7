"""In which order of axes results are stored: what is outermost is cut into rows, if nobody needs it whole."""

from __future__ import annotations

import pytest
from pass_harness import graph_naming

from nnc.compiler.passes.axis_orders import preferred_orders
from nnc.compiler.target.target import ANY_CHIP

ACROSS_CHANNELS = """(float[1,6,24] x) => (y) {
    p = MatMul (x, w)  r = Reshape (p, heads)
    s = Transpose <perm=[0,2,1,3]> (r)  t = Transpose <perm=[0,2,3,1]> (r)
    n = ReduceL2 <keepdims=1> (t, axes)  u = Div (t, n)  READERS
}"""
TURNED_PICTURE = """(float[1,8,3,4] x) => (y) {
    c = Conv (x, k)  r = Reshape (c, flat)  t = Transpose <perm=[0,2,1]> (r)
    u = READER (t)  y = MatMul (u, w)
}"""
CONSTANTS = {"heads": [1, 6, 3, 8], "flat": [1, 8, 12], "axes": [3]}
WEIGHTS = {"w": (24, 24), "k": (8, 8, 1, 1)}


@pytest.mark.parametrize(
    "readers",
    [
        "y = MatMul (u, s)",
        "v = Transpose <perm=[0,1,3,2]> (u)  y = MatMul (t, v)",
    ],
)
def test_heads_are_outermost_where_products_sum_over_tokens(readers: str) -> None:
    """Queries as they come have tokens outermost, which no product over tokens can take one by one."""
    text = ACROSS_CHANNELS.replace("READERS", readers)
    orders = preferred_orders(graph_naming(text, WEIGHTS, CONSTANTS), ANY_CHIP)
    assert orders["u"] == (0, 1, 2, 3)


def test_tokens_stay_outermost_where_each_is_read_alone() -> None:
    text = ACROSS_CHANNELS.replace("READERS", "y = Sigmoid (u)")
    orders = preferred_orders(graph_naming(text, WEIGHTS, CONSTANTS), ANY_CHIP)
    assert orders["u"] == orders["t"] == (0, 3, 1, 2)


@pytest.mark.parametrize("reader", ["Softmax <axis=2>", "Sigmoid"])
def test_pixels_of_a_picture_are_tokens(reader: str) -> None:
    """A picture lies channels last: as tokens it is row-major, and so is what is computed of each."""
    weights = WEIGHTS | {"w": (8, 8)}
    orders = preferred_orders(
        graph_naming(TURNED_PICTURE.replace("READER", reader), weights, CONSTANTS), ANY_CHIP
    )
    assert orders["u"] == (0, 1, 2)


@pytest.mark.parametrize(
    ("readers", "order"),
    [
        ("y = Conv (c, k)", (0, 3, 2, 1)),
        ("y = Reshape (c, all)", (0, 3, 2, 1)),
        ("y = Reshape (c, flat)", (0, 2, 3, 1)),
    ],
)
def test_the_longer_axis_of_a_picture_is_outside_unless_its_pixels_are_listed(
    readers: str, order: tuple[int, ...]
) -> None:
    text = f"(float[1,8,3,4] x) => (y) {{ c = Conv (x, k)  {readers} }}"
    orders = preferred_orders(graph_naming(text, WEIGHTS, CONSTANTS | {"all": [1, 96]}), ANY_CHIP)
    assert orders["x"] == orders["c"] == order
