"""Networks with a host equal a reference: whole detectors, and random ones with nodes on either side."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
from harness import TOLERANCE, random_inputs, random_networks_settings
from hosted_models import MODELS
from hypothesis import given, reject
from hypothesis import strategies as st
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
from random_networks import networks

from nnc.compiler.frontend.errors import UnsupportedError
from nnc.compiler.frontend.importer import import_model, survey_model
from nnc.compiler.frontend.segments.sides import on_host
from nnc.hosted import compile_hosted
from nnc.io.inputs import random_inputs as seeded_inputs
from nnc.isa.hosted import ChipSegment
from nnc.runtime.hosted_session import HostedSession


def reference(model: onnx.ModelProto, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, feeds)


def assert_equal(answers: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for answer, right in zip(answers, expected, strict=True):
        assert (answer.shape, answer.dtype) == (right.shape, right.dtype)
        scale = np.abs(right.astype(np.float64)).max(initial=1e-30)
        np.testing.assert_allclose(answer, right, rtol=0, atol=TOLERANCE * scale)


@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("name", MODELS)
def test_detectors_run_to_their_ends(name: str, chip: str) -> None:
    model = MODELS[name]()
    with pytest.raises(UnsupportedError, match="--host auto leaves to a host"):
        import_model(model)
    result = compile_hosted(model, chip)
    session = HostedSession(result.hosted, poison=True)
    feeds = seeded_inputs(result.hosted, 0)
    expected = reference(model, feeds)
    assert all(value.size for value in expected)  # something was detected
    assert_equal(session.run(None, feeds), expected)
    for crossing in session.crossings:
        assert crossing.maker < min(crossing.readers)
    moved = sum(part.ledger.whole["host"] for part in session.sessions.values())
    assert moved > 0


@pytest.mark.parametrize(("name", "sides"), [("yolo", "ch"), ("ssd", "ch"), ("rcnn", "ch")])
def test_the_chip_keeps_the_backbone(name: str, sides: str) -> None:
    """One turn each, and no convolution is the host's."""
    hosted = compile_hosted(MODELS[name](), "npu").hosted
    turns = "".join("c" if isinstance(segment, ChipSegment) else "h" for segment in hosted.segments)
    assert turns == sides
    assert not any(node.operator == "Conv" for node in hosted.host_nodes)
    assert any("known only at run time" in node.reason for node in hosted.host_nodes)


@pytest.mark.parametrize("named", [["pool"], ["same"], ["half"], ["back"], ["before", "half"]])
def test_positions_count_rows_that_no_window_reads(named: list[str]) -> None:
    """On whichever side the nodes are: a segment with MaxUnpool alone is told the shape."""
    model = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        unpooled (float[2,2,5,3] x) => (float[2,2,5,3] y) <int64[4] shape = {2,2,5,3}> {
            [before] w = Abs (x)
            [pool] p, i = MaxPool <kernel_shape = [2,2], strides = [2,2]> (w)
            [same] j = Identity (i)
            [half] q = Neg (p)
            [back] y = MaxUnpool <kernel_shape = [2,2], strides = [2,2]> (q, j, shape) }""")
    feeds = {"x": np.random.default_rng(0).standard_normal((2, 2, 5, 3)).astype(np.float32)}
    hosted = compile_hosted(model, "npu", host=named).hosted
    assert_equal(HostedSession(hosted, poison=True).run(None, feeds), reference(model, feeds))


@random_networks_settings(15)
@given(model=networks(), data=st.data())
def test_random_nodes_on_a_host(model: onnx.ModelProto, data: st.DataObject) -> None:
    """Whatever nodes are named: the values are those of the network."""
    names = [node.name for node in survey_model(model).nodes if node.name]  # those that outputs depend on
    named = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1, max_size=4))
    try:
        hosted = compile_hosted(model, "npu", host=named).hosted
    except UnsupportedError as error:
        assert "nothing of the model is left for the chip" in str(error)
        reject()
    feeds = random_inputs(model)
    try:
        expected = reference(model, feeds)
    except InvalidArgument:  # some random networks are none of onnxruntime's, such as places in MaxUnpool
        reject()
    if all(np.isfinite(value).all() for value in expected if value.dtype.kind == "f"):
        assert_equal(HostedSession(hosted, poison=True).run(None, feeds), expected)
    assert {*named} & {node.name for node in hosted.host_nodes} or not on_host(survey_model(model), named)
