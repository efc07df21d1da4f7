"""Program text as files: the text, and beside it the constants that are too large for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.directives import side_file
from nnc.isa.assembly.disassembler import disassemble, needs_constants_file
from nnc.isa.errors import AssemblyError
from nnc.isa.files import open_file, write_whole
from nnc.isa.program import Program


def constants_path(text: Path) -> Path:
    """The side file of a text: ``net.asm`` keeps its constants in ``net.asm.constants``."""
    return text.with_name(text.name + ".constants")


def write_text(program: Program, path: Path) -> list[Path]:
    """Write the text of a program, and its constants where they are large; gives the files.

    Raises:
        OutputFileError: a file cannot be written.
        ProgramInvalidError: the program contradicts itself.
    """
    side = constants_path(path)
    text = disassemble(program, side.name)  # before anything is written
    if not needs_constants_file(program):
        write_whole(path, [text.encode()])
        return [path]
    write_whole(side, [program.constants.data])
    write_whole(path, [text.encode()])
    return [path, side]


def read_text(path: Path, reading: Callable[[Path], None] = lambda _: None) -> Program:
    """The program that a text file describes.

    Args:
        reading: called with the file of the constants, if the text names one, before that is read.

    Raises:
        AssemblyError: the file or its constants cannot be read, or the text is malformed.
    """
    try:
        with open_file(path) as file:
            text = file.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise AssemblyError(
            "the file is not text",
            where=str(path),
            found=f"byte {error.start} is no UTF-8",
            expected="program text as nnc disasm writes it",
            remedy="to read a program file, use nnc disasm",
        ) from error
    except OSError as error:
        raise AssemblyError(
            "the file cannot be read",
            where=str(path),
            found=error.strerror or str(error),
            remedy="write program text with nnc disasm PROGRAM.bin -o FILE.asm",
        ) from error

    def constants(name: str) -> memoryview:
        reading(path.parent / name)
        return side_file(path.parent, name).data

    return assemble(text, str(path), constants)
