"""nnc run on programs with missing waits, and with random timing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import onnx
import pytest
from cli_harness import fails, nnc, ok

from nnc import models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """M2's worked example as m.onnx and m.bin, and late.bin, in which the second layer waits for nothing."""
    path = tmp_path_factory.mktemp("worked")
    onnx.save(models.build("mlp-784-1152-10"), path / "m.onnx")
    ok("compile", path / "m.onnx", "--chip", "vdsp12", "--split", "even", "-o", path / "m.bin")
    ok("disasm", path / "m.bin", "-o", path / "m.asm")
    lines = (path / "m.asm").read_text().splitlines(keepends=True)
    chosen = [number for number, line in enumerate(lines) if re.search(r" broadcast .*@.*@", line)]
    assert len(chosen) == 1, "the second layer's input is broadcast when all cores have stored their columns"
    lines[chosen[0]] = re.sub(r" *@[^;]*", "   ", lines[chosen[0]])
    (path / "late.asm").write_text("".join(lines))
    ok("asm", path / "late.asm", "-o", path / "late.bin")
    return path


def data_of(*arguments: str | Path) -> Any:
    """The JSON that a command prints."""
    return json.loads(ok(*arguments, "--json"))


def test_a_program_without_its_waits_is_refused(folder: Path) -> None:
    error = fails("NNC-E060", folder, "run", folder / "late.bin", "--check", folder / "m.onnx")
    assert "late.bin: the program breaks " in error and "race: k0.c0 gemm (gemm1)" in error
    assert "remedy" in error and "--no-verify" in error
    result = nnc("run", folder / "late.bin", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stderr)["error"]["code"] == "NNC-E060"


def test_a_program_without_its_waits_gives_wrong_results(folder: Path) -> None:
    arguments = ("run", folder / "late.bin", "--no-verify", "--check", folder / "m.onnx")
    result = nnc(*arguments)
    assert result.exit_code == 1
    assert "NNC-E061" in result.stderr and "NaN" in result.stderr
    assert "min nan" in result.stdout
    assert nnc("run", folder / "late.bin", "--no-verify").exit_code == 0


def test_a_sound_program_gives_the_same_with_any_timing(folder: Path) -> None:
    plain = data_of("run", folder / "m.bin", "--output-dir", folder / "plain")
    assert (plain["run"]["verified"], plain["run"]["jitter"]) == (True, None)
    expected = Path(plain["run"]["outputs"]["output"]["file"]).read_bytes()
    cycles = {plain["network"]["cycles"]}
    for seed in range(3):
        arguments = (
            "--jitter",
            str(seed),
            "--output-dir",
            folder / f"seed{seed}",
            "--check",
            folder / "m.onnx",
        )
        data = data_of("run", folder / "m.bin", *arguments)
        assert (data["run"]["verified"], data["run"]["jitter"], data["run"]["check"]["ok"]) == (
            True,
            seed,
            True,
        )
        assert Path(data["run"]["outputs"]["output"]["file"]).read_bytes() == expected
        cycles.add(data["network"]["cycles"])
    assert len(cycles) == 4
    unverified = data_of("run", folder / "m.bin", "--no-verify", "--check", folder / "m.onnx")
    assert (unverified["run"]["verified"], unverified["network"]["cycles"]) == (
        False,
        plain["network"]["cycles"],
    )


def test_cycles_of_random_timing_are_said_to_be_no_others(folder: Path) -> None:
    text = ok("run", folder / "m.bin", "--jitter", "7")
    assert re.search(r"^cycles +[\d,]+ of random timing, seed 7: not the chip's$", text, re.MULTILINE)
    assert "simulated (" not in text and "DRAM bandwidth" not in text


def test_a_trace_of_random_timing(folder: Path) -> None:
    data = data_of("run", folder / "m.bin", "--jitter", "7", "--trace", folder / "trace.json")
    trace = json.loads((folder / "trace.json").read_text())
    assert trace["otherData"]["cycles"] == data["network"]["cycles"]


def test_a_seed_is_a_number_that_is_not_negative(folder: Path) -> None:
    for wrong in ("-1", "x"):
        result = nnc("run", folder / "m.bin", "--jitter", wrong)
        assert result.exit_code == 2 and "--jitter" in result.stderr
