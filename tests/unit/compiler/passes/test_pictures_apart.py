"""Early layers of a batch that every picture has for itself."""

from __future__ import annotations

from collections import Counter

import onnx
import pytest
from hypothesis import given, settings
from pass_harness import after, graph_of, kinds, same_values
from random_copies import batches_networks

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.free_views import FREE_VIEWS
from nnc.compiler.passes.pictures_apart import PICTURES_APART, first_picture, last_tensors

WEIGHTS = {"w": (4, 4, 3, 3), "u": (4, 4, 3, 3), "k": (3, 1, 1, 1), "m": (64, 5)}


def network(text: str) -> Graph:
    used = {name: shape for name, shape in WEIGHTS.items() if f", {name})" in text}
    return graph_of(f"(float[3,4,4,4] x) => {text}", used)


def apart(graph: Graph, tensor: str) -> Graph:
    """The network with pictures apart up to a tensor; it computes the same."""
    result = after(PICTURES_APART, graph, apart=tensor)
    same_values(graph, result)
    return result


def test_each_picture_has_the_first_layers_for_itself() -> None:
    graph = network("(y) { a = Conv <pads=[1,1,1,1]> (x, w)  b = Add (a, x)  y = Conv (b, u) }")
    assert last_tensors(graph) == ["b"]  # the skip reads x beside a
    assert Counter(kinds(apart(graph, "b"))) == {"slice": 3, "conv": 4, "elementwise": 3, "concat": 1}


def test_channels_are_taken_apart_and_put_together() -> None:
    graph = network(
        """(y) { a, b = Split <axis=1, num_outputs=2> (x)  c = Relu (a)  d = Concat <axis=1> (b, c)
        e = Flatten (d)  y = MatMul (e, m) }"""
    )
    assert last_tensors(graph) == ["d", "e"]


@pytest.mark.parametrize(
    "text",
    [
        "(y) { a = Softmax <axis=0> (x)  y = Relu (a) }",
        "(y) { a = Mul (x, k)  y = Relu (a) }",
        "(y) { a = Transpose <perm=[1,0,2,3]> (x)  y = Relu (a) }",
        "(x1, y) { x1 = Relu (x)  y = Tanh (x1) }",
    ],
    ids=["over the batch", "a factor per picture", "pictures inside", "an output"],
)
def test_what_keeps_pictures_together(text: str) -> None:
    assert last_tensors(network(text)) == []


def test_pictures_come_one_behind_the_other() -> None:
    """Half of the channels is copied beside the other half where its picture is computed, not in the end."""
    graph = network(
        """(y) { a = Conv <pads=[1,1,1,1]> (x, w)  b, c = Split <axis=1, num_outputs=2> (a)
        d = Relu (b)  e = Concat <axis=1> (c, d)  f = Conv <pads=[1,1,1,1]> (e, u)
        y = Conv <pads=[1,1,1,1]> (f, w) }"""
    )
    result = after(FREE_VIEWS, apart(graph, "f"))
    numbers = [name.partition(".picture")[2][:1] for name in (layer.name for layer in result.layers())]
    assert [n for n in numbers if n] == sorted(n for n in numbers if n)
    assert Counter(kinds(result))["copy"] == 3


@pytest.mark.parametrize("name", ["x.picture0", "a.picture2"])
def test_names_of_pictures_that_are_taken_keep_them_together(name: str) -> None:
    graph = network("(y) { a = Relu (x)  b = Sigmoid (a)  y = Tanh (b) }")
    graph.rename_output("b", name)
    assert last_tensors(graph) == []


@pytest.mark.parametrize("name", ["x.picture3", "a.picture02", "c.picture1"])
def test_other_names_do_not(name: str) -> None:
    graph = network("(y) { a = Relu (x)  b = Sigmoid (a)  y = Tanh (b) }")
    graph.rename_output("b", name)
    assert last_tensors(graph) == ["a", name]


def test_one_picture_is_not_taken_apart() -> None:
    assert last_tensors(graph_of("(float[1,4,4,4] x) => (y) { a = Relu (x)  y = Tanh (a) }", {})) == []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(model=batches_networks())
def test_random_batches(model: onnx.ModelProto) -> None:
    """Wherever pictures may be apart, all results stay; the first picture alone is a network, too."""
    graph = import_model(model)
    for tensor in last_tensors(graph):
        apart(graph, tensor)
        assert first_picture(graph, tensor).types[f"{tensor}.picture0"].shape[0] == 1
