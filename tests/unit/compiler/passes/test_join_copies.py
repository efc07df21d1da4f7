"""Copies of layers that become one layer on a batch, and those that must stay apart."""

from collections import Counter

import numpy as np
import pytest
from pass_harness import after, graph_of, kinds, same_values

from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.join_copies import JOIN_COPIES

SQUARE = {"w": (4, 4, 3, 3), "u": (4, 4, 3, 3), "m": (8, 8)}
CONV = "Conv <pads=[1,1,1,1]>"
SPLIT = "(float[2,4,6,6] x) => (y) { p, q = Split <axis=0, num_outputs=2> (x)"
SIDES = "(float[1,4,6,6] l, float[1,4,6,6] r) => (y) {"


def imported(text: str) -> Graph:
    return graph_of(text, {name: shape for name, shape in SQUARE.items() if f", {name})" in text})


def joined(text: str) -> Graph:
    """What the pass makes of a network; it computes the same."""
    graph = imported(text)
    result = after(JOIN_COPIES, graph)
    same_values(graph, result)
    return result


def test_a_batch_that_is_split_and_joined_is_a_batch() -> None:
    text = f"{SPLIT} a = {CONV} (p, w)  b = {CONV} (q, w)  y = Concat <axis=0> (a, b) }}"
    assert kinds(joined(text)) == ["conv"]


def test_towers_with_skips_and_concats_are_joined() -> None:
    tower = """{0}1 = Conv <pads=[1,1,1,1]> ({0}, w)  {0}2 = Relu ({0}1)  {0}3 = Add ({0}2, {0})
        {0}4 = Concat <axis=1> ({0}3, {0})  {0}5 = MaxPool <kernel_shape=[2,2]> ({0}4)
        {0}6 = GlobalAveragePool ({0}5)  {0}7 = Flatten ({0}6)  {0}8 = MatMul ({0}7, m)"""
    text = f"{SPLIT} {tower.format('p')} {tower.format('q')} y = Concat <axis=0> (p8, q8) }}"
    layers = ["conv", "elementwise", "elementwise", "concat", "pool", "reduce", "reshape", "matmul"]
    assert kinds(joined(text)) == layers


def test_inputs_apart_are_joined_behind_the_first_layer() -> None:
    tower = f"{{0}}1 = {CONV} ({{0}}, w)  {{0}}2 = {CONV} ({{0}}1, u)"
    text = f"{SIDES} {tower.format('l')} {tower.format('r')} y = Sub (l2, r2) }}"
    assert Counter(kinds(joined(text))) == {"conv": 3, "concat": 1, "slice": 2, "elementwise": 1}


def test_some_pictures_of_a_batch_are_joined() -> None:
    text = f"""(float[4,4,6,6] x) => (y) {{ o, p, q, r = Split <axis=0, num_outputs=4> (x)
        a = {CONV} (p, w)  b = {CONV} (q, w)  y = Concat <axis=0> (a, b) }}"""
    assert sorted(kinds(joined(text))) == ["conv", "slice"]


def test_zeros_of_either_sign_are_not_alike() -> None:
    """1 / max(|x|, 0.0) and 1 / max(|x|, -0.0) differ where x is 0."""
    graph = graph_of(
        """(float[6,8] x) => (p, q) { a, b = Split <axis=0, num_outputs=2> (x)
        y = MatMul (a, m)  z = MatMul (b, m)  p = Div (y, plus)  q = Div (z, minus) }""",
        {"m": (8, 8)},
        plus=np.float32(0.0),
        minus=np.float32(-0.0),
    )
    assert kinds(after(JOIN_COPIES, graph)).count("elementwise") == 2


def test_the_order_of_the_batch_counts_not_that_of_the_layers() -> None:
    text = f"{SPLIT} b = {CONV} (q, w)  a = {CONV} (p, w)  y = Concat <axis=0> (a, b) }}"
    assert kinds(joined(text)) == ["conv"]


@pytest.mark.parametrize(
    "text",
    [
        f"{SPLIT} a = {CONV} (p, w)  b = {CONV} (q, u)  y = Add (a, b) }}",  # other weights
        f"{SPLIT} a = {CONV} (p, w)  b = {CONV} (a, w)  y = Add (b, q) }}",  # one behind another
        f"{SPLIT} a = {CONV} (p, w)  b = Conv <pads=[0,1,2,1]> (q, w)  y = Add (a, b) }}",
        """(float[4,4,6,6] x) => (y) { p, q = Split <axis=0, num_outputs=2> (x)
        a = Softmax <axis=0> (p)  b = Softmax <axis=0> (q)  y = Concat <axis=0> (a, b) }""",  # over pictures
        """(float[4,4,6,6] x) => (y) { p, q = Split <axis=0, num_outputs=2> (x)
        a = Transpose <perm=[1,0,2,3]> (p)  b = Transpose <perm=[1,0,2,3]> (q)  y = Add (a, b) }""",
        f"{SPLIT} a = {CONV} (p, w)  b = {CONV} (q, w)  y = Concat <axis=0> (b, a) }}",  # its place is free
        f"{SIDES} a = Relu (l)  b = Relu (r)  y = Add (a, b) }}",
        f"{SIDES} a = {CONV} (l, w)  b = {CONV} (r, w)  y = Add (a, b) }}",
    ],
)  # fmt: skip
def test_what_differs_or_mixes_pictures_stays_apart(text: str) -> None:
    assert kinds(joined(text)) == kinds(imported(text))
