"""Malformed program text: every error names line and column, shows the line with a caret, and helps."""

from __future__ import annotations

import random
import re
from zlib import crc32

import pytest

from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import load_chip
from nnc.isa.errors import AssemblyError
from nnc.isa.program import Program
from nnc.isa.program_file.binary import encode
from nnc.isa.program_file.sections import chip_data

GOOD = """\
.nnc 5
.chip name "npu2"
.chip cores 2
.chip clock_mhz 1000
.chip dram {"bytes_per_cycle": 16, "latency": 100, "burst": 64}
.chip dma {"in_flight": 4, "move_bytes_per_cycle": 64}
.chip memory {"sram": {"bytes": "64KiB"}}
.chip operands {"default": {"feature":["sram"], "weight":["sram"], "result":["sram"], "accumulator":["sram"]}}
.chip compute {"issue": 8, "arrays": {"f32": ["8x8"]}, "depthwise": {"f32": 8}, "elementwise": {"f32": 8}}
.dram 4096     # a comment
.hex 00112233 44556677 8899aabb ccddeeff 00112233 44556677 8899aabb ccddeeff
.hex 00112233 44556677 8899aabb ccddeeff 00112233 44556677 8899aabb ccddeeff
.tensor x input dram+0x100 f32[4,8]
.fact floor 128

.group 0 single layers=a,b parts=2
.part 1/2 core 0
.read
  r0 load sram+0 f32[4,8] <- dram+0x100 f32[4,8]  ; a
.compute
  c0 elementwise sram+0x100 f32[4,8] <- sram+0x0 f32[4,8], function=relu @r0 ; "b"
.write
  w0 store dram+0x100 f32[4,8] <- sram+0x100 f32[4,8] @c0
.group none
.part 1 core 1
  r0 fill sram+0 f32[8], value=1.5 @k0.w0 @k0.c0
"""


def test_handwritten_text_is_accepted() -> None:
    program = assemble(GOOD)
    assert [(item.core, item.instruction.mnemonic) for item in program.issued] == [
        (0, "load"),
        (0, "elementwise"),
        (0, "store"),
        (1, "fill"),
    ]
    assert program.constants.size == 64 and program.dram_bytes == 4096
    text = disassemble(program)
    assert disassemble(assemble(text)) == text
    assert encode(assemble(text)) == encode(program)
    assert encode(assemble(GOOD.replace("\n", "\r\n"))) == encode(program)


def test_the_chip_survives_with_all_its_figures() -> None:
    for name in ("npu", "npu-banked", "npu4", "nna", "pixel-dsp", "vdsp12"):
        chip = load_chip(name)
        program = Program(chip, (), assemble(GOOD).constants, (), 64)
        assert assemble(disassemble(program)).chip == chip
        assert next(iter(chip_data(chip))) == "name"


CASES = [
    # what is replaced, by what, the marked column (^ before it in the replacement), message, expected
    (".nnc 5", ".nnc ^3", "another version", "version 5"),
    (".nnc 5", ".nnc ^x", "the version is no integer", "an integer"),
    (".nnc 5", "^.dram 4096", "does not start with its version", ".nnc 5"),
    (".fact floor 128", "^.nnc 5", "a second time", ""),
    (".fact floor 128", "^.facts floor 128", "no such directive", ".fact"),
    (".fact floor 128", ".fact floor ^1.5", "no integer", "an integer"),
    (".fact floor 128", ".fact floor ^9223372036854775808", "out of range", "9223372036854775807"),
    (".fact floor 128", ".fact floor ^" + "9" * 5000, "no integer", "an integer"),
    (".fact floor 128", '.fact ^"floor\\q" 1', "no JSON string", "escape"),
    (".fact floor 128", ".fact floor 1\n.fact ^floor 2", "stated already", ""),
    (".fact floor 128", ".fact floor 1 ^2", "more text than belongs here", "the end of the line"),
    (".fact floor 128", "^fact floor 128", "neither a directive nor an instruction", ".read"),
    ('.chip name "npu2"', ".chip name ^npu2", "no JSON", "Expecting value"),
    ('.chip name "npu2"', ".chip name ^" + "[" * 100_000, "no JSON", "recursion"),
    ('.chip name "npu2"', '.chip ^7 "npu2"', "a key of the chip description is missing", "cores"),
    (".chip cores 2", "^.chip cores 99", "bad value of cores", "less than or equal to 63"),
    (".chip cores 2", '^.chip name "again"', "a second time", ""),
    (".fact floor 128", '.fact floor 128\n.part 1 core 0\n^.chip description "late"', "too late", ""),
    (".dram 4096     # a comment", "", "how much DRAM", ".dram"),
    (".dram 4096", ".dram ^-1", "out of range", "0 …"),
    (".dram 4096", ".dram ^9999999999999", "out of range", "1099511627776"),
    (".hex 00112233 4", ".hex 00112233 ^04", "more text", ""),
    (".hex 00112233 4", ".hex ^zz", "more text", ""),
    (".fact floor 128", '^.constants file="x" bytes=1 crc=0', "a second time", ""),
    (".tensor x input", ".tensor x ^inputs", "no TensorRole", "input"),
    (".tensor x input dram", ".tensor x input ^sram", "no memory 'sram'", "dram"),
    (".tensor x input", ".tensor x input dram+0 f32[1]\n.tensor ^x input", "in the table already", ""),
    ("f32[4,8]\n.fact", "^g32[4,8]\n.fact", "no DType", "f32"),
    ("f32[4,8]\n.fact", "f32[4^;8]\n.fact", "',' is missing", "','"),
    ("f32[4,8]\n.fact", "f32[4,^]\n.fact", "an extent is no integer", "an integer"),
    ("dram+0x100 f32[4,8]\n.fact", "^dram+0x100 f32[4,4294967296]\n.fact", "the operand is impossible", ""),
    ("dram+0x100 f32[4,8]\n.fact", "^dram+0x100 f32[4,8]{1}\n.fact", "the operand is impossible", ""),
    ("dram+0x100 f32[4,8]\n.fact", "^dram+0x100 f32[4,8]{-4096,4}\n.fact", "the operand is impossible", ""),
    (".group 0 single layers=a,b parts=2", ".group ^0", "not described yet", "KIND layers=… parts=…"),
    (".group 0 single layers=a,b parts=2", ".group 0 single layers=^", "a layer is missing", "conv1"),
    (
        ".group 0 single layers=a,b parts=2",
        ".group 0 single layers=a,b ^part=2",
        "'parts=' is missing",
        "parts=",
    ),
    (".group none", ".group ^0 single layers=a parts=1", "described already", ""),
    (".group none", ".group 2 single layers=a parts=1", "group 1 is not described", ""),
    (".part 1/2 core 0", ".part 1^/3 core 0", "not the group's", "2, as .group says"),
    (".part 1 core 1", ".part 1^/3 core 1", "not the group's", "there is no group"),
    (".part 1 core 1", ".part ^0 core 1", "out of range", "1 …"),
    (".part 1 core 1", ".part 1 core ^2", "the core is out of range", "0 … 1"),
    ("r0 load", "^r1 load", "this is instruction 0 of the read engine of core 0", "r0"),
    ("r0 load", "^c0 load", "this is instruction 0 of the read engine of core 0", "r0"),
    (".compute", ".write", "an instruction of the compute engine", ".compute above"),
    ("r0 load", "r0 ^lode", "no such instruction", "load"),
    ("r0 load", "r0 ^7", "no such instruction", "load"),
    ("<- dram+0x100 f32[4,8]  ;", "^dram+0x100 f32[4,8]  ;", "'<-' is missing", "<-"),
    ("<- dram+0x100 f32[4,8]  ;", "<- ^;", "an operand is missing", "sram+0x40 f32[1,8,8,16]"),
    ("<- dram+0x100 f32[4,8]  ;", "<- ^bank+0x100 f32[4,8]  ;", "no memory 'bank'", "dram, sram"),
    ("function=relu", "^funktion=relu", "no such field", "function="),
    ("function=relu", "function=^relo", "no Function", "relu"),
    ("function=relu", "function=relu ^function=relu", "given twice", ""),
    ("function=relu @r0", "^@r0", "elementwise lacks function", "function"),
    ("function=relu", "function=relu params=0.5,^x", "no number", "0.5"),
    ("function=relu", "function=relu swap=^1", "no truth value", "true or false"),
    ("function=relu", "function=relu ^swap true", "a field is malformed", "params="),
    ("@k0.w0", "^@k2.w0", "there is no core 2", "k0 … k1"),
    ("@k0.w0", "^@x1", "a wait is malformed", "@k2.w4"),
    ("@k0.w0", "^@k0.w9999999999", "too large", "2147483647"),
    ('; "b"', "; ^", "the layer is missing", "conv1"),
    ('; "b"', "; b ^@r0", "more text", ""),
]


@pytest.mark.parametrize(("old", "new", "message", "expected"), CASES)
def test_malformed_text(old: str, new: str, message: str, expected: str) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    marked = text.replace("^", "", 1)
    with pytest.raises(AssemblyError, match=re.escape(message)) as caught:
        assemble(marked, where="p.asm")
    error = caught.value
    assert expected in error.expected
    name, line, column = error.where.split(":")
    assert name == "p.asm"
    if "^" in new:
        before = text[: text.index("^")]
        assert int(line) == before.count("\n") + 1
        start = before.rfind("\n") + 1
        assert int(column) == len(before) - start + 1
        assert shown_character(error) == marked.split("\n")[int(line) - 1][int(column) - 1 :][:1].strip()


def shown_character(error: AssemblyError) -> str:
    """The character above the caret in the message."""
    _, line, caret = error.message.split("\n")
    return line[len(caret) - 1 :][:1].strip()


@pytest.mark.parametrize("text", ["", "\n\n# nothing\n", "hello", ".nnc 5\n", "\0", "r0 load"])
def test_texts_that_are_no_programs(text: str) -> None:
    with pytest.raises(AssemblyError) as caught:
        assemble(text)
    assert caught.value.where.startswith("<text>:") and caught.value.expected


def test_constants_have_whole_lines_of_dram() -> None:
    with pytest.raises(AssemblyError, match="the constants are 72 bytes") as caught:
        assemble(GOOD.replace(".fact floor 128", ".hex 0011223344556677"))
    assert caught.value.where == "<text>:14:1"
    with pytest.raises(AssemblyError, match="32 bytes of DRAM"):
        assemble(GOOD.replace(".dram 4096", ".dram 32"))


def test_constants_come_from_one_place() -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(".hex")]
    zeros = bytes(64)
    lines.insert(10, f'.constants file="x" bytes=64 crc={crc32(zeros):#x}')
    text = "\n".join(lines)
    assert assemble(text, constants=lambda name: zeros).constants.tobytes() == zeros
    with pytest.raises(AssemblyError, match="no folder is known"):
        assemble(text)
    with pytest.raises(AssemblyError, match="in a file already"):
        assemble(text + "\n.hex 00", constants=lambda name: zeros)


def test_damaged_text_gives_a_program_or_a_clear_error() -> None:
    chance, refused = random.Random(3), 0
    for _ in range(1500):
        at, size = chance.randrange(len(GOOD)), chance.randrange(3)
        text = GOOD[:at] + chance.choice(['"', ",", "9", "=", "\n", "x", "@", "{", ""]) + GOOD[at + size :]
        try:
            encode(assemble(text))
        except AssemblyError as error:
            refused += 1
            assert re.fullmatch(r"<text>:\d+:\d+", error.where)
    assert refused > 500
