"""nnc link: programs of one model as entries of one file."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.output import human_bytes, say
from nnc.cli.paths import ReadPath, WrittenPath, input_files
from nnc.cli.progress import ShownProgress


@click.command("link", short_help="Put programs of one model into one file.")
@click.argument(
    "programs", type=ReadPath(input_files, str), metavar="[NAME=]PROGRAM.bin …", nargs=-1, required=True
)
@click.option(
    "-o", "--output", type=WrittenPath(), metavar="LINKED.bin", required=True, help="Where to write them."
)
def command(programs: tuple[str, ...], output: Path) -> None:
    """Put programs of one model, compiled for several sizes of its inputs, into one image of the DRAM.

    Constants with the same bytes lie there once; states of one name are one tensor, so that each entry goes
    on from what another one left.  Entries are named after their files, if no NAME is given.  Only one runs
    at a time.  nnc compile --entry compiles and links at once.

    \b
    Examples:
      nnc link step=step.bin prefill=prefill.bin -o decoder.bin
      nnc generate decoder.bin --ids 1,4093,198
      nnc verify decoder.bin --entry step
    """
    from nnc.isa.errors import OptionError
    from nnc.isa.link import link
    from nnc.isa.program_file.binary import load_program
    from nnc.isa.program_file.linked import save_entries

    with ShownProgress("reading") as progress:
        loaded = {}
        for argument in programs:
            name, path = _named(argument)
            if name in loaded:
                raise OptionError(
                    "two entries have one name",
                    where=argument,
                    found=name,
                    remedy="name them: NAME=PROGRAM.bin",
                )
            loaded[name] = load_program(path)
        progress("linking", 0, 0)
        linked = link(loaded)
        save_entries(linked, output)
    apart = sum(program.constants.size for program in loaded.values())
    shared = next(iter(linked.values())).constants.size
    say(f"entries   {', '.join(linked)}")
    say(f"constants {human_bytes(shared)}, of {human_bytes(apart)} in the programs")
    say(f"program   {output}")


def _named(argument: str) -> tuple[str, Path]:
    """NAME and path of an argument; a path that exists as it is has none."""
    name, sign, path = argument.partition("=")
    if not sign or Path(argument).is_file():
        return Path(argument).stem, Path(argument)
    return name, Path(path)
