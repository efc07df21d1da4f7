"""Quantised networks judged layer by layer: rounding passes, and every small bug is found where it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import helper, numpy_helper
from quantised_models import quantised

from nnc import models
from nnc.check.compare import OutputError
from nnc.check.layers import compare_layers, with_outputs
from nnc.check.model_facts import ModelFacts
from nnc.check.reference import Reference, Way

Array = np.ndarray[Any, Any]
FEED = {"input": np.random.default_rng(11).standard_normal((1, 3, 32, 32)).astype(np.float32)}


@pytest.fixture(scope="module", params=["s8", "u8"])
def network(request: pytest.FixtureRequest) -> onnx.ModelProto:
    """A residual network of random weights: one element that is a step off moves half of its outputs."""
    model = models.build("resnet18", image=32, width=0.25, classes=50)
    return quantised(model, activations=request.param)


def computed(model: onnx.ModelProto, names: tuple[str, ...], *, fused: bool = False) -> dict[str, Array]:
    """All tensors of integers and the outputs, by onnxruntime as written, or with its integer kernels."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if fused:
        options.add_session_config_entry("session.x64quantprecision", "1")
    else:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    whole = with_outputs(ModelFacts(model), names)
    session = onnxruntime.InferenceSession(whole.SerializeToString(), options)
    outputs = [info.name for info in session.get_outputs()]
    return dict(zip(outputs, session.run(None, FEED), strict=True))


def judged(model: onnx.ModelProto, found: dict[str, Array]) -> dict[str, OutputError]:
    reference = Reference(Path("network"), model, [info.name for info in model.graph.output])
    return compare_layers(reference, ModelFacts(model), FEED, found, Way.LITERAL)


def wrong(model: onnx.ModelProto, found: dict[str, Array]) -> list[str]:
    return [name for name, error in judged(model, found).items() if not error.agrees(1e-4)]


def test_other_kernels_agree(network: onnx.ModelProto) -> None:
    names = ModelFacts(network).rounded_tensors
    assert len(names) > 30
    assert wrong(network, computed(network, names)) == []
    assert wrong(network, computed(network, names, fused=True)) == []


def damaged(model: onnx.ModelProto, what: str) -> tuple[onnx.ModelProto, str]:
    """The network with a bug in one layer in its middle, and the tensor of which the layer is the last."""
    bad = onnx.ModelProto()
    bad.CopyFrom(model)
    stored = {tensor.name: tensor for tensor in bad.graph.initializer}
    rounding = [node for node in bad.graph.node if node.op_type == "QuantizeLinear"]
    node = rounding[len(rounding) // 3]
    value = numpy_helper.to_array(stored[node.input[2 if what == "zero point" else 1]])
    if what == "zero point":
        changed = np.asarray(int(value) + (1 if value < 100 else -1), value.dtype)
        bad.graph.initializer.append(numpy_helper.from_array(changed, "other"))
        node.input[2] = "other"
    elif what == "floor for nearest":
        bad.graph.initializer.append(numpy_helper.from_array(np.asarray(value * -0.499, np.float32), "half"))
        index = list(bad.graph.node).index(node)
        shifted = helper.make_node("Add", [node.input[0], "half"], ["shifted"])
        node.input[0] = "shifted"
        bad.graph.node.insert(index, shifted)
    else:
        weights = [n for n in bad.graph.node if n.op_type == "DequantizeLinear" and n.input[0] in stored]
        kernels = [n for n in weights if len(stored[n.input[0]].dims) == 4]
        read = kernels[len(kernels) // 3]
        tensor = stored[read.input[1]]
        scales = numpy_helper.to_array(tensor).copy()
        scales[1:3] *= 1.05
        tensor.CopyFrom(numpy_helper.from_array(scales, tensor.name))
        product = next(n for n in bad.graph.node if read.output[0] in n.input)
        node = next(n for n in rounding if n.input[0] == product.output[0])
    return bad, node.output[0]


@pytest.mark.parametrize("what", ["zero point", "floor for nearest", "scale of a channel"])
def test_a_bug_is_found_where_it_is(network: onnx.ModelProto, what: str) -> None:
    """Outputs say nothing: with each of these, no more of them differ than with one element off."""
    names = ModelFacts(network).rounded_tensors
    bad, layer = damaged(network, what)
    assert wrong(network, computed(bad, names)) == [layer]


def test_one_element_is_off_only_where_float_sums_decide(network: onnx.ModelProto) -> None:
    """One of 256 elements, a step off: no tolerance of counts finds it, the number that was rounded does."""
    facts = ModelFacts(network)
    found = computed(network, facts.rounded_tensors)
    layer = facts.rounded_tensors[len(facts.rounded_tensors) // 2]
    found[layer] = found[layer].copy()
    value = int(found[layer].flat[5])
    found[layer].flat[5] = value + (1 if value < 100 else -1)
    error = judged(network, found)[layer]
    assert error.steps is not None and error.steps.counts == {1: 1} and error.steps.allowed == 1
    assert error.steps.distance is not None and error.steps.distance > 1e-3
    assert layer in wrong(network, found)  # as are layers that read what nobody computed


def test_integer_operators_must_be_equal_given_their_inputs() -> None:
    """Behind a float sum nothing is exact; given the tensors before it, an integer product is."""
    text = """<ir_version: 9, opset_import: ["": 21]> g (float[2,8] x) => (float[2,4] y)
    <float s = {0.05}, uint8 z = {7}, int8 zw = {0}> {
        a = Add (x, x)
        q = QuantizeLinear (a, s, z)
        p = QLinearMatMul (q, s, z, w, s, zw, s, z)
        y = DequantizeLinear (p, s, z)
    }"""
    model = onnx.parser.parse_model(text)
    weight = np.random.default_rng(0).integers(-128, 128, (8, 4)).astype(np.int8)
    model.graph.initializer.append(numpy_helper.from_array(weight, "w"))
    facts = ModelFacts(model)
    assert facts.rounded_tensors == ("q", "p")
    assert "p" not in facts.exact
    feed = {"x": np.linspace(-3, 3, 16, dtype=np.float32).reshape(2, 8)}
    names = [*facts.rounded_tensors, "y"]
    session = onnxruntime.InferenceSession(with_outputs(facts, facts.rounded_tensors).SerializeToString())
    tensors = dict(zip(names, session.run(names, feed), strict=True))
    reference = Reference(Path("g"), model, ["y"])
    right = compare_layers(reference, facts, feed, tensors, Way.EVALUATOR)
    assert all(error.agrees(0) for error in right.values())
    tensors["p"] = tensors["p"].copy()
    tensors["p"][0, 0] ^= 1
    errors = compare_layers(reference, facts, feed, tensors, Way.EVALUATOR)
    assert not errors["p"].agrees(0)
    assert errors["q"].agrees(0)


def test_averages_between_two_steps_may_fall_to_either_side() -> None:
    """Every fourth 2x2 pool is a tie, which sums of floats decide; all else of a pool is judged as ever."""
    text = """<ir_version: 9, opset_import: ["": 21]> g (float[1,16,32,32] x) => (float[1,16,16,16] y)
    <float s = {0.024403328}, int8 z = {4}> {
        q = QuantizeLinear (x, s, z)
        d = DequantizeLinear (q, s, z)
        a = AveragePool <kernel_shape = [2, 2], strides = [2, 2]> (d)
        r = Reshape <allowzero = 0> (a, shape)
        p = QuantizeLinear (r, s, z)
        y = DequantizeLinear (p, s, z)
    }"""
    model = onnx.parser.parse_model(text)
    model.graph.initializer.append(numpy_helper.from_array(np.array([1, 16, 16, 16]), "shape"))
    feed = {"x": np.random.default_rng(0).standard_normal((1, 16, 32, 32)).astype(np.float32)}
    reference = Reference(Path("g"), model, ["y"])
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    facts = ModelFacts(model)
    whole = with_outputs(facts, facts.rounded_tensors)
    names = ["q", "p", "y"]
    tensors = dict(
        zip(
            names,
            onnxruntime.InferenceSession(whole.SerializeToString(), options).run(names, feed),
            strict=True,
        )
    )
    sums = tensors["q"].astype(np.int64).reshape(1, 16, 16, 2, 16, 2).sum(axis=(3, 5))
    tensors["p"] = np.rint(sums / 4).astype(np.int8)
    tensors["y"] = ((tensors["p"] - np.float32(4)) * np.float32(0.024403328)).astype(np.float32)
    steps = compare_layers(reference, facts, feed, tensors, Way.LITERAL)["p"].steps
    assert steps is not None and steps.agrees
    assert steps.ties == steps.differing > 100 * steps.allowed
    tensors["p"].flat[np.flatnonzero(sums % 4 == 1)[:3]] += 1  # a quarter is not between two steps
    steps = compare_layers(reference, facts, feed, tensors, Way.LITERAL)["p"].steps
    assert steps is not None and steps.differing == steps.ties + 3 and not steps.agrees
