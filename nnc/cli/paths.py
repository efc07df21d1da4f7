"""Types of arguments that name files: what a command reads and what it writes is never the same file.

A file is the same by any name: ``./x``, a link, a hard link.  Every argument that names a file has one of
these types, and is compared with those before it when click converts it: before the command does anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

_KEY = "nnc.files"
Files = Callable[[str], Iterable[Path]]
"""From an argument to the files that it stands for; the one that it names comes first."""


@dataclass
class _CommandFiles:
    """What the arguments of a command name so far."""

    read: list[tuple[str, Files]] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)


def named(argument: str) -> Iterator[Path]:
    """The file of that name and no other."""
    yield Path(argument)


def model_files(argument: str) -> Iterator[Path]:
    """A model, and the files beside it that it keeps weights in."""
    yield Path(argument)
    from nnc.compiler.frontend.model.load import external_files

    yield from external_files(Path(argument))


def text_files(argument: str) -> Iterator[Path]:
    """A program text, and its constants beside it."""
    from nnc.io.program_text import constants_path

    yield Path(argument)
    if Path(argument).name:
        yield constants_path(Path(argument))


def sample_files(argument: str) -> Iterator[Path]:
    """An archive of samples; or a folder, and the samples in it."""
    from nnc.quantize.calibration import samples_in

    yield Path(argument)
    with suppress(OSError):  # no folder: who reads it says so
        yield from samples_in(Path(argument))


def input_files(argument: str) -> Iterator[Path]:
    """What [NAME=]FILE may mean: names and files may both contain equals signs."""
    parts = argument.split("=")
    for first in range(len(parts)):
        yield Path("=".join(parts[first:]))


def chip_files(argument: str) -> Iterator[Path]:
    """The files that describe a chip; a preset has none."""
    from nnc.isa.chip.load import description_files

    yield from description_files(argument)


class _NamedPath(click.Path):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; click itself fails on a name that no system takes."""
        if not value or "\0" in os.fspath(value):
            self.fail("the name of a file is empty or has a NUL.", param, ctx)
        return super().convert(value, param, ctx)


class ReadPath(_NamedPath):
    """The type of an argument that names something to read."""

    def __init__(self, files: Files = named, path_type: type[Any] = Path) -> None:
        super().__init__(path_type=path_type)
        self._files = files

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; it is none that the command writes.

        Raises:
            OptionError: it is.
        """
        path = super().convert(value, param, ctx)
        note_read(os.fspath(value), self._files)
        return path


class WrittenPath(_NamedPath):
    """The type of an argument that names something to write."""

    def __init__(self, files: Files = named) -> None:
        super().__init__(path_type=Path)
        self._files = files

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; it is none that the command reads, or writes besides.

        Raises:
            OptionError: it is.
            OutputFileError: there is a folder of that name, or none that it could be in.
        """
        path = super().convert(value, param, ctx)
        note_written(self._files(os.fspath(value)))
        _insist_on_place(path)
        return path


class WrittenFolder(_NamedPath):
    """The type of an argument that names a folder; who writes files there notes them (`note_written`)."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)


def note_read(argument: str, files: Files = named) -> None:
    """Note files that the command reads.

    Raises:
        OptionError: the command writes one of them.
    """
    noted = _noted()
    noted.read.append((argument, files))
    for path in noted.written:
        _insist_not_read(path, argument, files)


def note_written(paths: Iterable[Path]) -> None:
    """Note files that the command writes.

    Raises:
        OptionError: the command reads one of them, or two are the same.
    """
    from nnc.isa.errors import OptionError

    noted = _noted()
    for path in paths:
        if any(_are_same(path, output) for output in noted.written):
            raise OptionError(
                "two outputs are the same file", where=str(path), remedy="name another file for one of them"
            )
        for argument, files in noted.read:
            _insist_not_read(path, argument, files)
        noted.written.append(path)


def _insist_on_place(path: Path) -> None:
    """Tell what would fail at the end, after all the work, at once."""
    from nnc.isa.errors import OutputFileError

    try:
        if path.parent.is_dir() and not path.is_dir():
            return
        problem = "a folder of that name" if path.is_dir() else f"no folder {path.parent}"
    except OSError as error:
        problem = error.strerror or str(error)
    raise OutputFileError(
        "the file cannot be written",
        where=str(path),
        found=problem,
        remedy="name a file in a folder that exists and that you may write to",
    )


def _noted() -> _CommandFiles:
    noted: _CommandFiles = click.get_current_context().meta.setdefault(_KEY, _CommandFiles())
    return noted


def _insist_not_read(path: Path, argument: str, files: Files) -> None:
    """Raise OptionError if a file to write is one that an argument stands for.

    A file that is not there yet cannot be read: then only the names are compared.
    """
    from nnc.isa.errors import OptionError

    for number, source in enumerate(files(argument)):
        if number and not os.path.lexists(path):
            return
        if _are_same(path, source):
            raise OptionError(
                "the output would overwrite an input",
                where=str(path),
                found=f"the same file as {source}, which is read",
                remedy="name another file for the output",
            )


def _are_same(a: Path, b: Path) -> bool:
    """Whether two paths mean one file or folder; pipes and devices keep nothing that could be lost."""
    try:
        if a.exists() and b.exists():
            return (a.is_file() or a.is_dir()) and a.samefile(b)
        return os.path.realpath(a) == os.path.realpath(b)
    except (OSError, ValueError):  # one can be no name of a file
        return False
