"""Writing result files whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from nnc.isa.errors import OutputFileError


def write_whole(path: str | os.PathLike[str], pieces: Iterable[bytes | memoryview]) -> None:
    """Write a file through a temporary neighbour that replaces it at the end; links are followed.

    What is no regular file (a pipe, /dev/null) is written directly.

    Raises:
        OutputFileError: the file cannot be written; an old file of that name is then untouched.
    """
    target = Path(os.path.realpath(path))
    direct = target.exists() and not target.is_file()
    working = target if direct else target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            with working.open("wb" if direct else "xb") as file:
                for piece in pieces:
                    file.write(piece)
            if not direct:
                working.replace(target)
        except BaseException:
            if not direct:
                working.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OutputFileError(
            "the file cannot be written",
            where=os.fspath(path),
            found=error.strerror or str(error),
            remedy="name a file in a folder that exists and that you may write to",
        ) from error
