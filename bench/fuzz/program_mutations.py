"""Random changes of program files: of any field of a program, written again by nnc itself."""

from __future__ import annotations

import dataclasses
import struct
from random import Random
from typing import Any
from zlib import crc32

from bench.fuzz.bytes_mutations import mutated_bytes
from bench.fuzz.tree_mutations import TreeMutator
from nnc.isa.chip.load import chip_from_data
from nnc.isa.errors import NncError
from nnc.isa.program import Program
from nnc.isa.program_file.binary import CHECKED_FROM, HEADER, decode, encode

_ATTEMPTS = 10
_FIELDS = ("issued",) * 8 + ("tensors",) * 3 + ("chip", "constants", "dram_bytes", "groups", "facts")


def mutated_program_file(data: bytes, random: Random) -> bytes:
    """The file with one or two fields changed; where no change can be written, with changed bytes."""
    program = decode(data)
    mutator = TreeMutator((program.tensors, program.issued, program.groups, program.facts), random)
    for _ in range(_ATTEMPTS):
        changed = program
        try:
            for _ in range(random.choice((1, 1, 1, 2))):
                changed = _with_change(changed, mutator, random)
            return encode(changed)
        except (NncError, *_NOT_WRITABLE):
            continue
    return with_checksum(mutated_bytes(data, random))


_NOT_WRITABLE = (TypeError, ValueError, AttributeError, struct.error, OverflowError)
"""A value of a type that the field cannot have: no file can hold it, and type checkers refuse the code."""


def _with_change(program: Program, mutator: TreeMutator, random: Random) -> Program:
    name = random.choice(_FIELDS)
    if name != "chip":
        return dataclasses.replace(program, **{name: mutator.mutated(getattr(program, name))})
    table: Any = program.chip.model_dump(mode="json", exclude_none=True)
    return dataclasses.replace(
        program, chip=chip_from_data(TreeMutator(table, random).mutated(table), "chip")
    )


def with_checksum(data: bytes) -> bytes:
    """The file with the checksum of its bytes, so that changes are not found by that alone."""
    if len(data) < HEADER.size:
        return data
    return data[: CHECKED_FROM - 4] + struct.pack("<I", crc32(data[CHECKED_FROM:])) + data[CHECKED_FROM:]
