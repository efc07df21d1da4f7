"""Writing and reading the sections of a program file: words, strings by number, memories by number."""

from __future__ import annotations

import struct
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

WORD = struct.Struct("<I")


class Packer:
    """The growing bytes of one section of a program file, with the numbers of strings and memories.

    Attributes:
        templates: of what repeats but for a number, the bytes before that number and behind it.
        attributes: values by their ids, which are theirs as long as they are kept here, and their bytes.
    """

    def __init__(self, memories: Mapping[str, int], strings: dict[str, int]) -> None:
        self.data = bytearray()
        self.memories = memories
        self.strings = strings
        self.templates: dict[Hashable, tuple[bytes, bytes]] = {}
        self.attributes: dict[Hashable, tuple[Any, bytes | None]] = {}

    def word(self, value: int) -> None:
        """Append an unsigned 32-bit word."""
        self.data += WORD.pack(value)

    def string(self, text: str) -> None:
        """Append the number of a string in the string table."""
        self.word(self.number(text))

    def number(self, text: str) -> int:
        """The number of a string in the string table, which it enters if it is new."""
        return self.strings.setdefault(text, len(self.strings))


class Unpacker:
    """A reading position in one section; reading past its end raises ``struct.error``."""

    def __init__(self, data: memoryview, memories: Sequence[str] = (), strings: Sequence[str] = ()) -> None:
        self.data = data
        self.memories = memories
        self.strings = strings
        self.position = 0

    def take(self, layout: struct.Struct) -> tuple[Any, ...]:
        """Read the values of a fixed layout."""
        values = layout.unpack_from(self.data, self.position)
        self.position += layout.size
        return values

    def word(self) -> int:
        """Read an unsigned 32-bit word."""
        value: int = WORD.unpack_from(self.data, self.position)[0]
        self.position += 4
        return value

    def string(self) -> str:
        """Read a string by its number."""
        return self.strings[checked(self.word(), len(self.strings), "string")]


def checked(number: int, count: int, what: str) -> int:
    """The number, if it counts one of `count` things.

    Raises:
        ValueError: it does not.
    """
    if number >= count:
        raise ValueError(f"{what} {number} does not exist, there are {count}")
    return number
