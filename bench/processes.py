"""Processes of a benchmark: a command with its peak memory, and this process with one thread."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def with_one_thread() -> None:
    """Start this script again with one thread per library, unless that is how it was started.

    The libraries read their number of threads when they are loaded, which is before any line here runs.
    """
    if any(os.environ.get(key) != value for key, value in ONE_THREAD.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})


class TooSlow(Exception):
    """A command took longer than it may."""


def run_measured(command: Sequence[str], timeout: float = threading.TIMEOUT_MAX) -> tuple[str, int]:
    """Run a command and return its standard output and its peak memory in bytes.

    Args:
        timeout: seconds after which it is killed.

    Raises:
        CalledProcessError: it failed; its message went to standard error.
        TooSlow: it was killed.
    """
    expired = threading.Event()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None

        def end() -> None:
            expired.set()
            os.kill(process.pid, signal.SIGKILL)  # its own process, which nobody has waited for yet

        timer = threading.Timer(timeout, end)
        timer.daemon = True
        timer.start()
        output = process.stdout.read()
        timer.cancel()
        timer.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if expired.is_set():
        raise TooSlow(command)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return output, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
