"""Integers, floats, truth values and members of enums as words and as text."""

from __future__ import annotations

import math
import operator
import re
import struct
from difflib import get_close_matches
from enum import Enum
from numbers import Real
from typing import Any, TypeVar

from nnc.isa.codec.codec import Codec
from nnc.isa.codec.scanner import WORD, Scanner
from nnc.isa.codec.wire import Packer, Unpacker, checked

_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_NAN = _FLOAT.pack(math.nan)
_FLOAT_TEXT = re.compile(
    r"(?:nan|-?inf|[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![0-9A-Za-z_.])"
)


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
        match = scanner.accept(WORD)
        if match is None or match[0] not in ("true", "false"):
            raise scanner.error("the value is no truth value", start=start, expected="true or false")
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
        match = scanner.accept(WORD)
        if match is None or match[0] not in self.members:
            close = get_close_matches(match[0], self.members) if match else []
            expected = ", ".join(close or self.members)
            raise scanner.error(f"the value is no {self.name}", start=start, expected=expected)
        return self.members[match[0]]
