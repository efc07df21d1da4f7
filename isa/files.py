"""Writing result files whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from nnc.isa.errors import OutputFileError

_KEPT_BYTES = 200
"""Of the name in that of the temporary file: most systems take 255 bytes."""


def write_whole(path: str | os.PathLike[str], pieces: Iterable[bytes | memoryview]) -> None:
    """Write a file through a temporary neighbour that replaces it at the end; links are followed.

    What is no regular file (a pipe, /dev/null) is written directly.

    Raises:
        OutputFileError: the file cannot be written; an old file of that name is then untouched.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            with target.open("wb") as file:
                file.writelines(pieces)
        else:
            _write_and_replace(target, pieces)
    except (OSError, ValueError) as error:  # ValueError: can be no name of a file
        raise OutputFileError(
            "the file cannot be written",
            where=os.fspath(path),
            found=getattr(error, "strerror", None) or str(error),
            remedy="name a file in a folder that exists and that you may write to",
        ) from error


def _write_and_replace(target: Path, pieces: Iterable[bytes | memoryview]) -> None:
    start = os.fsdecode(os.fsencode(target.name)[:_KEPT_BYTES])
    working = target.with_name(f".{start}.{secrets.token_hex(4)}.tmp")
    try:
        with working.open("xb") as file:
            file.writelines(pieces)
        working.replace(target)
    except BaseException:
        working.unlink(missing_ok=True)
        raise
