"""Processes of a benchmark: a command with its peak memory, and this process with one thread."""

from __future__ import annotations

import json
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


class TooSlow(Exception):
    """A command took longer than it may."""


_LAUNCHER = """
import json, resource, subprocess, sys
timeout, *command = sys.argv[1:]
try:
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=float(timeout))
    status, output = done.returncode, done.stdout
except subprocess.TimeoutExpired:
    status, output = None, ""
json.dump([output, status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss], sys.stdout)
"""


def run_measured(command: Sequence[str], timeout: float = 3600) -> tuple[str, int]:
    """Run a command and return its standard output and its peak memory in bytes.

    A small process in between starts the command: a process counts the memory of the one that started it
    as its own peak, and this one may hold whole networks.

    Args:
        timeout: seconds after which it is killed.

    Raises:
        CalledProcessError: it failed; its message went to standard error.
        TooSlow: it was killed.
    """
    launched = [sys.executable, "-c", _LAUNCHER, str(timeout), *command]
    measured = subprocess.run(launched, stdout=subprocess.PIPE, text=True, check=True)
    output, status, peak = json.loads(measured.stdout)
    if status is None:
        raise TooSlow(command)
    if status:
        raise subprocess.CalledProcessError(status, command)
    return str(output), int(peak) * (1 if sys.platform == "darwin" else 1024)
