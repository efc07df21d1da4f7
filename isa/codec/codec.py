"""What packs and prints the values of one type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from nnc.isa.codec.scanner import Scanner
from nnc.isa.codec.wire import Packer, Unpacker

ValueT = TypeVar("ValueT")


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
