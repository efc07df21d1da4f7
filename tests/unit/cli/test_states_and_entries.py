"""States and entries on the command line: runs that go on from each other, programs of several sizes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from cli_harness import fails, nnc, ok
from decoder_model import decoder_model
from exported_decoders import KINDS, ExportedDecoder

LENGTH = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A decoder whose past has room, compiled with states, and inputs for its first tokens."""
    folder = tmp_path_factory.mktemp("states")
    onnx.save(decoder_model(1, LENGTH, 32), folder / "step.onnx")
    text = ok("compile", folder / "step.onnx", "--state", "auto", "-O0", "-o", folder / "step.bin")
    assert f"room for {LENGTH} rows, 1 new a run" in text
    for number in range(3):
        mask = (np.arange(LENGTH) <= number).astype(np.int64)[None]
        np.savez(folder / f"{number}.npz", input_ids=np.array([[3 + number]]), attention_mask=mask)
    return folder


def test_runs_go_on_from_each_other(folder: Path) -> None:
    """Each is compared with the model, which gets the states of the run before and gives the new ones."""
    begin: list[str | Path] = []
    for number in range(3):
        arguments = ["--input", folder / f"{number}.npz", "--check", folder / "step.onnx", *begin]
        saved = folder / f"{number}.state.npz"
        text = ok("run", folder / "step.bin", *arguments, "--save-state", saved)
        assert "equals onnxruntime" in text
        assert np.load(saved)["position"] == number + 1
        begin = ["--state", saved]


def test_states_that_do_not_fit(folder: Path) -> None:
    arguments = ["run", folder / "step.bin", "--input", folder / "1.npz"]
    assert "of another position" in fails("NNC-E050", folder, *arguments)
    message = fails("NNC-E050", folder, *arguments, "--state", folder / "0.npz")
    assert "does not hold the states" in message and "--save-state" in message


def test_entries_of_one_file(folder: Path) -> None:
    onnx.save(ExportedDecoder(KINDS["llama"], layers=1).model(), folder / "llama.onnx")
    entries = ["--entry", "step:tokens=1,total=9", "--entry", "prefill:tokens=3,total=11"]
    compiling = ["compile", folder / "llama.onnx", "--state", "auto", "--dim", "past=8", "-O0"]
    text = ok(*compiling, *entries, "-o", folder / "linked.bin")
    assert "entry     step: tokens = 1, total = 9" in text and "constants " in text
    reports = json.loads(ok(*compiling, *entries, "--json"))["entries"]
    assert list(reports) == ["step", "prefill"] and reports["step"]["states"]["new_rows"] == 1
    assert "no rule is broken" in ok("verify", folder / "linked.bin", "--entry", "prefill")
    assert "several programs" in fails("NNC-E030", folder, "verify", folder / "linked.bin")
    ok("disasm", folder / "linked.bin", "--entry", "step", "-o", folder / "step.asm")
    assert ".state past_key_values.0.key" in (folder / "step.asm").read_text()
    assert "on npu" in ok("profile", folder / "linked.bin", "--entry", "step", "--top", "2")
    saved = folder / "prefill.state.npz"
    ok("run", folder / "linked.bin", "--entry", "prefill", "--save-state", saved)
    ok("run", folder / "linked.bin", "--entry", "step", "--state", saved, "--save-state", folder / "s.npz")
    assert np.load(folder / "s.npz")["position"] == 4
    check = ["--entry", "step", "--check", folder / "llama.onnx"]
    assert "free places" in fails("NNC-E050", folder, "run", folder / "linked.bin", *check)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--entry", "step"],
        ["--entry", "a:tokens=1", "--entry", "a:tokens=2"],
        ["--entry", "a:tokens=x"],
        ["--entry", "a:tokens=1", "--asm", "a.asm"],
        ["--dim", "tokens"],
        ["--state", "auto", "--state", "a=b"],
        ["--state", "a"],
    ],
    ids=str,
)
def test_wrong_usage(folder: Path, arguments: list[str]) -> None:
    assert nnc("compile", folder / "step.onnx", *arguments).exit_code == 2
