"""Operands, the blocks of bytes that instructions work on, as words and as text."""

from __future__ import annotations

import re
import struct
from typing import Any

from nnc.isa.codec.codec import Codec
from nnc.isa.codec.scalars import EnumCodec
from nnc.isa.codec.scanner import WORD, Scanner
from nnc.isa.codec.wire import Packer, Unpacker, checked
from nnc.isa.operand import MAX_ADDRESS, MAX_RANK, Operand, dense_strides, operand_problem
from nnc.isa.types import DType

_OPERAND = struct.Struct("<BBH8sQ")
_ADDRESS = struct.Struct("<Q")
_STRIDED = 1
OPERAND_START = re.compile(r"[a-z_][a-z0-9_]*\+")
_DTYPE = EnumCodec(DType)


class OperandCodec(Codec[Operand]):
    """Memory number and rank (8 bits each), flags (16 bits; 1: strides follow), dtype name (8 bytes), address
    (64 bits), shape (words), strides (64 bits each).  Memory 0 is DRAM, then the chip's in their order.

    In text ``memory+address dtype[shape]{byte strides}``; strides only where the block is not dense.
    """

    name = "operand"
    least = 1
    """The smallest extent."""

    def clean(self, value: Any) -> Operand:
        if not isinstance(value, Operand):
            raise ValueError(f"{value!r} is no operand")
        if problem := operand_problem(value, self.least):
            raise ValueError(f"{value}: {problem}")
        return value

    def pack(self, value: Operand, out: Packer) -> None:
        form = value.memory, value.dtype, value.shape, value.strides
        template = out.templates.get(form)
        if template is None:
            template = out.templates[form] = self._around_address(value, out)
        out.data += template[0] + _ADDRESS.pack(value.address) + template[1]

    def _around_address(self, value: Operand, out: Packer) -> tuple[bytes, bytes]:
        number = out.memories.get(value.memory)
        if number is None:
            raise ValueError(f"the chip has no memory {value.memory!r}; it has {', '.join(out.memories)}")
        rank, dense = len(value.shape), value.is_dense
        flags = 0 if dense else _STRIDED
        head = _OPERAND.pack(number, rank, flags, value.dtype.value.encode(), 0)[: -_ADDRESS.size]
        strides = b"" if dense else struct.pack(f"<{rank}q", *value.strides)
        return head, struct.pack(f"<{rank}I", *value.shape) + strides

    def unpack(self, source: Unpacker) -> Operand:
        number, rank, flags, dtype_name, address = source.take(_OPERAND)
        memory = source.memories[checked(number, len(source.memories), "memory")]
        dtype = DType(dtype_name.rstrip(b"\0").decode("ascii"))
        if rank > MAX_RANK or flags > _STRIDED:
            raise ValueError(f"an operand has rank {rank} and flags {flags}")
        shape = source.take(struct.Struct(f"<{rank}I"))
        strides = dense = dense_strides(shape, dtype.itemsize)
        if flags == _STRIDED:
            strides = source.take(struct.Struct(f"<{rank}q"))
            if strides == dense:
                raise ValueError("strides are written for a dense block")
        return self.clean(Operand(memory, address, dtype, shape, strides))

    def text(self, value: Operand) -> str:
        return str(value)

    def parse(self, scanner: Scanner) -> Operand:
        start = scanner.position
        memory = scanner.accept(WORD)
        if memory is None:
            raise scanner.error(
                "an operand is missing", expected="an operand such as sram+0x40 f32[1,8,8,16]"
            )
        if scanner.memories is not None and memory[0] not in scanner.memories:
            expected = ", ".join(scanner.memories)
            raise scanner.error(f"the chip has no memory '{memory[0]}'", start=start, expected=expected)
        scanner.expect_text("+")
        address = scanner.integer("the address", 0, MAX_ADDRESS)
        dtype = _DTYPE.parse(scanner)
        shape = integer_list(scanner, "[", "]", "an extent")
        strides = dense_strides(shape, dtype.itemsize)
        if scanner.sees_text("{"):
            strides = integer_list(scanner, "{", "}", "a stride")
        op = Operand(memory[0], address, dtype, shape, strides)
        if problem := operand_problem(op, self.least):
            raise scanner.error("the operand is impossible", start=start, found=problem)
        return op


class TensorBlockCodec(OperandCodec):
    """The same for an entry of the tensor table, which may have no elements."""

    least = 0


def integer_list(scanner: Scanner, opening: str, closing: str, what: str) -> tuple[int, ...]:
    """Step over integers with commas between, in brackets."""
    scanner.expect_text(opening)
    values: list[int] = []
    while not scanner.accept_text(closing):
        if values:
            scanner.expect_text(",")
        values.append(scanner.integer(what))
    return tuple(values)
