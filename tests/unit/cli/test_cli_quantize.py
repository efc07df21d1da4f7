"""nnc quantize: what it writes and says, and one clear error for everything that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from cli_harness import DIGITS, PIXELS, fails, nnc, ok
from half_models import to_half
from onnx import parser

from nnc import models
from nnc.models.digits import load_heldout, sample_pngs, to_input

PICTURES = sample_pngs()[0].parent
LENET = (1, 1, 32, 32)


@pytest.fixture(scope="module")
def lenet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small float32 network of one input, [1,1,32,32]."""
    path = tmp_path_factory.mktemp("lenet") / "lenet.onnx"
    onnx.save(models.build("lenet5", width=0.5), path)
    return path


def archive(path: Path, **arrays: np.ndarray) -> Path:
    np.savez(path, **arrays)
    return path


def test_digits_quantised_on_pictures(tmp_path: Path) -> None:
    """The result says what the float network says; the table names every kind of tensor."""
    output = tmp_path / "q.onnx"
    text = ok("quantize", DIGITS, "--calibration", PICTURES, *PIXELS, "-o", output)
    assert "quantised on 10 samples" in text
    assert "no pictures left out" in text
    for kind in ("activation", "weight", "bias"):
        assert sum(line.startswith(kind) for line in text.splitlines()) == 1
    session = onnxruntime.InferenceSession(output)
    images, labels = load_heldout()
    guesses = [int(session.run(None, {"image": to_input(image)})[0].argmax()) for image in images[:50]]
    assert np.mean(np.array(guesses) == labels[:50]) >= 0.96
    onnx.checker.check_model(onnx.load(output), full_check=True)


def test_json_and_verbose_have_every_tensor(lenet: Path, tmp_path: Path) -> None:
    samples = np.random.default_rng(0).standard_normal((3, *LENET[1:])).astype(np.float32)
    given = archive(tmp_path / "s.npz", input=samples)
    output = tmp_path / "q.onnx"
    data = json.loads(ok("quantize", lenet, "--calibration", given, "-o", output, "--json"))
    assert (data["samples"], data["random"], data["file"]) == (3, False, str(output))
    assert data["bytes"] == output.stat().st_size < data["bytes_before"] == lenet.stat().st_size
    (error,) = data["errors"]
    assert error["output"] == "output" and 0 < error["max_rel_error"] < 0.2
    kinds = {(tensor["kind"], tensor["type"]) for tensor in data["tensors"]}
    assert kinds == {("activation", "i8"), ("weight", "i8"), ("bias", "i32")}
    weights = [tensor for tensor in data["tensors"] if tensor["kind"] == "weight"]
    assert all(set(tensor["zero"]) == {0} and len(tensor["scale"]) > 1 for tensor in weights)
    text = ok("quantize", lenet, "--calibration", given, "-o", output, "-v")
    assert all(tensor["name"][:20] in text for tensor in data["tensors"])
    shaped = archive(tmp_path / "t.npz", input=samples[:, None])
    again = json.loads(ok("quantize", lenet, "--calibration", shaped, "-o", output, "--json"))
    assert again["tensors"] == data["tensors"]


@pytest.mark.parametrize("method", ["minmax", "entropy", "percentile"])
def test_options_reach_the_quantiser(lenet: Path, method: str, tmp_path: Path) -> None:
    output = tmp_path / "q.onnx"
    command = ("quantize", lenet, "--random", "2", "-o", output, "--method", method, "--json")
    unsigned = json.loads(ok(*command, "--activations", "u8", "--per-tensor"))
    assert unsigned["random"] is True
    assert {t["type"] for t in unsigned["tensors"] if t["kind"] == "activation"} == {"u8"}
    assert {len(t["scale"]) for t in unsigned["tensors"]} == {1}
    assert max(max(t["scale"]) for t in unsigned["tensors"]) < 1

    seven_bits = json.loads(ok(*command, "--reduce-range"))
    stored = [t for t in onnx.load(output).graph.initializer if t.data_type == 3 and len(t.dims) > 1]
    weights = [onnx.numpy_helper.to_array(tensor) for tensor in stored]
    assert max(int(np.abs(w.astype(int)).max()) for w in weights) <= 64
    assert seven_bits["tensors"] != unsigned["tensors"]


def test_inputs_and_outputs_can_be_integers(lenet: Path, tmp_path: Path) -> None:
    """The same network without its first and its last conversion."""
    outer, inner = tmp_path / "outer.onnx", tmp_path / "inner.onnx"
    command = ("quantize", lenet, "--random", "2", "--activations", "u8", "-o")
    data = json.loads(ok(*command, outer, "--json"))
    assert data["integers"] == []
    whole = json.loads(ok(*command, inner, "--json", "--integer-io"))
    assert whole["integers"] == ["input", "output"]
    assert "integers      input, output" in ok(*command, inner, "--integer-io")
    assert (whole["tensors"], whole["errors"]) == (data["tensors"], data["errors"])
    model = onnx.load(inner)
    onnx.checker.check_model(model, full_check=True)
    codes = [info.type.tensor_type.elem_type for info in (*model.graph.input, *model.graph.output)]
    assert codes == [onnx.TensorProto.UINT8] * 2
    by_name = {tensor["name"]: tensor for tensor in data["tensors"]}
    (s_in,), (z_in,) = by_name["input"]["scale"], by_name["input"]["zero"]
    (s_out,), (z_out,) = by_name["output"]["scale"], by_name["output"]["zero"]
    x = np.random.default_rng(2).standard_normal(LENET).astype(np.float32)
    integers = np.clip(np.rint(x / np.float32(s_in)) + z_in, 0, 255).astype(np.uint8)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    (actual,) = onnxruntime.InferenceSession(inner, options).run(None, {"input": integers})
    (expected,) = onnxruntime.InferenceSession(outer, options).run(None, {"input": x})
    np.testing.assert_array_equal((actual.astype(np.float32) - z_out) * np.float32(s_out), expected)


def test_random_data_are_said_to_mean_nothing(lenet: Path, tmp_path: Path) -> None:
    text = ok("quantize", lenet, "--random", "1", "-o", tmp_path / "q.onnx")
    assert "on random data: say nothing of accuracy" in text


def test_old_opsets_and_symbolic_shapes(tmp_path: Path) -> None:
    text = """<ir_version: 7, opset_import: ["": 11]> g (float[N,3,8,8] x) => (float[N,4,8,8] y) {
        c = Conv <pads = [1, 1, 1, 1]> (x, w)
        y = Relu (c)
    }"""
    model = parser.parse_model(text)
    weight = np.random.default_rng(1).standard_normal((4, 3, 3, 3)).astype(np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(weight, "w"))
    path, output = tmp_path / "m.onnx", tmp_path / "q.onnx"
    onnx.save(model, path)
    error = fails("NNC-E013", tmp_path, "quantize", path, "--random", "2", "-o", output)
    assert "--shape x=1,3,8,8" in error
    data = json.loads(ok("quantize", path, "--random", "2", "-o", output, "--shape", "x=2,3,8,8", "--json"))
    assert data["errors"][0]["max_rel_error"] < 0.05
    assert [len(t["scale"]) for t in data["tensors"] if t["kind"] == "weight"] == [4]


def test_several_inputs_come_from_an_archive(tmp_path: Path) -> None:
    text = """<ir_version: 9, opset_import: ["": 18]>
        g (float[2,4] a, float[4,3] b) => (float[2,3] y) { y = MatMul (a, b) }"""
    path = tmp_path / "m.onnx"
    onnx.save(parser.parse_model(text), path)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((5, *shape)).astype(np.float32) for shape in ((2, 4), (4, 3)))
    good = archive(tmp_path / "good.npz", a=a, b=b)
    assert "5 samples" in ok("quantize", path, "--calibration", good, "-o", tmp_path / "q.onnx")
    unequal = archive(tmp_path / "unequal.npz", a=a, b=b[:3])
    command = ("quantize", path, "-o", tmp_path / "p.onnx", "--calibration")
    assert "a 5, b 3" in fails("NNC-E050", tmp_path, *command, unequal)
    assert "one input" in fails("NNC-E050", tmp_path, *command, PICTURES)


# --- errors -------------------------------------------------------------------------------------------------


ZEROS = np.zeros((2, *LENET), np.float32)
BAD_ARCHIVES: dict[str, tuple[str, dict[str, np.ndarray]]] = {
    "another name": ("are not those", {"picture": ZEROS}),
    "one array too many": ("are not those", {"input": ZEROS, "more": ZEROS}),
    "another shape": ("[samples, 1, 1, 32, 32] or [samples, 1, 32, 32]", {"input": ZEROS[..., :16]}),
    "another type": ("float64", {"input": ZEROS.astype(np.float64)}),
    "no axis of samples": ("not samples", {"input": ZEROS[0, 0, 0]}),
    "no sample": ("no sample", {"input": ZEROS[:0]}),
}


@pytest.mark.parametrize("case", BAD_ARCHIVES)
def test_bad_archives(case: str, lenet: Path, tmp_path: Path) -> None:
    said, arrays = BAD_ARCHIVES[case]
    path = archive(tmp_path / "bad.npz", **arrays)
    assert said in fails("NNC-E050", tmp_path, "quantize", lenet, "--calibration", path, "-o", tmp_path / "q")


def test_bad_places(lenet: Path, tmp_path: Path) -> None:
    """No pictures, no archive, a broken one, pictures of another size or broken half way."""
    empty, gifs, wrong = tmp_path / "empty", tmp_path / "other", tmp_path / "wrong"
    for folder in (empty, gifs, wrong):
        folder.mkdir()
    (gifs / "a.gif").write_bytes(b"x")
    (wrong / "a.png").write_bytes(sample_pngs()[0].read_bytes())
    broken = archive(tmp_path / "broken.npz", input=ZEROS)
    broken.write_bytes(broken.read_bytes()[:-100])
    (tmp_path / "s.txt").write_text("x")
    for place, said in (
        (empty, "an empty folder"),
        (gifs, "1 other files"),
        (wrong, "16 x 16 pixels"),
        (broken, "not a whole .npz"),
        (tmp_path / "none", "no such file"),
        (tmp_path / "none.npz", "No such file"),
        (tmp_path / "s.txt", "a file .txt"),
    ):
        command = ("quantize", lenet, "--calibration", place, "-o", tmp_path / "q.onnx")
        assert said in fails("NNC-E050", tmp_path, *command)
    half_way = tmp_path / "half way"
    half_way.mkdir()
    (half_way / "a.png").write_bytes(sample_pngs()[0].read_bytes())
    (half_way / "b.png").write_bytes(sample_pngs()[1].read_bytes()[:50])
    command = ("quantize", DIGITS, "--calibration", half_way, "-o", tmp_path / "q.onnx")
    assert "b.png" in fails("NNC-E050", tmp_path, *command)


def test_models_that_cannot_be_quantised(lenet: Path, tmp_path: Path) -> None:
    quantised = tmp_path / "q.onnx"
    ok("quantize", lenet, "--random", "1", "-o", quantised)
    half, nothing = tmp_path / "half.onnx", tmp_path / "nothing.onnx"
    onnx.save(to_half(onnx.load(lenet)), half)
    text = '<ir_version: 9, opset_import: ["": 18]> g (float[2] x) => (float[2] y) { y = Erf (x) }'
    onnx.save(parser.parse_model(text), nothing)
    for model, code, said in (
        (quantised, "NNC-E017", "quantised already"),
        (half, "NNC-E017", "half precision"),
        (nothing, "NNC-E017", "Erf"),
        (tmp_path / "none.onnx", "NNC-E010", "no such file"),
    ):
        error = fails(code, tmp_path, "quantize", model, "--random", "1", "-o", tmp_path / "r.onnx")
        assert said in error


def test_wrong_use(lenet: Path, tmp_path: Path) -> None:
    output = tmp_path / "q.onnx"
    assert nnc("quantize", lenet, "-o", output).exit_code == 2
    both = nnc("quantize", lenet, "-o", output, "--random", "1", "--calibration", tmp_path)
    assert both.exit_code == 2 and "one of --calibration" in both.stderr
    assert nnc("quantize", lenet, "-o", output, "--random", "0").exit_code == 2
    fails("NNC-E001", lenet.parent, "quantize", lenet, "-o", lenet, "--random", "1")
    fails("NNC-E002", tmp_path, "quantize", lenet, "-o", tmp_path / "no" / "q.onnx", "--random", "1")


def test_without_onnxruntime(lenet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nnc.quantize.quantize.find_spec", lambda name: None)
    error = fails("NNC-E003", tmp_path, "quantize", lenet, "--random", "1", "-o", tmp_path / "q.onnx")
    assert "pip install 'nnc[quantize]'" in error


def test_mixed_precision(tmp_path: Path) -> None:
    """The choice is shown with its loss and the DRAM bytes of the programs; they are those of nnc compile."""
    output, images = tmp_path / "m.onnx", load_heldout()[0][[67, 165, 333, 0]]
    given = archive(tmp_path / "s.npz", image=np.concatenate([to_input(image) for image in images]))
    command = ("quantize", DIGITS, "--calibration", given, "-o", output)
    search = ("--mixed", "--metric", "error", "--max-loss", "1%")
    data = json.loads(ok(*command, *search, "--json"))
    mixed = data["mixed"]
    assert mixed["loss"]["mixed"] <= 1e-2 < mixed["loss"]["int8"]
    assert set(data["float"]) == {step["layer"] for step in mixed["steps"] if step["needed"]}
    compiled = json.loads(ok("compile", output, "--json"))
    assert compiled["network"]["figures"]["dram"]["total_bytes"] == mixed["dram_bytes"]["mixed"]
    assert mixed["dram_bytes"]["mixed"] < mixed["dram_bytes"]["float"]
    text = ok(*command, "--float", "relu_1", "--float", "node_linear")
    assert "float         2 of the layers: node_conv2d_1, node_linear" in text
    assert "no --mixed" in fails("NNC-E001", tmp_path, *command, "--max-loss", "1%")
    assert "no such layer" in fails("NNC-E001", tmp_path, *command, "--float", "conv9")
    assert nnc(*command, "--mixed", "--max-loss", "150%").exit_code == 2
    assert "--mixed" in fails(
        "NNC-E001", tmp_path, "quantize", DIGITS, "-o", output, *search[:1], "--weights", "int4"
    )
