"""Processes of a benchmark: a command with its peak memory, a copy of this one, this one with one thread."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeVar

ResultT = TypeVar("ResultT")
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


def in_a_copy(function: Callable[[], ResultT], seconds: float) -> ResultT:
    """What a function returns in a copy of this process, which starts with all that is loaded here.

    Args:
        seconds: of CPU time, after which the copy is ended.

    Raises:
        TooSlow: it was.
        RuntimeError: the function raised an exception, which the message names, or the copy died.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    copy = context.Process(target=_send, args=(function, sender, math.ceil(seconds)))
    copy.start()
    sender.close()
    try:
        result, error = receiver.recv()
    except EOFError:
        result, error = None, "no answer"
    copy.join()
    if copy.exitcode == -signal.SIGXCPU:
        raise TooSlow(f"over {seconds:g} s")
    if error is not None:
        raise RuntimeError(f"{error}, status {copy.exitcode}" if copy.exitcode else error)
    return result  # type: ignore[no-any-return]


def _send(function: Callable[[], object], sender: Connection, seconds: int) -> None:
    """Send what a function returns, or the exception that it raises, within CPU seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    try:
        sender.send((function(), None))
    except Exception as error:
        sender.send((None, f"{type(error).__name__}: {error}"))


def commit(tree: Path) -> str:
    """The commit of a checkout, and whether files differ from it; "unknown" outside of one."""
    command = ["git", "-C", str(tree), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
