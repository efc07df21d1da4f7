"""Progress on a terminal: from the start of long work on, gone before anything is printed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from cli_harness import DIGITS, process

from nnc.cli import progress as display
from nnc.cli.progress import ShownProgress, shown_from_the_start


@pytest.fixture(autouse=True)
def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the display shows, line by line, as soon as it appears; it appears at once."""
    said: list[str] = []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(display, "_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(display._Display, "_appear", lambda self: said.append(f"appears: {self._state[0]}"))
    tell, stop = display._Display.tell, display._Display.stop

    def telling(self: display._Display, what: str, done: int, total: int) -> None:
        said.append(f"{what} {done}/{total}")
        tell(self, what, done, total)

    def stopping(self: display._Display) -> None:
        if not self.is_stopped:
            said.append("stops")
        stop(self)

    monkeypatch.setattr(display._Display, "tell", telling)
    monkeypatch.setattr(display._Display, "stop", stopping)
    return said


def _wait(shown: display._Display) -> None:
    shown._timer.join(10)


def test_a_command_goes_on_with_the_display_of_the_start(on_a_terminal: list[str]) -> None:
    with shown_from_the_start("starting"):
        assert display._early is not None
        _wait(display._early)
        with ShownProgress("importing") as progress:
            progress("planning", 3, 7)
        assert on_a_terminal == ["appears: starting", "importing 0/0", "planning 3/7", "stops"]
        with ShownProgress("writing") as again:
            _wait(again._display)
        assert on_a_terminal[4:] == ["appears: writing", "stops"]
    assert len(on_a_terminal) == 6 and display._early is None


def test_failures_take_the_display_away(on_a_terminal: list[str]) -> None:
    with pytest.raises(ValueError), shown_from_the_start("starting"):
        _wait(display._early or pytest.fail("no display"))
        raise ValueError
    assert on_a_terminal == ["appears: starting", "stops"]


def test_nothing_is_shown_beside_logs(on_a_terminal: list[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", "nnc"), shown_from_the_start("starting"), ShownProgress("importing"):
        assert "stops" in on_a_terminal
    assert not any(line.startswith("importing") for line in on_a_terminal)


@pytest.mark.parametrize("enclosing", [nullcontext, lambda: shown_from_the_start("starting")])
def test_nothing_is_shown_where_nobody_looks(
    enclosing: Callable[[], nullcontext[None]], on_a_terminal: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    with enclosing(), ShownProgress("importing") as shown:
        assert not shown._display._timer.is_alive()
    assert not any(line.startswith("appears") for line in on_a_terminal)


SCRIPT = """
import sys
from nnc.cli import progress
progress._DELAY_SECONDS = 0.0
from nnc.cli.main import main
sys.argv = ["nnc", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("compile", DIGITS, "-O1", "-o", "d.bin"),
        ("run", "d.bin"),
        ("verify", "d.bin", "--redundant-waits"),
        ("dump-ir", DIGITS, "-o", "d.txt"),
        ("quantize", DIGITS, "--random", "1", "-o", "q.onnx"),
        ("models", "build", "lenet5", "-o", "l.onnx"),
        ("compile", "none.onnx"),
    ],
)
def test_on_a_real_terminal_results_stay(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """The display appears on stderr and is erased; what the command prints is what it prints elsewhere."""
    assert process("compile", DIGITS, "-O0", "-o", "d.bin", cwd=tmp_path).returncode == 0
    reader, terminal = pty.openpty()
    done = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(terminal)
    shown = b""
    try:
        while piece := os.read(reader, 1 << 16):
            shown += piece
    except OSError:  # the other end is closed
        pass
    assert done.stdout is not None
    printed = done.stdout.read().decode()
    done.stdout.close()
    failed = "none.onnx" in arguments
    assert done.wait(60) == (1 if failed else 0)
    assert b"\x1b[?25l" in shown, "the cursor is hidden while it is there"
    assert shown.rindex(b"\x1b[?25h") > shown.rindex(b"\x1b[?25l")
    assert "\x1b" not in printed
    if failed:
        assert b"NNC-E010" in shown[shown.rindex(b"\x1b[?25h") :]
