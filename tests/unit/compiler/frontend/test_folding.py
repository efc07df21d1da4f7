"""Nodes of constants: folded or kept as layers, they give what onnxruntime does."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from frontend_evaluator import evaluate, session
from onnx import TensorProto, defs, helper, numpy_helper
from operator_cases import CASES, Case, build, feeds_of

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.fold_list import FOLDED
from nnc.compiler.frontend.importer import import_model

Arrays = dict[str, Any]
RNG = np.random.default_rng(1)


def test_listed_operators_exist() -> None:
    assert {schema.name for schema in defs.get_all_schemas() if schema.domain == ""} >= FOLDED


def of_constants(node: onnx.NodeProto, arrays: Arrays, opset: int) -> onnx.ModelProto:
    """A network of a node of constants, and of an input that goes to an output of its own."""
    graph = helper.make_graph(
        [node, helper.make_node("Identity", ["x"], ["other"])],
        "constants",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
        [onnx.ValueInfoProto(name=name) for name in (*node.output, "other")],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def check(node: onnx.NodeProto, arrays: Arrays, opset: int) -> None:
    """Insist on onnxruntime's result."""
    model = of_constants(node, arrays, opset)
    feeds = {"x": np.zeros(1, np.float32)}
    expected = session(model).run(None, feeds)
    graph = import_model(model)
    for want, have in zip(expected, evaluate(graph, feeds).values(), strict=True):
        assert (want.dtype, want.shape) == (have.dtype, have.shape)
        tolerance = 3e-3 if want.dtype == np.float16 else 1e-4
        np.testing.assert_allclose(have, want, rtol=tolerance, atol=tolerance / 10)


@pytest.mark.parametrize(
    ("case", "opset"),
    [
        (c, o)
        for c in CASES
        for o in c.opsets
        if 9 <= o <= 23 and c.op not in ("Constant", "GroupNormalization")
    ],
    ids=str,
)
def test_operator_of_constants(case: Case, opset: int) -> None:
    model = build(case, opset)
    arrays = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer} | feeds_of(case, model)
    check(model.graph.node[0], arrays, opset)


def normal(*shape: int, dtype: Any = np.float32) -> Any:
    return RNG.standard_normal(shape).astype(dtype)


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


FORMS: dict[str, tuple[str, list[Any], dict[str, Any], int]] = {
    "Softmax": ("Softmax", [normal(1, 3, 2, 2)], {"axis": 1}, 11),
    "LogSoftmax": ("LogSoftmax", [normal(1, 3, 2, 2)], {}, 11),
    "BatchNormalization": ("BatchNormalization", [normal(2, 3, 4), *[np.abs(normal(3))] * 4], {}, 11),
    "LRN": ("LRN", [normal(2, 5, 4, 4)], {"size": 3, "alpha": 0.1}, 20),
    "ConvTranspose": (
        "ConvTranspose",
        [normal(1, 2, 5, 5), normal(2, 3, 3, 3)],
        {"strides": [2, 2], "output_shape": [10, 12]},
        11,
    ),
    "MaxPool, ceil_mode": (
        "MaxPool",
        [normal(1, 2, 7, 8)],
        {"kernel_shape": [2, 2], "pads": [1] * 4, "ceil_mode": 1},
        11,
    ),
    "MaxPool, SAME_LOWER": (
        "MaxPool",
        [normal(1, 1, 7, 7)],
        {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"},
        11,
    ),
    **{
        f"Resize, {coordinates}": (
            "Resize",
            [normal(1, 1, 5, 6), None, np.float32([1, 1, 0.6, 0.7])],
            {"mode": mode, "coordinate_transformation_mode": coordinates},
            13,
        )
        for mode, coordinates in (
            ("linear", "align_corners"),
            ("nearest", "half_pixel"),
            ("cubic", "pytorch_half_pixel"),
        )
    },
    "Slice from before the first": (
        "Slice",
        [normal(2, 3), ints(-6), ints(np.iinfo(np.int64).min), ints(1), ints(-1)],
        {},
        13,
    ),
    "Unsqueeze in disorder": ("Unsqueeze", [normal(4, 3)], {"axes": [1, 0]}, 11),
    "Sum of squares of integers": ("ReduceSumSquare", [np.array([[3, -4]], np.int32)], {}, 13),
}


@pytest.mark.parametrize("form", FORMS)
def test_form_that_onnx_gets_wrong(form: str) -> None:
    """Each becomes a layer, or its importer moves the data of the constant."""
    op, operands, attributes, opset = FORMS[form]
    arrays = {f"c{slot}": value for slot, value in enumerate(operands) if value is not None}
    names = ["" if value is None else f"c{slot}" for slot, value in enumerate(operands)]
    check(helper.make_node(op, names, ["y"], **attributes), arrays, opset)


@pytest.mark.parametrize("op", ["ReduceL2", "ReduceSum"])
def test_sums_of_halves_are_not_folded(op: str) -> None:
    """numpy adds halves to halves: 4096 ones are 2048."""
    model = of_constants(helper.make_node(op, ["c"], ["y"]), {"c": np.ones((4096, 2), np.float16)}, 11)
    assert next(layer.kind for layer in import_model(model).layers()) == "reduce"


def test_weights_are_standardised_beforehand() -> None:
    """Exporters write normal weights as a normalisation in training mode: over all but the channels."""
    arrays = {
        "w": normal(1, 4, 18),
        "s": np.abs(normal(4)),
        "b": normal(4),
        "m": normal(4),
        "v": np.abs(normal(4)),
    }
    node = helper.make_node(
        "BatchNormalization", [*arrays], ["y", "mean", "var"], training_mode=1, epsilon=1e-3
    )
    check(node, arrays, 15)
    assert {layer.kind for layer in import_model(of_constants(node, arrays, 15)).layers()} == {"copy"}


def test_hardmax_of_constants() -> None:
    """The evaluator does not know the rule before opset 13, the importer does."""
    check(helper.make_node("Hardmax", ["c"], ["y"]), {"c": normal(1, 3, 2)}, 11)


def test_form_that_is_refused() -> None:
    """The evaluator is wrong, and there is no importer."""
    model = of_constants(helper.make_node("NonZero", ["c"], ["y"]), {"c": np.float32(2)}, 13)
    with pytest.raises(UnsupportedError, match="cannot be compiled"):
        import_model(model)
