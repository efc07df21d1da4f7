"""Models of old opsets: onnx's converter and own rules bring them to the oldest one that has importers.

onnxruntime runs few operators of these opsets, so numpy says what is right.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse
from frontend_evaluator import evaluate, session
from onnx import TensorProto, helper, numpy_helper

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.model.load import ModelSource

RNG = np.random.default_rng(0)
X = RNG.standard_normal((2, 4, 6, 4)).astype(np.float32)
VECTOR, PLANE = (RNG.standard_normal(shape).astype(np.float32) for shape in ((4,), (4, 6)))
VARIANCE = np.abs(VECTOR) + 0.5
SQUARES = np.float32([2, 1, 2, 1])
CHANNELS = VECTOR[:, None, None]


def single(op: str, opset: int, consts: tuple[Any, ...] = (), **attributes: Any) -> onnx.ModelProto:
    """A model of one node on X, as old exporters wrote them: constants are inputs, too."""
    weights = [numpy_helper.from_array(value, f"c{number}") for number, value in enumerate(consts)]
    infos = [helper.make_tensor_value_info(w.name, w.data_type, w.dims) for w in weights]
    node = helper.make_node(op, ["x", *(w.name for w in weights)], ["y"], name="node", **attributes)
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape), *infos]
    graph = helper.make_graph([node], "g", inputs, [onnx.ValueInfoProto(name="y")], weights)
    graph.output[0].type.tensor_type.elem_type = TensorProto.FLOAT
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=3)


def result(model: ModelSource) -> Any:
    return evaluate(import_model(model), {"x": X})["y"]


@pytest.mark.parametrize("opset", [1, 5, 6])
@pytest.mark.parametrize(
    ("op", "consts", "attributes", "expected"),
    [
        ("Add", (VECTOR,), {"broadcast": 1, "axis": 1}, X + CHANNELS),  # the last axis has 4 elements, too
        ("Mul", (PLANE,), {"broadcast": 1, "axis": 1}, X * PLANE[:, :, None]),
        ("Sub", (VECTOR,), {"broadcast": 1, "axis": -1}, X - VECTOR),
        ("Div", (VARIANCE,), {"broadcast": 1}, X / VARIANCE),
        ("Add", (VECTOR[:1].reshape(()),), {"broadcast": 1}, X + VECTOR[0]),
        ("Sub", (X,), {}, X - X),
        ("Pow", (SQUARES,), {"broadcast": 1, "axis": 1}, X ** SQUARES[:, None, None]),
        ("PRelu", (VECTOR,), {}, np.where(X < 0, X * CHANNELS, X)),
        ("PRelu", (VECTOR[:1],), {}, np.where(X < 0, X * VECTOR[0], X)),
        ("Dropout", (), {"is_test": 1, "ratio": 0.5}, X),
        ("Selu", (), {}, None),
        ("Clip", (), {"max": 0.5}, np.minimum(X, 0.5)),
        ("Softmax", (), {"axis": 3}, np.exp(X) / np.exp(X).sum(axis=3, keepdims=True)),
    ],
)  # fmt: skip
def test_form_of_an_old_opset(
    op: str, opset: int, consts: tuple[Any, ...], attributes: dict[str, Any], expected: Any
) -> None:
    if expected is None:  # Selu had rounded constants
        alpha, gamma = (1.6732, 1.0507) if opset < 6 else (1.67326319217681884765625, 1.05070102214813232)
        expected = gamma * np.where(X > 0, X, alpha * (np.exp(X) - 1))
    found = result(single(op, opset, consts, **attributes))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=3e-6, atol=1e-6)


@pytest.mark.parametrize(("opset", "more"), [(1, {"consumed_inputs": [0, 0, 0, 1, 1]}), (6, {})])
def test_batch_normalization_in_test_mode(opset: int, more: dict[str, Any]) -> None:
    statistics = (VECTOR, VECTOR * 2, VECTOR * 3, VARIANCE)
    found = result(single("BatchNormalization", opset, statistics, is_test=1, epsilon=0.1, **more))
    normal = (X - 3 * CHANNELS) / np.sqrt(VARIANCE[:, None, None] + 0.1)
    np.testing.assert_allclose(found, normal * CHANNELS + 2 * CHANNELS, rtol=1e-5, atol=1e-5)


def test_first_format_states_no_opset() -> None:
    model = single("Reshape", 1, shape=[2, -1])
    del model.opset_import[:]
    error_of(ModelInvalidError, model)
    model.ir_version = 2
    np.testing.assert_array_equal(result(model), X.reshape(2, -1))


def test_several_nodes_and_large_weights() -> None:
    """Shapes behind nodes that opset 1 does not infer are known; weights are no part of the conversion."""
    large = RNG.standard_normal((4, 6, 4)).astype(np.float32)
    bias = RNG.standard_normal((40, 96)).astype(np.float32)
    model = parse(
        """g (float[2,4,6,4] x, float[4] b, float[4,6,4] w, float[40,96] k) => (float[2,40] y) {
        a = Relu <consumed_inputs = [0]> (x) c = Add <broadcast = 1, axis = 1> (a, b)
        d = Mul <broadcast = 1> (c, w) e = Reshape <shape = [0, -1]> (d)
        y = Gemm <broadcast = 1, transB = 1> (e, k, z) }""",
        opset=1,
    )
    model.graph.input.append(helper.make_tensor_value_info("z", TensorProto.FLOAT, [40]))
    for name, value in (("b", VECTOR), ("w", large), ("k", bias), ("z", bias[:, 0])):
        model.graph.initializer.append(numpy_helper.from_array(value, name))
    before = ((np.maximum(X, 0) + CHANNELS) * large).reshape(2, -1)
    np.testing.assert_allclose(result(model), before @ bias.T + bias[:, 0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "model",
    [
        single("Pad", 1, paddings=[0, 0, 1, 1, 0, 0, 1, 1]),
        single("Cast", 5, to="FLOAT"),
        single("Dropout", 6, is_test=0),
        single("Greater", 6, (VECTOR,), broadcast=1, axis=1),
        single("Upsample", 1, height_scale=2.0),
    ],
    ids=lambda model: model.graph.node[0].op_type,
)
def test_what_cannot_be_converted(model: onnx.ModelProto) -> None:
    with pytest.raises((UnsupportedError, ModelInvalidError)) as caught:
        import_model(model)
    assert caught.value.message and caught.value.remedy


@pytest.mark.parametrize("attribute", ["broadcast", "axis", "is_test", "consumed_inputs"])
def test_attributes_of_old_opsets_in_newer_ones_are_refused(attribute: str) -> None:
    """As onnxruntime does: such a model says two things."""
    model = single("Add", 9, (VECTOR,), **{attribute: 1})
    assert attribute in error_of(ModelInvalidError, model).message
    with pytest.raises(Exception, match=attribute):
        session(model)


@pytest.mark.parametrize("opset", [18, 19, 20])
@pytest.mark.parametrize("constant", [True, False])
def test_group_normalization_with_a_scale_per_group(opset: int, *, constant: bool) -> None:
    """onnx's checker calls it deprecated; onnxruntime runs it."""
    scales = dict(zip(("s", "b"), RNG.standard_normal((2, 2)).astype(np.float32), strict=True))
    model = parse(
        """g (float[2,4,6,4] x, float[2] s, float[2] b) => (float[2,4,6,4] y) {
        y = GroupNormalization <num_groups = 2, epsilon = 0.01> (x, s, b) }""",
        opset,
    )
    feeds = {"x": X, **scales}
    if constant:
        del model.graph.input[1:]
        model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in scales.items())
        feeds = {"x": X}
    expected = session(model).run(None, feeds)[0]
    np.testing.assert_allclose(evaluate(import_model(model), feeds)["y"], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("opset", "count", "text"), [(18, 4, "[2]"), (21, 2, "[4]")])
def test_scales_of_group_normalization_fit_the_opset(opset: int, count: int, text: str) -> None:
    node = "GroupNormalization <num_groups = 2> (x, s, s)"
    model = parse(f"g (float[2,4,6,4] x, float[{count}] s) => (y) {{ y = {node} }}", opset)
    assert error_of(ModelInvalidError, model).expected == text


def test_attributes_of_group_normalization_are_checked() -> None:
    text = "g (float[2,4,6,4] x, float[2] s) => (y) {{ y = GroupNormalization {} (x, s, s) }}"
    for attributes in ("", "<num_groups = 2.0>", "<num_groups = 2, groups = 3>", "<num_groups = 3>"):
        error_of(ModelInvalidError, parse(text.format(attributes), 18))
