"""Commands with what click's own lack: options under headings, and the nearest name of a command."""

from __future__ import annotations

from typing import Any

import click

_WORDS_KEY = "nnc.words"


def note_words(ctx: click.Context, words: list[str]) -> None:
    """Note all arguments of the command line, as they stood."""
    ctx.meta[_WORDS_KEY] = tuple(words)


def process_words() -> tuple[str, ...]:
    """The arguments of the command line whose command is running."""
    words: tuple[str, ...] = click.get_current_context().meta.get(_WORDS_KEY, ())
    return words


class HeadedOption(click.Option):
    """An option that `--help` shows under a heading of its own, behind all others."""

    def __init__(self, *args: Any, heading: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.heading = heading


class HeadedCommand(click.Command):
    """A command whose `--help` shows its `HeadedOption`s at the end."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then those under each heading, in the order of the headings."""
        headed: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            record = None if isinstance(param, click.Argument) else param.get_help_record(ctx)
            if record is not None:
                heading = param.heading if isinstance(param, HeadedOption) else "Options"
                headed.setdefault(heading, []).append(record)
        for heading, records in headed.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class SuggestingGroup(click.Group):
    """A group that answers a wrong name of a command with the nearest ones."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names.

        Raises:
            click.UsageError: there is no such command.
        """
        name = args[0]
        is_option = name.startswith("-")  # those are click's to tell
        if not is_option and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            from nnc.isa.nearest import did_you_mean

            commands = self.list_commands(ctx)
            remedy = f"The commands are {', '.join(commands)}."
            ctx.fail(f"No such command {name!r}. {_sentence(did_you_mean(name, commands)) or remedy}")
        return super().resolve_command(ctx, args)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
