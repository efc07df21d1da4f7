"""Passes that walk from layer to layer take graphs of any depth, and no longer than their layers ask for."""

from __future__ import annotations

import sys
from itertools import pairwise

import onnx
import pytest
from onnx import TensorProto, helper

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import canonicalise

NODES = sys.getrecursionlimit() + 100
DOUBLINGS = 60
"""A walk of every path through so many layers would not end."""


def chain(operator: str, count: int, second: str | None, **attributes: int) -> onnx.ModelProto:
    """Layers of two operands one after the other; the other operand is `second`, or the same again."""
    names = ["x", *(f"y{number}" for number in range(count))]
    nodes = [
        helper.make_node(operator, [above, second or above], [name], **attributes)
        for above, name in pairwise(names)
    ]
    nodes += [helper.make_node("Sigmoid", [names[-1]], ["s"]), helper.make_node("Mul", ["s", "x"], ["z"])]
    if operator == "Concat":
        del nodes[-1]
        nodes[-1].output[0] = "z"
    two = helper.make_tensor("two", TensorProto.FLOAT, [1], [1.0001])
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 2])
    z = helper.make_tensor_value_info("z", TensorProto.FLOAT, None)
    graph = helper.make_graph(nodes, "chain", [x], [z], [two])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


@pytest.mark.parametrize(
    "operator, second", [("Mul", "two"), ("Mul", "x"), ("Div", "two"), ("Concat", "x"), ("Add", "x")]
)
def test_chains_are_as_long_as_they_like(operator: str, second: str) -> None:
    axis = {"axis": 1} if operator == "Concat" else {}
    assert canonicalise(import_model(chain(operator, NODES, second, **axis))).layers()


@pytest.mark.parametrize("operator", ["Add", "Mul"])
def test_each_layer_is_looked_at_once_though_many_paths_lead_to_it(operator: str) -> None:
    assert canonicalise(import_model(chain(operator, DOUBLINGS, None))).layers()
