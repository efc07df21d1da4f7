"""A folder of entries, each some named sections of bytes under a key; the least recently used ones go first.

An entry is one file, written beside its place and moved there, so that there is a whole one or none, whoever
writes at the same time and whatever is killed.  What is read is compared with its digests: a damaged entry is
none, and the next one takes its place.  Entries are bytes to be parsed as JSON or as a program, never code.

============ ==================================================================
first line   ``nnc cache 1``
second line  SHA-256 of the third line
third line   JSON: the key, and name, length and SHA-256 of every section
rest         the sections
============ ==================================================================

A cache never fails what uses it: a folder that cannot be written is one without entries.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import sys
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

FOLDER_VARIABLE, BYTES_VARIABLE = "NNC_CACHE_DIR", "NNC_CACHE_BYTES"
OFF = "off"
"""The value of `FOLDER_VARIABLE` with which nothing is kept."""
DEFAULT_BYTES = 2**30
_MAGIC = b"nnc cache 1\n"
_ENDING = ".entry"
_LONGEST_HEAD = 1 << 16
_ABANDONED_SECONDS = 3600
"""After so long, a temporary file is of a process that was killed."""
_SIZE = re.compile(r"\s*([0-9]{1,15})\s*(B|KiB|MiB|GiB|KB|MB|GB)?\s*")
_UNITS = {None: 1, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "KB": 10**3, "MB": 10**6, "GB": 10**9}
Piece = bytes | memoryview


@dataclass(frozen=True)
class Contents:
    """How much a cache holds."""

    entries: int
    bytes: int


@dataclass(frozen=True)
class Store:
    """Entries in a folder.

    Attributes:
        folder: made when the first entry is written.
        most_bytes: of all entries.
    """

    folder: Path
    most_bytes: int = DEFAULT_BYTES

    def get(self, key: str, names: Collection[str]) -> dict[str, bytes] | None:
        """Sections of an entry; None if there is none, it lacks one of them, or it is damaged.

        Args:
            key: letters and digits.
            names: of the sections to read; no other one is looked at.
        """
        path = self._path(key)
        try:
            with path.open("rb") as file:
                sections = _read(file, key, names)
            if sections is not None:
                os.utime(path)  # it has been used
        except OSError:
            return None
        return sections

    def has(self, key: str, names: Collection[str]) -> bool:
        """Whether an entry has these sections, which may be damaged."""
        try:
            with self._path(key).open("rb") as file:
                head = _head(file, key)
        except OSError:
            return False
        return head is not None and {name for name, _, _ in head} >= set(names)

    def put(self, key: str, sections: Mapping[str, Piece]) -> bool:
        """Write an entry in the place of what has the key; False if it is too large or cannot be written."""
        size = sum(len(section) for section in sections.values())
        if size > self.most_bytes:
            return False
        table = [[name, len(data), hashlib.sha256(data).hexdigest()] for name, data in sections.items()]
        head = json.dumps({"key": key, "sections": table}).encode()
        working = self.folder / f".{key}.{secrets.token_hex(8)}.tmp"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with working.open("xb") as file:
                file.writelines((_MAGIC, hashlib.sha256(head).hexdigest().encode(), b"\n", head, b"\n"))
                file.writelines(sections.values())
            working.replace(self._path(key))
        except OSError:
            _remove(working)
            return False
        except BaseException:
            _remove(working)
            raise
        self._make_room()
        return True

    def contents(self) -> Contents:
        """How many entries there are, and their bytes."""
        sizes = [size for _, size, _ in self._entries()]
        return Contents(len(sizes), sum(sizes))

    def clear(self) -> Contents:
        """Remove all entries, and what killed processes have left; gives what has been there."""
        contents = self.contents()
        for path in self._files():
            _remove(path)
        return contents

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{_ENDING}"

    def _make_room(self) -> None:
        """Remove the entries that were used longest ago, until the others have room."""
        entries = sorted(self._entries())
        size = sum(nbytes for _, nbytes, _ in entries)
        for _, nbytes, path in entries:
            if size <= self.most_bytes:
                break
            _remove(path)
            size -= nbytes
        oldest = time.time() - _ABANDONED_SECONDS
        for path in self._files():
            if not path.name.endswith(_ENDING) and _changed(path) < oldest:
                _remove(path)

    def _entries(self) -> list[tuple[int, int, Path]]:
        """Time of the last use, bytes and file of every entry."""
        entries = []
        for path in self._files():
            if path.name.endswith(_ENDING):
                try:
                    state = path.stat()
                except OSError:  # somebody else has just removed it
                    continue
                entries.append((state.st_mtime_ns, state.st_size, path))
        return entries

    def _files(self) -> list[Path]:
        """All that is a cache's own in the folder."""
        try:
            return [path for path in self.folder.iterdir() if path.name.endswith((_ENDING, ".tmp"))]
        except OSError:
            return []


def _read(file: BinaryIO, key: str, names: Collection[str]) -> dict[str, bytes] | None:
    """The sections of these names; None if one is not there or not as it was written."""
    table = _head(file, key)
    if table is None:
        return None
    sections = {}
    for name, length, digest in table:
        if name not in names:
            file.seek(length, os.SEEK_CUR)
            continue
        data = file.read(length)
        if hashlib.sha256(data).hexdigest() != digest:
            return None
        sections[name] = data
    return sections if len(sections) == len(names) else None


def _head(file: BinaryIO, key: str) -> list[tuple[str, int, str]] | None:
    """Name, length and digest of every section; None of a file that is damaged, or of another key."""
    if file.readline(len(_MAGIC)) != _MAGIC:
        return None
    digest, line = file.readline(80).strip(), file.readline(_LONGEST_HEAD)[:-1]
    if hashlib.sha256(line).hexdigest().encode() != digest:
        return None
    head = json.loads(line)
    return [tuple(entry) for entry in head["sections"]] if head["key"] == key else None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _remove(path: Path) -> None:
    """Remove a file if that is possible: others may have, and some systems keep files that are open."""
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def default_folder() -> Path:
    """Where the system keeps what can be made again: ``~/.cache/nnc`` or what it has in its place."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "nnc" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "nnc"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "nnc"


def user_store() -> Store | None:
    """The user's cache; None if there is none, because it is switched off or nobody is at home.

    Its folder is ``NNC_CACHE_DIR``, or that of the system; its size ``NNC_CACHE_BYTES``, such as ``2GiB``.  A
    size that is none counts as the default one.
    """
    named = os.environ.get(FOLDER_VARIABLE, "")
    match = _SIZE.fullmatch(os.environ.get(BYTES_VARIABLE, ""))
    most = DEFAULT_BYTES if match is None else int(match[1]) * _UNITS[match[2]]
    if named == OFF or not most:
        return None
    try:
        return Store(Path(named) if named else default_folder(), most)
    except RuntimeError:  # no home
        return None
