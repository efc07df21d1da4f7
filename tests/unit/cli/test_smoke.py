"""The shortest way through everything, for `make smoke`: a network on each chip, compiled, verified, run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_harness import ok

from nnc.isa.chip.load import preset_names

SMALL = {
    "npu": ["memory.sram.bytes=3KiB"],
    "npu-banked": ["memory.bank1.bytes=3KiB", "memory.bank2.bytes=4KiB"],
    "llm-edge": ["memory.sram.bytes=3KiB"],
    "npu4": ["memory.sram.bytes=3KiB"],
    "nna": ["memory.oram.bytes=8KiB", "memory.fram.bytes=2KiB", "memory.wram.bytes=4KiB"],
    "pixel-dsp": ["memory.sram.bytes=3KiB"],
    "vdsp12": ["memory.sm.bytes=2KiB", "memory.am.bytes=8KiB"],
}
"""Memories so small that layers must be cut."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("smoke") / "lenet5.onnx"
    ok("models", "build", "lenet5", "--image", "16", "--width", "0.5", "-o", path)
    return path


def test_every_preset_is_tried() -> None:
    assert set(SMALL) == set(preset_names())


@pytest.mark.parametrize("chip", SMALL)
def test_one_network_per_chip(chip: str, model: Path, tmp_path: Path) -> None:
    program, text = tmp_path / "p.bin", tmp_path / "p.asm"
    sizes = [argument for size in SMALL[chip] for argument in ("--set", size)]
    report = json.loads(ok("compile", model, "--chip", chip, *sizes, "-o", program, "--asm", text, "--json"))
    assert len(report["groups"]) > 1
    ok("verify", program)
    ran = json.loads(ok("run", program, "--check", model, "--json"))
    assert ran["run"]["check"]["ok"]
    assert ran["network"] == report["network"]
    ok("asm", text, "-o", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == program.read_bytes()
