"""What the compiler logs, for those who ask for it with -vv: on stderr, never beside a result on stdout."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nnc.cli.failures import printable

_WIDTH = 150
"""Columns where stderr is no terminal."""


class _Plain(logging.Formatter):
    """The message with the module that says it; names in models must not steer the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return printable(f"{record.name.removeprefix('nnc.')}: {super().format(record)}")


@contextmanager
def logged(verbosity: int) -> Iterator[None]:
    """Show all that nnc logs while the block runs, if the user said -v twice; else nothing is logged."""
    if verbosity < 2:
        yield
        return
    handler = _handler()
    logger = logging.getLogger("nnc")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)


def _handler() -> logging.Handler:
    from rich.console import Console, ConsoleRenderable
    from rich.logging import RichHandler

    class Lines(RichHandler):
        """Without the table around each message, which fills lines up with blanks."""

        def render(self, *, message_renderable: ConsoleRenderable, **_: Any) -> ConsoleRenderable:
            return message_renderable

    console = Console(file=sys.stderr, width=None if sys.stderr.isatty() else _WIDTH)
    handler = Lines(console=console, markup=False)
    handler.setFormatter(_Plain())
    return handler
