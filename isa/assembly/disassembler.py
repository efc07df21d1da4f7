"""Program -> text.  The text is complete: ``nnc.isa.assembly.assembler`` makes the same program of it again.

``.group``, ``.part`` and ``.read`` / ``.compute`` / ``.write`` say what the lines below them belong to; what
counts is the order of each engine's own lines.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from zlib import crc32

from nnc.isa.codec.fields import TupleCodec
from nnc.isa.codec.layout import layout
from nnc.isa.codec.operands import OperandCodec, TensorBlockCodec
from nnc.isa.codec.scanner import printed_name
from nnc.isa.errors import OptionError, ProgramInvalidError
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.program import FORMAT_VERSION, Content, Issued, Note, Program
from nnc.isa.program_file.sections import chip_data
from nnc.isa.program_problems import problem_of

MAX_INLINE = 4096
"""Constants up to this many bytes stand in the text itself; more go to a side file."""
HEX_LINE = 32
RESULT = "dst"
SOURCES = ("src", "srcs")
"""Operands that text writes without their names, before and after the arrow."""
UNKNOWN = "?"
"""Stands for the contents of an operand of which nothing is known."""
_PADDING = TupleCodec(OperandCodec())


def disassemble(program: Program, constants_file: str | None = None) -> str:
    """The text of a program.

    Args:
        constants_file: name that the text gives to the side file of large constants, which the caller writes
            (``program.constants``, byte for byte); unused where ``needs_constants_file`` is false.

    Raises:
        OptionError: the constants are large and no name is given.
        ProgramInvalidError: the program contradicts itself or has a value that no field can hold.
    """
    if problem := problem_of(program):
        raise ProgramInvalidError("the program contradicts itself", found=problem)
    if needs_constants_file(program) and constants_file is None:
        raise OptionError(
            "the constants are too large for the text",
            found=f"{program.constants.size} bytes",
            expected=f"at most {MAX_INLINE} bytes, or the name of a file for them",
            remedy="name a file for the constants",
        )
    try:
        lines = [*_header(program, constants_file), *_code(program)]
    except ValueError as error:
        raise ProgramInvalidError("the program cannot be written", found=ascii(str(error))[1:-1]) from error
    return "\n".join(lines) + "\n"


def needs_constants_file(program: Program) -> bool:
    """Whether the constants are too large to stand in the text."""
    return bool(program.constants.size > MAX_INLINE)


def _header(program: Program, constants_file: str | None) -> Iterator[str]:
    yield f".nnc {FORMAT_VERSION}"
    for key, value in chip_data(program.chip).items():
        yield f".chip {key} {json.dumps(value)}"
    yield f".dram {program.dram_bytes}"
    constants = program.constants.data
    if needs_constants_file(program):
        name = json.dumps(constants_file)
        yield f".constants file={name} bytes={len(constants)} crc={crc32(constants):#010x}"
    else:
        for start in range(0, len(constants), HEX_LINE):
            yield ".hex " + constants[start : start + HEX_LINE].hex(" ", 4)
    for tensor in program.tensors:
        block = TensorBlockCodec().clean(tensor.block)
        reserved = f" reserved={tensor.reserved}" if tensor.reserved else ""
        padding = f" padding={_PADDING.text(_PADDING.clean(tensor.padding))}" if tensor.padding else ""
        yield f".tensor {printed_name(tensor.name)} {tensor.role.value} {block}{reserved}{padding}"
    for state in program.states:
        rows = f" axis={state.axis} position={printed_name(state.position)}" if state.axis >= 0 else ""
        yield f".state {printed_name(state.input)} {printed_name(state.output)}{rows}"
    for name in program.host_tensors:
        yield f".host {printed_name(name)}"
    for name, fact in program.facts.items():
        yield f".fact {printed_name(name)} {fact}"


def _code(program: Program) -> Iterator[str]:
    described: set[int] = set()
    counts: dict[tuple[int, Engine], int] = {}
    place: tuple[int, int, int] | None = None
    section: Engine | None = None
    for item in program.issued:
        note, engine = item.note, item.instruction.engine
        now = (note.group, note.part, item.core)
        if now != place:
            yield ""
            if place is None or place[0] != note.group:
                yield _group_line(program, note.group, described)
            yield _part_line(program, note, item.core)
            place, section = now, None
        if engine is not section:
            yield f".{engine.value}"
            section = engine
        index = counts.get((item.core, engine), 0)
        counts[item.core, engine] = index + 1
        yield _issued_line(item, index)
    silent = [group for group in range(len(program.groups)) if group not in described]
    if silent:
        yield ""
    for group in silent:
        yield _group_line(program, group, described)


def _group_line(program: Program, number: int, described: set[int]) -> str:
    """A group with all that is known of it where it is first met, later only its number."""
    if number < 0:
        return ".group none"
    if number in described:
        return f".group {number}"
    described.add(number)
    group = program.groups[number]
    layers = ",".join(map(printed_name, group.layers)) or "()"
    reason = f" reason={json.dumps(group.reason)}" if group.reason else ""
    return f".group {number} {printed_name(group.kind)} layers={layers} parts={group.parts}{reason}"


def _part_line(program: Program, note: Note, core: int) -> str:
    """Parts count from 1 in the text, so that the last one reads 4/4."""
    total = f"/{program.groups[note.group].parts}" if note.group >= 0 else ""
    return f".part {note.part + 1}{total} core {core}"


def _issued_line(item: Issued, index: int) -> str:
    """An instruction with its number in its engine, its waits and its layer."""
    line = f"  {item.instruction.engine.value[0]}{index:<4} {instruction_text(item.instruction)}"
    waits = " ".join(
        "@" + ("" if wait.core == item.core else f"k{wait.core}.") + f"{wait.engine.value[0]}{wait.index}"
        for wait in item.waits
    )
    if waits:
        line += f"   {waits}"
    if item.note.layer or item.note.contents:
        line += f"   ; {printed_name(item.note.layer)}"
    if item.note.contents:
        line += " = " + " ".join(map(_content_text, item.note.contents))
    return line


def _content_text(content: Content | None) -> str:
    """Buffer and offset, and shape and strides in elements where they are not those of the operand."""
    if content is None:
        return UNKNOWN
    shape = "" if content.shape is None else "[" + ",".join(map(str, content.shape)) + "]"
    strides = "" if content.strides is None else "{" + ",".join(map(str, content.strides)) + "}"
    return f"{printed_name(content.buffer)}+{content.offset}{shape}{strides}"


def instruction_text(instruction: Instruction) -> str:
    """Mnemonic and fields: ``dst <- src, weight=…, stride=1,1 act=relu``; defaults are omitted.

    Raises:
        ValueError: a field has a value that does not fit its type.
    """
    head, arrow = "", ""
    operands: list[str] = []
    attributes: list[str] = []
    for field in layout(type(instruction)):
        value = field.value(instruction)
        text = "" if value is dataclasses.MISSING else field.codec.text(value)
        if field.name == RESULT:
            head = text
        elif field.name in SOURCES:
            arrow = "<-" if text == "()" else f"<- {text}"
        elif value is not dataclasses.MISSING:
            (attributes if field.spec is None else operands).append(f"{field.name}={text}")
    operands.insert(0, " ".join(filter(None, (head, arrow))))
    text = ", ".join(operands) + (", " + " ".join(attributes) if attributes else "")
    return f"{instruction.mnemonic:<12} {text}"
