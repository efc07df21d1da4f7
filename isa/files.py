"""Reading files that have an end, and writing result files whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from nnc.isa.errors import OutputFileError

_KEPT_BYTES = 200
"""Of the name in that of the temporary file: most systems take 255 bytes."""


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading.  Devices and pipes may have no end, or wait for ever.

    Raises:
        OSError: the file cannot be opened, or is no regular one.
    """
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise OSError(errno.EINVAL, "a folder, a device or a pipe, expected a regular file")
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise


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
