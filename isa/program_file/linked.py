"""The file of linked programs: entries by name, and the constants of all, once.

========== =======================================================================================
header     magic (8 bytes), version, CRC-32 of all that follows (words), bytes of DRAM, number of
           entries, size of the constants (64 bits each)
index      of each entry the sizes of its name and of its five sections (64 bits each)
bodies     of each entry its name (UTF-8), then the sections chip, strings, tensors, code and debug
constants  image of DRAM from address 0 on, at the next multiple of 64 bytes of the file
========== =======================================================================================
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from nnc.isa.argument_types import typed
from nnc.isa.errors import OptionError, ProgramFileError
from nnc.isa.files import write_whole
from nnc.isa.integers import round_up
from nnc.isa.nearest import did_you_mean
from nnc.isa.program import CONSTANT_ALIGN, FORMAT_VERSION, Program
from nnc.isa.program_file.body import BODY, pack_body, unpack_body

LINKED_MAGIC = b"\x89NNL\r\n\x1a\n"
Bodies = Sequence[Mapping[str, memoryview]]
Constants = npt.NDArray[np.uint8]
_HEADER = struct.Struct("<8sII3Q")
_SIZES = struct.Struct(f"<{1 + len(BODY)}Q")
_CHECKED_FROM = 16
_MOST_ENTRIES = 4096


def encode_entries(programs: Mapping[str, Program]) -> list[bytes | memoryview]:
    """The bytes of the file in pieces.

    Args:
        programs: linked (see `nnc.isa.link`): all have the same constants.

    Raises:
        OptionError: they do not, or are too many.
        ProgramInvalidError: one cannot be written.
    """
    first = next(iter(programs.values()), None)
    shared = first is not None and all(program.constants is first.constants for program in programs.values())
    if first is None or not shared or len(programs) > _MOST_ENTRIES:
        raise OptionError(
            "the programs are not linked",
            found=f"{len(programs)} programs",
            expected=f"1 … {_MOST_ENTRIES} programs with the same constants",
            remedy="link them first: nnc.link",
        )
    bodies = [[name.encode(), *pack_body(program)] for name, program in programs.items()]
    index = b"".join(_SIZES.pack(*map(len, body)) for body in bodies)
    constants = np.ascontiguousarray(first.constants).data
    pieces: list[bytes | memoryview] = [
        struct.pack("<3Q", first.dram_bytes, len(programs), len(constants)),
        index,
        *(section for body in bodies for section in body),
    ]
    length = _CHECKED_FROM + sum(map(len, pieces))
    pieces += [bytes(-length % CONSTANT_ALIGN), constants]
    checksum = 0
    for piece in pieces:
        checksum = crc32(piece, checksum)
    return [LINKED_MAGIC + struct.pack("<II", FORMAT_VERSION, checksum), *pieces]


@typed
def save_entries(programs: Mapping[str, Program], path: str | os.PathLike[str]) -> None:
    """Write linked programs into one file, whole or not at all.

    Raises:
        OptionError, ProgramInvalidError: they cannot be written.
        OutputFileError: the file cannot be written.
    """
    write_whole(path, encode_entries(programs))


def decode_entry(data: memoryview, entry: str, where: str) -> Program:
    """One program of a file; its constants are a read-only view of those of all.

    Args:
        entry: its name; empty: the only one.

    Raises:
        ProgramFileError: the bytes are no linked programs, incomplete or damaged, or have no such entry.
    """
    bodies, names, constants, dram_bytes = _split(data.toreadonly(), where)
    if (not entry and len(names) > 1) or (entry and entry not in names):
        raise ProgramFileError(
            "the file has no such program" if entry else "the file has several programs",
            where=where,
            found=entry,
            expected=", ".join([*names][:20]),
            remedy=did_you_mean(entry, [*names], "name one of its entries: --entry NAME"),
        )
    number = names[entry] if entry else 0
    return unpack_body(bodies[number], constants, dram_bytes, f"{where} {entry}".rstrip())


def decode_entries(data: memoryview, where: str = "") -> dict[str, Program]:
    """All programs of a file by name, with the same constants.

    Raises:
        ProgramFileError: the bytes are no linked programs, incomplete or damaged.
    """
    bodies, names, constants, dram_bytes = _split(data.toreadonly(), where)
    return {
        name: unpack_body(bodies[number], constants, dram_bytes, f"{where} {name}")
        for name, number in names.items()
    }


def _split(view: memoryview, where: str) -> tuple[Bodies, dict[str, int], Constants, int]:
    """Check header, sizes and checksum; give sections and names of entries, the constants, bytes of DRAM."""
    if len(view) < _HEADER.size or view[: len(LINKED_MAGIC)] != LINKED_MAGIC:
        actual = f"{len(view)} bytes that start with {bytes(view[:8])!r}"
        raise _damaged(where, actual, f"at least {_HEADER.size} bytes that start with {LINKED_MAGIC!r}")
    _, version, checksum, dram_bytes, count, nbytes = _HEADER.unpack_from(view)
    if version != FORMAT_VERSION:
        raise _damaged(where, f"version {version}", f"version {FORMAT_VERSION}")
    begin = _HEADER.size + min(count, _MOST_ENTRIES + 1) * _SIZES.size
    if not 1 <= count <= _MOST_ENTRIES or begin > len(view):
        raise _damaged(where, f"{count} entries in {len(view)} bytes", f"1 … {_MOST_ENTRIES} entries")
    sizes = [size for entry in _SIZES.iter_unpack(view[_HEADER.size : begin]) for size in entry]
    ends = list(accumulate(sizes, initial=begin))
    start = round_up(ends[-1], CONSTANT_ALIGN)
    if start + nbytes != len(view):
        raise _damaged(where, f"{len(view)} bytes", f"{start + nbytes} bytes by its header")
    if (crc := crc32(view[_CHECKED_FROM:])) != checksum:
        raise _damaged(where, f"checksum {crc:#010x}", f"checksum {checksum:#010x} by its header")
    pieces = [view[low:high] for low, high in pairwise(ends)]
    width = 1 + len(BODY)
    firsts = range(0, len(pieces), width)
    bodies: list[dict[str, memoryview]] = [
        dict(zip(BODY, pieces[first + 1 : first + width], strict=True)) for first in firsts
    ]
    names = _names(pieces[::width], where)
    return bodies, names, np.frombuffer(view[start:], dtype=np.uint8), dram_bytes


def _names(pieces: list[memoryview], where: str) -> dict[str, int]:
    try:
        names = {str(piece, "utf-8"): number for number, piece in enumerate(pieces)}
    except UnicodeDecodeError as error:
        raise _damaged(where, f"a name that is no text: {error}", "names in UTF-8") from None
    if len(names) < len(pieces):
        raise _damaged(where, "two entries of one name", "a name for each")
    return names


def _damaged(where: str, actual: str, expected: str) -> ProgramFileError:
    return ProgramFileError(
        "the file of linked programs is damaged or of another version",
        where=where,
        found=actual,
        expected=expected,
        remedy="link the programs again, with this nnc",
    )
