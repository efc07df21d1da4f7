"""The directives of program text: one function per line that starts with a dot, and the state they build."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import chip_from_data
from nnc.isa.codec.fields import TupleCodec
from nnc.isa.codec.operands import OperandCodec, TensorBlockCodec
from nnc.isa.codec.scalars import EnumCodec
from nnc.isa.codec.scanner import Scanner
from nnc.isa.errors import AssemblyError, ChipError
from nnc.isa.instruction import ENGINES, Engine
from nnc.isa.operand import DRAM, MAX_RANK
from nnc.isa.program import (
    FORMAT_VERSION,
    MAX_DRAM_BYTES,
    MAX_INDEX,
    GroupInfo,
    Issued,
    State,
    Tensor,
    TensorRole,
)

ConstantsSource = Callable[[str], bytes | memoryview] | str | Path | None
"""Where the side file of the constants is: a folder, or a function from its name to its bytes."""

_KEY = re.compile(r"[a-z_]+")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+(?![0-9A-Za-z])")


@dataclass
class Draft:
    """A program in the course of being read: its tables so far, and what the next instruction belongs to."""

    where: str
    constants_source: ConstantsSource
    version: int | None = None
    chip_fields: dict[str, Any] = field(default_factory=dict)
    chip_lines: dict[str, Scanner] = field(default_factory=dict)
    chip: Chip | None = None
    dram_bytes: int | None = None
    memories: tuple[str, ...] = ()
    hexadecimal: bytearray = field(default_factory=bytearray)
    hex_line: Scanner | None = None
    constants: npt.NDArray[np.uint8] | None = None
    tensors: dict[tuple[str, bool], Tensor] = field(default_factory=dict)
    states: list[State] = field(default_factory=list)
    host_tensors: list[str] = field(default_factory=list)
    facts: dict[str, int] = field(default_factory=dict)
    groups: dict[int, GroupInfo] = field(default_factory=dict)
    issued: list[Issued] = field(default_factory=list)
    counts: dict[tuple[int, Engine], int] = field(default_factory=dict)
    group: int = -1
    part: int = 0
    core: int = 0
    section: Engine | None = None

    def known_chip(self, scanner: Scanner) -> Chip:
        """The chip, which must be described before the line that needs it.

        Raises:
            AssemblyError: it is not, or its description is wrong.
        """
        if self.chip is None:
            if not self.chip_lines:
                raise scanner.error(
                    "the chip is not described", start=0, expected=".chip lines above this one"
                )
            try:
                self.chip = chip_from_data(self.chip_fields, self.where)
            except ChipError as error:
                key = error.message.removeprefix("bad value of ").split(" ")[0].split(".")[0]
                line = self.chip_lines.get(key) or next(iter(self.chip_lines.values()))
                raise line.error(
                    error.message, start=0, found=error.found, expected=error.expected, remedy=error.remedy
                ) from error
            self.memories = tuple(self.chip.memory_ids())
        return self.chip


Directive = Callable[[Draft, Scanner], None]
DIRECTIVES: dict[str, Directive] = {}


def _directive(name: str) -> Callable[[Directive], Directive]:
    def register(function: Directive) -> Directive:
        DIRECTIVES[name] = function
        return function

    return register


def _once(scanner: Scanner, already: bool) -> None:
    if already:
        raise scanner.error("this is said a second time", start=0, remedy="delete one of the lines")


@_directive("nnc")
def _version(draft: Draft, scanner: Scanner) -> None:
    """``.nnc 5``: the version of the text, in the first line."""
    _once(scanner, draft.version is not None)
    start = scanner.position
    draft.version = scanner.integer("the version")
    if draft.version != FORMAT_VERSION:
        raise scanner.error(
            "the program text is of another version",
            start=start,
            expected=f"version {FORMAT_VERSION}",
            remedy="compile the model again with this nnc",
        )


@_directive("chip")
def _chip(draft: Draft, scanner: Scanner) -> None:
    """``.chip KEY JSON``: one key of the chip description."""
    if draft.chip is not None:
        raise scanner.error(
            "the chip is described too late", start=0, remedy="move the .chip lines to the top"
        )
    key = scanner.accept(_KEY)
    if key is None:
        raise scanner.error("a key of the chip description is missing", expected="such as cores or dram")
    _once(scanner, key[0] in draft.chip_lines)
    start = scanner.position
    try:
        draft.chip_fields[key[0]] = json.loads(scanner.rest())
    except json.JSONDecodeError as error:
        raise scanner.error("the value is no JSON", start=start + error.pos, expected=error.msg) from error
    except (ValueError, RecursionError) as error:
        raise scanner.error(
            "the value is no JSON that can be read", start=start, expected=str(error)
        ) from error
    draft.chip_lines[key[0]] = scanner


@_directive("dram")
def _dram(draft: Draft, scanner: Scanner) -> None:
    """``.dram BYTES``: how much DRAM the program uses."""
    _once(scanner, draft.dram_bytes is not None)
    draft.dram_bytes = scanner.integer("the size of the DRAM", 0, MAX_DRAM_BYTES)


@_directive("hex")
def _hex(draft: Draft, scanner: Scanner) -> None:
    """``.hex 00112233 …``: the next bytes of the constants."""
    if draft.constants is not None:
        raise scanner.error(
            "the constants are in a file already", start=0, remedy="delete .hex or .constants"
        )
    draft.hex_line = scanner
    while digits := scanner.accept(_HEX):
        draft.hexadecimal += bytes.fromhex(digits[0])


@_directive("constants")
def _constants(draft: Draft, scanner: Scanner) -> None:
    """``.constants file="NAME" bytes=N crc=0x…``: the constants are in a side file."""
    _once(scanner, draft.constants is not None or bool(draft.hexadecimal))
    scanner.expect_text("file=")
    start = scanner.position
    name = scanner.name("the name of the file")
    scanner.expect_text("bytes=")
    size = scanner.integer("the size", 0, MAX_DRAM_BYTES)
    scanner.expect_text("crc=")
    checksum = scanner.integer("the checksum", 0, 2**32 - 1)
    try:
        data = _side_file(draft.constants_source, name)
    except (OSError, ValueError) as error:
        raise scanner.error(
            "the file of the constants cannot be read",
            start=start,
            found=f"{name}: {error}",
            remedy="keep the constants file beside the program text",
        ) from error
    actual = f"{data.size} bytes with checksum {crc32(data.data):#010x}"
    expected = f"{size} bytes with checksum {checksum:#010x}"
    if actual != expected:
        raise scanner.error(
            "the file of the constants is not the one of this text",
            start=start,
            found=actual,
            expected=expected,
            remedy="write text and constants again with nnc disasm",
        )
    draft.constants = data


def _side_file(source: ConstantsSource, name: str) -> npt.NDArray[np.uint8]:
    if source is None:
        raise ValueError("no folder is known for it")
    if callable(source):
        return np.frombuffer(source(name), dtype=np.uint8)
    return side_file(Path(source), name)


def side_file(folder: Path, name: str) -> npt.NDArray[np.uint8]:
    """The bytes of a file in a folder.

    Raises:
        ValueError: it does not lie in the folder itself, or there is none.
        OSError: it cannot be read.
    """
    if Path(name).name != name or "\\" in name or "\0" in name:
        raise ValueError("it must be a plain file name, without folders")
    path = folder / name
    if not path.is_file():
        raise ValueError(f"there is no such file in {folder}")
    return np.fromfile(path, dtype=np.uint8)


@_directive("tensor")
def _tensor(draft: Draft, scanner: Scanner) -> None:
    """``.tensor NAME ROLE BLOCK``: a range of DRAM with its meaning; ``reserved=N`` if it has more bytes,
    ``padding=BLOCK,…`` if some are none of the network's."""
    start = scanner.position
    name = scanner.name("the name of the tensor")
    role = EnumCodec(TensorRole).parse(scanner)
    key = name, role is TensorRole.OUTPUT
    if key in draft.tensors:
        raise scanner.error("a tensor of this name is in the table already", start=start)
    scanner.memories = (DRAM,)
    block = TensorBlockCodec().parse(scanner)
    reserved, low, high = 0, *block.hull
    if scanner.accept_text("reserved="):
        reserved = scanner.integer("the number of reserved bytes", high - low, MAX_DRAM_BYTES)
    padding = TupleCodec(OperandCodec()).parse(scanner) if scanner.accept_text("padding=") else ()
    draft.tensors[key] = Tensor(name, role, block, reserved, padding)


@_directive("state")
def _state(draft: Draft, scanner: Scanner) -> None:
    """``.state INPUT OUTPUT``: an input that the output takes the place of in the next run; with
    ``axis=N position=NAME``, to which the output adds rows."""
    before, after = scanner.name("the name of an input"), scanner.name("the name of an output")
    axis, position = -1, ""
    if scanner.accept_text("axis="):
        axis = scanner.integer("the axis of the rows", 0, MAX_RANK - 1)
        scanner.expect_text("position=")
        position = scanner.name("the name of an input or an output")
    draft.states.append(State(before, after, axis, position))


@_directive("host")
def _host(draft: Draft, scanner: Scanner) -> None:
    """``.host NAME``: an input that a host makes, or an output that it reads, which goes on from there."""
    draft.host_tensors.append(scanner.name("the name of an input or an output"))


@_directive("fact")
def _fact(draft: Draft, scanner: Scanner) -> None:
    """``.fact NAME NUMBER``: a figure of the compiler, for reports."""
    start = scanner.position
    name = scanner.name("the name of the fact")
    if name in draft.facts:
        raise scanner.error("this fact is stated already", start=start)
    draft.facts[name] = scanner.integer("the value")


@_directive("group")
def _group(draft: Draft, scanner: Scanner) -> None:
    """``.group N KIND layers=A,B parts=P reason="…"``; ``.group N`` for a known one; ``.group none``."""
    draft.part = 0
    if scanner.accept_text("none"):
        draft.group = -1
        return
    start = scanner.position
    draft.group = scanner.integer("the number of the group", 0, MAX_INDEX)
    is_described = draft.group in draft.groups
    if scanner.at_end():
        if not is_described:
            raise scanner.error(
                "this group is not described yet", start=start, expected="KIND layers=… parts=…"
            )
        return
    if is_described:
        raise scanner.error(
            "this group is described already", start=start, remedy=f"write .group {draft.group}"
        )
    kind = scanner.name("the kind of the group")
    scanner.expect_text("layers=")
    layers = [] if scanner.accept_text("()") else [scanner.name("a layer")]
    while layers and scanner.accept_text(","):
        layers.append(scanner.name("a layer"))
    scanner.expect_text("parts=")
    parts = scanner.integer("the number of parts", 0, MAX_INDEX)
    reason = scanner.name("the reason") if scanner.accept_text("reason=") else ""
    draft.groups[draft.group] = GroupInfo(kind, tuple(layers), parts, reason)


@_directive("part")
def _part(draft: Draft, scanner: Scanner) -> None:
    """``.part 1/4 core 0``: the part of the group and the core of the instructions below."""
    draft.part = scanner.integer("the part", 1, MAX_INDEX + 1) - 1
    start = scanner.position
    if scanner.accept_text("/"):
        parts = scanner.integer("the number of parts", 0, MAX_INDEX)
        group = draft.groups.get(draft.group)
        if group is None or group.parts != parts:
            expected = f"{group.parts}, as .group says" if group else "no number: there is no group"
            raise scanner.error("the number of parts is not the group's", start=start, expected=expected)
    scanner.expect_text("core")
    draft.core = scanner.integer("the core", 0, draft.known_chip(scanner).cores - 1)
    draft.section = None


def _section(engine: Engine) -> Directive:
    def enter(draft: Draft, scanner: Scanner) -> None:
        draft.section = engine

    enter.__doc__ = f"``.{engine.value}``: the instructions below are for the {engine.value} engine."
    return enter


for _engine in ENGINES:
    DIRECTIVES[_engine.value] = _section(_engine)


def not_a_directive(scanner: Scanner, start: int) -> AssemblyError:
    """The error for a line whose directive is unknown."""
    return scanner.error(
        "there is no such directive", start=start, expected=", ".join(f".{name}" for name in DIRECTIVES)
    )
