"""nnc disasm: a program as text."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import entry_option
from nnc.cli.output import note
from nnc.cli.paths import ReadPath, WrittenPath, text_files
from nnc.cli.progress import ShownProgress


@click.command("disasm", short_help="Turn a program into text.")
@click.argument("program", type=ReadPath(), metavar="PROGRAM.bin")
@entry_option
@click.option("-o", "--output", type=WrittenPath(text_files), metavar="FILE", help="Where to write it.")
def command(program: Path, entry: str, output: Path | None) -> None:
    """Turn a program into text, of which `nnc asm` makes the same program again, byte for byte.

    Constants of more than 4096 bytes go to a file beside the text, FILE.constants, which the text names.

    \b
    Examples:
      nnc disasm model.bin -o model.asm
      nnc disasm model.bin | less
    """
    with ShownProgress("reading") as progress:
        from nnc.io.program_text import constants_path, write_text
        from nnc.isa.assembly.disassembler import disassemble, needs_constants_file
        from nnc.isa.program_file.binary import load_program

        loaded = load_program(program, entry=entry)
        if output is not None:
            progress("writing", 0, 0)
            write_text(loaded, output)
            return
    click.echo(disassemble(loaded, constants_path(program).name), nl=False)
    if needs_constants_file(loaded):
        note("note: the constants are not part of this text; -o FILE writes them, too")
