"""Answers of ``nnc compile`` by the words of its command line, found before anything slow is imported.

An answer says which files it was made of, with their digests, what was printed, and which program was
written.  It holds while these files are the same, for the same nnc, and for a terminal that shows tables
alike.  Whatever is not as expected, nothing is recalled, and the command itself runs and tells what is wrong.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from nnc.cache.origin import origin
from nnc.cache.store import Store, user_store

_COMMAND = "compile"
NOT_KEPT = "--no-cache"
_SEEN = ("COLORTERM", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "TERM", "TTY_COMPATIBLE")
"""Variables of the environment that change how tables look."""
_ANSWER, _PROGRAM = "answer", "program"


def recall(arguments: Sequence[str]) -> str | None:
    """What the command prints, its program written; None if it has to run.

    Args:
        arguments: of the process, without its name.
    """
    if not arguments or arguments[0] != _COMMAND or NOT_KEPT in arguments:
        return None
    store = user_store()
    sections = None if store is None else store.get(_key(arguments), [_ANSWER])
    if store is None or sections is None:
        return None
    answer = json.loads(sections[_ANSWER])
    if any(file_digest(path) != digest for path, digest in answer["inputs"]):
        return None
    text: str = answer["text"]
    if (output := answer["output"]) is None:
        return text
    program = store.get(answer["plan"], [_PROGRAM])
    inputs = [path for path, _ in answer["inputs"]]
    return text if program is not None and _write(output, program[_PROGRAM], inputs) else None


def remember(
    store: Store,
    arguments: Sequence[str],
    *,
    inputs: Iterable[Path],
    text: str,
    plan: str,
    output: Path | None,
) -> None:
    """Note what a command has printed, and from what it follows.

    Args:
        arguments: of the process, without its name.
        inputs: all files that it has read.
        plan: key of the entry with its program.
        output: where the program was written to.
    """
    answer = {
        "inputs": [[str(path), file_digest(str(path))] for path in inputs],
        "text": text,
        "plan": plan,
        "output": None if output is None else str(output),
    }
    store.put(_key(arguments), {_ANSWER: json.dumps(answer).encode()})


def file_digest(path: str) -> str | None:
    """SHA-256 of a regular file; None if it cannot be read."""
    try:
        if not os.path.isfile(path):  # noqa: PTH113  (pathlib would be no shorter)
            return None
        with open(path, "rb") as file:  # noqa: PTH123
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _key(arguments: Sequence[str]) -> str:
    shown = [os.environ.get(name) for name in _SEEN]
    place = [sys.stdout.isatty(), sys.stdout.encoding, *shutil.get_terminal_size()]
    words = json.dumps(["answer", origin(), [*arguments], shown, place])
    return hashlib.sha256(words.encode(errors="backslashreplace")).hexdigest()


def _write(path: str, data: bytes, inputs: Sequence[str]) -> bool:
    """Write a program, whole or not at all; False if that is not plain, or would hit an input.

    `nnc.isa.files` does this for everybody else; importing it takes longer than all the rest here.
    """
    target = Path(os.path.realpath(path))
    working = target.with_name(f".nnc.{secrets.token_hex(8)}.tmp")
    try:
        if target.exists() and (not target.is_file() or any(target.samefile(it) for it in inputs)):
            return False
        with working.open("xb") as file:
            file.write(data)
        working.replace(target)
    except OSError:
        working.unlink(missing_ok=True)
        return False
    except BaseException:
        working.unlink(missing_ok=True)
        raise
    return True
