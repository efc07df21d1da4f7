"""How failures reach the user: one message with a code, exit 1, and never a traceback."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from nnc.isa.errors import NncError

_WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF, errno.EIO)
JSON_KEY = "nnc.json"
"""Set in the context of a command that was called with --json: errors are JSON then, too."""
_ASKED_KEY = "nnc.json-asked"
"""Set where --json is among the arguments, whether or not they could be read."""


@contextmanager
def reported(ctx: click.Context | None = None) -> Iterator[None]:
    """Turn every exception into a message on stderr and an exit code.

    Args:
        ctx: of the command, which knows whether messages are JSON.

    Click's own exceptions (wrong usage: exit 2) and a closed pipe (click exits silently) pass through; wrong
    usage where --json is among the arguments is JSON.
    """
    try:
        with usage_reported(ctx is not None and bool(ctx.meta.get(_ASKED_KEY))):
            yield
    except (click.exceptions.Exit, click.ClickException, click.Abort):
        raise
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        raise SystemExit(130) from None
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EPIPE:
            raise
        _fail(ctx, error)


def note_json(ctx: click.Context, is_json: bool) -> None:
    """Note whether --json is among the arguments of the whole command line."""
    ctx.meta[_ASKED_KEY] = is_json


@contextmanager
def usage_reported(is_json: bool) -> Iterator[None]:
    """Print wrong usage as JSON on stderr and exit with status 2 if asked for; else click prints it."""
    try:
        yield
    except click.UsageError as error:
        if not is_json:
            raise
        from nnc.isa.errors import OptionError

        path = "nnc" if error.ctx is None else error.ctx.command_path
        nnc_error = OptionError(
            error.format_message(), where=path, remedy=f"{path} --help shows its options, with examples"
        )
        click.echo(json.dumps({"error": nnc_error.to_json()}), err=True)
        raise SystemExit(2) from None


def _fail(ctx: click.Context | None, error: Exception) -> NoReturn:
    from nnc.isa.errors import NncError

    if os.environ.get("NNC_DEBUG") == "1":
        traceback.print_exception(error, file=sys.stderr)
    nnc_error = error if isinstance(error, NncError) else _explained(error)
    if ctx is not None and ctx.meta.get(JSON_KEY):
        click.echo(json.dumps({"error": nnc_error.to_json()}), err=True)
    else:
        code, _, rest = printable(str(nnc_error)).partition(":")
        click.echo(click.style(code, fg="red", bold=True) + ":" + rest, err=True)
    raise SystemExit(1)


def _explained(error: Exception) -> NncError:
    """An exception that nothing expected, as an error of the family."""
    from nnc.errors import explained
    from nnc.isa.errors import OutputFileError

    if isinstance(error, OSError) and error.errno in _WRITE_ERRORS and error.filename is None:
        return OutputFileError(
            "the output cannot be written",
            where="standard output",
            found=error.strerror or str(error),
            remedy="let it go to a file, pipe or terminal that is open, on a disk with room",
        )
    return explained(error)


def printable(text: str) -> str:
    """Text without control characters: names in damaged files must not steer the terminal."""
    return "".join(c if c == "\n" or c == "\t" or c.isprintable() else ascii(c)[1:-1] for c in text)
