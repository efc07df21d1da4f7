"""How the fields of instructions are packed into words and printed: one codec per *type* of field.

Everything is little endian.
"""

from __future__ import annotations

import math
import operator
import re
import struct
from abc import ABC, abstractmethod
from difflib import get_close_matches
from enum import Enum
from numbers import Real
from typing import Any, Generic, TypeVar

from nnc.isa.codec.scanner import Scanner
from nnc.isa.codec.wire import Packer, Unpacker, checked
from nnc.isa.operand import MAX_RANK, Operand, dense_strides
from nnc.isa.types import DType

ValueT = TypeVar("ValueT")
MAX_ADDRESS = 2**48
_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_OPERAND = struct.Struct("<BBH4sQ")
_STRIDED = 1
_NAN = _FLOAT.pack(math.nan)
_WORDS = re.compile(r"[a-z_][a-z0-9_]*")
_FLOAT_TEXT = re.compile(
    r"(?:nan|-?inf|[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z_.])"
)
OPERAND_START = re.compile(r"[a-z_][a-z0-9_]*\+")


class Codec(ABC, Generic[ValueT]):
    """Packing and printing of one type of value; malformed values and bytes raise ``ValueError``."""

    name: str

    @abstractmethod
    def clean(self, value: Any) -> ValueT:
        """The value in the one form that is written (a numpy integer becomes an int …)."""

    @abstractmethod
    def pack(self, value: ValueT, out: Packer) -> None:
        """Append the words of a clean value."""

    @abstractmethod
    def unpack(self, source: Unpacker) -> ValueT:
        """Read what ``pack`` wrote."""

    @abstractmethod
    def text(self, value: ValueT) -> str:
        """The value in program text."""

    @abstractmethod
    def parse(self, scanner: Scanner) -> ValueT:
        """Read what ``text`` printed; raises ``AssemblyError``."""


class IntCodec(Codec[int]):
    """A 64-bit two's complement integer; in text decimal, read as hexadecimal too."""

    name = "int"

    def clean(self, value: Any) -> int:
        try:
            number = int(operator.index(value))
        except TypeError as error:
            raise ValueError(f"{value!r} is no integer") from error
        if not -(2**63) <= number < 2**63:
            raise ValueError("an integer does not fit 64 bits")
        return number

    def pack(self, value: int, out: Packer) -> None:
        out.data += _INT.pack(value)

    def unpack(self, source: Unpacker) -> int:
        return int(source.take(_INT)[0])

    def text(self, value: int) -> str:
        return str(value)

    def parse(self, scanner: Scanner) -> int:
        return scanner.integer("the value")


class FloatCodec(Codec[float]):
    """A 64-bit IEEE number (there is one NaN); in text the shortest decimal that gives the same bits."""

    name = "float"

    def clean(self, value: Any) -> float:
        if not isinstance(value, Real):
            raise ValueError(f"{value!r} is no number")
        number = float(value)
        return math.nan if math.isnan(number) else number

    def pack(self, value: float, out: Packer) -> None:
        out.data += _FLOAT.pack(value)

    def unpack(self, source: Unpacker) -> float:
        start = source.position
        number = float(source.take(_FLOAT)[0])
        if math.isnan(number) and source.data[start : source.position] != _NAN:
            raise ValueError("a NaN is not the plain one")
        return number

    def text(self, value: float) -> str:
        return repr(value)

    def parse(self, scanner: Scanner) -> float:
        match = scanner.accept(_FLOAT_TEXT)
        if match is None:
            raise scanner.error("the value is no number", expected="a number such as 0.5, 1e-05, inf or nan")
        return self.clean(float(match[0]))


class BoolCodec(Codec[bool]):
    """A word 0 or 1; in text false or true."""

    name = "bool"

    def clean(self, value: Any) -> bool:
        return bool(value)

    def pack(self, value: bool, out: Packer) -> None:
        out.word(int(value))

    def unpack(self, source: Unpacker) -> bool:
        return bool(checked(source.word(), 2, "truth value"))

    def text(self, value: bool) -> str:
        return "true" if value else "false"

    def parse(self, scanner: Scanner) -> bool:
        start = scanner.position
        match = scanner.accept(_WORDS)
        if match is None or match[0] not in ("true", "false"):
            raise scanner.error("the value is no truth value", at=start, expected="true or false")
        return match[0] == "true"


EnumT = TypeVar("EnumT", bound=Enum)


class EnumCodec(Codec[EnumT]):
    """A member by its name in program text; in binary the number of that name in the string table."""

    def __init__(self, cls: type[EnumT]) -> None:
        self.cls = cls
        self.name = cls.__name__
        self.members: dict[str, EnumT] = {member.value: member for member in cls}

    def clean(self, value: Any) -> EnumT:
        if not isinstance(value, self.cls):
            raise ValueError(f"{value!r} is no {self.name}")
        return value

    def pack(self, value: EnumT, out: Packer) -> None:
        out.string(value.value)

    def unpack(self, source: Unpacker) -> EnumT:
        word = source.string()
        if word not in self.members:
            raise ValueError(f"{word!r} is no {self.name}")
        return self.members[word]

    def text(self, value: EnumT) -> str:
        return str(value.value)

    def parse(self, scanner: Scanner) -> EnumT:
        start = scanner.position
        match = scanner.accept(_WORDS)
        if match is None or match[0] not in self.members:
            close = get_close_matches(match[0], self.members) if match else []
            expected = ", ".join(close or self.members)
            raise scanner.error(f"the value is no {self.name}", at=start, expected=expected)
        return self.members[match[0]]


_DTYPE = EnumCodec(DType)


def operand_problem(op: Operand) -> str:
    """Why a block of bytes is impossible on any chip; empty if it is not."""
    if len(op.shape) > MAX_RANK or len(op.shape) != len(op.strides):
        return f"rank {len(op.shape)} with {len(op.strides)} strides, at most {MAX_RANK} are possible"
    if not all(0 < extent < 2**32 for extent in op.shape):
        return f"extents {list(op.shape)} are not all in 1 … 2^32 - 1"
    if not all(-MAX_ADDRESS < stride < MAX_ADDRESS for stride in op.strides):
        return f"strides {list(op.strides)} are not all within ±2^48"
    low, high = op.hull
    if low < 0 or high > MAX_ADDRESS:
        return f"bytes {low} … {high - 1} are not all in 0 … 2^48 - 1"
    return ""


class OperandCodec(Codec[Operand]):
    """Memory number and rank (8 bits each), flags (16 bits; 1: strides follow), dtype name (4 bytes), address
    (64 bits), shape (words), strides (64 bits each).  Memory 0 is DRAM, then the chip's in their order.

    In text ``memory+address dtype[shape]{byte strides}``; strides only where the block is not dense.
    """

    name = "operand"

    def clean(self, value: Any) -> Operand:
        if not isinstance(value, Operand):
            raise ValueError(f"{value!r} is no operand")
        if problem := operand_problem(value):
            raise ValueError(f"{value}: {problem}")
        return value

    def pack(self, value: Operand, out: Packer) -> None:
        number = out.memories.get(value.memory)
        if number is None:
            raise ValueError(f"the chip has no memory {value.memory!r}; it has {', '.join(out.memories)}")
        rank, dense = len(value.shape), value.is_dense
        flags = 0 if dense else _STRIDED
        out.data += _OPERAND.pack(number, rank, flags, value.dtype.value.encode(), value.address)
        out.data += struct.pack(f"<{rank}I", *value.shape)
        if not dense:
            out.data += struct.pack(f"<{rank}q", *value.strides)

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
        memory = scanner.accept(_WORDS)
        if memory is None:
            raise scanner.error(
                "an operand is missing", expected="an operand such as sram+0x40 f32[1,8,8,16]"
            )
        if scanner.memories is not None and memory[0] not in scanner.memories:
            expected = ", ".join(scanner.memories)
            raise scanner.error(f"the chip has no memory '{memory[0]}'", at=start, expected=expected)
        scanner.expect_text("+")
        address = scanner.integer("the address", 0, MAX_ADDRESS)
        dtype = _DTYPE.parse(scanner)
        shape = integer_list(scanner, "[", "]", "an extent")
        strides = dense_strides(shape, dtype.itemsize)
        if scanner.sees_text("{"):
            strides = integer_list(scanner, "{", "}", "a stride")
        op = Operand(memory[0], address, dtype, shape, strides)
        if problem := operand_problem(op):
            raise scanner.error("the operand is impossible", at=start, found=problem)
        return op


def integer_list(scanner: Scanner, opening: str, closing: str, what: str) -> tuple[int, ...]:
    """Step over integers with commas between, in brackets."""
    scanner.expect_text(opening)
    values: list[int] = []
    while not scanner.accept_text(closing):
        if values:
            scanner.expect_text(",")
        values.append(scanner.integer(what))
    return tuple(values)


class TupleCodec(Codec[tuple[ValueT, ...]]):
    """A word with the count, then the items; in text with commas between, () if there are none."""

    def __init__(self, item: Codec[ValueT], separator: str = ",") -> None:
        self.item = item
        self.separator = separator
        self.name = f"tuple of {item.name}"

    def clean(self, value: Any) -> tuple[ValueT, ...]:
        if not isinstance(value, tuple):
            raise ValueError(f"{value!r} is no tuple")
        return tuple(self.item.clean(item) for item in value)

    def pack(self, value: tuple[ValueT, ...], out: Packer) -> None:
        out.word(len(value))
        for item in value:
            self.item.pack(item, out)

    def unpack(self, source: Unpacker) -> tuple[ValueT, ...]:
        return tuple(self.item.unpack(source) for _ in range(source.word()))

    def text(self, value: tuple[ValueT, ...]) -> str:
        return self.separator.join(map(self.item.text, value)) or "()"

    def parse(self, scanner: Scanner) -> tuple[ValueT, ...]:
        if scanner.accept_text("()"):
            return ()
        values = [self.item.parse(scanner)]
        while scanner.accept_text(","):
            values.append(self.item.parse(scanner))
        return tuple(values)


_CODECS: dict[Any, Codec[Any]] = {
    int: IntCodec(),
    float: FloatCodec(),
    bool: BoolCodec(),
    Operand: OperandCodec(),
    Operand | None: OperandCodec(),
    tuple[int, ...]: TupleCodec(IntCodec()),
    tuple[float, ...]: TupleCodec(FloatCodec()),
    tuple[Operand, ...]: TupleCodec(OperandCodec(), ", "),
}


def codec_for(hint: Any) -> Codec[Any]:
    """The codec of a field type, as ``field_types`` gives it.

    Raises:
        TypeError: instructions cannot have fields of this type.
    """
    if hint in _CODECS:
        return _CODECS[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return EnumCodec(hint)
    raise TypeError(f"instruction fields of type {hint} have no encoding")
