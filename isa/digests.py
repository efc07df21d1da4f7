"""Digests: what the layer groups of a program compute, one number per group, wherever their operands lie.

The verifier proves places and order: which elements an operand holds.  What is done with them it can only
compare with what the compiler meant: activations, other attributes, values of constants.  So the compiler
stores digests as facts of the program, and the verifier computes them again.  Cores, waits, and addresses and
strides of operands with contents are no part of them.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from nnc.isa.instruction import Access, Instruction, attribute_fields, per_class
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Content, Issued, Program, Tensor, TensorRole, fact_of_group

TABLE = "digest_of_ports"
"""The fact that holds the digest of inputs, outputs and states."""

_MASK = 2**63 - 1


def digest_fact(group: int) -> str:
    """The fact that holds the digest of a group."""
    return fact_of_group("digest", group)


def digests(program: Program) -> dict[str, int]:
    """The digests of a program by the names of their facts: of each of its groups, and of its ports.

    All operands lie in their memories, and every note fits its instruction.
    """
    digester = _Digester(program.constants)
    sums: defaultdict[int, int] = defaultdict(int)
    for item in program.issued:
        sums[item.note.group] += digester.of_instruction(item)  # a sum: the order is the verifier's business
    facts = {digest_fact(group): sums[group] & _MASK for group in range(len(program.groups))}
    ports = (TensorRole.INPUT, TensorRole.OUTPUT)
    table = [_of_tensor(tensor) for tensor in program.tensors if tensor.role in ports]
    table += [(state.input, state.output, state.axis, state.position) for state in program.states]
    table += [(name,) for name in program.host_tensors]
    return facts | {TABLE: crc32(repr(table).encode())}


def _of_tensor(tensor: Tensor) -> tuple[object, ...]:
    block = tensor.block
    return tensor.name, tensor.role.value, block.address, block.dtype.value, block.shape, block.strides


class _Digester:
    """Digests of instructions; those of forms that come again are found once."""

    def __init__(self, constants: npt.NDArray[np.uint8]) -> None:
        self._constants = constants
        self._values: dict[Operand, int] = {}

    def of_instruction(self, item: Issued) -> int:
        """The digest of an instruction with its layer, part, attributes and operands."""
        instruction, note = item.instruction, item.note
        accesses = instruction.accesses()
        numbers = [_of_attributes(instruction.mnemonic, _attributes(type(instruction))(instruction))]
        numbers += [note.part, _of_text(note.layer)]
        for (block, access, _), content in zip(
            accesses, note.contents or (None,) * len(accesses), strict=True
        ):
            numbers += self._of_operand(block, access, content)
        mixed = blake2b(
            struct.pack(f"<{len(numbers)}Q", *numbers), digest_size=8
        )  # checksums alone cancel out
        return int.from_bytes(mixed.digest(), "little")

    def _of_operand(self, block: Operand, access: Access, content: Content | None) -> tuple[int, ...]:
        constant = block.memory == DRAM and block.address < len(self._constants)
        value = self._of_values(block) if constant and access.reads else 0
        if content is None:
            place = () if constant else (block.memory, block.address, block.strides)
            return value, _of_form(block.dtype.value, block.shape, *place)
        form = _of_form(block.dtype.value, block.shape, content.buffer, content.strides, content.shape)
        return value, form, content.offset

    def _of_values(self, block: Operand) -> int:
        """The digest of the bytes of a constant."""
        digest = self._values.get(block)
        if digest is None:
            source = self._constants.data
            values: Any = np.ndarray(block.shape, block.dtype.numpy, source, block.address, block.strides)
            digest = self._values[block] = crc32(np.ascontiguousarray(values).view(np.uint8).data)
        return digest


@per_class
def _attributes(cls: type[Instruction]) -> Any:
    names = tuple(attribute_fields(cls))
    return attrgetter(*names) if names else lambda _: ()


@lru_cache(maxsize=65536)
def _of_attributes(mnemonic: str, values: object) -> int:
    """The digest of a mnemonic and the values of the immediate fields (one of them: the value alone)."""
    fields = values if isinstance(values, tuple) else (values,)
    plain = [value.value if isinstance(value, Enum) else value for value in fields]
    return _of_text(f"{mnemonic} {plain}")


@lru_cache(maxsize=65536)
def _of_form(*form: object) -> int:
    return _of_text(repr(form))


@lru_cache(maxsize=65536)
def _of_text(text: str) -> int:
    return crc32(text.encode())
