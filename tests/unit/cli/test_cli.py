"""Help, usage, and the small commands on sound input: what they print, write and return."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from pathlib import Path

import onnx
import pytest
from cli_harness import DIGITS, data_of, fails, nnc, ok

import nnc as package
from nnc.cli.commands import COMMANDS
from nnc.cli.logs import logged
from nnc.isa.chip.load import preset_names
from nnc.isa.program_file.binary import load_program, save_program

# --- help ---------------------------------------------------------------------------------------------------


def test_help_lists_every_command() -> None:
    text = ok("--help")
    for name in COMMANDS:
        assert f"\n  {name} " in text


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS,
        "chips keys",
        "chips list",
        "chips show",
        "models list",
        "models build",
    ],
)
def test_every_command_teaches_by_example(command: str) -> None:
    text = ok(*command.split(), "--help")
    assert "Example" in text
    assert f"    nnc {command.split()[0]}" in text


def test_version() -> None:
    assert ok("--version").strip() == f"nnc, version {package.__version__}"


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("compile",),
        ("compile", DIGITS, "--shape", "image"),
        ("compile", DIGITS, "--shape", "image=1,x"),
        ("compile", DIGITS, "--objective", "speed"),
        ("compile", DIGITS, "--fc-oram", "much"),
        ("compile", DIGITS, "--fc-oram", "0"),
        ("dump-ir", DIGITS, "--stage", "nonsense"),
        ("run", "p.bin", "--seed", "-1"),
        ("run", "p.bin", "--mean", "0,nan"),
        ("run", "p.bin", "--scale", "much"),
        ("run", "p.bin", "--set", "cores=2"),
        ("asm", "p.asm"),
        ("models", "build", "lenet5"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    result = nnc(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "where", "said"),
    [
        (("compile", DIGITS, "--nonsense", "--json"), "nnc compile", "--nonsense"),
        (("compile", "--json"), "nnc compile", "Missing argument"),
        (("--nonsense", "--json"), "nnc", "--nonsense"),
        (("nonsense", "--json"), "nnc", "'nonsense'"),
        (("chips", "nonsense", "--json"), "nnc chips", "'nonsense'"),
        (("run", "p.bin", "--seed", "-1", "--json"), "nnc run", "--seed"),
        (("run", "--json", "p.bin", "--set", "cores=2"), "nnc run", "--set belongs to --chip"),
        (("asm", "--json", "p.asm"), "nnc asm", "--json"),
    ],
)
def test_wrong_usage_is_json_under_json(arguments: tuple[str, ...], where: str, said: str) -> None:
    result = nnc(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    error = json.loads(result.stderr)["error"]
    assert set(error) == {"code", "message", "where", "found", "expected", "remedy"}
    assert (error["code"], error["where"]) == ("NNC-E001", where)
    assert said in error["message"]
    assert f"{where} --help" in error["remedy"]


def test_json_behind_two_dashes_is_the_name_of_a_file() -> None:
    result = nnc("compile", "--nonsense", "--", "--json")
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: nnc compile")


def test_options_of_published_methods_are_at_the_end_of_the_help() -> None:
    for command in ("compile", "dump-ir", "report"):
        usual, methods = ok(command, "--help").split("\nOptions of published methods")
        for option in ("--overlap", "--split", "--conv-buffers", "--stitch", "--fc-oram"):
            assert f"\n  {option} " in methods
            assert f"\n  {option} " not in usual
        assert "\n  --objective " in usual and "--help" in usual
        assert "--objective" not in methods


# --- the other commands -------------------------------------------------------------------------------------


def test_disasm_and_asm_are_inverse(program: Path, tmp_path: Path) -> None:
    ok("disasm", program, "-o", tmp_path / "d.asm")
    ok("asm", tmp_path / "d.asm", "-o", tmp_path / "d.bin")
    assert (tmp_path / "d.bin").read_bytes() == program.read_bytes()
    shown = nnc("disasm", program)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(".nnc 5\n")
    assert "constants" in shown.stderr


def test_verify(program: Path) -> None:
    assert "no rule is broken" in ok("verify", program)
    assert data_of("verify", program) == {"program": str(program), "ok": True, "findings": []}


def test_verify_reports_a_dropped_store(program: Path, tmp_path: Path) -> None:
    loaded, path = load_program(program), tmp_path / "broken.bin"
    save_program(replace(loaded, issued=loaded.issued[:-1]), path)
    assert "output: tensor probabilities" in fails("NNC-E060", tmp_path, "verify", path)
    result = nnc("verify", path, "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["ok"] is False
    assert [finding["rule"] for finding in data["findings"]] == ["output", "digest"]
    assert json.loads(result.stderr)["error"]["code"] == "NNC-E060"


def test_chips() -> None:
    text = ok("chips")
    assert text == ok("chips", "list")
    data = data_of("chips")
    assert [chip["name"] for chip in data] == preset_names()
    assert all(chip["name"] in text for chip in data)
    assert data_of("chips", "show", "vdsp12")["cores"] == 12
    assert 'name = "npu4"' in ok("chips", "show", "npu4")


def test_models(tmp_path: Path) -> None:
    text = ok("models")
    assert text == ok("models", "list")
    names = [model["name"] for model in data_of("models", "list")]
    assert {"mlp-784-1152-10", "resnet18", "unet", "digits"} <= set(names)
    small = ("--image", "32", "--width", "0.5", "--batch", "2", "--seed", "3")
    ok("models", "build", "lenet5", "-o", tmp_path / "m.onnx", *small)
    dims = onnx.load(tmp_path / "m.onnx").graph.input[0].type.tensor_type.shape.dim
    assert [dim.dim_value for dim in dims] == [2, 1, 32, 32]
    data = data_of("models", "build", "digits", "-o", tmp_path / "d.onnx")
    assert (tmp_path / "d.onnx").read_bytes() == Path(DIGITS).read_bytes()
    assert data == {
        "name": "digits",
        "file": str(tmp_path / "d.onnx"),
        "bytes": Path(DIGITS).stat().st_size,
    }


def test_ops() -> None:
    text, data = ok("ops"), data_of("ops")
    names = {operator["name"] for operator in data}
    assert {"Conv", "ConvTranspose", "Gemm", "MatMul", "Softmax", "Resize", "Gather"} <= names
    assert all(name in text for name in names)
    keys = ["name", "domain", "summary", "constraints", "function"]
    assert all(list(operator) == keys for operator in data)
    functions = {operator["name"]: operator["function"] for operator in data if operator["function"]}
    assert {"Attention", "CenterCropPad", "RotaryEmbedding"} <= functions.keys()
    assert "Scan" in functions["LinearAttention"]["operators"]
    assert functions["Attention"]["missing"] == [] and functions["Attention"]["constant"] == ["Range"]
    assert functions["Attention"]["opsets"][0] == 23 and "Softmax" in functions["Attention"]["operators"]


def test_chips_show_resolves_what_a_chip_extends(tmp_path: Path) -> None:
    """What is shown stands on its own and describes the same chip."""
    mine, whole = tmp_path / "mine.toml", tmp_path / "whole.toml"
    mine.write_text('extends = "vdsp12"\nname = "mine"\n[memory.am]\nbytes = "64KiB"\n')
    whole.write_text(ok("chips", "show", mine))
    assert "extends" not in whole.read_text()
    shown = data_of("chips", "show", mine)
    assert shown == data_of("chips", "show", whole)
    assert (shown["name"], shown["memory"]["am"]["bytes"], shown["cores"]) == ("mine", 65536, 12)


def test_planning_is_logged_on_request_alone() -> None:
    """On stderr, by whom; what stands on stdout is the same."""
    for command in (("compile", DIGITS, "--json"), ("dump-ir", DIGITS, "--stage", "group")):
        quiet, loud = nnc(*command, "-v"), nnc(*command, "-vv")
        assert (quiet.exit_code, quiet.stderr, loud.exit_code) == (0, "", 0)
        seconds = re.compile(r'"seconds": [^,\n]*|"compile_seconds": [^,\n]*')
        assert seconds.sub("", quiet.stdout) == seconds.sub("", loud.stdout)
        assert "compiler.pipeline: fold-affine: " in loud.stderr
        assert nnc(*command).stderr == ""  # nothing is left behind


def test_logged_names_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with logged(2):
        logging.getLogger("nnc.compiler.plan").debug("layer %s", "\x1b[2J[bold]conv")
    assert capsys.readouterr().err.strip() == "compiler.plan: layer \\x1b[2J[bold]conv"
