"""nnc chips: the chips that programs are compiled for."""

from __future__ import annotations

import dataclasses
import tomllib

import click

from nnc.cli.classes import SuggestingGroup
from nnc.cli.names import ChipName
from nnc.cli.options import json_option
from nnc.cli.output import emit_json, kibibytes, show


@click.group(
    "chips",
    cls=SuggestingGroup,
    invoke_without_command=True,
    short_help="List and show the chip descriptions.",
)
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """List the chips that come with nnc, or show one: it is the start of a description of your own.

    \b
    Examples:
      nnc chips
      nnc chips keys
      nnc chips show npu > my.toml
      nnc compile model.onnx --chip my.toml
    """
    if ctx.invoked_subcommand is None:
        _list(as_json)


@command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the chips that come with nnc.

    \b
    Example:
      nnc chips list --json
    """
    _list(as_json)


def _list(as_json: bool) -> None:
    from nnc.isa.chip.load import load_chip, preset_names

    chips = [load_chip(name) for name in preset_names()]
    if as_json:
        emit_json(
            [
                {
                    "name": chip.name,
                    "description": chip.description,
                    "cores": chip.cores,
                    "memory": {name: memory.bytes for name, memory in chip.memory.items()},
                    "dram_bytes_per_cycle": chip.dram.bytes_per_cycle,
                    "area": chip.square_millimetres,
                }
                for chip in chips
            ]
        )
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("chip", "cores", "memories per core, KiB", "DRAM B/cycle", "mm²", "description"):
        table.add_column(column, overflow="fold")
    for chip in chips:
        memories = ", ".join(f"{name} {kibibytes(memory.bytes)}" for name, memory in chip.memory.items())
        area = "-" if chip.square_millimetres is None else f"{chip.square_millimetres:.1f}"
        rate = str(chip.dram.bytes_per_cycle)
        table.add_row(chip.name, str(chip.cores), memories, rate, area, chip.description)
    show(table)


@command.command("keys")
@json_option
def keys_command(as_json: bool) -> None:
    """List all keys of a chip description: whether each is required, its default, what it takes.

    Parts in capitals are names: of a memory, of a family of instructions (or default), of a role of operands
    (feature, weight, result, accumulator), of a class of element types (i8, f16, f32) or of products (these
    and i4).  Sizes may have units: 256KiB.  With [energy] means: required where that table is.

    \b
    Examples:
      nnc chips keys
      nnc chips keys --json
    """
    from nnc.isa.chip.keys import chip_keys

    keys = chip_keys()
    if as_json:
        emit_json([dataclasses.asdict(key) for key in keys])
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("key", "default", "takes"):
        table.add_column(column, no_wrap=True)
    table.add_column("about", overflow="fold")
    for key in keys:
        table.add_row(key.key, key.default, key.takes, key.about)
    show(table)


@command.command("show")
@click.argument("name", type=ChipName(), metavar="NAME|FILE")
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Print the description of a chip: TOML, or with --json its values after validation.

    Of a chip that extends another one, the whole is shown.

    \b
    Examples:
      nnc chips show npu
      nnc chips show my.toml --json
    """
    import tomli_w

    from nnc.isa.chip.load import chip_data, chip_text, load_chip

    chip, text = load_chip(name), chip_text(name)
    if as_json:
        emit_json(chip.model_dump(mode="json"))
    elif "extends" in tomllib.loads(text):
        click.echo(tomli_w.dumps(chip_data(name)).rstrip("\n"))
    else:
        click.echo(text.rstrip("\n"))
