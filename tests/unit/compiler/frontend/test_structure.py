"""What a model says need not be in order, or true: nodes are sorted, and shapes inferred again."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse
from frontend_evaluator import evaluate
from onnx import TensorProto, helper

from nnc.compiler.frontend.errors import SymbolicShapeError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.structure import normalise_structure

CHAIN = "g (float[ROWS,3] x) => (float[ROWS,3] y) { a = Relu(x) b = Neg(a) c = Add(a, b) y = Exp(c) }"


@pytest.mark.parametrize("order", [(3, 2, 1, 0), (1, 0, 3, 2), (2, 3, 0, 1)])
def test_nodes_in_any_order(order: tuple[int, ...]) -> None:
    model = parse(CHAIN.replace("ROWS", "2"))
    straight = [layer.name for layer in import_model(model).layers()]
    nodes = [model.graph.node[place] for place in order]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    graph = import_model(model)
    assert sorted(layer.name for layer in graph.layers()) == sorted(straight)
    feeds = {"x": np.ones((2, 3), np.float32)}
    np.testing.assert_array_equal(evaluate(graph, feeds)["y"], np.ones((2, 3)))


def test_nodes_that_are_sorted_keep_their_order() -> None:
    model = parse("g (float[2] x) => (y, z) { a = Relu(x) b = Neg(x) z = Exp(b) y = Exp(a) }")
    before = [node.output[0] for node in model.graph.node]
    normalise_structure(model)
    assert [node.output[0] for node in model.graph.node] == before


def test_node_with_a_graph_stands_behind_what_that_reads() -> None:
    """A branch of If reads `a`, which is no input of the node."""
    model = parse(
        """g (float[2] x, bool c) => (y) {
        y = If (c) <then_branch = t () => (u) { u = Neg(a) }, else_branch = e () => (u) { u = Exp(a) }>
        a = Relu(x) }"""
    )
    normalise_structure(model)
    assert [node.op_type for node in model.graph.node] == ["Relu", "If"]


@pytest.mark.parametrize("shape", [[1, 3], [-1, 3], [0, 3], [2, 3, 1], ["M", 3]])
def test_stale_shapes_are_inferred_again(shape: list[int | str]) -> None:
    """The batch of the input was edited; intermediates and outputs say what they were."""
    model = parse(CHAIN.replace("ROWS", "4"))
    stale = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in "abcy"]
    model.graph.value_info.extend(stale[:3])
    model.graph.output[0].CopyFrom(stale[3])
    graph = import_model(model)
    assert {graph.types[name].shape for name in "xabcy"} == {(4, 3)}
    shaped = import_model(model, shapes={"x": (4, 3)})
    assert shaped.types["y"].shape == (4, 3)


def test_stale_types_in_functions() -> None:
    model = onnx.parser.parse_model(
        """<ir_version: 10, opset_import: ["": 20, "own": 1]>
        g (float[4] x) => (float[4] y) { y = own.twice(x) }
        <domain: "own", opset_import: ["": 20]> twice (x) => (y) { y = Add(a, a) a = Relu(x) }"""
    )
    model.functions[0].value_info.append(helper.make_tensor_value_info("a", TensorProto.FLOAT, [1]))
    assert import_model(model).types["y"].shape == (4,)


def test_negative_extent_of_an_input_is_unknown() -> None:
    model = parse(CHAIN.replace("ROWS", "2"))
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1
    error = error_of(SymbolicShapeError, model)
    assert error.found == "input x [?,3]"
    assert import_model(model, shapes={"x": (4, 3)}).types["y"].shape == (4, 3)
