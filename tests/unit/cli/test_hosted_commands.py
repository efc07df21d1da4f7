"""Programs with a host on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from cli_harness import fails, nnc, ok
from hosted_models import yolo_like


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hosted")
    onnx.save(yolo_like(), folder / "yolo.onnx")
    ok("compile", folder / "yolo.onnx", "--host", "auto", "-O0", "-o", folder / "yolo.bin")
    return folder


def test_what_compile_says(folder: Path) -> None:
    text = ok("compile", folder / "yolo.onnx", "--host", "auto", "-O0")
    assert "segment 0     chip, entry chip0" in text and "segment 1     host, " in text
    assert "picks (NonMaxSuppression): how many elements its result has is known only at run time" in text
    assert "crosses       boxes, " in text and "of the host's tensors" in text
    report = json.loads(ok("compile", folder / "yolo.onnx", "--host", "auto", "-O0", "--json"))
    sides = [segment["side"] for segment in report["segments"]]
    assert sides == ["chip", "host"] and report["host_seconds"] is None
    traffic = report["segments"][0]["report"]["network"]["figures"]["dram"]["by_cause"]
    assert report["host_bytes"] == traffic["host"] == sum(c["bytes"] for c in report["crossings"])


def test_without_a_host_the_refusal_names_it(folder: Path) -> None:
    for host in ([], ["--host", "never"]):
        message = fails("NNC-E015", folder, "compile", folder / "yolo.onnx", *host)
        assert "--host auto leaves to a host what it must take: picks" in message


def test_run_goes_through_all_segments(folder: Path) -> None:
    text = ok("run", folder / "yolo.bin", "--check", folder / "yolo.onnx", "--output-dir", folder / "out")
    assert "equals onnxruntime" in text and "host          " in text
    chosen = np.load(folder / "out" / "chosen.npy")
    assert chosen.shape[1] == 4 and len(chosen)
    report = json.loads(ok("run", folder / "yolo.bin", "--json", "--check", folder / "yolo.onnx"))
    assert report["check"]["ok"] and report["host_seconds"] > 0
    assert report["outputs"]["chosen"]["shape"] == list(chosen.shape)


def test_options_that_do_not_go_together(folder: Path) -> None:
    program, model = folder / "yolo.bin", folder / "yolo.onnx"
    refused = nnc("run", program, "--trace", folder / "t.json")
    assert refused.exit_code == 2 and "choose it with --entry" in refused.output
    refused = nnc("compile", model, "--host", "auto", "--state", "auto")
    assert refused.exit_code == 2 and "--host goes without" in refused.output
    message = fails("NNC-E001", folder, "compile", model, "--host", "auto", "--host", "pick")
    assert "did you mean picks" in message


def test_a_segment_of_the_chip_by_itself(folder: Path) -> None:
    assert "no rule is broken" in ok("verify", folder / "yolo.bin", "--entry", "chip0")
    ok("disasm", folder / "yolo.bin", "--entry", "chip0", "-o", folder / "chip0.asm")
    assert ".host boxes\n" in (folder / "chip0.asm").read_text()
    ok("asm", folder / "chip0.asm", "-o", folder / "again.bin")
    assert "host " in ok("profile", folder / "again.bin")
