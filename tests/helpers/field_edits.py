"""Small programs with one number changed: what a damaged file or a careless writer of programs may give."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from program_edits import edits

from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.chip.load import load_chip
from nnc.isa.codec.scanner import Scanner
from nnc.isa.instruction import INSTRUCTIONS, Role
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait


def program_edits(program: Program) -> Iterator[tuple[str, Program]]:
    """The program with one number changed: of its last instruction, of a tensor, or its bytes of DRAM."""
    before, last = program.issued[:-1], program.issued[-1]
    for what, item in edits(last):
        yield f"{last.instruction.mnemonic}{what}", dataclasses.replace(program, issued=(*before, item))
    for what, tensors in edits(program.tensors):
        yield f"tensors{what}", dataclasses.replace(program, tensors=tensors)
    for what, dram_bytes in edits(program.dram_bytes):
        yield f"dram_bytes{what}", dataclasses.replace(program, dram_bytes=dram_bytes)


_SMALL = {
    "conv": "conv sram+0x8000 f32[1,6,5,8] <- sram+0x0 f32[1,7,6,4], weight=sram+0x4000 f32[3,3,4,8], "
    "bias=sram+0x6400 f32[8], stride=1,1 dilation=1,1 pad_begin=1,1 act=relu"
}
"""Quicker ones than those of the reference."""


def example_program(mnemonic: str) -> Program:
    """Twice the instruction that the reference shows as the example of its class, one after the other."""
    text = _SMALL.get(mnemonic, INSTRUCTIONS[mnemonic].example)
    chip = load_chip("npu4", ["memory.sram.bytes=2MiB"]) if "sram+" in text else load_chip("vdsp12")
    made = parse_instruction(Scanner(text))
    blocks = [(block, access) for block, access, role in made.accesses() if role is Role.EXTERNAL]
    tensors = tuple(
        Tensor(f"t{number}", TensorRole.OUTPUT if access.writes else TensorRole.INPUT, block)
        for number, (block, access) in enumerate(blocks)
    )
    end = max((block.hull[1] for block, _ in blocks), default=0)
    items = (Issued(0, made), Issued(0, made, (Wait(0, made.engine, 0),)))
    return Program(chip, tensors, np.zeros(0, np.uint8), items, end)
