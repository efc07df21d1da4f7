"""The sections of a program file except the constants: each as a pair of functions, pack and unpack.

The packers raise ``ValueError`` for what cannot be written; the unpackers ``ValueError`` for malformed bytes
and ``struct.error`` where the section ends too early.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data
from nnc.isa.codec.fields import TupleCodec
from nnc.isa.codec.layout import pack_instruction, signature, unpack_instruction
from nnc.isa.codec.operands import TensorBlockCodec
from nnc.isa.codec.scalars import EnumCodec, IntCodec
from nnc.isa.codec.wire import WORD, Packer, Unpacker, checked
from nnc.isa.errors import ChipError
from nnc.isa.instruction import BY_OPCODE, ENGINES, Instruction
from nnc.isa.operand import MAX_RANK
from nnc.isa.program import Content, GroupInfo, Issued, Note, Program, State, Tensor, TensorRole, Wait

_KIND = struct.Struct("<II")
_ISSUED = struct.Struct("<HHI")
_WAIT = struct.Struct("<HHI")
_NOTE = struct.Struct("<iI")
_RANK = struct.Struct("<B")
_OFFSET = struct.Struct("<Q")
_RESERVED = struct.Struct("<Q")
_AXIS = struct.Struct("<i")
_UNKNOWN, _OWN_STRIDES, _PACKED = 255, 254, 253
"""In place of a rank: nothing is known of an operand; its strides are those of the operand."""
_ROLE = EnumCodec(TensorRole)
_BLOCK = TensorBlockCodec()
_PADDING = TupleCodec(_BLOCK)
_INT = IntCodec()

Code = list[tuple[int, Instruction, tuple[Wait, ...]]]
"""Core, instruction and waits of every instruction."""


def chip_data(chip: Chip) -> dict[str, object]:
    """The chip description as JSON data, in the order of its definition."""
    return dict(chip.model_dump(mode="json", exclude_none=True))


def pack_chip(chip: Chip) -> bytes:
    """The chip description as JSON."""
    return json.dumps(chip_data(chip), separators=(",", ":")).encode()


def unpack_chip(source: Unpacker) -> Chip:
    """Read the chip description."""
    text = bytes(source.data)
    source.position = len(text)
    try:
        return chip_from_data(json.loads(text), "chip description")
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error
    except ChipError as error:
        raise ValueError(f"{error.message}; found {error.found}; expected {error.expected}") from error


def pack_strings(strings: Sequence[str], out: Packer) -> None:
    """The string table: count, then length and UTF-8 bytes of each."""
    out.word(len(strings))
    for text in strings:
        data = text.encode()
        out.word(len(data))
        out.data += data


def unpack_strings(source: Unpacker) -> tuple[str, ...]:
    """Read the string table."""
    strings = []
    for _ in range(source.word()):
        length = source.word()
        end = source.position + length
        if end > len(source.data):
            raise ValueError(f"a string of {length} bytes goes beyond the section")
        strings.append(str(source.data[source.position : end], "utf-8"))
        source.position = end
    return tuple(strings)


def pack_tensors(tensors: Sequence[Tensor], out: Packer) -> None:
    """The tensor table: count, then name, role, block, reserved bytes and padding of each."""
    out.word(len(tensors))
    for tensor in tensors:
        out.string(tensor.name)
        _ROLE.pack(tensor.role, out)
        try:
            _BLOCK.pack(_BLOCK.clean(tensor.block), out)
            out.data += _RESERVED.pack(tensor.reserved)
            _PADDING.pack(_PADDING.clean(tensor.padding), out)
        except ValueError as error:
            raise ValueError(f"tensor {tensor.name!r}: {error}") from error


def unpack_tensors(source: Unpacker) -> tuple[Tensor, ...]:
    """Read the tensor table."""
    return tuple(
        Tensor(
            source.string(),
            _ROLE.unpack(source),
            _BLOCK.unpack(source),
            reserved=source.take(_RESERVED)[0],
            padding=_PADDING.unpack(source),
        )
        for _ in range(source.word())
    )


def pack_ports(states: Sequence[State], host_tensors: Sequence[str], out: Packer) -> None:
    """What is special of ports, behind the tensor table, if anything is: count of the states, then input,
    output, axis and position of each; count and names of the host's tensors."""
    if not states and not host_tensors:
        return
    out.word(len(states))
    for state in states:
        out.string(state.input)
        out.string(state.output)
        out.data += _AXIS.pack(state.axis)
        out.string(state.position)
    out.word(len(host_tensors))
    for name in host_tensors:
        out.string(name)


def unpack_ports(source: Unpacker) -> tuple[tuple[State, ...], tuple[str, ...]]:
    """Read states and the host's tensors; there are none at the end of the section."""
    if source.position == len(source.data):
        return (), ()
    states = tuple(
        State(source.string(), source.string(), source.take(_AXIS)[0], source.string())
        for _ in range(source.word())
    )
    return states, tuple(source.string() for _ in range(source.word()))


def pack_code(issued: Sequence[Issued], out: Packer) -> None:
    """Signatures of the classes in use; then opcode, core, waits and fields of every instruction."""
    used = sorted({type(item.instruction) for item in issued}, key=lambda cls: cls.opcode)
    out.word(len(used))
    for cls in used:
        out.data += _KIND.pack(cls.opcode, signature(cls))
    out.word(len(issued))
    for i, item in enumerate(issued):
        out.data += _ISSUED.pack(item.instruction.opcode, item.core, len(item.waits))
        for wait in item.waits:
            out.data += _WAIT.pack(wait.core, ENGINES.index(wait.engine), wait.index)
        try:
            pack_instruction(item.instruction, out)
        except ValueError as error:
            raise ValueError(f"instruction {i} ({item.instruction.mnemonic}): {error}") from error


def unpack_code(source: Unpacker) -> Code:
    """Read the instructions."""
    classes: dict[int, type[Instruction]] = {}
    for _ in range(source.word()):
        opcode, written = source.take(_KIND)
        cls = BY_OPCODE.get(opcode)
        if cls is None:
            raise ValueError(f"instruction {opcode} is not known")
        if signature(cls) != written:
            raise ValueError(f"instruction {cls.mnemonic} has other fields in this version of nnc")
        classes[opcode] = cls
    return [_unpack_issued(source, classes) for _ in range(source.word())]


def _unpack_issued(
    source: Unpacker, classes: dict[int, type[Instruction]]
) -> tuple[int, Instruction, tuple[Wait, ...]]:
    opcode, core, count = source.take(_ISSUED)
    if opcode not in classes:
        raise ValueError(f"instruction {opcode} is not among the classes in use")
    waits = []
    for _ in range(count):
        wait_core, engine, index = source.take(_WAIT)
        waits.append(Wait(wait_core, ENGINES[checked(engine, len(ENGINES), "engine")], index))
    return core, unpack_instruction(classes[opcode], source), tuple(waits)


def pack_debug(program: Program, out: Packer) -> None:
    """Groups, facts, and the note of every instruction with its contents; nothing if there are none."""
    notes = [item.note for item in program.issued]
    if not program.groups and not program.facts and all(note == Note() for note in notes):
        return
    out.word(len(program.groups))
    for group in program.groups:
        out.string(group.kind)
        out.string(group.reason)
        out.word(group.parts)
        out.word(len(group.layers))
        for layer in group.layers:
            out.string(layer)
    out.word(len(program.facts))
    for name, value in program.facts.items():
        out.string(name)
        try:
            _INT.pack(_INT.clean(value), out)
        except ValueError as error:
            raise ValueError(f"fact {name}: {error}") from error
    for note in notes:
        out.data += _NOTE.pack(note.group, note.part)
        out.string(note.layer)
        out.word(len(note.contents))
        for content in note.contents:
            _pack_content(content, out)


def _pack_content(content: Content | None, out: Packer) -> None:
    if content is None:
        out.data.append(_UNKNOWN)
        return
    strides, shape = content.strides, content.shape
    form = content.buffer, strides, shape
    template = out.templates.get(form)
    if template is None:
        head = b"" if shape is None else bytes([_PACKED, len(shape)]) + struct.pack(f"<{len(shape)}q", *shape)
        head += bytes([_OWN_STRIDES if strides is None else len(strides)])
        head += WORD.pack(out.number(content.buffer))
        tail = b"" if strides is None else struct.pack(f"<{len(strides)}q", *strides)
        template = out.templates[form] = head, tail
    out.data += template[0] + _OFFSET.pack(content.offset) + template[1]


def _unpack_content(source: Unpacker) -> Content | None:
    (rank,) = source.take(_RANK)
    if rank == _UNKNOWN:
        return None
    shape = None
    if rank == _PACKED:
        (axes,) = source.take(_RANK)
        if axes > MAX_RANK:
            raise ValueError(f"the contents of an operand have rank {axes}")
        shape = source.take(struct.Struct(f"<{axes}q"))
        (rank,) = source.take(_RANK)
    if MAX_RANK < rank < _OWN_STRIDES:
        raise ValueError(f"the contents of an operand have rank {rank}")
    buffer, (offset,) = source.string(), source.take(_OFFSET)
    if rank == _OWN_STRIDES:
        return Content(buffer, offset, None, shape)
    return Content(buffer, offset, source.take(struct.Struct(f"<{rank}q")), shape)


def unpack_debug(
    source: Unpacker, instructions: int
) -> tuple[tuple[GroupInfo, ...], dict[str, int], list[Note]]:
    """Read the debug section of a program with a number of instructions."""
    if not source.data:
        return (), {}, [Note()] * instructions
    groups = []
    for _ in range(source.word()):
        kind, reason, parts = source.string(), source.string(), source.word()
        layers = tuple(source.string() for _ in range(source.word()))
        groups.append(GroupInfo(kind, layers, parts, reason))
    facts: dict[str, int] = {}
    for _ in range(source.word()):
        name = source.string()
        if name in facts:
            raise ValueError(f"fact {name!r} is written twice")
        facts[name] = _INT.unpack(source)
    notes = []
    for _ in range(instructions):
        group, part = source.take(_NOTE)
        layer = source.string()
        contents = tuple(_unpack_content(source) for _ in range(source.word()))
        notes.append(Note(group, part, layer, contents))
    return tuple(groups), facts, notes
