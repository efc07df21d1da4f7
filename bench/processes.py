"""Processes of a benchmark: a command with its peak memory, and this process with one thread."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def with_one_thread() -> None:
    """Start this script again with one thread per library, unless that is how it was started.

    The libraries read their number of threads when they are loaded, which is before any line here runs.
    """
    if any(os.environ.get(key) != value for key, value in ONE_THREAD.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ONE_THREAD})


def run_measured(command: Sequence[str]) -> tuple[str, int]:
    """Run a command and return its standard output and its peak memory in bytes.

    Raises:
        CalledProcessError: it failed; its message went to standard error.
    """
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return output, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
