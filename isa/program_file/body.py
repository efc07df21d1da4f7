"""The body of a program file: five sections, all that a program is but for its constants."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.errors import ProgramFileError, ProgramInvalidError
from nnc.isa.program import Issued, Program
from nnc.isa.program_file.sections import (
    pack_chip,
    pack_code,
    pack_debug,
    pack_ports,
    pack_strings,
    pack_tensors,
    unpack_chip,
    unpack_code,
    unpack_debug,
    unpack_ports,
    unpack_strings,
    unpack_tensors,
)
from nnc.isa.program_problems import problem_of

BODY = ("chip", "strings", "tensors", "code", "debug")
REMEDY = "compile the model again, or assemble the program text again with this nnc"
ValueT = TypeVar("ValueT")


def pack_body(program: Program) -> list[bytes]:
    """The five sections.

    Raises:
        ProgramInvalidError: the program cannot be written.
    """
    if problem := problem_of(program):
        raise ProgramInvalidError("the program contradicts itself", found=problem)
    memories, numbers = program.chip.memory_ids(), dict[str, int]()
    tensors, code, debug, strings = (Packer(memories, numbers) for _ in range(4))
    try:
        pack_tensors(program.tensors, tensors)
        pack_ports(program.states, program.host_tensors, tensors)
        pack_code(program.issued, code)
        pack_debug(program, debug)
        pack_strings(tuple(numbers), strings)
    except ValueError as error:
        raise ProgramInvalidError("the program cannot be written", found=ascii(str(error))[1:-1]) from error
    return [pack_chip(program.chip), *(bytes(section.data) for section in (strings, tensors, code, debug))]


def unpack_body(
    sections: Mapping[str, memoryview], constants: npt.NDArray[np.uint8], dram_bytes: int, where: str
) -> Program:
    """The program of five sections.

    Raises:
        ProgramFileError: a section is malformed, or the program contradicts itself.
    """
    strings = _read(where, sections, "strings", unpack_strings)
    chip = _read(where, sections, "chip", unpack_chip)
    tables = tuple(chip.memory_ids()), strings
    tensors, (states, host_tensors) = _read(
        where, sections, "tensors", lambda source: (unpack_tensors(source), unpack_ports(source)), *tables
    )
    code = _read(where, sections, "code", unpack_code, *tables)
    groups, facts, notes = _read(
        where, sections, "debug", lambda source: unpack_debug(source, len(code)), *tables
    )
    issued = tuple(
        Issued(core, instruction, waits, note)
        for (core, instruction, waits), note in zip(code, notes, strict=True)
    )
    program = Program(chip, tensors, constants, issued, dram_bytes, groups, facts, states, host_tensors)
    if problem := problem_of(program):
        raise ProgramFileError("the program contradicts itself", where=where, found=problem, remedy=REMEDY)
    return program


def _read(
    where: str,
    sections: Mapping[str, memoryview],
    name: str,
    function: Callable[[Unpacker], ValueT],
    memories: Sequence[str] = (),
    strings: Sequence[str] = (),
) -> ValueT:
    """Unpack a whole section, turning what is malformed into an error that names section and offset."""
    source = Unpacker(sections[name], memories, strings)
    try:
        value = function(source)
        if source.position != len(source.data):
            raise ValueError(f"{len(source.data) - source.position} bytes are left over")
        return value
    except (ValueError, struct.error) as error:
        raise ProgramFileError(
            f"the {name} section is malformed at its byte {source.position}",
            where=where,
            found=str(error)[:400],
            remedy=REMEDY,
        ) from error
