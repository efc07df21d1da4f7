"""The command in processes of its own: start-up, pipes, encodings, signals."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from cli_harness import PICTURE, process

from nnc.models import digits
from nnc.version import __version__


def modules_after(*arguments: str | Path) -> set[str]:
    """Names of the modules that a command imports."""
    script = (
        "import sys\n"
        "from nnc.cli.commands import commands\n"
        f"commands({[str(a) for a in arguments]!r}, standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_python_m_nnc() -> None:
    done = process("--version")
    assert (done.returncode, done.stdout) == (0, f"nnc, version {__version__}\n")
    assert process("--help").stdout.startswith("Usage: nnc ")


def test_help_and_version_import_nothing_heavy() -> None:
    heavy = {"numpy", "onnx", "pydantic", "rich", "networkx"}
    for option in ("--help", "--version"):
        assert not heavy & modules_after(option)


def test_help_imports_little_beside_click() -> None:
    """Help answers at once: what it waits for is imports."""
    bare = subprocess.run(
        [sys.executable, "-c", "import click, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    others = {name for name in modules_after("--help") if name.partition(".")[0] != "nnc"}
    assert len(others - set(bare.stdout.split())) < 40


def test_running_a_program_imports_neither_onnx_nor_the_compiler(program: Path) -> None:
    for options in ((), ("--json",), ("--input", PICTURE, "-v")):
        loaded = modules_after("run", program, *options)
        assert "nnc.runtime.session" in loaded
        assert not {"onnx", "onnxscript", "onnxruntime", "networkx", "nnc.compiler.pipeline"} & loaded


def test_ctrl_c_leaves_no_file_and_prints_one_line(tmp_path: Path) -> None:
    """In the middle of a search, which logs what it considers."""
    output = tmp_path / "program.bin"
    arguments = ["compile", str(digits.MODEL), "-O3", "--objective", "cycles", "-vv", "-o", str(output)]
    with subprocess.Popen(
        [sys.executable, "-m", "nnc", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NNC_DEBUG": "0"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in the background it is ignored
    ) as running:
        assert running.stderr is not None
        assert any("candidate groups end here" in line for line in running.stderr)
        running.send_signal(signal.SIGINT)
        shown, errors = running.communicate()
    assert (running.returncode, shown) == (130, "")
    assert errors.splitlines()[-1] == "interrupted" and "Traceback" not in errors
    assert [*tmp_path.iterdir()] == []


SENDER = """
import os, signal, sys
number, event, part, *arguments = sys.argv[1:]

def watch(name, values):
    if name == event and values and str(values[0]).endswith(part):
        os.kill(os.getpid(), int(number))

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
from nnc.cli.main import main
sys.argv = ["nnc", *arguments]
sys.addaudithook(watch)
main()
"""
"""Runs the command, and sends a signal to itself where Python audits an event: import, open, os.rename."""


@pytest.mark.parametrize(("number", "said"), [(2, "interrupted"), (15, "terminated"), (1, "hung up")])
@pytest.mark.parametrize(
    ("event", "part", "command"),
    [
        ("import", "click", ("--help",)),
        ("import", "onnx", ("compile", str(digits.MODEL))),
        ("open", ".tmp", ("models", "build", "digits")),
        ("os.rename", ".tmp", ("models", "build", "digits")),
    ],
)
def test_signals_leave_no_file_and_print_one_line(
    number: int, said: str, event: str, part: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    arguments = [str(number), event, part, *command, "-o", str(tmp_path / "p")]
    done = subprocess.run(
        [sys.executable, "-c", SENDER, *arguments],
        capture_output=True,
        text=True,
        preexec_fn=partial(signal.signal, number, signal.SIG_DFL),  # under nohup it is ignored
    )
    assert (done.returncode, done.stderr) == (128 + number, f"{said}\n")
    assert [path.name for path in tmp_path.iterdir()] in ([], ["p"] if event == "os.rename" else [])


def test_ignored_signals_stay_ignored() -> None:
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    arguments = [str(int(signal.SIGHUP)), "import", "click", "--version"]
    done = subprocess.run([sys.executable, "-c", SENDER, *arguments], capture_output=True, preexec_fn=ignore)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("compile", "--help"),
        ("ops",),
        ("chips", "show", "npu", "--json"),
        ("compile", str(digits.MODEL), "-O0"),
    ],
)
@pytest.mark.parametrize("how", ["closed", "full"])
def test_output_that_nothing_takes_is_an_error(arguments: tuple[str, ...], how: str) -> None:
    if how == "full":
        with Path("/dev/full").open("w") as full:
            done = process(*arguments, stdout=full)
    else:
        done = process(*arguments, stdout=None, preexec_fn=partial(os.close, 1))
    assert done.returncode == 1
    assert "NNC-E002" in done.stderr.split("\n")[0] and "standard output" in done.stderr
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_what_is_printed_never_gets_into_a_file(tmp_path: Path) -> None:
    """With all standard streams closed, the numbers of these would be those of the files."""
    done = process(
        *("compile", digits.MODEL, "-O0", "-o", tmp_path / "p"),
        stdout=None,
        stderr=None,
        preexec_fn=partial(os.closerange, 0, 3),
    )
    assert done.returncode == 1
    assert process("verify", tmp_path / "p").returncode == 0


def test_a_failure_is_one_message_and_status_1(tmp_path: Path) -> None:
    done = process("run", tmp_path / "none.bin")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("NNC-E030: ")
    assert "Traceback" not in done.stderr


def test_wrong_usage_is_status_2() -> None:
    done = process("compile")
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: nnc compile ")


def test_a_closed_pipe_is_no_failure_to_talk_about(program: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "nnc", "disasm", str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None and child.stderr is not None
    child.stdout.close()
    error = child.stderr.read().decode()
    child.stderr.close()
    child.wait(timeout=60)
    assert "Traceback" not in error and "Exception" not in error
    assert "NNC-E" not in error


def test_output_that_no_file_takes_is_reported(tmp_path: Path) -> None:
    """A limit of zero bytes per file fails as a full disk does, on every system with such limits."""
    none = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (0, 0))
    with (tmp_path / "out.txt").open("w") as full:
        done = process("chips", stdout=full, preexec_fn=none)
    assert done.returncode == 1
    assert done.stderr.startswith("NNC-E002: ")
    assert os.strerror(errno.EFBIG) in done.stderr
    assert "Traceback" not in done.stderr


def test_terminals_without_unicode() -> None:
    done = process("ops", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
