"""nnc asm: a program from text."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import different_files


@click.command("asm", short_help="Turn program text into a program.")
@click.argument("text", type=click.Path(path_type=Path), metavar="FILE.asm")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PROGRAM.bin",
    required=True,
    help="Where to write the program.",
)
def command(text: Path, output: Path) -> None:
    """Turn program text into a program file; mistakes are shown with line, column and a caret.

    The text alone decides: nothing is checked against a model.  `nnc verify` judges the result.

    \b
    Example:
      nnc disasm model.bin -o model.asm
      nnc asm model.asm -o again.bin      # the same bytes as model.bin
    """
    from nnc.io.program_text import constants_path, read_text
    from nnc.isa.program_file.binary import save_program

    different_files(output, text, constants_path(text))
    save_program(read_text(text), output)
