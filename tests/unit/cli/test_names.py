"""Names on the command line: the shell completes them, and a wrong one is answered with the nearest."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_harness import DIGITS, data_of, fails, nnc, ok
from click.shell_completion import ShellComplete

from nnc.cli.commands import COMMANDS, commands
from nnc.compiler.pipeline import STAGES, pass_names
from nnc.compiler.plan.effort import EFFORTS
from nnc.compiler.plan.options import BY_ENERGY, OBJECTIVES
from nnc.isa.chip.load import preset_names
from nnc.models import names


def completed(*arguments: str) -> list[str]:
    """What the shell offers for the last of the arguments."""
    *before, incomplete = arguments
    shell = ShellComplete(commands, {}, "nnc", "_NNC_COMPLETE")
    return [item.value for item in shell.get_completions(before, incomplete)]


def test_commands_and_options_are_completed() -> None:
    assert completed("") == list(COMMANDS)
    assert completed("dis") == ["disasm"]
    assert completed("chips", "") == ["keys", "list", "show"]
    assert {"--objective", "--output"} <= set(completed("compile", "--o"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("compile", DIGITS, "--objective", ""), [*OBJECTIVES, *BY_ENERGY]),
        (("compile", DIGITS, "--objective", "t"), ["traffic"]),
        (("compile", DIGITS, "-O", ""), [name[1:] for name in EFFORTS]),
        (("compile", DIGITS, "--overlap", ""), ["keep", "recompute"]),
        (("dump-ir", DIGITS, "--stage", ""), [*STAGES]),
        (("dump-ir", DIGITS, "--after", "trim"), ["trim-kernels"]),
        (("dump-ir", DIGITS, "--after", ""), [*pass_names()]),
        (("models", "build", "resnet"), [name for name in names() if name.startswith("resnet")]),
        (("models", "build", "dig"), ["digits"]),
        (("ops", "Cum"), ["CumProd", "CumSum"]),
        (("compile", DIGITS, "--set", "memory."), ["memory.sram.bytes=", "memory.sram.word="]),
        (
            ("compile", DIGITS, "--chip", "vdsp12", "--set", "memory.s"),
            ["memory.sm.bytes=", "memory.sm.word="],
        ),
        (("compile", DIGITS, "--chip", "none.toml", "--set", ""), []),
    ],
)
def test_names_are_completed(arguments: tuple[str, ...], expected: list[str]) -> None:
    assert completed(*arguments) == expected


@pytest.mark.parametrize(
    "command", [("compile", DIGITS, "--chip"), ("run", "p.bin", "--chip"), ("chips", "show")]
)
def test_chips_are_presets_and_files(command: tuple[str, ...]) -> None:
    """The last item is what has been typed: the shell adds the files that begin like this."""
    assert completed(*command, "") == [*preset_names(), ""]
    assert completed(*command, "npu") == [*(n for n in preset_names() if n.startswith("npu")), "npu"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("comple",), "No such command 'comple'. Did you mean compile?"),
        (("chips", "shw"), "Did you mean show?"),
        (("models", "bild"), "Did you mean build?"),
        (("nonsense",), "The commands are compile, run"),
        (("compile", DIGITS, "--objective", "trafic"), "did you mean traffic?"),
        (("compile", DIGITS, "--overlap", "recompte"), "did you mean recompute?"),
        (("compile", DIGITS, "--objektive", "traffic"), "Did you mean '--objective'?"),
        (("dump-ir", DIGITS, "--stage", "partion"), "did you mean partition?"),
        (("dump-ir", DIGITS, "--after", "fold-afine"), "did you mean fold-affine"),
    ],
)
def test_wrong_usage_is_answered_with_the_nearest_name(arguments: tuple[str, ...], said: str) -> None:
    result = nnc(*arguments)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("models", "build", "resnt18", "-o", "m.onnx"), "resnet18"),
        (("ops", "Convv"), "Conv"),
        (("compile", DIGITS, "--chip", "npu-bankd"), "npu-banked"),
        (("compile", DIGITS, "--shape", "imag=1,1,16,16"), "image"),
    ],
)
def test_failures_are_answered_with_the_nearest_name(
    arguments: tuple[str, ...], near: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = "NNC-E020" if "--chip" in arguments else "NNC-E001"
    assert f"did you mean {near}" in fails(code, tmp_path, *arguments)


def test_some_operators_by_name() -> None:
    (conv, gemm) = data_of("ops", "Conv", "Gemm")
    assert (conv["name"], gemm["name"]) == ("Conv", "Gemm")
    assert [line.split()[0] for line in ok("ops", "CumSum").splitlines()][:2] == ["operator", "CumSum"]


def test_keys_of_chips() -> None:
    keys = data_of("chips", "keys")
    text = ok("chips", "keys")
    assert all(f"\n{key['key']} " in text for key in keys)
    assert {"key": "cores", "default": "required"}.items() <= next(
        k for k in keys if k["key"] == "cores"
    ).items()


def test_the_guide_has_the_keys_as_they_are() -> None:
    """'make docs' rewrites its table."""
    printed = "".join(line.rstrip() + "\n" for line in ok("chips", "keys").splitlines())
    guide = Path(__file__).parents[3] / "docs/guide.md"
    assert f"```console\n$ nnc chips keys\n{printed}```\n" in guide.read_text(encoding="utf-8")
