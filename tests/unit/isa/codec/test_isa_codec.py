"""Programs and instructions survive binary and text; what no file can hold is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from isa_strategies import CHIP, instructions_of, programs
from sample_program import QUICK, sample

from nnc.isa.assembly.assembler import assemble, parse_instruction
from nnc.isa.assembly.disassembler import disassemble, instruction_text, needs_constants_file
from nnc.isa.codec.fields import codec_for
from nnc.isa.codec.layout import pack_instruction, unpack_instruction
from nnc.isa.codec.scanner import Scanner
from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.errors import AssemblyError, OptionError, ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instruction import INSTRUCTIONS, Engine, Instruction
from nnc.isa.instructions import Conv, Elementwise, Fill, Load
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.program_file.binary import (
    decode,
    encode,
)
from nnc.isa.types import DType

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
    assert head.startswith('.nnc 5\n.chip name "vdsp12"\n.chip description "twelve')
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
