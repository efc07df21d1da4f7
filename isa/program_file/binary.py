"""The program file: a header, then six sections, the last being the constants, mappable without copying.

========== =======================================================================================
header     magic (8 bytes), version, CRC-32 of all that follows (words), bytes of DRAM, sizes of the
           six sections (64 bits each)
chip       the chip description as JSON
strings    string table: count, then length (words) and UTF-8 of each; elsewhere a string is its number
tensors    tensor table: count, then name, role (strings), block (operand), reserved bytes
           (64 bits) and padding (tuple of operand) of each; then, if there are states or tensors of a
           host, the count of states, and input, output (strings), axis (32 bits) and position (string) of
           each; the count of the host's tensors, and their names (strings)
code       the instruction classes in use, then the instructions with their waits
debug      groups, facts, and of every instruction group, part (32 bits each), layer (string), and the count
           (word) and contents of its operands: rank (8 bits; 253: rank and extents of what is packed
           come first; 254: strides are the operand's own, 255: nothing is known), buffer (string),
           offset, strides (64 bits each); empty if there are none
constants  image of DRAM from address 0 on, at the next multiple of 64 bytes of the file
========== =======================================================================================

Nothing in the file is executable, and reading it takes time and memory in proportion to its size.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePath
from typing import BinaryIO
from zlib import crc32

import numpy as np

from nnc.isa.argument_types import typed
from nnc.isa.errors import ProgramFileError
from nnc.isa.files import write_whole
from nnc.isa.hosted import HostedProgram
from nnc.isa.program import CONSTANT_ALIGN, FORMAT_VERSION, Program
from nnc.isa.program_file.body import BODY, REMEDY, pack_body, unpack_body
from nnc.isa.program_file.hosted import HOSTED_MAGIC, decode_hosted, linked_part
from nnc.isa.program_file.linked import LINKED_MAGIC, decode_entries, decode_entry

MAGIC = b"\x89NNC\r\n\x1a\n"
HEADER = struct.Struct("<8sII7Q")
CHECKED_FROM = 16
"""The checksum covers the file from this offset on: all but magic, version and checksum."""
SECTIONS = (*BODY, "constants")


def encode(program: Program) -> bytes:
    """The bytes of the program file; equal programs give equal bytes.

    Raises:
        ProgramInvalidError: the program cannot be written (a value out of range, an unknown memory or core).
    """
    return b"".join(_pieces(program))


@typed
def save_program(program: Program, path: str | os.PathLike[str]) -> None:
    """Write the program file, whole or not at all.

    Raises:
        ProgramInvalidError: the program cannot be written.
        OutputFileError: the file cannot be written.
    """
    write_whole(path, _pieces(program))


def _pieces(program: Program) -> list[bytes | memoryview]:
    """The file in pieces, among them the constants without a copy."""
    head = pack_body(program)
    sizes = [*map(len, head), program.constants.size]
    padding = bytes(_bounds(sizes)[-2] - HEADER.size - sum(map(len, head)))
    constants = np.ascontiguousarray(program.constants).data
    lengths = struct.pack("<7Q", program.dram_bytes, *sizes)
    body: list[bytes | memoryview] = [lengths, *head, padding, constants]
    checksum = 0
    for piece in body:
        checksum = crc32(piece, checksum)
    return [MAGIC + struct.pack("<II", FORMAT_VERSION, checksum), *body]


def _bounds(sizes: Sequence[int]) -> list[int]:
    """Where each section starts, and where the last one ends: the size of the file."""
    bounds = [HEADER.size]
    for size in sizes[:-1]:
        bounds.append(bounds[-1] + size)
    bounds[-1] += -bounds[-1] % CONSTANT_ALIGN
    return [*bounds, bounds[-1] + sizes[-1]]


@typed
def load_program(path: str | os.PathLike[str], *, entry: str = "", mapped: bool = False) -> Program:
    """Read a program file.

    Args:
        path: of the file.
        entry: which program of a linked file (see `nnc.isa.link`); empty: the only one.
        mapped: leave the constants in the file and map them, which saves their bytes of memory per process.
            The file must then not be written to as long as the program is in use: changed bytes change
            results, and a file that becomes shorter ends the process (SIGBUS).  Replacing the file by another
            one (`os.replace`, as `save_program` does) is safe.  By default, nothing done to the file matters.

    Raises:
        ProgramFileError: the file is missing, no program, of another version, incomplete or damaged; it has
            no such entry.
    """
    where, data = os.fspath(path), _programs_of(path, mapped=mapped)
    if data[: len(LINKED_MAGIC)] == LINKED_MAGIC:
        return decode_entry(data, entry, where)
    if entry:
        raise ProgramFileError(
            "the file has one program, which has no name",
            where=where,
            found=f"entry {entry}",
            remedy="leave the entry out, or link programs: nnc link step=A.bin prefill=B.bin -o LINKED.bin",
        )
    return decode(data, where)


@typed
def load_entries(path: str | os.PathLike[str], *, mapped: bool = False) -> dict[str, Program]:
    """All programs of a linked file by name, with the same constants; a file of one program has the name "".

    Args:
        path: of the file.
        mapped: as of `load_program`.

    Raises:
        ProgramFileError: the file is missing, no program, of another version, incomplete or damaged.
    """
    where, data = os.fspath(path), _programs_of(path, mapped=mapped)
    if data[: len(LINKED_MAGIC)] == LINKED_MAGIC:
        return decode_entries(data, where)
    return {"": decode(data, where)}


@typed
def load_hosted(path: str | os.PathLike[str]) -> HostedProgram:
    """Read a program with the segments of its host.

    Raises:
        ProgramFileError: as of `load_program`; the program has no host.
    """
    return decode_hosted(_data_of(path, mapped=False), os.fspath(path))


@typed
def load_any(
    path: str | os.PathLike[str], *, entry: str = ""
) -> Program | HostedProgram | dict[str, Program]:
    """Read a program file as a whole: one program, one with a host, or several by the names of their entries.

    Args:
        path: of the file.
        entry: which program of several; empty: all.

    Raises:
        ProgramFileError: as of `load_program`.
    """
    start = bytes(_data_of(path, mapped=True)[: len(HOSTED_MAGIC)])
    if entry or start not in (HOSTED_MAGIC, LINKED_MAGIC):
        return load_program(path, entry=entry)
    return load_hosted(path) if start == HOSTED_MAGIC else load_entries(path)


def _programs_of(path: str | os.PathLike[str], *, mapped: bool) -> memoryview:
    """The bytes of one or more programs of the chip, without what a host does."""
    data = _data_of(path, mapped=mapped)
    return linked_part(data, os.fspath(path)) if data[: len(HOSTED_MAGIC)] == HOSTED_MAGIC else data


def _data_of(path: str | os.PathLike[str], *, mapped: bool) -> memoryview:
    """The bytes of a program file.

    Raises:
        ProgramFileError: there is no such file, or it cannot be read.
    """
    where = os.fspath(path)
    try:
        if not Path(path).is_file():
            raise ProgramFileError(
                "not a file" if Path(path).exists() else "no such file",
                where=where,
                expected="a program file",
                remedy="make one: nnc compile MODEL.onnx -o PROGRAM.bin",
            )
        with Path(path).open("rb") as file:
            return _contents(file, mapped=mapped)
    except (OSError, ValueError) as error:  # ValueError: can be no name of a file
        raise ProgramFileError("the file cannot be read", where=where, found=str(error)) from error


def _contents(file: BinaryIO, *, mapped: bool) -> memoryview:
    """The bytes of a file, read or mapped; either way they start at a page, so that constants are aligned."""
    size = os.fstat(file.fileno()).st_size
    if not size:
        return memoryview(b"")
    if mapped:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    data = memoryview(mmap.mmap(-1, size))
    return data[: file.readinto(data)]  # type: ignore[attr-defined]


def decode(data: bytes | bytearray | memoryview | mmap.mmap, where: str = "") -> Program:
    """Read a program from the bytes of its file; the constants are a read-only view of them, not a copy.

    Raises:
        ProgramFileError: the bytes are no program, of another version, incomplete or damaged.
    """
    dram_bytes, sections = _split(memoryview(data).toreadonly(), where)
    constants = np.frombuffer(sections["constants"], dtype=np.uint8)
    return unpack_body(sections, constants, dram_bytes, where)


def _no_program(start: bytes, size: int, where: str) -> ProgramFileError:
    """The error for a file that does not start like a program, which says what to do with what it is."""
    path = PurePath(where or "MODEL.onnx")
    is_model = path.suffix.lower() == ".onnx" or b"\x08\x01" <= start[:2] < b"\x08\x20"
    if size and is_model:  # the first field of a model is its ir_version
        return ProgramFileError(
            "this is a model, not a program",
            where=where,
            found="an ONNX model",
            expected="a program file, which nnc compile makes of a model",
            remedy=f"compile it, then run the program: nnc compile {path} -o {path.stem}.bin,"
            f" nnc run {path.stem}.bin",
        )
    is_text = start[:4] == b".nnc"
    return ProgramFileError(
        "the file is no program" if size else "the file is empty",
        where=where,
        found=f"{size} bytes that start with {start!r}",
        expected=f"at least {HEADER.size} bytes that start with {MAGIC!r}",
        remedy="this is program text: turn it into a program with nnc asm" if is_text else REMEDY,
    )


def _split(view: memoryview, where: str) -> tuple[int, dict[str, memoryview]]:
    """Check header, size and checksum; give the bytes of DRAM and the sections."""
    if len(view) < HEADER.size or view[: len(MAGIC)] != MAGIC:
        raise _no_program(bytes(view[:8]), len(view), where)
    _, version, checksum, dram_bytes, *sizes = HEADER.unpack_from(view)
    if version != FORMAT_VERSION:
        raise ProgramFileError(
            "the program is of another version",
            where=where,
            found=f"version {version}",
            expected=f"version {FORMAT_VERSION}",
            remedy=REMEDY,
        )
    bounds = _bounds(sizes)
    if bounds[-1] != len(view):
        raise ProgramFileError(
            "the file is incomplete or too long",
            where=where,
            found=f"{len(view)} bytes",
            expected=f"{bounds[-1]} bytes by its header",
            remedy=REMEDY,
        )
    if (crc := crc32(view[CHECKED_FROM:])) != checksum:
        raise ProgramFileError(
            "the file is damaged",
            where=where,
            found=f"checksum {crc:#010x}",
            expected=f"checksum {checksum:#010x} by its header",
            remedy=REMEDY,
        )
    gap = view[HEADER.size + sum(sizes[:-1]) : bounds[-2]]
    if any(gap):
        raise ProgramFileError(
            "the file is damaged",
            where=where,
            found=f"{bytes(gap)!r} before the constants",
            expected="zeros",
            remedy=REMEDY,
        )
    ends = (start + size for (start, _), size in zip(pairwise(bounds), sizes, strict=True))
    sections = {name: view[start:end] for name, start, end in zip(SECTIONS, bounds, ends, strict=False)}
    return dram_bytes, sections
