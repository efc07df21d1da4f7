"""The process of the nnc command: signals and standard streams first, then what is heavier, the commands.

Signals that end it unwind whatever runs, so that no half-written file stays; one line and a status of 128 and
the number of the signal are all that remains.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import IO, NoReturn

_ENDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


class _EndedError(BaseException):
    """A signal has come; a handler of errors, or click, does not take it for one of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def main() -> NoReturn:
    """Run the command that the arguments of the process name, and end the process."""
    caught = _catch_signals()
    try:
        status = _run()
    except _EndedError as end:
        status = 128 + end.number
        with suppress(OSError):
            print(_ENDS[signal.Signals(end.number).name], file=sys.stderr)
    for number in caught:
        signal.signal(number, signal.SIG_DFL)  # the interpreter's own end would show a traceback
    for stream in (sys.stdout, sys.stderr):
        _flush_or_drop(stream)
    sys.exit(status)


def _run() -> int:
    """The status of the command."""
    _open_streams()
    from nnc.cli.failures import reported

    try:
        with reported():
            if not _is_recalled(sys.argv[1:]):
                from nnc.cli.commands import commands

                commands(prog_name="nnc")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except OSError:  # nothing can be reported on stderr
        return 1
    return 0


def _is_recalled(arguments: list[str]) -> bool:
    """Print what the command has printed before, if all that it follows from is the same."""
    from nnc.cache.recall import recall

    text = recall(arguments)
    if text is None:
        return False
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdout.write(text)
    sys.stdout.flush()
    return True


def _catch_signals() -> list[int]:
    """Those that are caught: what the caller wants ignored, as nohup does, stays so."""
    numbers = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
    signals = [n for n in numbers if signal.getsignal(n) in (signal.SIG_DFL, signal.default_int_handler)]
    for number in signals:
        signal.signal(number, _end)
    return signals


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """Unwind; in the middle of an import, where no file is being written, end at once.

    Libraries of C++ do not expect exceptions while they are loaded: some abort.
    """
    if _is_importing(frame):
        shown = b"\x1b[?25h" if os.isatty(2) else b""  # the cursor, which a progress display may have hidden
        with suppress(OSError):
            os.write(2, shown + _ENDS[signal.Signals(number).name].encode() + b"\n")
        os._exit(128 + number)
    raise _EndedError(number)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename != "<frozen importlib._bootstrap>":
        frame = frame.f_back
    return frame is not None


def _open_streams() -> None:
    """Open each closed standard stream as one that takes and gives nothing.

    Otherwise the next file that is opened would get its number, and with it what is printed.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest free number, which is this one
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _flush_or_drop(stream: IO[str]) -> None:
    """Leave nothing for the end of the interpreter to complain of."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
