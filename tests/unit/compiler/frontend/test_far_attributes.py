"""Strides, dilations and sizes far beyond the tensor say the same as ones just beyond it."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from bad_models import error_of, parse
from quantised_cases import by_nnc, by_onnxruntime

from nnc.compiler.frontend.errors import ModelTooLargeError
from nnc.isa.limits import WINDOW

FAR = 2**62
NODES = {
    "stride": ("Conv <strides = [{n}, 1]> (x, w)", 100),
    "dilation of one tap": ("Conv <dilations = [{n}, {n}]> (x, v)", 100),
    "stride of a pool": ("MaxPool <kernel_shape = [2, 2], strides = [{n}, {n}], ceil_mode = 1> (x)", 100),
    "stride of averages": ("AveragePool <kernel_shape = [6, 5], strides = [{n}, {n}]> (x)", 100),
    "stride of an element": ("ConvTranspose <strides = [{n}, {n}]> (e, w)", 100),
    "step": ("Slice (x, zero, four, three, step)", 100),
    "step backwards": ("Slice (x, four, zero, three, step)", -100),
    "channels around": ("LRN <size = {n}, alpha = {alpha}> (x)", 7),
    "more channels around": ("LRN <size = {n}, alpha = {alpha}> (x)", 1001),
}


def model_of(node: str, number: int) -> onnx.ModelProto:
    text = node.format(n=number, alpha=f"{0.25 * number:.20e}")
    model = parse(f"g (float[2,4,6,5] x, float[2,4,1,1] e) => (float y) {{ y = {text} }}")
    model.graph.output[0].type.tensor_type.ClearField("shape")
    return model


@pytest.mark.parametrize("case", NODES)
def test_far_is_as_near(case: str) -> None:
    node, near = NODES[case]
    rng = np.random.default_rng(1)
    shapes = {"x": (2, 4, 6, 5), "e": (2, 4, 1, 1), "w": (4, 4, 2, 2), "v": (3, 4, 1, 1)}
    arrays = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    results = []
    for number, run in ((near, by_onnxruntime), (near, by_nnc), (FAR if near > 0 else -FAR, by_nnc)):
        model = model_of(node, number)
        for name in "wv":
            model.graph.initializer.append(onnx.numpy_helper.from_array(arrays[name], name))
        for name, value in {"zero": 0, "three": 3, "four": 4, "step": number}.items():
            model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([value]), name))
        used = set(model.graph.node[0].input)
        kept = [info for info in model.graph.input if info.name in used]
        del model.graph.input[:]
        model.graph.input.extend(kept)
        results.append(run(model, {info.name: arrays[info.name] for info in kept})[0])
    for result in results[1:]:
        assert result.shape == results[0].shape
        assert np.allclose(result, results[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("number", [2**17, 2**31, 2**62])
@pytest.mark.parametrize(
    "node",
    [
        "MaxPool<kernel_shape = [{n}, 3], pads = [{n}, 0, 0, 0]>(x)",
        "MaxPool<kernel_shape = [3, 3], pads = [0, 0, 0, {n}]>(x)",
        "AveragePool<kernel_shape = [{n}, 3], pads = [{half}, 0, {half}, 0], strides = [{half}, 1]>(x)",
        "Conv<pads = [{n}, 0, 0, 0], strides = [{n}, 1]>(x, w)",
        "Conv<pads = [{n}, 0, 0, 0], dilations = [{n}, 1]>(x, w)",
    ],
)
def test_windows_and_pads_have_a_limit(node: str, number: int) -> None:
    text = node.format(n=number, half=number // 2)
    model = parse(f"g (float[1,1,8,8] x) => (y) <float[1,1,2,1] w = {{1, 2}}> {{ y = {text} }}")
    error = error_of(ModelTooLargeError, model)
    assert error.expected == f"at most {WINDOW.most} elements" and error.remedy
