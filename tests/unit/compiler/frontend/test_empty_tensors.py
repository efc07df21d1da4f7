"""Tensors without elements are constants of known shapes; what cannot be made of nothing is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse
from frontend_evaluator import evaluate, session
from onnx import helper

from nnc.compiler.frontend.errors import SymbolicShapeError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.specialise import Shapes

REDUCTIONS = ["L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare"]
CACHE = """g (float[1,N,8] past, float[1,1,8] x) => (float[1,M,8] y) {
    a = Relu(x) y = Concat <axis = 1> (past, a) }"""


def shapes_of(model: onnx.ModelProto, shapes: Shapes | None = None) -> dict[str, tuple[int, ...]]:
    graph = import_model(model, shapes=shapes)
    return {port.name: port.type.shape for port in (*graph.input_ports, *graph.output_ports)}


@pytest.mark.parametrize("past", [0, 3])
def test_symbol_may_stand_for_nothing(past: int) -> None:
    found = shapes_of(parse(CACHE), {"past": (1, past, 8)})
    assert found == {"past": (1, past, 8), "x": (1, 1, 8), "y": (1, past + 1, 8)}


def test_declared_extent_of_nothing_is_known_and_may_be_given_another_size() -> None:
    model = parse(CACHE.replace("N", "0"))
    assert shapes_of(model)["y"] == (1, 1, 8)
    assert shapes_of(model, {"past": (1, 2, 8)})["y"] == (1, 3, 8)


def test_extent_of_nothing_is_shown_beside_symbols() -> None:
    error = error_of(SymbolicShapeError, parse("g (float[0,N] x) => (y) { y = Relu(x) }"))
    assert "x [0,N]" in error.found
    assert "--shape x=0,128" in error.remedy


def test_tensors_without_elements_leave_no_layer() -> None:
    graph = import_model(parse(CACHE), shapes={"past": (1, 0, 8)})
    assert graph.inputs == ("x",)
    assert [layer.kind for layer in graph.layers()] == ["elementwise"]
    assert [(port.name, port.tensor) for port in graph.input_ports] == [("past", None), ("x", "x")]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, np.float32) for name in REDUCTIONS),
        *((name, np.int32) for name in REDUCTIONS if not name.startswith("Log")),
    ],
)
def test_reduction_of_nothing(name: str, dtype: Any) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes = [
        helper.make_node(f"Reduce{name}", ["x", "axes"], ["y"], keepdims=0),
        helper.make_node(f"Reduce{name}", ["x"], ["z"]),
    ]
    axes = onnx.numpy_helper.from_array(np.array([-1]), "axes")
    infos = [helper.make_tensor_value_info(*info) for info in (("x", kind, [2, 0]), ("y", kind, [2]))]
    outputs = [infos[1], helper.make_tensor_value_info("z", kind, [1, 1])]
    graph = helper.make_graph(nodes, "g", infos[:1], outputs, [axes])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    expected = session(model).run(None, {"x": np.zeros((2, 0), dtype)})
    for want, found in zip(expected, evaluate(import_model(model), {}).values(), strict=True):
        assert found.dtype == want.dtype
        np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(float[2,0] x) => (y) { y = ArgMax <axis = 1> (x) }", "its operand x has no elements"),
        ("(int32[2,0] x) => (y) { y = ReduceLogSum(x) }", "not defined for a tensor without elements"),
        ("(float[1,3,0,4] x) => (y) { y = GlobalMaxPool(x) }", "its operand x has no elements"),
        (
            "(float[1,3,0,4] x, float[2,3,1,1] w) => (y) { y = Conv <pads = [1, 0, 0, 0]> (x, w) }",
            "its operand x has no elements",
        ),
        (
            "(float[1,1,0] x) => (y) <int64[3] s = {1, 1, 4}> { y = Resize(x, , , s) }",
            "no element to interpolate",
        ),
    ],
)
def test_what_cannot_be_made_of_nothing(text: str, reason: str) -> None:
    assert reason in error_of(UnsupportedError, parse(f"g {text}")).found
