"""Text -> program; the errors name file, line and column and show the line with a caret.

A line is a directive (see ``nnc.isa.assembly.directives``), an instruction
``ID MNEMONIC [DST] <- SRC…, OPERAND=…, ATTRIBUTE=… @WAIT… ; LAYER = CONTENTS…``, or blank; ``#`` starts a
comment.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import numpy as np

from nnc.isa.assembly.directives import DIRECTIVES, ConstantsSource, Draft, not_a_directive
from nnc.isa.assembly.disassembler import RESULT, SOURCES, UNKNOWN
from nnc.isa.codec.fields import TupleCodec
from nnc.isa.codec.layout import FieldLayout, layout
from nnc.isa.codec.operands import OPERAND_START, OperandCodec, integer_list
from nnc.isa.codec.scanner import WORD, Scanner
from nnc.isa.instruction import BY_OPCODE, ENGINES, INSTRUCTIONS, Instruction
from nnc.isa.operand import Operand
from nnc.isa.program import (
    CONSTANT_ALIGN,
    FORMAT_VERSION,
    MAX_DRAM_BYTES,
    MAX_INDEX,
    Content,
    Issued,
    Note,
    Program,
    Wait,
)
from nnc.isa.program_problems import problem_of

_DIRECTIVE = re.compile(r"\.([A-Za-z_]+)(?![A-Za-z0-9_.])")
_ID = re.compile(r"([rcw])([0-9]{1,10})(?![0-9A-Za-z_.])")
_WAIT = re.compile(r"@(?:k([0-9]{1,4})\.)?([rcw])([0-9]{1,10})(?![0-9A-Za-z_.])")
_FIELD = re.compile(r"([a-z_][a-z0-9_]*)=")
_ENGINE = {engine.value[0]: engine for engine in ENGINES}
_OPERAND = OperandCodec()


def assemble(text: str, where: str = "", constants: ConstantsSource = None) -> Program:
    """The program that a text describes.

    Args:
        where: name of the text's file, for messages.
        constants: the folder of the constants file that the text may name, or a function that gives the bytes
            of a file by its name.

    Raises:
        AssemblyError: the text is malformed, or its constants file is missing or another one.
    """
    draft = Draft(where or "<text>", constants)
    last = Scanner("", where=draft.where)
    for number, line in enumerate(text.split("\n"), start=1):
        scanner = Scanner(line, number, draft.where)
        if not scanner.at_end():
            _line(draft, scanner)
            scanner.end()
            last = scanner
    return _finish(draft, last)


def _line(draft: Draft, scanner: Scanner) -> None:
    start = scanner.position
    if directive := scanner.accept(_DIRECTIVE):
        if directive[1] not in DIRECTIVES:
            raise not_a_directive(scanner, start)
        if draft.version is None and directive[1] != "nnc":
            raise scanner.error(
                "the text does not start with its version", start=start, expected=f".nnc {FORMAT_VERSION}"
            )
        DIRECTIVES[directive[1]](draft, scanner)
    elif scanner.sees(_ID):
        chip = draft.known_chip(scanner)
        scanner.memories = draft.memories
        _issue(draft, scanner, chip.cores)
    else:
        raise scanner.error(
            "neither a directive nor an instruction",
            expected="such as '.read', or 'r0 load …' with r, c or w for the engine and a number",
        )


def _issue(draft: Draft, scanner: Scanner, cores: int) -> None:
    """Read an instruction line and append the instruction."""
    start = scanner.position
    name = scanner.accept(_ID)
    assert name is not None
    instruction = parse_instruction(scanner)
    engine = instruction.engine
    index = draft.counts.get((draft.core, engine), 0)
    if name[0] != f"{engine.value[0]}{index}":
        raise scanner.error(
            f"this is instruction {index} of the {engine.value} engine of core {draft.core}",
            start=start,
            expected=f"{engine.value[0]}{index}",
            remedy="number the instructions of each engine of each core from 0, in their order",
        )
    if draft.section not in (None, engine):
        raise scanner.error(
            f"{instruction.mnemonic} is an instruction of the {engine.value} engine",
            start=start,
            expected=f".{engine.value} above this line",
        )
    waits = _waits(scanner, draft.core, cores)
    layer = scanner.name("the layer") if scanner.accept_text(";") else ""
    contents = _contents(scanner) if scanner.accept_text("=") else ()
    draft.counts[draft.core, engine] = index + 1
    draft.issued.append(
        Issued(draft.core, instruction, waits, Note(draft.group, draft.part, layer, contents))
    )


def _contents(scanner: Scanner) -> tuple[Content | None, ...]:
    """What the operands are made of: ``BUFFER+OFFSET[SHAPE]{STRIDES}`` or ``?`` each."""
    contents: list[Content | None] = []
    while not scanner.at_end():
        if scanner.accept_text(UNKNOWN):
            contents.append(None)
            continue
        buffer = scanner.name("the buffer")
        scanner.expect_text("+")
        offset = scanner.integer("the offset", 0, MAX_DRAM_BYTES)
        shape = integer_list(scanner, "[", "]", "an extent") if scanner.sees_text("[") else None
        strides = integer_list(scanner, "{", "}", "a stride") if scanner.sees_text("{") else None
        contents.append(Content(buffer, offset, strides, shape))
    return tuple(contents)


def _waits(scanner: Scanner, core: int, cores: int) -> tuple[Wait, ...]:
    waits = []
    while scanner.sees_text("@"):
        start = scanner.position
        match = scanner.accept(_WAIT)
        if match is None:
            raise scanner.error("a wait is malformed", expected="such as @r7, or @k2.w4 for core 2")
        wait = Wait(core if match[1] is None else int(match[1]), _ENGINE[match[2]], int(match[3]))
        if wait.core >= cores:
            raise scanner.error(f"there is no core {wait.core}", start=start, expected=f"k0 … k{cores - 1}")
        if wait.index > MAX_INDEX:
            raise scanner.error("the number is too large", start=start, expected=f"at most {MAX_INDEX}")
        waits.append(wait)
    return tuple(waits)


def parse_instruction(scanner: Scanner) -> Instruction:
    """Read mnemonic and fields, as ``instruction_text`` prints them.

    Raises:
        AssemblyError: they are no instruction.
    """
    start = scanner.position
    mnemonic = scanner.accept(WORD)
    cls = INSTRUCTIONS.get(mnemonic[0]) if mnemonic else None
    if cls is None:
        close = get_close_matches(mnemonic[0], INSTRUCTIONS) if mnemonic else []
        in_order = [BY_OPCODE[opcode].mnemonic for opcode in sorted(BY_OPCODE)]
        raise scanner.error("no such instruction", start=start, expected=", ".join(close or in_order))
    fields = {f.name: f for f in layout(cls)}
    values: dict[str, Any] = {}
    if RESULT in fields and scanner.sees(OPERAND_START):
        values[RESULT] = _OPERAND.parse(scanner)
    source = next((fields[name] for name in SOURCES if name in fields), None)
    if source is not None:
        scanner.expect_text("<-")
        values[source.name] = _sources(scanner, source)
    scanner.accept_text(",")
    while not scanner.at_end() and not scanner.sees_text("@") and not scanner.sees_text(";"):
        _field(scanner, cls, fields, values)
        scanner.accept_text(",")
    missing = [f.name for f in fields.values() if f.required and f.name not in values]
    if missing:
        raise scanner.error(f"{cls.mnemonic} lacks {', '.join(missing)}", expected=", ".join(missing))
    return cls(**values)


def _sources(scanner: Scanner, source: FieldLayout) -> Operand | tuple[Operand, ...]:
    """The operands after the arrow: one, or any number where the field is a tuple."""
    if not isinstance(source.codec, TupleCodec):
        return _OPERAND.parse(scanner)
    sources = []
    while scanner.sees(OPERAND_START):
        sources.append(_OPERAND.parse(scanner))
        if not scanner.accept_text(","):
            break
    return tuple(sources)


def _field(
    scanner: Scanner, cls: type[Instruction], fields: dict[str, FieldLayout], values: dict[str, Any]
) -> None:
    start = scanner.position
    match = scanner.accept(_FIELD)
    if match is None or match[1] not in fields or match[1] in (RESULT, *SOURCES):
        names = [name for name in fields if name not in (RESULT, *SOURCES)]
        close = get_close_matches(match[1], names) if match else []
        message = f"{cls.mnemonic} has no such field" if match else "a field is malformed"
        expected = ", ".join(f"{name}=" for name in close or names)
        raise scanner.error(message, start=start, expected=expected or "the end of the instruction")
    if match[1] in values:
        raise scanner.error(f"{match[1]} is given twice", start=start)
    values[match[1]] = fields[match[1]].codec.parse(scanner)


def _finish(draft: Draft, last: Scanner) -> Program:
    """The program, when all lines are read."""
    chip = draft.known_chip(last)
    if draft.dram_bytes is None:
        raise last.error("the text does not say how much DRAM it uses", expected="a line such as .dram 65536")
    gap = next((i for i in range(len(draft.groups)) if i not in draft.groups), None)
    if gap is not None:
        raise last.error(f"group {gap} is not described", remedy="number the groups from 0 without gaps")
    constants = draft.constants
    if constants is None:
        constants = np.frombuffer(bytes(draft.hexadecimal), dtype=np.uint8)
    if constants.size % CONSTANT_ALIGN:
        raise (draft.hex_line or last).error(
            f"the constants are {constants.size} bytes",
            start=0,
            expected=f"a multiple of {CONSTANT_ALIGN} bytes",
        )
    program = Program(
        chip=chip,
        tensors=tuple(draft.tensors.values()),
        constants=constants,
        issued=tuple(draft.issued),
        dram_bytes=draft.dram_bytes,
        groups=tuple(draft.groups[i] for i in range(len(draft.groups))),
        facts=draft.facts,
        states=tuple(draft.states),
        host_tensors=tuple(draft.host_tensors),
    )
    if problem := problem_of(program):
        raise last.error("the program contradicts itself", found=problem)
    return program
