"""How the fields of instructions are packed into words and printed: one codec per *type* of field.

Everything is little endian.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from nnc.isa.codec.codec import Codec, ValueT
from nnc.isa.codec.operands import OperandCodec
from nnc.isa.codec.scalars import BoolCodec, EnumCodec, FloatCodec, IntCodec
from nnc.isa.codec.scanner import Scanner
from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.operand import Operand


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
