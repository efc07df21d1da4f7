"""nnc run on sound input: what it prints, writes and returns."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from bad_models import parse
from cli_harness import DIGITS, PICTURE, PIXELS, data_of, files_of, ok

from nnc.isa.program_file.binary import load_program, save_program
from nnc.report.schema import Report

RUN_KEYS = ["outputs", "verified", "jitter", "wall_seconds", "check"]


def test_run_json_has_the_documented_keys(program: Path, tmp_path: Path) -> None:
    arguments = ("--input", f"image={PICTURE}", *PIXELS, "--output-dir", tmp_path, "--check", DIGITS)
    data = data_of("run", program, *arguments)
    assert Report.model_validate(data).model_dump(mode="json", by_alias=True, exclude={"details"}) == data
    network, run = data["network"], data["run"]
    assert list(run) == RUN_KEYS
    assert sum(group["cycles"] for group in data["groups"]) == network["cycles"]
    for name, total in (
        ("dram_bytes", network["figures"]["dram"]["total_bytes"]),
        ("cycles", network["cycles"]),
    ):
        assert sum(group["estimated"][name] for group in data["groups"]) == network["estimated"][name]
        assert network["estimated"][name] == pytest.approx(total, rel=0.1)
    assert [(use["core"], use["engine"]) for use in data["engines"]] == [
        (0, "read"),
        (0, "compute"),
        (0, "write"),
    ]
    assert all(0 < use["utilisation"] <= 1 for use in data["engines"])
    assert {"ok", "reference", "max_rel_error", "outputs"} <= set(run["check"])
    assert run["check"]["ok"] is True
    assert 0 <= run["check"]["max_rel_error"] <= 1e-4
    figures = run["outputs"]["probabilities"]
    probabilities = np.load(figures["file"])
    assert (figures["dtype"], figures["shape"], figures["not_finite"]) == ("float32", [1, 10], 0)
    assert (figures["minimum"], figures["maximum"]) == (probabilities.min(), probabilities.max())
    assert figures["mean"] == pytest.approx(0.1)
    assert int(probabilities.argmax()) == 3
    assert probabilities.shape == (1, 10)


def test_run_shows_outputs_and_floors(program: Path) -> None:
    text = ok("run", program, "--input", PICTURE, *PIXELS, "-v", "--check", DIGITS)
    assert "largest: [3] " in text
    assert "x floor" in text
    assert text.count("compiler says ") == 4  # floors of bytes and cycles, and the prediction
    assert "utilisation" in text
    assert "check         equals onnx" in text
    assert "core 0 compute" in text
    assert "  group 0 " in text
    assert "when the groups were chosen" in text


def test_random_inputs_depend_on_the_seed_alone(program: Path, tmp_path: Path) -> None:
    def outputs(name: str, *seed: str) -> bytes:
        run = data_of("run", program, "--output-dir", tmp_path / name, *seed)["run"]
        assert run["check"] is None
        return Path(run["outputs"]["probabilities"]["file"]).read_bytes()

    assert outputs("a") == outputs("b", "--seed", "0")
    assert outputs("a") != outputs("c", "--seed", "1")
    assert "random, seed 1" in ok("run", program, "--seed", "1")


def test_run_without_the_compilers_figures_shows_no_floors(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "bare.bin"
    save_program(replace(load_program(program), facts={}), path)
    text = ok("run", path)
    assert "floor" not in text and "compiler says" not in text
    assert "simulated" in text


def test_run_accepts_the_chip_of_the_program(program: Path, tmp_path: Path) -> None:
    ok("run", program, "--chip", "npu")
    ok("compile", DIGITS, "--set", "memory.sram.bytes=1MiB", "-o", tmp_path / "d.bin")
    ok("run", tmp_path / "d.bin", "--chip", "npu", "--set", "memory.sram.bytes=1MiB")


def test_names_of_output_files_stay_in_their_folder(program: Path, tmp_path: Path) -> None:
    loaded = load_program(program)
    tensors = tuple(
        replace(tensor, name="../../evil") if tensor.name == "probabilities" else tensor
        for tensor in loaded.tensors
    )
    save_program(replace(loaded, tensors=tensors), tmp_path / "p.bin")
    data = data_of("run", tmp_path / "p.bin", "--no-verify", "--output-dir", tmp_path / "a" / "b")
    file = Path(data["run"]["outputs"]["../../evil"]["file"])
    assert file.parent == tmp_path / "a" / "b"
    assert set(files_of(tmp_path)) == {"p.bin", str(file.relative_to(tmp_path))}


def test_ports_without_elements_and_an_output_that_is_an_input(tmp_path: Path) -> None:
    """They are in the program's table, and every command knows them."""
    model, program, text = tmp_path / "m.onnx", tmp_path / "p.bin", tmp_path / "p.asm"
    onnx.save(
        parse("g (float[1,0,4] past, float[2] x) => (float[1,0,4] y, float[2] x) { y = Relu(past) }"), model
    )
    ok("compile", model, "-o", program, "--asm", text)
    assert "no rule is broken" in ok("verify", program)
    ok("asm", text, "-o", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == program.read_bytes()
    shown = ok("run", program, "--check", model, "--output-dir", tmp_path / "out")
    assert "output y float32[1,0,4]\n" in shown and "equals onnx" in shown
    assert np.load(tmp_path / "out" / "y.npy").shape == (1, 0, 4)
    feeds = {"past": np.zeros((1, 0, 4), np.float32), "x": np.ones(2, np.float32)}
    np.savez(tmp_path / "in.npz", **feeds)
    ok("run", program, "--input", tmp_path / "in.npz")
    assert "input    %past: f32[1,0,4]  // no elements" in ok("dump-ir", model, "--stage", "place")
    ports = json.loads(ok("dump-ir", model, "--stage", "place", "--format", "json"))["ports"]
    assert [(port["name"], port["tensor"]) for port in ports["outputs"]] == [("y", None), ("x", "x.copy")]
    for stage in ("import", "place"):
        exported = tmp_path / f"{stage}.onnx"
        ok("dump-ir", model, "--stage", stage, "--format", "onnx", "-o", exported)
        results = onnxruntime.InferenceSession(exported).run(None, feeds)
        assert [result.shape for result in results] == [(1, 0, 4), (2,)]


def test_check_of_a_model_that_no_reference_knows(tmp_path: Path) -> None:
    """Before opset 7; onnx's evaluator would take the vector for one along the last axis."""
    model, program = tmp_path / "m.onnx", tmp_path / "p.bin"
    text = (
        "g (float[2,4,3,4] x, float[4] b) => (float[2,4,3,4] y) { y = Add <broadcast = 1, axis = 1> (x, b) }"
    )
    onnx.save(parse(text, opset=6), model)
    ok("compile", model, "-o", program)
    assert "equals onnxruntime" in ok("run", program, "--check", model)
