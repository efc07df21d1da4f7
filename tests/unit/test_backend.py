"""The backend of ONNX, by onnx's own test runner and by hand."""

from __future__ import annotations

import unittest

import numpy as np
import onnx.backend.test
import pytest
from onnx import helper
from pass_harness import model_of

import nnc.backend
from nnc.isa.errors import InputError

NAMES = ("add", "conv_with_strides_padding", "reduce_sum_keepdims_example", "gather_0", "softmax_axis_1")


def test_onnx_runs_its_tests() -> None:
    """Those that are named: `make conformance` runs all."""
    runner, result = onnx.backend.test.BackendTest(nnc.backend, __name__), unittest.TestResult()
    for name in NAMES:
        runner.include(rf"^test_{name}_cpu$")
    runner.test_suite.run(result)
    assert result.errors == result.failures == []
    assert result.testsRun - len(result.skipped) >= len(NAMES)


def test_a_model_of_fixed_shapes() -> None:
    model = model_of(
        "(float[2,3] x, float[2,3] y) => (float[2,3] s, float[2,3] d) { s = Add (x, y)  d = Sub (x, y) }"
    )
    x, y = np.random.default_rng(0).standard_normal((2, 2, 3)).astype(np.float32)
    rep = nnc.backend.prepare(model, chip="npu4")
    outputs = rep.run([x, y])
    np.testing.assert_array_equal(outputs.s, x + y)
    np.testing.assert_array_equal(outputs.d, x - y)
    np.testing.assert_array_equal(nnc.backend.run_model(model, {"x": x, "y": y})[0], x + y)
    with pytest.raises(InputError, match="too many inputs"):
        rep.run([x, y, x])
    with pytest.raises(InputError, match="missing input"):
        rep.run([x])


def test_what_only_a_run_knows() -> None:
    """Symbolic dimensions, and operands that say how."""
    model = model_of("(float[n,6] x, int64[k] size) => (float[a,b] y) { y = Reshape (x, size) }")
    rep = nnc.backend.prepare(model)
    x = np.arange(12, dtype=np.float32).reshape(2, 6)
    for size in ([3, 4], [4, 3], [3, 4]):
        np.testing.assert_array_equal(rep.run([x, np.array(size)])[0], x.reshape(size))


def test_nodes_and_devices() -> None:
    node = helper.make_node("Softmax", ["x"], ["y"], axis=1)
    x = np.array([[1, 2, 3]], np.float32)
    (y,) = nnc.backend.run_node(node, [x], opset_version=13)
    np.testing.assert_allclose(y, np.exp(x) / np.exp(x).sum(), rtol=1e-5)
    assert nnc.backend.supports_device("CPU") and not nnc.backend.supports_device("CUDA")
    refused = model_of("(float[2] x) => (float[2] y) { y = example.Unknown (x) }")
    refused.opset_import.append(helper.make_opsetid("example", 1))
    del refused.graph.input[:]
    assert not nnc.backend.is_compatible(refused)
