"""nnc compile on sound input: what it prints, writes and returns."""

from __future__ import annotations

import re
from pathlib import Path

import onnx
import pytest
from cli_harness import DIGITS, data_of, fails, files_of, ok
from harness import CHIPS

from nnc.compiler.plan.options import BY_ENERGY, CONV_BUFFERS, OBJECTIVES, OVERLAPS, SOFTMAX_TYPES, SPLITS
from nnc.isa.program_file.binary import load_program
from nnc.report.schema import Report


def test_compile_json_has_the_documented_keys(tmp_path: Path) -> None:
    path = tmp_path / "d.bin"
    data = data_of("compile", DIGITS, "-o", path)
    assert list(data) == [
        *["schema", "nnc", "program", "model", "chip", "options", "instructions", "network", "groups"],
        *["layers", "operations", "cores", "memory", "states", "engines", "buffers", "fc_groups"],
        *["stitch", "quantised", "compile_seconds", "run"],
    ]
    assert data["program"] == str(path)
    assert data["chip"]["title"] == "npu"
    assert data["options"]["objective"] == "balanced"
    assert Report.model_validate(data).model_dump(mode="json", by_alias=True, exclude={"details"}) == data
    assert [group["id"] for group in data["groups"]] == list(range(len(data["groups"])))
    counts = data["instructions"]
    assert counts["read"] + counts["compute"] + counts["write"] == counts["total"]
    assert counts["total"] == len(load_program(path).issued)
    network, dram = data["network"], data["network"]["figures"]["dram"]
    assert dram["total_bytes"] >= network["floor"]["dram_bytes"]
    assert network["predicted_cycles"] == network["cycles"]
    assert network["floor"]["peak_cycles"] <= network["floor"]["compute_cycles"] <= network["cycles"]
    estimated = [group["estimated"] for group in data["groups"]]
    for what in ("dram_bytes", "cycles"):
        assert network["estimated"][what] == sum(estimate[what] for estimate in estimated) > 0


def test_compile_json_has_the_groups_of_pixels() -> None:
    (found,) = data_of("compile", DIGITS, "--chip", "nna", "--fc-oram", "128")["fc_groups"]
    assert found["layer"] == "node_linear"
    assert (found["pixels"], found["groups"], found["load_bytes"]) == (2, 2, [128, 128])
    assert data_of("compile", DIGITS)["fc_groups"] == []


def test_prediction_and_causes_are_those_of_the_run(program: Path) -> None:
    compiled = data_of("compile", DIGITS)
    ran = data_of("run", program)
    assert compiled["program"] is None
    assert compiled["network"] == ran["network"]
    assert ran["network"]["cycles"] == compiled["network"]["predicted_cycles"]


def test_compile_writes_program_and_text(tmp_path: Path) -> None:
    text = ok("compile", DIGITS, "-o", tmp_path / "d.bin", "--asm", tmp_path / "d.asm", "-v")
    assert set(files_of(tmp_path)) == {"d.bin", "d.asm", "d.asm.constants"}
    assert str(tmp_path / "d.asm") in text
    assert "floor" in text and "by cause" in text
    ok("asm", tmp_path / "d.asm", "-o", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "d.bin").read_bytes()


def test_compile_without_output_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "not written" in ok("compile", DIGITS)
    assert files_of(tmp_path) == {}


def test_compile_takes_chip_overrides_and_files(tmp_path: Path) -> None:
    chip = tmp_path / "mine.toml"
    chip.write_text(ok("chips", "show", "npu"))
    small = ("-O1", "--set", "memory.sram.bytes=16KiB")
    from_file = data_of("compile", DIGITS, "--chip", chip, *small)
    from_preset = data_of("compile", DIGITS, *small)
    del from_file["compile_seconds"], from_preset["compile_seconds"]
    assert from_preset["chip"]["title"] == "npu, memory.sram.bytes=16KiB"
    assert from_file == from_preset
    assert from_preset["network"]["cycles"] > data_of("compile", DIGITS, "-O1")["network"]["cycles"]


def test_compile_shows_the_costliest_groups_and_all_with_v(tmp_path: Path) -> None:
    model = tmp_path / "m.onnx"
    ok("models", "build", "mobilenet_v2", "-o", model, "--image", "32", "--width", "0.1")
    alone = ("--chip", CHIPS / "far-results.toml")  # no groups of several layers
    short, long = ok("compile", model, *alone), ok("compile", model, *alone, "-v")
    assert "that take fewer cycles (-v shows all)" in short
    assert "that take fewer cycles" not in long
    assert len(long.splitlines()) > len(short.splitlines())


def test_compile_minimises_the_objective() -> None:
    small = ("-O1", "--set", "memory.sram.bytes=36KiB")
    kinds = (*OBJECTIVES, *BY_ENERGY)
    found = {o: data_of("compile", DIGITS, *small, "--objective", o) for o in kinds}
    assert {o: data["options"]["objective"] for o, data in found.items()} == {o: o for o in kinds}
    traffic = {o: data["network"]["figures"]["dram"]["total_bytes"] for o, data in found.items()}
    cycles = {o: data["network"]["cycles"] for o, data in found.items()}
    assert traffic["traffic"] == min(traffic.values()) < traffic["cycles"]
    assert cycles["cycles"] < cycles["traffic"]
    stage = ("dump-ir", DIGITS, *small, "--stage", "group")
    assert ok(*stage, "--objective", "traffic") != ok(*stage, "--objective", "cycles")


def test_choices_in_the_help_are_those_of_the_planner() -> None:
    for command in ("compile", "dump-ir"):
        text = ok(command, "--help")
        assert f"--objective {'|'.join((*OBJECTIVES, *BY_ENERGY))}" in text
        known = {"overlap": OVERLAPS, "split": SPLITS, "conv-buffers": CONV_BUFFERS, "softmax": SOFTMAX_TYPES}
        for option, choices in known.items():
            assert f"--{option} {'|'.join(choices)}" in text


def test_compile_shows_what_every_group_costs() -> None:
    text = ok("compile", DIGITS, "--set", "memory.sram.bytes=32KiB", "--objective", "traffic")
    head = next(line for line in text.splitlines() if line.startswith("group"))
    assert head.split() == [
        *["group", "kind", "layers", "parts", "cut", "by", "sram", "KiB", "DRAM", "floor", "spill", "align"],
        *["cycles", "bound", "by"],
    ]
    assert "residual  4: node_conv2d … node_max_pool2d" in text
    verbose = ok("compile", DIGITS, "-v")
    assert re.search(
        r"^  group 0   .*node_conv2d_1.*\n {12}\d+ B of DRAM traffic for ", verbose, re.MULTILINE
    )
    assert "  estimated   " in verbose


def test_compile_gives_symbolic_dimensions_their_size(tmp_path: Path) -> None:
    model = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 20]> g (float[N,4] x) => (float[N,4] y) { y = Relu(x) }'
    )
    onnx.save(model, tmp_path / "m.onnx")
    assert "--shape x=1,4" in fails("NNC-E013", tmp_path, "compile", tmp_path / "m.onnx")
    data = data_of("compile", tmp_path / "m.onnx", "--shape", "x=3,4")
    assert data["network"]["floor"]["dram_bytes"] == 2 * 3 * 4 * 4
