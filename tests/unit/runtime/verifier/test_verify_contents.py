"""The verifier's rule `contents`: what is read as elements of a tensor was last written as these."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from pass_harness import graph_of

from nnc.compiler.pipeline import run_pipeline
from nnc.isa.assembly.assembler import assemble
from nnc.isa.assembly.disassembler import disassemble
from nnc.isa.chip.load import load_chip
from nnc.isa.codec.wire import Packer, Unpacker
from nnc.isa.errors import AssemblyError, ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.instructions import Conv, Elementwise, Load, Store
from nnc.isa.operand import Operand
from nnc.isa.program import Content, Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.program_file.binary import decode, encode
from nnc.isa.program_file.sections import pack_debug, unpack_debug
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import Finding, Rule, verify

FUSED = """(float[1,16,16,16] x) => (float[1,16,16,16] y) {
    a = Conv <pads=[1,1,1,1]> (x, v)
    r = Relu (a)
    b = Conv <pads=[1,1,1,1]> (r, w)
    c = Add (b, r)
    s = Relu (c)
    y = Conv (s, u)
}"""


def block(memory: str, address: int) -> Operand:
    return Operand.dense(memory, address, DType.F32, (4, 8))


X, Y, TILE, SECOND, RESULT = (
    block("dram", 0),
    block("dram", 128),
    block("sram", 0),
    block("sram", 128),
    block("sram", 256),
)


def issued(instruction: Instruction, *contents: Content | None, waits: tuple[Wait, ...] = ()) -> Issued:
    return Issued(0, instruction, waits, Note(contents=contents))


def small(**changes: tuple[Content | None, ...]) -> Program:
    """y = x − relu(x), with the contents that hold, or others."""
    contents: dict[str, tuple[Content | None, ...]] = {
        "load": (Content("x", 0), Content("x", 0)),
        "relu": (Content("a", 0), Content("x", 0)),
        "sub": (Content("y", 0), Content("x", 0), Content("a", 0)),
        "store": (Content("y", 0), Content("y", 0)),
    }
    contents |= changes
    loaded, computed = Wait(0, Engine.READ, 0), Wait(0, Engine.COMPUTE, 1)
    items = (
        issued(Load(dst=TILE, src=X), *contents["load"]),
        issued(
            Elementwise(dst=SECOND, srcs=(TILE,), function=Function.RELU), *contents["relu"], waits=(loaded,)
        ),
        issued(Elementwise(dst=RESULT, srcs=(TILE, SECOND), function=Function.SUB), *contents["sub"]),
        issued(Store(dst=Y, src=RESULT), *contents["store"], waits=(computed,)),
    )
    tensors = (Tensor("x", TensorRole.INPUT, X), Tensor("y", TensorRole.OUTPUT, Y))
    return Program(load_chip("npu"), tensors, np.zeros(0, np.uint8), items, 256)


@cache
def fused() -> Program:
    """Two convolutions and an addition in parts, rows being kept from part to part."""
    graph = graph_of(FUSED, {"v": (16, 16, 3, 3), "w": (16, 16, 3, 3), "u": (16, 16, 1, 1)})
    program = run_pipeline(graph, load_chip("npu", ["memory.sram.bytes=20KiB"])).program
    assert any(group.parts > 2 and len(group.layers) > 1 for group in program.groups)
    return program


def with_instruction(program: Program, index: int, instruction: Instruction) -> Program:
    items = list(program.issued)
    items[index] = replace(items[index], instruction=instruction)
    return replace(program, issued=tuple(items))


def of_rule(program: Program) -> list[Finding]:
    return [finding for finding in verify(program) if finding.rule is Rule.CONTENTS]


def test_sound_programs_are_clean() -> None:
    assert not verify(small()) and not verify(fused())
    assert all(None not in item.note.contents and item.note.contents for item in fused().issued)


def test_programs_that_say_nothing_are_clean() -> None:
    assert not verify(small(load=(), relu=(), sub=(), store=()))
    assert not verify(small(load=(None, None)))
    silent = [replace(item, note=replace(item.note, contents=())) for item in fused().issued]
    assert not verify(replace(fused(), issued=tuple(silent), facts={}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sub": (Content("y", 0), Content("a", 0), Content("x", 0))},
         "element 0 of a, but sram+0x0 holds element 0 of x, written by k0.r0; 32 of 32 elements differ"),
        ({"relu": (Content("a", 0), Content("x", 8))}, "element 8 of x, but sram+0x0 holds element 0 of x"),
        ({"relu": (Content("a", 0), Content("x", 0, (1, 4)))}, "of x, but sram+0x4 holds element 1 of x"),
        ({"store": (Content("y", 0), Content("y", 1))}, "1 of y, but sram+0x100 holds element 0 of y"),
        ({"store": (Content("y", 8), Content("y", 0))}, "takes element 0 of y and element 8 of y for"),
        ({"load": (Content("x", 1), Content("x", 1))}, "1 of x, but dram+0x0 holds element 0 of x"),
    ],
)  # fmt: skip
def test_other_contents_are_found(changes: dict[str, tuple[Content | None, ...]], message: str) -> None:
    assert any(message in finding.message for finding in of_rule(small(**changes)))


def test_every_operand_that_is_shifted_by_a_row_is_found() -> None:
    """All bytes are there, written and in order: only what they mean tells."""
    program, shifted = fused(), 0
    for index, item in enumerate(program.issued):
        if isinstance(item.instruction, Conv):
            source = item.instruction.src
            if source.address >= source.strides[1] > 0 and source.shape[1] > 1:
                moved = replace(source, address=source.address - source.strides[1])
                assert of_rule(with_instruction(program, index, replace(item.instruction, src=moved)))
                shifted += 1
    assert shifted > 4


def test_swapped_operands_of_equal_shape_are_found() -> None:
    program = small()
    sub = program.issued[2].instruction
    assert isinstance(sub, Elementwise)
    mutant = with_instruction(program, 2, replace(sub, srcs=sub.srcs[::-1]))
    assert {finding.rule for finding in verify(mutant)} == {Rule.CONTENTS}
    swapped = 0
    for index, item in enumerate(fused().issued):
        conv = item.instruction
        if isinstance(conv, Conv) and conv.residual is not None and conv.residual.shape == conv.src.shape:
            mutant = with_instruction(fused(), index, replace(conv, src=conv.residual, residual=conv.src))
            assert of_rule(mutant)
            swapped += 1
    convolutions = [item for item in fused().issued if isinstance(item.instruction, Conv)]
    weights = {item.instruction.weight.address for item in convolutions if isinstance(item.instruction, Conv)}
    for address in sorted(weights):  # of one convolution for the other's
        last = max(i for i, item in enumerate(fused().issued) if isinstance(item.instruction, Conv))
        conv = fused().issued[last].instruction
        assert isinstance(conv, Conv)
        if address != conv.weight.address:
            misread = replace(conv, weight=replace(conv.weight, address=address))
            assert of_rule(with_instruction(fused(), last, misread))
            swapped += 1
    assert swapped


def test_findings_are_bounded() -> None:
    """Whoever says that all instructions read other elements gets no message for each."""

    def moved(item: Issued) -> Issued:
        contents = tuple(replace(c, offset=c.offset + n) for n, c in enumerate(item.note.contents) if c)
        return replace(item, note=replace(item.note, contents=contents))

    mutant = replace(fused(), issued=tuple(map(moved, fused().issued)))
    assert 40 < len(of_rule(mutant)) <= 60


# --- the debug section -------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [small(), small(load=()), small(load=(None, Content("a b", 7, (-1, 9))))])
def test_contents_survive_text_and_binary(program: Program) -> None:
    assert decode(encode(program)).issued == program.issued
    assert assemble(disassemble(program)).issued == program.issued


def test_text_of_contents() -> None:
    program = small(relu=(Content("a", 30, (1, -2)), None), load=())
    lines = disassemble(program).splitlines()
    assert next(line for line in lines if "load" in line).endswith("f32[4,8] <- dram+0x0 f32[4,8]")
    assert next(line for line in lines if "relu" in line).endswith('@r0   ; "" = a+30{1,-2} ?')
    assert lines[-1].endswith('; "" = y+0 y+0')


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ((Content("x", 0),), "has 2 operands, and the contents of 1 are noted"),
        ((Content("x", 0), Content("x", 0, (1,))), "1 strides of contents for an operand of rank 2"),
        ((Content("x", 0), Content("x", 0, (1, -1))), r"elements -7 … 3 of x are not all in 0 …"),
        ((Content("x", 0), Content("x", 2**40)), "of x are not all in 0 …"),
    ],
)
def test_impossible_contents_are_refused(contents: tuple[Content, ...], message: str) -> None:
    with pytest.raises(ProgramInvalidError, match=message):
        encode(small(load=contents))


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ("y+0 y", "'+' is missing"),
        ("y+0 y+x", "the offset is no integer"),
        ("y+0 y+0{1", "',' is missing"),
        ("y+0", "the contents of 1 are noted"),
        ("y+0 ? {1}", "the buffer is missing"),
    ],
)
def test_malformed_text_is_refused(contents: str, message: str) -> None:
    text = disassemble(small())
    with pytest.raises(AssemblyError) as caught:
        assemble(text.replace("= y+0 y+0", f"= {contents}"))
    assert message in str(caught.value)


def test_malformed_rank_is_refused() -> None:
    section = Packer({}, {})
    pack_debug(small(store=(None, None)), section)
    assert section.data[-1] == 255
    section.data[-1] = 9
    source = Unpacker(memoryview(bytes(section.data)), strings=("", "x", "a", "y"))
    with pytest.raises(ValueError, match="the contents of an operand have rank 9"):
        unpack_debug(source, 4)


def test_outputs_hold_their_elements_in_their_places() -> None:
    """Nothing reads what the last stores write: their strides are judged at the end."""
    program = fused()
    (output,) = program.by_role(TensorRole.OUTPUT)
    turned = 0
    for index, item in enumerate(program.issued):
        if isinstance(item.instruction, Store) and item.instruction.dst.overlaps(output.block):
            dst = item.instruction.dst
            strides = (*dst.strides[:-2], dst.strides[-1], dst.strides[-2])
            store = replace(item.instruction, dst=replace(dst, strides=strides))
            findings = verify(with_instruction(program, index, store))
            turned += any("hold others in the end" in str(finding) for finding in findings)
    assert turned
