"""nnc quantize --weights: what it writes and says, and which options it takes."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import onnx
import pytest
from cli_harness import DIGITS, fails, nnc, ok
from product_models import product_model


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """Seven products of which six can have weights in blocks; all are of different sizes."""
    sizes = (64, 40, 48, 56, 32, 40, 16)
    names = ["x", *(f"t{i}" for i in range(5)), "u"]
    nodes = [f"{b} = MatMul ({a}, w{i})" for i, (a, b) in enumerate(pairwise(names))]
    text = "(float[3,64] x) => (float[3,8] y) { " + " ".join([*nodes, "y = MatMul (u, w)"]) + " }"
    shapes = {f"w{i}": shape for i, shape in enumerate(pairwise(sizes))}
    path = tmp_path / "network.onnx"
    onnx.save(product_model(text, **shapes, w=(16, 8)), path)
    return path


def test_the_report(network: Path, tmp_path: Path) -> None:
    """The five products with the largest errors, why others stay, and sums; with -v everything."""
    output = tmp_path / "q.onnx"
    text = ok("quantize", network, "--weights", "int4", "-o", output)
    lines = text.splitlines()
    assert lines[0] == (
        "network.onnx: weights of 6 of 7 products quantised to int4 in blocks of 32, symmetric"
    )
    assert lines[1].split() == ["product", "weight", "K", "N", "before", "after", "error"]
    errors = [float(line.split()[-1].removesuffix("%")) for line in lines[2:7]]
    assert errors == sorted(errors, reverse=True) and 0 < errors[-1] < errors[0] < 12
    assert lines[7].split() == ["and", "1", "with", "smaller", "errors", "(-v)"]
    assert lines[8] == "kept          1: K is 16, less than a block of 32"
    assert lines[-1] == f"model         {output}"
    assert f"largest {errors[0]:.2f}%" in text
    verbose = ok("quantize", network, "--weights", "int4", "-o", output, "-v")
    assert all(f"w{i}" in verbose for i in range(6))
    assert "kept          y: K is 16, less than a block of 32" in verbose


def test_json(network: Path, tmp_path: Path) -> None:
    output = tmp_path / "q.onnx"
    command = ("quantize", network, "--weights", "int8", "--block", "16", "--asymmetric", "-o", output)
    data = json.loads(ok(*command, "--json"))
    assert (data["file"], data["weights"], data["block"], data["symmetric"]) == (
        str(output),
        "int8",
        16,
        False,
    )
    assert (data["products"], data["quantized"], data["kept"]) == (7, 7, [])
    assert data["bytes"] == output.stat().st_size < data["bytes_before"] == network.stat().st_size
    layers = data["layers"]
    assert data["weight_bytes"] == sum(layer["bytes"] for layer in layers)
    assert data["weight_bytes_before"] == sum(4 * layer["k"] * layer["n"] for layer in layers)
    errors = [layer["rel_error"] for layer in layers]
    assert data["max_rel_error"] == errors[0] == max(errors) < 0.01
    assert data["mean_rel_error"] == pytest.approx(sum(errors) / 7)
    small = json.loads(ok("quantize", network, "--weights", "int4", "-o", output, "--json"))
    assert small["kept"] == [{"name": "y", "reason": "K is 16, less than a block of 32"}]
    nodes = [node for node in onnx.load(output).graph.node if node.op_type == "MatMulNBits"]
    assert len(nodes) == small["quantized"] == 6


def test_weights_that_stay_are_named(tmp_path: Path) -> None:
    text = "(float[3,64] x) => (float[3,64] y) { h = MatMul (x, w)  y = Gemm <alpha = 0.5> (h, w) }"
    path = tmp_path / "m.onnx"
    onnx.save(product_model(text, w=(64, 64)), path)
    printed = ok("quantize", path, "--weights", "int4", "-o", tmp_path / "q.onnx")
    assert "also floats   w: other operators read it" in printed
    assert "times larger" in printed


@pytest.mark.parametrize(
    "given",
    [
        ("--random", "1"),
        ("--calibration", "pictures"),
        ("--method", "entropy"),
        ("--per-tensor",),
        ("--per-channel",),
        ("--integer-io",),
        ("--mean", "0"),
        ("--shape", "x=3,64"),
        ("--reduce-range", "--activations", "u8"),
    ],
)
def test_options_for_samples_are_refused(given: tuple[str, ...], network: Path, tmp_path: Path) -> None:
    error = fails(
        "NNC-E001", tmp_path, "quantize", network, "--weights", "int4", *given, "-o", tmp_path / "q"
    )
    assert all(f"  found: {word}" in error or f", {word}" in error for word in given if word[0] == "-")
    assert "or leave --weights out" in error


@pytest.mark.parametrize("given", [("--block", "16"), ("--symmetric",), ("--asymmetric",)])
def test_blocks_need_weights(given: tuple[str, ...], network: Path, tmp_path: Path) -> None:
    error = fails("NNC-E001", tmp_path, "quantize", network, *given, "--random", "1", "-o", tmp_path / "q")
    assert f"{given[0]}: blocks are for weights alone" in error
    assert "add --weights int4" in error


def test_wrong_use(network: Path, tmp_path: Path) -> None:
    output = tmp_path / "q.onnx"
    for given in (("--weights", "int3"), ("--weights", "int4", "--block", "48"), ()):
        result = nnc("quantize", network, "-o", output, *given)
        assert result.exit_code == 2 and "--weights" in result.stderr + " ".join(given)
    assert not output.exists()
    fails("NNC-E001", tmp_path, "quantize", network, "--weights", "int4", "-o", network)
    fails("NNC-E002", tmp_path, "quantize", network, "--weights", "int4", "-o", tmp_path / "no" / "q.onnx")
    missing = ("quantize", tmp_path / "none.onnx", "--weights", "int4", "-o", output)
    fails("NNC-E010", tmp_path, *missing)


def test_nothing_to_quantise_is_told_with_the_reason(tmp_path: Path) -> None:
    command = ("quantize", DIGITS, "--weights", "int4", "--block", "64", "-o", tmp_path / "q.onnx")
    assert "K is 48, less than a block of 64" in fails("NNC-E017", tmp_path, *command)


def test_without_onnxruntime(network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nnc.quantize.quantize.find_spec", lambda name: None)
    ok("quantize", network, "--weights", "int4", "-o", tmp_path / "q.onnx")
