"""A process that judges case after case within limits of memory and CPU time, and is replaced if it dies."""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import resource
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from bench.fuzz.outcomes import Outcome, Verdict, outcome_of

Enter = Callable[[str], None]
"""Told the name of the stage that a case enters."""
Judge = Callable[[Path, Enter], None]
"""Reads the file of a case: returns if all is well, raises whatever is not."""
REFERENCE = "reference"
"""The stage of onnxruntime, whose memory, time and crashes are not ours."""
LARGE = "large tensors"
"""A stage that cases enter whose tensors take much: their memory and time are counted apart."""
_FORK = multiprocessing.get_context("fork")
_CASES_PER_PROCESS = 500
"""Then a new process starts: caches that only grow would count as memory of a case."""


@dataclass(frozen=True)
class Limits:
    """What a case may take: bytes that the process grows by, seconds of CPU time."""

    memory_bytes: int = 2**30
    seconds: float = 30

    @property
    def wall_seconds(self) -> float:
        """What even a process that sleeps, or waits for others on a loaded machine, is not given."""
        return 10 * self.seconds


class Worker:
    """Judges the cases that it is given one after the other, in a process of its own.

    Args:
        judge: what is done with a case.
        scratch: a folder for what the process writes to standard error.
    """

    def __init__(self, judge: Judge, limits: Limits, scratch: Path) -> None:
        self._judge, self._limits = judge, limits
        self._stderr = scratch / "stderr.txt"
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection
        self._judged = 0

    def judged(self, case: Path) -> Outcome:
        """What becomes of a case."""
        if self._process is None:
            self._start()
        stages: list[str] = []
        self._connection.send(case)
        try:
            while self._connection.poll(self._limits.wall_seconds):
                answer = self._connection.recv()
                if not isinstance(answer, str):
                    outcome: Outcome = answer[0]
                    self._count(may_go_on=answer[1])
                    return outcome
                stages.append(answer)
        except EOFError:
            return _excused(self._died(), stages)
        self.close()
        return _excused(Outcome(Verdict.TIME, f"blocked in stages {', '.join(stages)}"), stages)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = None

    def _start(self) -> None:
        self._connection, far_end = _FORK.Pipe()
        arguments = (self._judge, self._limits, far_end, self._stderr)
        self._process = _FORK.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        far_end.close()
        self._judged = 0

    def _count(self, *, may_go_on: bool) -> None:
        self._judged += 1
        if self._judged >= _CASES_PER_PROCESS or not may_go_on:
            self.close()

    def _died(self) -> Outcome:
        assert self._process is not None
        self._process.join()
        status = self._process.exitcode or 0
        self.close()
        said = self._stderr.read_text("utf-8", "replace")
        place = _last_frame(said)
        if status == -signal.SIGPROF:
            return Outcome(Verdict.TIME, f"{self._limits.seconds:g} s of CPU time, in {place}", said)
        if status < 0:
            return Outcome(Verdict.CRASH, f"{signal.Signals(-status).name} in {place}", said)
        return Outcome(Verdict.CRASH, f"exit status {status}", said)


def _excused(outcome: Outcome, stages: Sequence[str]) -> Outcome:
    """The outcome, unless a limit or a crash is due to the reference, or a limit to large tensors."""
    is_limit = outcome.verdict in (Verdict.MEMORY, Verdict.TIME)
    if REFERENCE in stages and (is_limit or outcome.verdict is Verdict.CRASH):
        return Outcome(Verdict.OK)
    if LARGE in stages and is_limit:
        return Outcome(Verdict.LARGE)
    return outcome


def _last_frame(said: str) -> str:
    """The innermost place of this repository in what faulthandler wrote: `File "…/x.py", line 7 in f`."""
    lines = [line.strip() for line in said.splitlines() if line.strip().startswith("File ")]
    own = [line for line in lines if "site-packages" not in line and "/lib/python" not in line] or lines
    if not own:
        return "an unknown place"
    path, _, place = own[0].removeprefix("File ").partition(", line ")
    line, _, function = place.partition(" in ")
    return f"{Path(path.strip(chr(34))).name}:{line} ({function})"


def _serve(judge: Judge, limits: Limits, connection: Connection, stderr: Path) -> None:
    """Judge what comes through the connection until it closes."""
    said = os.open(stderr, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(said, 2)
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, chain=True)  # says where the time is spent, then ends the process
    warnings.simplefilter("always")
    gc.freeze()
    _limit_address_space(2 * limits.memory_bytes)
    most = _peak_bytes() + limits.memory_bytes
    while True:
        try:
            case = connection.recv()
        except EOFError:
            return
        os.ftruncate(said, 0)
        signal.setitimer(signal.ITIMER_PROF, limits.seconds)
        run = _Run(connection)
        outcome = run.judged(judge, case)
        signal.setitimer(signal.ITIMER_PROF, 0)
        peak, in_reference = run.peak or _peak_bytes(), REFERENCE in run.stages
        if peak > most and outcome.verdict is not Verdict.MEMORY:
            outcome = Outcome(Verdict.MEMORY, f"{outcome.verdict.value} {outcome.cause}", f"{peak} B at peak")
            outcome = _excused(outcome, [stage for stage in run.stages if stage != REFERENCE])
        else:
            outcome = _excused(outcome, run.stages)
        sys.stderr.flush()
        if not in_reference and not outcome.verdict.is_bad and os.fstat(said).st_size:
            text = stderr.read_text("utf-8", "replace")
            outcome = Outcome(Verdict.WARNED, text.strip().partition("\n")[0][-160:], text)
        connection.send((outcome, _peak_bytes() <= most))  # the peak of a process never falls


class _Run:
    """A case while it is judged.

    Attributes:
        stages: that it entered.
        peak: of memory in bytes before the reference was asked; 0 if it was not.
    """

    def __init__(self, connection: Connection) -> None:
        self.stages: list[str] = []
        self.peak = 0
        self._connection = connection

    def judged(self, judge: Judge, case: Path) -> Outcome:
        """What becomes of the case, limits aside."""
        try:
            judge(case, self._enter)
        except BaseException as error:
            return outcome_of(error)
        return Outcome(Verdict.OK)

    def _enter(self, stage: str) -> None:
        self.stages.append(stage)
        if stage == REFERENCE:
            self.peak = _peak_bytes()
        self._connection.send(stage)


def _limit_address_space(more: int) -> None:
    """Let allocations fail beyond so many bytes more than there are: one case must not stop the machine."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        size = int(pages.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + more, resource.RLIM_INFINITY))


def _peak_bytes() -> int:
    """The most memory that this process ever held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
