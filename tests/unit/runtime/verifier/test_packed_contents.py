"""Packed constants of no whole unit, where the DMA moves whole units: it is known what a load brings."""

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
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instructions import Broadcast, Load
from nnc.isa.program import Content, Program
from nnc.isa.program_file.binary import decode, encode
from nnc.runtime.verifier.verify import Rule, verify

ODD = """(float[1,3,6,5] x) => (float[1,5,6,5] y) {
    a = Conv <pads = [1, 1, 1, 1]> (x, v, b) y = Conv (a, w) }"""
WEIGHTS = {"v": (5, 3, 3, 3), "b": (5,), "w": (5, 5, 1, 1)}


@cache
def odd_program(chip: str) -> Program:
    """Weights of 135, 5 and 25 elements where a unit is 16."""
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in WEIGHTS.items()}
    program = run_pipeline(graph_of(ODD, **weights), load_chip(chip, ["dram.align=64"])).program
    assert program is not None
    return program


def packed(program: Program) -> dict[str, int]:
    """Places of the loads of packed constants, by constant."""
    found = {}
    for place, item in enumerate(program.issued):
        if isinstance(item.instruction, Load | Broadcast) and item.instruction.src.address < len(
            program.constants
        ):
            content = item.note.contents[0]
            assert content is not None and content == item.note.contents[1]
            assert content.shape is not None and np.prod(content.shape) == np.prod(WEIGHTS[content.buffer])
            found[content.buffer] = place
    return found


def noted(program: Program, place: int, **changes: object) -> Program:
    """The program with another note of what a load brings."""
    issued = list(program.issued)
    content = issued[place].note.contents[0]
    assert isinstance(content, Content)
    other = replace(content, **changes)  # type: ignore[arg-type]
    issued[place] = replace(issued[place], note=replace(issued[place].note, contents=(other, other)))
    return replace(program, issued=tuple(issued))


@pytest.mark.parametrize("chip", ["npu", "npu4"])
def test_loads_of_packed_constants_say_what_they_bring(chip: str) -> None:
    program = odd_program(chip)
    assert set(packed(program)) == set(WEIGHTS)
    assert not verify(program)


@pytest.mark.parametrize("changes", [{"offset": 1}, {"buffer": "v"}, {"strides": (9, 1, 5, 25)}], ids=str)
def test_a_load_of_other_elements_is_found(changes: dict[str, object]) -> None:
    program = odd_program("npu")
    findings = verify(noted(program, packed(program)["w"], **changes))
    assert {finding.rule for finding in findings} == {Rule.CONTENTS, Rule.DIGEST}


def test_notes_are_kept_in_text_and_file() -> None:
    program = odd_program("npu")
    text = disassemble(program)
    assert "w+0[" in text
    assert assemble(text).issued == program.issued
    assert decode(encode(program)).issued == program.issued


@pytest.mark.parametrize("shape", [(1, 1, 5, 7), (1, 1, -5, -5), (1, 1, 0, 5), (25,)], ids=str)
def test_shapes_that_no_vector_holds_are_refused(shape: tuple[int, ...]) -> None:
    program = odd_program("npu")
    with pytest.raises(ProgramInvalidError, match="contents"):
        encode(noted(program, packed(program)["w"], shape=shape))
