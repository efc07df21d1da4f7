"""nnc asm: a program from text."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.paths import ReadPath, WrittenPath, note_read, text_files
from nnc.cli.progress import ShownProgress


@click.command("asm", short_help="Turn program text into a program.")
@click.argument("text", type=ReadPath(text_files), metavar="FILE.asm")
@click.option(
    "-o",
    "--output",
    type=WrittenPath(),
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
    with ShownProgress("assembling"):
        from nnc.io.program_text import read_text
        from nnc.isa.program_file.binary import save_program

        save_program(read_text(text, lambda side: note_read(str(side))), output)
