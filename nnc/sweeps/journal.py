"""Outcomes as they come, in a file beside the result, so that a sweep that was killed goes on where it was.

The first line says which sweep it is, each other one is an outcome as JSON; all are on the disk before the
next one is computed.  A last line without an end is of a process that was killed: it is cut off.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from nnc.cache.origin import origin
from nnc.errors import OutputFileError
from nnc.isa.errors import OptionError
from nnc.sweeps.figures import PointFigures
from nnc.sweeps.point_run import Outcome
from nnc.sweeps.points import Space
from nnc.version import __version__

ENDING = ".part"


def journal_path(output: Path) -> Path:
    """Where the journal of a result lies."""
    return output.with_name(output.name + ENDING)


def identity_of(space: Space) -> str:
    """A digest of all that decides what the points are and cost."""
    data = [
        [[str(model.path), model.sha256] for model in space.models],
        [[chip.name, chip.data] for chip in space.chips],
        [[vary.key, vary.values] for vary in space.varied],
        asdict(space.asked),
    ]
    return hashlib.sha256(json.dumps(data, default=dict).encode(errors="backslashreplace")).hexdigest()


class Journal:
    """The journal of a sweep, open for one process.

    Attributes:
        done: outcomes by the numbers of their points.
    """

    def __init__(self, path: Path, space: Space) -> None:
        """Open or begin a journal.

        Raises:
            OptionError: it is of another sweep, or another process is writing it.
            OutputFileError: it cannot be written.
        """
        self.path = path
        self.done: dict[int, Outcome] = {}
        try:
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise _unwritable(path, error) from error
        try:
            self._lock()
            self._read({"nnc": __version__, "origin": origin(), "sweep": identity_of(space)}, len(space))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def note(self, outcome: Outcome) -> None:
        """Write an outcome, so that nothing short of a broken disk loses it.

        Raises:
            OutputFileError: the disk is full.
        """
        figures = None if outcome.figures is None else outcome.figures.model_dump(mode="json")
        self._write({**_fields(outcome), "figures": figures})
        self.done[outcome.number] = outcome

    def remove(self) -> None:
        """Take the journal away: the result has all of it."""
        self.path.unlink(missing_ok=True)

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def _read(self, head: dict[str, str], count: int) -> None:
        """Take over what is there; a torn end goes."""
        self._file.seek(0)
        whole, _, torn = self._file.read().rpartition(b"\n")
        lines = whole.splitlines()
        first = _parsed(lines[0]) if lines else None
        if lines and first != head:
            raise self._of_another(first, head)
        if torn:
            self._file.truncate(len(whole) + 1 if whole else 0)
        if not lines:
            self._write(head)
        for line in lines[1:]:
            outcome = _outcome(_parsed(line))
            if outcome is not None and 0 <= outcome.number < count:
                self.done[outcome.number] = outcome

    def _of_another(self, first: dict[str, Any] | None, head: dict[str, str]) -> OptionError:
        is_sweep = first is not None and first.keys() == head.keys()
        found = "no journal of a sweep"
        if is_sweep and first is not None:
            same = first["sweep"] == head["sweep"]
            found = f"one of another nnc, {first['nnc']}" if same else "one of another sweep"
        return OptionError(
            "the journal beside the output is not of this sweep",
            where=str(self.path),
            found=found,
            remedy="go on with that sweep, remove the file, or name another output",
        )

    def _lock(self) -> None:
        """Keep others out while this process lives.

        Raises:
            OptionError: another one has been here first.
        """
        try:
            import fcntl
        except ImportError:  # Windows: whoever starts a sweep twice there gets some points twice
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OptionError(
                "another process is at work on this sweep",
                where=str(self.path),
                remedy="wait for it, or name another output",
            ) from None


def _fields(outcome: Outcome) -> dict[str, Any]:
    return {
        "point": outcome.number,
        "error": outcome.error,
        "message": outcome.message,
        "seconds": outcome.seconds,
    }


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The object of a line; None if it has none."""
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _outcome(data: dict[str, Any] | None) -> Outcome | None:
    """The outcome of a line; None if it has none: then the point is computed again."""
    try:
        assert data is not None
        figures = None if data["figures"] is None else PointFigures.model_validate(data["figures"])
        return Outcome(data["point"], figures, data["error"], data["message"], data["seconds"])
    except (AssertionError, KeyError, ValueError):
        return None


def _unwritable(path: Path, error: OSError) -> OutputFileError:
    return OutputFileError(
        "the journal of the sweep cannot be written",
        where=str(path),
        found=error.strerror or str(error),
        remedy="name an output in a folder that exists and that you may write to, on a disk with room",
    )
