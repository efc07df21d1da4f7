"""nnc/cli/explain.py, explain_text.py"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_harness import DIGITS, data_of, nnc, ok
from jsonschema import validate
from onnx import save
from onnx.parser import parse_model

from nnc import models

SMALL = ("--set", "memory.sram.bytes=16KiB")


@pytest.fixture(scope="module")
def lenet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of LeNet."""
    path = tmp_path_factory.mktemp("explain") / "lenet5.onnx"
    save(models.build("lenet5"), path)
    return path


def test_decisions_are_told_with_bounds_and_flips(lenet: Path) -> None:
    text = ok("explain", lenet, "averagepool2", "gemm1", *SMALL, "--compilations", "1")
    assert "\n  bound    " in text and "\n  decided  " in text and "\n  flips    " in text
    data = data_of("explain", lenet, *SMALL, "--compilations", "0")
    assert data["answers"]
    validate(data, json.loads(ok("schema", "explanation")))


def test_a_layer_has_several_decisions(lenet: Path) -> None:
    asked = ("explain", lenet, "conv2", *SMALL, "--compilations", "0")
    questions = [answer["question"] for answer in data_of(*asked)["answers"]]
    assert len(questions) > 1
    assert all(question in ok(*asked) for question in questions)


def test_refusals_are_answers(tmp_path: Path) -> None:
    text = '<ir_version: 9, opset_import: ["": 20]> g (float[4] x) => (int64[1, n] y) { y = NonZero (x) }'
    save(parse_model(text), tmp_path / "m.onnx")
    assert "NonZero_y (NonZero): " in ok("explain", tmp_path / "m.onnx")
    assert data_of("explain", tmp_path / "m.onnx")["refusal"]["code"] == "NNC-E015"


def test_wrong_usage_is_told(tmp_path: Path) -> None:
    assert nnc("explain", DIGITS, "a", "b", "c").exit_code == 2
    assert nnc("explain", tmp_path / "none.onnx").exit_code == 1
    assert "NNC-E001" in nnc("explain", DIGITS, "no-such-layer").stderr
