"""nnc disasm: a program as text."""

from __future__ import annotations

from pathlib import Path

import click

from nnc.cli.options import different_files, output_option
from nnc.cli.output import note


@click.command("disasm", short_help="Turn a program into text.")
@click.argument("program", type=click.Path(path_type=Path), metavar="PROGRAM.bin")
@output_option
def command(program: Path, output: Path | None) -> None:
    """Turn a program into text, of which `nnc asm` makes the same program again, byte for byte.

    Constants of more than 4096 bytes go to a file beside the text, FILE.constants, which the text names.

    \b
    Examples:
      nnc disasm model.bin -o model.asm
      nnc disasm model.bin | less
    """
    from nnc.io.program_text import constants_path, write_text
    from nnc.isa.assembly.disassembler import disassemble, needs_constants_file
    from nnc.isa.program_file.binary import load_program

    loaded = load_program(program)
    if output is not None:
        different_files(output, program)
        different_files(constants_path(output), program)
        write_text(loaded, output)
        return
    click.echo(disassemble(loaded, constants_path(program).name), nl=False)
    if needs_constants_file(loaded):
        note("note: the constants are not part of this text; -o FILE writes them, too")
