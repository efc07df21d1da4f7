"""Program files: whole or not at all; damaged and hostile ones give one clear error."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_program import QUICK, sample

from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.errors import OutputFileError, ProgramFileError, ProgramInvalidError
from nnc.isa.instructions import Load
from nnc.isa.program import Program
from nnc.isa.program_file.binary import (
    CHECKED_FROM,
    HEADER,
    SECTIONS,
    decode,
    encode,
    load_program,
    save_program,
)


@pytest.mark.parametrize("mapped", [False, True])
def test_constants_are_read_only_and_aligned(tmp_path: Path, mapped: bool) -> None:
    path = tmp_path / "p.bin"
    save_program(sample(constants=1 << 16), path)
    program = load_program(path, mapped=mapped)
    assert program.constants.ctypes.data % 64 == 0
    assert not program.constants.flags.owndata and not program.constants.flags.writeable
    assert encode(program) == path.read_bytes() == encode(sample(constants=1 << 16))


def test_a_loaded_program_outlives_its_file(tmp_path: Path) -> None:
    """Whatever is done to the file; of a mapped one that is replaced, the old one is still there."""
    path = tmp_path / "p.bin"
    save_program(sample(constants=1 << 16), path)
    before = path.read_bytes()
    loaded, mapped = load_program(path), load_program(path, mapped=True)
    save_program(sample(), path)
    assert encode(loaded) == encode(mapped) == before
    path.write_bytes(before)
    loaded = load_program(path)
    os.truncate(path, 64)
    assert encode(loaded) == before


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
        (b".nnc 5\n" + bytes(200), "nnc asm"),
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


def seal(data: bytes, sections: dict[str, bytes], filler: bytes = b"\0") -> bytes:
    """A file of changed sections with right sizes and checksum: what a hostile writer would make."""
    body = b"".join(sections[name] for name in SECTIONS[:-1])
    body += filler * (-(HEADER.size + len(body)) % 64) + sections["constants"]
    sizes = struct.pack("<6Q", *(len(sections[name]) for name in SECTIONS))
    checked = data[CHECKED_FROM : CHECKED_FROM + 8] + sizes + body
    return data[:12] + struct.pack("<I", crc32(checked)) + checked


def test_bytes_before_the_constants_are_zeros() -> None:
    """Equal programs are equal files."""
    data = encode(sample())
    with pytest.raises(ProgramFileError, match="damaged"):
        decode(seal(data, split(data), filler=b"\1"))


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


@pytest.mark.parametrize("name", ["net.onnx", "net.bin"])
def test_a_model_in_place_of_a_program_is_to_be_compiled(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x08\x0a\x12\x07pytorch" + bytes(100))
    with pytest.raises(ProgramFileError, match="this is a model, not a program") as caught:
        load_program(path)
    assert f"nnc compile {path} -o net.bin, nnc run net.bin" in caught.value.remedy


def test_a_program_of_one_byte_is_none(tmp_path: Path) -> None:
    (tmp_path / "p.bin").write_bytes(b"\x08")
    with pytest.raises(ProgramFileError, match="no program"):
        load_program(tmp_path / "p.bin")
