"""The encoding of an instruction, derived from the fields of its class.

A word of presence bits says which fields differ from their defaults; only these follow, in the order of the
class.  Program text omits the same fields.
"""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from nnc.isa.codec.codec import Codec
from nnc.isa.codec.fields import codec_for
from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.instruction import Instruction, OperandSpec, field_types, operand_specs, per_class

_PRESENCE_BITS = 32
_MOST_ATTRIBUTES = 2**15
"""How many values of attributes are remembered with their bytes while a section is packed."""


@dataclass(frozen=True)
class FieldLayout:
    """One field of an instruction class: how it is written and when it is left out."""

    name: str
    codec: Codec[Any]
    default: Any
    bit: int
    spec: OperandSpec | None
    doc: str

    @property
    def required(self) -> bool:
        """Whether the field has no default."""
        return self.default is dataclasses.MISSING

    def value(self, instruction: Instruction) -> Any:
        """The field's value in the form that is written, or ``MISSING`` where it is the default.

        Raises:
            ValueError: the value does not fit the type of the field.
        """
        value = getattr(instruction, self.name)
        if value is self.default:
            return dataclasses.MISSING
        try:
            value = self.codec.clean(value)
        except ValueError as error:
            raise ValueError(f"field {self.name}: {error}") from error
        # 0.0 == -0.0, hence the second look at what seems to be the default.
        if value == self.default and repr(value) == repr(self.default):
            return dataclasses.MISSING
        return value

    def default_text(self) -> str:
        """The default in program text; empty if the field is required, 'none' for an absent operand."""
        if self.required:
            return ""
        return "none" if self.default is None else self.codec.text(self.default)


@per_class
def layout(cls: type[Instruction]) -> tuple[FieldLayout, ...]:
    """The fields of an instruction class in the order in which they are written."""
    fields, specs, types = dataclasses.fields(cls), operand_specs(cls), field_types(cls)
    if len(fields) > _PRESENCE_BITS:
        raise TypeError(f"{cls.__name__} has more than {_PRESENCE_BITS} fields")
    return tuple(
        FieldLayout(
            name=f.name,
            codec=codec_for(types[f.name]),
            default=f.default,
            bit=1 << i,
            spec=specs.get(f.name),
            doc=specs[f.name].doc if f.name in specs else f.metadata["doc"],
        )
        for i, f in enumerate(fields)
    )


def layout_text(cls: type[Instruction]) -> str:
    """The layout of a class as one line of text: opcode, mnemonic, and name:type=default of every field."""
    fields = ", ".join(f"{f.name}:{f.codec.name}={f.default_text()}" for f in layout(cls))
    return f"{cls.opcode} {cls.mnemonic} {fields}"


@per_class
def signature(cls: type[Instruction]) -> int:
    """The CRC-32 of the layout of a class; program files carry it, so that no field is ever misread."""
    return crc32(layout_text(cls).encode())


def pack_instruction(instruction: Instruction, out: Packer) -> None:
    """Append the presence word and the fields that differ from their defaults.

    Raises:
        ValueError: a field has a value that cannot be written.
    """
    presence, start, cls = 0, len(out.data), type(instruction)
    out.word(0)
    for field in layout(cls):
        value = getattr(instruction, field.name)
        if value is field.default:
            continue
        if field.spec is not None:  # operands differ from instruction to instruction, attributes hardly
            presence |= field.bit if _pack_field(field, instruction, out) else 0
            continue
        key = cls, field.bit, id(value)
        if (entry := out.attributes.get(key)) is None:
            if len(out.attributes) >= _MOST_ATTRIBUTES:  # of a program that was read, none share an object
                out.attributes.clear()
            begin = len(out.data)
            packed = bytes(out.data[begin:]) if _pack_field(field, instruction, out) else None
            out.attributes[key] = value, packed
        elif (packed := entry[1]) is not None:
            out.data += packed
        presence |= 0 if packed is None else field.bit
    struct.pack_into("<I", out.data, start, presence)


def _pack_field(field: FieldLayout, instruction: Instruction, out: Packer) -> bool:
    """Append a field; whether it differs from its default, else nothing is appended."""
    value = field.value(instruction)
    if value is dataclasses.MISSING:
        return False
    try:
        field.codec.pack(value, out)
    except ValueError as error:
        raise ValueError(f"field {field.name}: {error}") from error
    return True


def unpack_instruction(cls: type[Instruction], source: Unpacker) -> Instruction:
    """Read what ``pack_instruction`` wrote.

    Raises:
        ValueError: the bytes describe no instruction of this class.
        struct.error: the section ends within the instruction.
    """
    presence = source.word()
    values: dict[str, Any] = {}
    fields = layout(cls)
    if presence >> len(fields):
        raise ValueError(f"{cls.mnemonic} has presence bits {presence:#x} but {len(fields)} fields")
    for field in fields:
        if presence & field.bit:
            value = field.codec.unpack(source)
            if value == field.default and repr(value) == repr(field.default):
                raise ValueError(f"{cls.mnemonic} writes the default of {field.name}")
            values[field.name] = value
        elif field.required:
            raise ValueError(f"{cls.mnemonic} lacks {field.name}")
    return cls(**values)
