"""The check of a run against a reference implementation: which one, and what may differ."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from half_models import to_half

import nnc
from nnc import models
from nnc.check.outputs import HALF_TOLERANCE, TOLERANCE, check_outputs
from nnc.errors import CheckMismatchError
from nnc.models import digits

JSON_KEYS = [
    "ok", "reference", "why", "tolerance", "max_abs_error", "max_rel_error", "rounding_spread", "outputs",
    "layers",
]  # fmt: skip


def test_check_by_either_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = {"image": digits.to_input(digits.load_heldout()[0][0])}
    (probabilities,) = nnc.Session(nnc.compile(digits.MODEL)).run(None, feed)
    outputs = {"probabilities": probabilities}
    by_onnxruntime = check_outputs(digits.MODEL, feed, outputs)
    monkeypatch.setattr("nnc.check.reference.find_spec", lambda name: None)
    by_onnx = check_outputs(digits.MODEL, feed, outputs)
    assert by_onnxruntime.reference.startswith("onnxruntime ")
    assert by_onnx.reference.startswith("onnx ")
    for verdict in (by_onnxruntime, by_onnx):
        assert verdict.ok
        verdict.insist("model")
        assert list(verdict.to_json()) == JSON_KEYS
    wrong = check_outputs(digits.MODEL, feed, {"probabilities": probabilities + np.float32(0.01)})
    assert not wrong.ok
    assert wrong.to_json()["max_abs_error"] == pytest.approx(0.01, rel=1e-3)
    with pytest.raises(CheckMismatchError, match=r"probabilities: max abs error 0\.01"):
        wrong.insist("model")
    with pytest.raises(CheckMismatchError, match="other outputs"):
        check_outputs(digits.MODEL, feed, {"something": probabilities})


def test_a_network_that_amplifies_rounding_is_judged_by_what_rounding_does(tmp_path: Path) -> None:
    """The sine of large numbers: the last bits of the input are the first ones of the output."""
    text = """<ir_version: 9, opset_import: ["" : 20]>
    amplifier (float[1,64] x) => (float[1,64] y) {
        big = Constant <value = float {1000000.0}> ()
        scaled = Mul (x, big)
        y = Sin (scaled)
    }"""
    model = tmp_path / "amplifier.onnx"
    onnx.save(onnx.parser.parse_model(text), model)
    x = np.linspace(0.5, 1, 64, dtype=np.float32)[None]
    exact = np.sin(x.astype(np.float64) * 1e6)
    verdict = check_outputs(model, {"x": x}, {"y": (exact + 0.05).astype(np.float32)})
    assert verdict.ok
    assert 0.025 < verdict.rounding_spread < 0.2  # an ulp below 1 is 6e-8, and the product is rounded again
    assert verdict.to_json()["rounding_spread"] == verdict.rounding_spread
    assert not check_outputs(model, {"x": x}, {"y": (exact + 0.5).astype(np.float32)}).ok


def test_models_of_half_precision_have_a_last_place_of_their_own(tmp_path: Path) -> None:
    """Float32 outputs of a network that is of half precision inside are judged as half precision."""
    model = to_half(models.build("lenet5", width=0.5), keep_io=True)
    path = tmp_path / "half.onnx"
    onnx.save(model, path)
    feed = {"input": np.random.default_rng(0).standard_normal((1, 1, 32, 32)).astype(np.float32)}
    (exact,) = nnc.Session(nnc.compile(model)).run(None, feed)
    verdict = check_outputs(path, feed, {"output": exact})
    assert verdict.ok and verdict.half and verdict.tolerance == HALF_TOLERANCE > TOLERANCE
    wrong = check_outputs(path, feed, {"output": exact * np.float32(1.01)})
    assert not wrong.ok
    assert not check_outputs(path, feed, {"output": exact * np.float32(1.0005)}, tolerance=1e-7).ok
