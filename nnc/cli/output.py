"""What commands print: JSON for programs, plain and rich text for people."""

from __future__ import annotations

import json
import math
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from nnc.cli.failures import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType

    from nnc.report.schema import Report

_PLAIN_WIDTH = 150
"""Columns of tables that go to a file or a pipe."""


def emit_json(data: Any) -> None:
    """Print one JSON document; what JSON cannot say (infinity, NaN) becomes null."""
    click.echo(json_text(data))


def json_text(data: Any) -> str:
    """The document that `emit_json` prints."""
    return json.dumps(_finite(data), indent=2, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def say(text: str = "") -> None:
    """Print a line for people."""
    click.echo(printable(text))


def note(text: str) -> None:
    """Print a remark on stderr, beside output that a program may read."""
    click.echo(printable(text), err=True)


def show(*renderables: RenderableType) -> None:
    """Print tables; never wider than the terminal, and never wrapped at 80 columns in a file."""
    for item in renderables:
        print(_table_text(item), file=sys.stdout)  # click would write more than a terminal of ASCII shows


def _table_text(item: RenderableType) -> str:
    console = _console()
    with console.capture() as capture:
        console.print(item)
    return "\n".join(line.rstrip() for line in capture.get().splitlines())


def width() -> int:
    """Columns that a table may take."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _PLAIN_WIDTH


def say_or_show(item: str | RenderableType) -> None:
    """Print a line or a table for people."""
    if isinstance(item, str):
        say(item)
    else:
        show(item)


def text_of(item: str | RenderableType) -> str:
    """What `say_or_show` prints."""
    return (printable(item) if isinstance(item, str) else _table_text(item)) + "\n"


def emit_report(report: Report) -> None:
    """Print a report without its details, for programs."""
    emit_json(report_data(report))


def report_data(report: Report) -> dict[str, object]:
    """A report without its details, as plain data."""
    return report.model_dump(mode="json", by_alias=True, exclude={"details"})


def write_report(report: Report, path: Path) -> None:
    """Write a report as JSON, whole or not at all."""
    from nnc.isa.files import write_whole

    write_whole(path, [report.model_dump_json(by_alias=True).encode()])


def _console() -> Console:
    from rich.console import Console

    return Console(file=sys.stdout, width=width(), highlight=False, markup=False, emoji=False)


def human_bytes(count: int) -> str:
    """A number of bytes for people: decimal units, three digits."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}" if count < 1000 * size else f"{count / size:,.0f} {unit}"
    return f"{count} B"


def kibibytes(count: int) -> str:
    """A size of an on-chip memory: KiB, as chips are described."""
    return f"{count / 1024:.4g}"


def plural(count: int, word: str) -> str:
    """``1 group``, ``2 groups``."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"
