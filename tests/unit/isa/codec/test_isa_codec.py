"""Programs and instructions survive binary and text; damaged files give one clear error."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from isa_strategies import CHIP, instructions_of, programs

from nnc.isa.assembly.assembler import assemble, parse_instruction
from nnc.isa.assembly.disassembler import disassemble, instruction_text, needs_constants_file
from nnc.isa.codec.fields import codec_for
from nnc.isa.codec.layout import pack_instruction, unpack_instruction
from nnc.isa.codec.scanner import Scanner
from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.errors import AssemblyError, OptionError, OutputFileError, ProgramFileError, ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instruction import INSTRUCTIONS, Engine, Instruction
from nnc.isa.instructions import Conv, Elementwise, Fill, Load, Store
from nnc.isa.operand import Operand
from nnc.isa.program import GroupInfo, Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.program_file.binary import (
    CHECKED_FROM,
    HEADER,
    SECTIONS,
    decode,
    encode,
    load_program,
    save_program,
)
from nnc.isa.types import DType

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def sample(constants: int = 64) -> Program:
    """A program of two cores with something in every section."""
    src = Operand.dense("dram", 0, DType.F32, (1, 4, 4))
    tile = Operand.dense("am", 0, DType.F32, (1, 4, 4))
    out = Operand("am", 64, DType.F32, (1, 4, 4), (64, 4, 16))
    note = Note(0, 1, "conv1")
    return Program(
        chip=CHIP,
        tensors=(
            Tensor("x", TensorRole.INPUT, src),
            Tensor("the result", TensorRole.OUTPUT, Operand.dense("dram", 1024, DType.F32, (1, 4, 4))),
        ),
        constants=np.arange(constants, dtype=np.uint32).astype(np.uint8),
        issued=(
            Issued(0, Load(dst=tile, src=src), (), note),
            Issued(
                0,
                Elementwise(dst=out, srcs=(tile, tile), function=Function.ADD, params=(0.1, -0.0)),
                (Wait(0, Engine.READ, 0),),
                note,
            ),
            Issued(1, Fill(dst=tile, value=1e-5), (Wait(0, Engine.COMPUTE, 0),), Note(1, 0, "pad")),
            Issued(0, Store(dst=src, src=out), (Wait(0, Engine.COMPUTE, 0), Wait(1, Engine.READ, 0)), note),
        ),
        dram_bytes=1 << 20,
        groups=(
            GroupInfo("residual", ("conv1", "add 1"), 2, "saves 10 bytes"),
            GroupInfo("single", ("pad",), 1),
            GroupInfo("single", (), 0),
        ),
        facts={"floor_bytes": 128, "predicted_cycles": 2**40},
    )


# --- round trips ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mnemonic", sorted(INSTRUCTIONS))
@settings(QUICK, max_examples=25)
@given(data=st.data())
def test_every_instruction_round_trips(mnemonic: str, data: st.DataObject) -> None:
    instruction = data.draw(instructions_of(INSTRUCTIONS[mnemonic]))
    memories, strings = CHIP.memory_ids(), dict[str, int]()
    packer = Packer(memories, strings)
    pack_instruction(instruction, packer)
    source = Unpacker(memoryview(bytes(packer.data)), tuple(memories), tuple(strings))
    again = unpack_instruction(type(instruction), source)
    assert source.position == len(packer.data)
    assert repr(again) == repr(instruction)  # repr: NaN equals itself, -0.0 differs from 0.0
    text = instruction_text(instruction)
    parsed = parse_instruction(Scanner(text))
    assert repr(parsed) == repr(instruction)
    assert instruction_text(parsed) == text


@QUICK
@given(programs())
def test_programs_round_trip(program: Program) -> None:
    data = encode(program)
    again = decode(data)
    assert encode(again) == data
    assert repr(again.issued) == repr(program.issued)
    assert (again.chip, again.tensors, again.groups) == (program.chip, program.tensors, program.groups)
    assert (again.facts, again.dram_bytes) == (program.facts, program.dram_bytes)
    assert again.constants.tobytes() == program.constants.tobytes()
    text = disassemble(program)
    assembled = assemble(text)
    assert encode(assembled) == data
    assert disassemble(assembled) == text


def test_numpy_scalars_are_written_as_plain_numbers() -> None:
    tile = Operand.dense("am", 0, DType.F32, (4,))
    plain = Elementwise(dst=tile, srcs=(tile,), function=Function.CLIP, params=(0.5, 6.0))
    numpy = Elementwise(
        dst=tile, srcs=(tile,), function=Function.CLIP, params=(np.float32(0.5), np.float64(6.0))
    )
    assert instruction_text(plain) == instruction_text(numpy)


def test_text_of_the_sample() -> None:
    head, _, code = disassemble(sample()).partition("\n\n")
    assert head.startswith('.nnc 3\n.chip name "vdsp12"\n.chip description "twelve')
    assert head.endswith(
        ".dram 1048576\n"
        ".hex 00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f\n"
        ".hex 20212223 24252627 28292a2b 2c2d2e2f 30313233 34353637 38393a3b 3c3d3e3f\n"
        ".tensor x input dram+0x0 f32[1,4,4]\n"
        '.tensor "the result" output dram+0x400 f32[1,4,4]\n'
        ".fact floor_bytes 128\n"
        ".fact predicted_cycles 1099511627776"
    )
    assert code == (
        '.group 0 residual layers=conv1,"add 1" parts=2 reason="saves 10 bytes"\n'
        ".part 2/2 core 0\n"
        ".read\n"
        "  r0    load         am+0x0 f32[1,4,4] <- dram+0x0 f32[1,4,4]   ; conv1\n"
        ".compute\n"
        "  c0    elementwise  am+0x40 f32[1,4,4]{64,4,16} <- am+0x0 f32[1,4,4], am+0x0 f32[1,4,4], "
        "function=add params=0.1,-0.0   @r0   ; conv1\n"
        "\n"
        ".group 1 single layers=pad parts=1\n"
        ".part 1/1 core 1\n"
        ".read\n"
        "  r0    fill         am+0x0 f32[1,4,4], value=1e-05   @k0.c0   ; pad\n"
        "\n"
        ".group 0\n"
        ".part 2/2 core 0\n"
        ".write\n"
        "  w0    store        dram+0x0 f32[1,4,4] <- am+0x40 f32[1,4,4]{64,4,16}   @c0 @k1.r0   ; conv1\n"
        "\n"
        ".group 2 single layers=() parts=0\n"
    )


def test_large_constants_go_to_a_side_file(tmp_path: Path) -> None:
    program = sample(constants=8192)
    assert needs_constants_file(program) and not needs_constants_file(sample())
    with pytest.raises(OptionError):
        disassemble(program)
    text = disassemble(program, "x.const.bin")
    (tmp_path / "x.const.bin").write_bytes(program.constants)
    assert encode(assemble(text, constants=tmp_path)) == encode(program)
    assert encode(assemble(text, constants={"x.const.bin": program.constants.data}.__getitem__)) == encode(
        program
    )


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/b", "..", "missing.bin"])
def test_the_constants_file_lies_beside_the_text(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    (tmp_path / "x").write_bytes(bytes(8192))
    text = disassemble(sample(constants=8192), name)
    with pytest.raises(AssemblyError, match="cannot be read") as caught:
        assemble(text, where="p.asm", constants=folder)
    line = 1 + text[: text.index(".constants")].count("\n")
    assert caught.value.where == f"p.asm:{line}:17"


@pytest.mark.parametrize("damage", [b"", b"short", bytes(8192), bytes(8193)])
def test_another_constants_file_is_refused(tmp_path: Path, damage: bytes) -> None:
    text = disassemble(sample(constants=8192), "x.const.bin")
    (tmp_path / "x.const.bin").write_bytes(damage)
    with pytest.raises(AssemblyError, match="not the one of this text"):
        assemble(text, constants=tmp_path)


# --- files ------------------------------------------------------------------------------------------------


def test_constants_are_mapped_and_aligned(tmp_path: Path) -> None:
    path = tmp_path / "p.bin"
    save_program(sample(constants=1 << 16), path)
    program = load_program(path)
    assert program.constants.ctypes.data % 64 == 0
    assert not program.constants.flags.owndata and not program.constants.flags.writeable
    assert encode(program) == path.read_bytes() == encode(sample(constants=1 << 16))


def test_save_is_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "p.bin"
    save_program(sample(), path)
    before = path.read_bytes()
    bad = Program(**{**vars(sample()), "dram_bytes": 1})
    with pytest.raises(ProgramInvalidError):
        save_program(bad, path)
    assert path.read_bytes() == before
    save_program(sample(constants=128), path)
    assert load_program(path).constants.size == 128
    with pytest.raises(OutputFileError):
        save_program(sample(), tmp_path / "missing" / "p.bin")
    with pytest.raises(OutputFileError):
        save_program(sample(), tmp_path)
    save_program(sample(), os.devnull)
    assert not Path(os.devnull).is_file()
    assert [entry.name for entry in tmp_path.iterdir()] == ["p.bin"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such file"),
        (b"", "the file is empty"),
        (b"\x89NNC", "the file is no program"),
        (b"GIF89a" + bytes(200), "the file is no program"),
        (b".nnc 3\n" + bytes(200), "nnc asm"),
    ],
)
def test_files_that_are_no_programs(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "p.bin"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ProgramFileError, match=message) as caught:
        load_program(path)
    assert caught.value.where == str(path) and caught.value.remedy
    with pytest.raises(ProgramFileError, match="not a file"):
        load_program(tmp_path)


def test_another_version_is_refused() -> None:
    data = bytearray(encode(sample()))
    struct.pack_into("<I", data, 8, 1)
    with pytest.raises(ProgramFileError, match="version 1"):
        decode(data)


def test_every_prefix_is_refused() -> None:
    data = encode(sample())
    for size in range(len(data)):
        with pytest.raises(ProgramFileError):
            decode(data[:size])
    with pytest.raises(ProgramFileError, match="too long"):
        decode(data + b"\0")


def test_every_flipped_byte_is_noticed() -> None:
    data, bits = encode(sample()), random.Random(1)
    for offset in range(len(data)):
        damaged = bytearray(data)
        damaged[offset] ^= 1 << bits.randrange(8)
        with pytest.raises(ProgramFileError) as caught:
            decode(damaged)
        assert caught.value.remedy


def split(data: bytes) -> dict[str, bytes]:
    """The sections of a program file."""
    sizes = HEADER.unpack_from(data)[4:]
    sections, start = {}, HEADER.size
    for name, size in zip(SECTIONS, sizes, strict=True):
        start += -start % 64 if name == "constants" else 0
        sections[name] = data[start : start + size]
        start += size
    return sections


def seal(data: bytes, sections: dict[str, bytes]) -> bytes:
    """A file of changed sections with right sizes and checksum: what a hostile writer would make."""
    body = b"".join(sections[name] for name in SECTIONS[:-1])
    body += bytes(-(HEADER.size + len(body)) % 64) + sections["constants"]
    sizes = struct.pack("<6Q", *(len(sections[name]) for name in SECTIONS))
    checked = data[CHECKED_FROM : CHECKED_FROM + 8] + sizes + body
    return data[:12] + struct.pack("<I", crc32(checked)) + checked


def test_sealing_is_the_identity() -> None:
    data = encode(sample())
    assert seal(data, split(data)) == data


@pytest.mark.parametrize("name", SECTIONS)
def test_sections_cut_short_are_refused(name: str) -> None:
    data = encode(sample())
    sections = split(data)
    for size in range(len(sections[name])):
        if (name, size) in (("debug", 0), ("constants", 0)):
            continue  # a program without debug section or constants is a program
        with pytest.raises(ProgramFileError):
            decode(seal(data, {**sections, name: sections[name][:size]}))


@pytest.mark.parametrize("name", SECTIONS[:-1])
@settings(QUICK, max_examples=150)
@given(data=st.data())
def test_hostile_sections_give_a_program_or_a_clear_error(name: str, data: st.DataObject) -> None:
    original = encode(sample())
    sections = split(original)
    section = bytearray(sections[name])
    for _ in range(data.draw(st.integers(1, 3))):
        offset = data.draw(st.integers(0, len(section) - 4))
        word = data.draw(st.one_of(st.binary(min_size=1, max_size=4), st.just(b"\xff\xff\xff\xff")))
        section[offset : offset + len(word)] = word
    try:
        program = decode(seal(original, {**sections, name: bytes(section)}))
    except ProgramFileError as error:
        assert error.remedy
    else:
        assert decode(encode(program)).dram_bytes == program.dram_bytes
        assert encode(assemble(disassemble(program))) == encode(program)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("chip", b"[" * 100_000, "nested too deeply|malformed"),
        ("chip", b'{"name": 1}', "chip section is malformed"),
        ("chip", b'{"cores": ' + b"9" * 10_000 + b"}", "chip section is malformed"),
        ("strings", struct.pack("<I", 2**32 - 1), "strings section is malformed"),
        ("strings", struct.pack("<II", 1, 2**32 - 1), "strings section is malformed"),
        ("strings", struct.pack("<II", 1, 1) + b"\xff", "strings section is malformed"),
        ("tensors", struct.pack("<I", 2**32 - 1), "tensors section is malformed"),
        ("code", struct.pack("<II", 0, 2**32 - 1), "code section is malformed"),
        ("code", struct.pack("<III", 1, 999, 0), "instruction 999 is not known"),
        ("code", struct.pack("<III", 1, Load.opcode, 0), "load has other fields in this version"),
    ],
)
def test_hostile_counts(name: str, content: bytes, message: str) -> None:
    data = encode(sample())
    with pytest.raises(ProgramFileError, match=message):
        decode(seal(data, {**split(data), name: content}))


# --- programs that no file can hold -----------------------------------------------------------------------


def changed(**fields: object) -> Program:
    return Program(**{**vars(sample()), **fields})


def single(instruction: Instruction, **fields: object) -> Program:
    return changed(issued=(Issued(**{"core": 0, "instruction": instruction, **fields}),))


TILE = Operand.dense("am", 0, DType.F32, (4,))


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (changed(constants=np.zeros(63, np.uint8)), "multiple of 64"),
        (changed(constants=np.zeros(64, np.int8)), "multiple of 64"),
        (changed(dram_bytes=63), "63 bytes of DRAM"),
        (changed(tensors=(Tensor("x", TensorRole.INPUT, TILE),)), "not in DRAM"),
        (changed(tensors=sample().tensors * 2), "twice"),
        (changed(facts={"x": 2**63}), "fact x: an integer does not fit"),
        (single(Fill(dst=TILE, value=0.0), core=12), "core 12, the chip has 12"),
        (single(Fill(dst=TILE, value=0.0), waits=(Wait(12, Engine.READ, 0),)), "of core 12"),
        (single(Fill(dst=TILE, value=0.0), waits=(Wait(0, Engine.READ, -1),)), "instruction -1"),
        (single(Fill(dst=TILE, value=0.0), note=Note(3)), "part 0 of group 3"),
        (single(Fill(dst=TILE, value="0")), "field value: '0' is no number"),
        (single(Fill(dst=Operand.dense("sram", 0, DType.F32, (4,)), value=0.0)), "no memory 'sram'"),
        (single(Fill(dst=Operand.dense("am", -4, DType.F32, (4,)), value=0.0)), "field dst: .*-4"),
        (single(Fill(dst=Operand.dense("am", 0, DType.F32, (0,)), value=0.0)), "extents"),
        (single(Fill(dst=Operand.dense("am", 0, DType.F32, (1,) * 9), value=0.0)), "rank 9"),
        (single(Elementwise(dst=TILE, srcs=[TILE], function=Function.ADD)), "field srcs: .* no tuple"),
        (single(Elementwise(dst=TILE, srcs=(TILE,), function="add")), "'add' is no Function"),
        (single(Load(dst=None, src=TILE)), "field dst: None is no operand"),
        (
            single(Conv(src=TILE, weight=TILE, stride=(2**63,), dilation=(1,), pad_begin=(0,))),
            "field stride: an integer does not fit 64 bits",
        ),
    ],
)
def test_programs_that_cannot_be_written(program: Program, message: str) -> None:
    with pytest.raises(ProgramInvalidError, match=message):
        encode(program)


def test_names_that_are_no_text_are_refused() -> None:
    program = single(Fill(dst=TILE, value=0.0), note=Note(0, 0, "\ud800"))
    with pytest.raises(ProgramInvalidError, match="surrogates"):
        encode(program)


def test_types_without_encoding_are_refused() -> None:
    with pytest.raises(TypeError, match="no encoding"):
        codec_for(dict[str, int])
