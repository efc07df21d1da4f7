"""The command line: a group of commands, each in a file of its own, imported when it is needed.

Everything heavy is imported inside the functions, so that ``nnc --help`` answers at once.
"""

from __future__ import annotations

import atexit
import gc
import io
import sys
import warnings
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

import click

from nnc.cli.classes import SuggestingGroup, note_words
from nnc.cli.failures import note_json, reported, usage_reported
from nnc.version import __version__

COMMANDS = (
    "compile", "run", "generate", "profile", "report", "explain", "sweep", "diff", "golden", "quantize",
    "accuracy", "dump-ir", "disasm", "asm", "link", "verify", "chips", "models", "ops", "passes", "schema",
    "cache",
)  # fmt: skip

_LONG = frozenset({
    "compile", "run", "generate", "profile", "quantize", "accuracy", "dump-ir", "verify", "asm", "link",
    "report", "explain", "sweep", "diff", "golden",
})  # fmt: skip
"""Commands that may take long, and tell how far they are before they print anything."""
_NAME_KEY = "nnc.command"
_NEW_OBJECTS = 200_000
"""After so many objects more than are gone, they are searched for garbage."""


class Commands(SuggestingGroup):
    """A group whose commands are the `command` objects of the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of a user's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"nnc.cli.{name.replace('-', '_')}").command
        return command

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments of the group itself; wrong usage is JSON if they ask for it anywhere."""
        args_given = list(args)  # reading them takes them away
        is_json = "--json" in args[: args.index("--") if "--" in args else None]
        with usage_reported(is_json):
            ctx = super().make_context(info_name, args, parent, **extra)
        note_json(ctx, is_json)
        note_words(ctx, args_given)
        ctx.meta[_NAME_KEY] = next((word for word in args_given if not word.startswith("-")), "")
        return ctx

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; whatever goes wrong is reported in one piece, never as a traceback."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # terminals that know only ASCII
        _spare_the_collector()
        with reported(ctx), _progress(ctx), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # numpy's, about overflow and division by zero
            result = super().invoke(ctx)
            sys.stdout.flush()  # here, where a full disk or a closed pipe can still be reported
            return result


def _progress(ctx: click.Context) -> AbstractContextManager[None]:
    """A display of progress from the start on, for commands that may take long."""
    if ctx.meta[_NAME_KEY] not in _LONG:
        return nullcontext()
    from nnc.cli.progress import shown_from_the_start

    return shown_from_the_start("starting")


def _spare_the_collector() -> None:
    """Modules and plans live to the end of the process; then, what nobody needs any more is not looked for.

    That is a tenth of a compilation.
    """
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)


@click.command("nnc", cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="nnc")
def commands() -> None:
    """Compile neural networks for NPUs and vector DSPs, and run them on a simulated chip.

    \b
    First steps:
      nnc compile model.onnx -o model.bin --asm model.asm
      nnc run model.bin --input picture.png --scale 0.00390625
      nnc verify model.bin

    Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.  Failures say what was found, what was
    expected and what to do; NNC_DEBUG=1 in the environment adds the traceback.
    """
