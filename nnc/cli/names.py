"""Types of arguments that are names: the shell completes them, and a wrong one is answered with the nearest.

What is known is a function, because the modules that know it are slow to import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.types import StringParamType

from nnc.cli.paths import ReadPath, chip_files

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class Name(StringParamType):
    """One of the names that are known."""

    name = "name"

    def __init__(self, names: Callable[[], Iterable[str]], spelled: Callable[[str], str] = str) -> None:
        """Take names by a function that gives them.

        Args:
            names: gives all names.
            spelled: from a way to write a name to the name itself.
        """
        self._names = names
        self._spelled = spelled

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name.

        Raises:
            click.BadParameter: there is no such name; the message has all, and the nearest.
        """
        names = list(self._names())
        name = self._spelled(str(value))
        if name not in names:
            from nnc.isa.nearest import did_you_mean

            near = did_you_mean(name, names)
            self.fail(
                f"{value!r} is not one of {', '.join(names)}" + (f"; {near}" if near else ""), param, ctx
            )
        return name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The names that begin like this."""
        return _beginning(self._names(), incomplete)


class AnyName(Name):
    """The same, judged by the command itself."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, whatever it is."""
        return str(value)


class ChipName(ReadPath):
    """A preset, or the path of a TOML file."""

    def __init__(self) -> None:
        super().__init__(chip_files, str)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The presets that begin like this, and files."""
        from nnc.isa.chip.load import preset_names

        return [*_beginning(preset_names(), incomplete), *super().shell_complete(ctx, param, incomplete)]


class ChipNames(ChipName):
    """Several of them, with commas between."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The names and paths in their order, as a tuple."""
        convert = super().convert
        return tuple(convert(name.strip(), param, ctx) for name in value.split(","))


class Override(StringParamType):
    """KEY=VALUE with a key of the chip."""

    name = "override"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The keys of the chip that is named before it (or `npu`) that begin like this, with their sign."""
        from nnc.isa.chip.load import chip_data
        from nnc.isa.errors import ChipError

        try:
            data = chip_data(ctx.params.get("chip") or "npu")
        except ChipError:
            return []
        return _beginning((f"{key}=" for key in dotted_keys(data)), incomplete)


def dotted_keys(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The keys of nested tables: ``memory.sram.bytes``."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from dotted_keys(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def _beginning(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
