"""What passes ask of a graph: each question on a network where the answer is plain, and where it is none."""

from __future__ import annotations

import numpy as np
from pass_harness import graph_of

from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.layers import Concat, Conv, Elementwise, Layer, Pool, Reshape, Transpose
from nnc.compiler.passes import matching as m
from nnc.isa.functions import Function

CHAIN = """(float[1,4,6,6] x) => (y, z) {
    c = Conv (x, w)
    a = Reshape (c, two)
    b = Transpose <perm=[0,2,1,3,4]> (a)
    d = Reshape (b, one)
    r = Relu (d)
    y = MaxPool <kernel_shape=[2,2]> (r)
    z = Mul (r, r)
}"""


def chain() -> Graph:
    """A convolution whose channels are shuffled; a function, read by a pool, and twice by a product."""
    shapes = {"two": np.array([1, 2, 2, 6, 6]), "one": np.array([1, 4, 6, 6])}
    return graph_of(CHAIN, {"w": (4, 4, 1, 1)}, **shapes)


def names(layers: list[Layer]) -> list[str]:
    return [layer.name for layer in layers]


def test_layers_of_kinds_come_in_order_without_those_that_go_meanwhile() -> None:
    graph = chain()
    assert names([*m.layers_of(graph, Reshape, Pool)]) == ["a", "d", "y"]
    assert names([*m.layers_of(graph, Reshape, Pool, upwards=True)]) == ["y", "d", "a"]
    left = m.layers_of(graph, Reshape)
    assert next(left).name == "a"
    graph.rewire("d", "c")
    graph.remove("d")
    assert [*left] == []


def test_functions_of_numbers_as_they_are() -> None:
    graph = chain()
    assert names([*m.functions_of(graph, Function.RELU, Function.CLIP)]) == ["r"]
    assert names([*m.functions_of(graph, Function.MUL)]) == ["z"]
    coded = Elementwise(name="q", loc=graph.layer("r").loc, function=Function.RELU, src_scales=(0.5,))
    assert not m.computes(coded, Function.RELU)


def test_operands_and_types() -> None:
    graph = chain()
    conv, view = graph.layer("c"), graph.layer("a")
    assert (m.source_of(graph, conv), m.operands_of(graph, conv)) == ("x", ["x", "w"])
    assert m.source_type(graph, view).shape == (1, 4, 6, 6)
    assert m.result_type(graph, view).shape == (1, 2, 2, 6, 6)


def test_constants_have_values() -> None:
    graph = chain()
    value = m.constant_value(graph, "w")
    assert value is not None and value.shape == (4, 4, 1, 1)
    assert m.constant_value(graph, "x") is None
    assert m.constant_value(graph, None) is None


def test_operands_of_what_commutes_come_either_way() -> None:
    graph = graph_of("(float[4] x, float[4] y) => (s, d, n) { s = Mul (x, y)  d = Sub (x, y)  n = Neg (x) }")
    pairs = {layer.name: m.either_way(graph, layer) for layer in m.layers_of(graph, Elementwise)}
    assert pairs == {"s": [("x", "y"), ("y", "x")], "d": [("x", "y")], "n": []}


def test_another_operand() -> None:
    graph = chain()
    m.replace_operand(graph, "z", 1, "d")
    assert graph.inputs_of("z") == ("r", "d")


def test_what_computes_a_tensor_and_for_whom() -> None:
    graph = chain()
    assert m.made_by(graph, "r", Elementwise) is graph.layer("r")
    assert m.made_by(graph, "r", Conv, Pool) is None
    assert m.made_by(graph, "x", Conv) is None
    assert m.made_by(graph, None, Conv) is None
    assert m.made_for_one(graph, "c", Conv) is graph.layer("c")
    assert m.made_for_one(graph, "r", Elementwise) is None, "three slots read it"
    assert m.made_for_one(graph, "y", Pool) is None, "the user reads it"


def test_chains_of_sole_readers() -> None:
    graph = chain()
    last = graph.layer("d")
    found = m.chain_above(graph, last, Transpose, Reshape)
    assert found is not None and names(found) == ["a", "b", "d"]
    assert m.chain_above(graph, last, Reshape) is None
    assert m.chain_above(graph, graph.layer("y"), Elementwise) is None, "others read it, too"


def test_views_upwards_and_downwards() -> None:
    graph = chain()
    shown = m.shown_by(graph, "d", Reshape, Transpose)
    assert (shown.tensor, names(shown.views)) == ("c", ["a", "b", "d"])
    assert m.shown_by(graph, "r", Reshape, Transpose) == ("r", [])
    below = m.views_below(graph, "c", Reshape, Transpose)
    assert (below.tensor, names(below.views)) == ("d", ["a", "b", "d"])
    graph.add_output("b")
    assert m.shown_by(graph, "d", Reshape, Transpose).tensor == "c"
    assert m.shown_by(graph, "d", Reshape, Transpose, for_one=True).tensor == "b"
    assert m.views_below(graph, "c", Reshape, Transpose).tensor == "b"


def test_sole_readers() -> None:
    graph = chain()
    assert (
        m.has_one_reader(graph, "c") and not m.has_one_reader(graph, "r") and not m.has_one_reader(graph, "y")
    )
    assert m.sole_reader(graph, "x", Conv) is graph.layer("c")
    assert m.sole_reader(graph, "w", Conv, slot=1) is graph.layer("c")
    assert m.sole_reader(graph, "w", Conv, slot=0) is None
    assert m.sole_reader(graph, "x", Pool) is None
    assert m.sole_reader(graph, "r", Pool, Elementwise) is None


def test_all_readers_of_a_kind() -> None:
    graph = chain()
    assert names(m.readers_of(graph, "x", Conv)) == ["c"]
    assert m.readers_of(graph, "r", Pool) == [], "a product reads it, too"
    assert m.readers_of(graph, "r", Pool, Elementwise) == [], "once in another slot"
    assert m.readers_of(graph, "y", Pool) == [], "the user reads it"


def test_uses_through_views() -> None:
    graph = graph_of(
        "(float[2,3] x) => (t, y) { t = Transpose <perm=[1,0]> (x) r = Relu (t) y = Concat <axis=0> (r, t) }"
    )
    uses = [(use.name, use.slot, names(use.views)) for use in m.uses_through(graph, "x", Transpose)]
    assert uses == [(None, 0, ["t"]), ("r", 0, ["t"]), ("y", 1, ["t"])]


def test_readers_below_go_on_where_they_are_told_to() -> None:
    graph = chain()
    below = m.readers_below(graph, "c", lambda layer, _: isinstance(layer, Reshape | Transpose | Elementwise))
    assert [(layer.name, slot) for layer, slot in below] == [
        ("a", 0),
        ("b", 0),
        ("d", 0),
        ("r", 0),
        ("y", 0),
        ("z", 0),
        ("z", 1),
    ]
    assert [
        layer.name for layer, _ in m.readers_below(graph, "c", lambda layer, _: isinstance(layer, Concat))
    ] == ["a"]
