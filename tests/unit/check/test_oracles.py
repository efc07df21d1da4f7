"""Which reference judges a quantised model, and how strictly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper, parser
from quantised_models import quantised

from nnc import models
from nnc.check.model_facts import ModelFacts
from nnc.check.outputs import EVALUATOR_MACS, check_outputs, oracles
from nnc.check.reference import Way
from nnc.errors import CheckMismatchError

RNG = np.random.default_rng(5)
Array = np.ndarray[Any, Any]


def product(source: str, weight: str, *, opset: int = 21, domain: str = "") -> onnx.ModelProto:
    """A QLinearMatMul of the element types; behind it QLinearSigmoid if a domain is given."""
    behind = "y = com.microsoft.QLinearSigmoid (p, s, z, s, z)" if domain else "y = Identity (p)"
    opsets = f'"": {opset}' + (', "com.microsoft": 1' if domain else "")
    text = f"""<ir_version: 9, opset_import: [{opsets}]> g ({source}[4,40] x) => ({source}[4,6] y)
    <float s = {{0.02}}, float sw = {{0.002}}, {source} z = {{3}}, {weight} zw = {{1}}> {{
        p = QLinearMatMul (x, s, z, w, sw, zw, s, z)
        {behind}
    }}"""
    model = parser.parse_model(text)
    low, high = (-128, 128) if weight == "int8" else (0, 256)
    values = RNG.integers(low, high, (40, 6)).astype(weight)
    model.graph.initializer.append(numpy_helper.from_array(values, "w"))
    return model


def by_definition(model: onnx.ModelProto, x: Array) -> Array:
    """Exact sums, one scaling in f32, rounded half to even."""
    weight = next(numpy_helper.to_array(t) for t in model.graph.initializer if t.name == "w")
    sums = (x.astype(np.int64) - 3) @ (weight.astype(np.int64) - 1)
    s = np.float32(0.02)
    info = np.iinfo(x.dtype)
    rounded = np.rint(sums.astype(np.float32) * np.float32(s * np.float32(0.002) / s)) + 3
    assert len(np.unique(rounded)) > 10, "the sums saturate"
    return np.clip(rounded, info.min, info.max).astype(x.dtype)


@pytest.mark.parametrize(
    ("model", "ways"),
    [
        (models.build("lenet5", width=0.2), [Way.OPTIMISED]),
        (quantised(models.build("lenet5", width=0.2), samples=1), [Way.LITERAL]),
        (quantised(models.build("lenet5", width=0.2), activations="u8", samples=1), [Way.LITERAL]),
        (product("uint8", "int8"), [Way.EVALUATOR, Way.DEFINED]),
        (product("uint8", "uint8"), [Way.EVALUATOR, Way.LITERAL]),
        (product("int8", "int8"), [Way.EVALUATOR, Way.LITERAL]),
        (product("uint8", "int8", domain="com.microsoft"), [Way.DEFINED]),
    ],
    ids=["float", "QDQ s8", "QDQ u8", "u8 × s8", "u8 × u8", "s8 × s8", "onnxruntime's own"],
)
def test_the_model_chooses(model: onnx.ModelProto, ways: list[Way]) -> None:
    assert [way for way, _ in oracles(ModelFacts(model))] == ways


def test_large_products_are_not_for_the_evaluator() -> None:
    model = product("uint8", "int8")
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = EVALUATOR_MACS // 240 + 1
    assert [way for way, _ in oracles(ModelFacts(model))] == [Way.DEFINED]


@pytest.mark.parametrize("source", ["uint8", "int8"])
@pytest.mark.parametrize("opset", [11, 21])
def test_integer_operators_are_judged_bit_for_bit(source: str, opset: int, tmp_path: Path) -> None:
    model, path = product(source, "int8", opset=opset), tmp_path / "m.onnx"
    onnx.save(model, path)
    x = RNG.integers(0, 100, (4, 40)).astype(source)
    y = by_definition(model, x)
    verdict = check_outputs(path, {"x": x}, {"y": y})
    assert verdict.ok and verdict.equal and "reference evaluator" in verdict.reference
    y[0, 0] ^= 1
    wrong = check_outputs(path, {"x": x}, {"y": y})
    assert not wrong.ok and "onnxruntime" in wrong.reference  # both were asked
    assert wrong.to_json()["outputs"][0]["steps"]["by_steps"] == {"1": 1}
    with pytest.raises(CheckMismatchError, match="y: equal elements"):
        wrong.insist("m")


def test_where_the_evaluator_lacks_an_operator_onnxruntime_decides(tmp_path: Path) -> None:
    model, path = product("uint8", "int8", opset=13), tmp_path / "m.onnx"
    model.graph.node[-1].op_type = "DequantizeLinear"  # of opset 13: the evaluator begins with 19
    model.graph.node[-1].input.extend(["s", "z"])
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    onnx.save(model, path)
    x = RNG.integers(0, 100, (4, 40)).astype(np.uint8)
    y = (by_definition(model, x).astype(np.float32) - 3) * np.float32(0.02)
    verdict = check_outputs(path, {"x": x}, {"y": y})
    assert verdict.equal and "by definition" in verdict.reference and "VNNI" in verdict.why
    assert not check_outputs(path, {"x": x}, {"y": y + np.float32(0.02)}).ok


def test_dequantised_outputs_are_counted_in_their_scale(tmp_path: Path) -> None:
    model = quantised(models.build("lenet5", width=0.5), samples=1)
    path = tmp_path / "q.onnx"
    onnx.save(model, path)
    feed = {"input": RNG.standard_normal((1, 1, 32, 32)).astype(np.float32)}
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    (right,) = onnxruntime.InferenceSession(path, options).run(None, feed)
    verdict = check_outputs(path, feed, {"output": right})
    assert verdict.equal and "unoptimised" in verdict.reference and verdict.why
    step = ModelFacts(model).step("output")
    assert step is not None
    output = right.copy()
    output[0, 3] += np.float32(step)
    one_differs = check_outputs(path, feed, {"output": output})
    assert one_differs.ok and not one_differs.equal
    output[0, 4] -= np.float32(2 * step)
    two_differ = check_outputs(path, feed, {"output": output})
    assert not two_differ.ok
    assert two_differ.to_json()["outputs"][0]["steps"]["by_steps"] == {"1": 1, "2": 1}
