"""The verifier on element types: which the operand table allows, which the units have rates for."""

from __future__ import annotations

import numpy as np
import pytest

from nnc.isa.assembly.assembler import parse_instruction
from nnc.isa.chip.load import load_chip
from nnc.isa.codec.scanner import Scanner
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.timing.cost import cycles
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import verify


def found_in(text: str, chip: str = "nna", *overrides: str) -> list[str]:
    """What the verifier says of the types in a program of one instruction."""
    program = Program(
        chip=load_chip(chip, list(overrides)),
        tensors=(Tensor("x", TensorRole.INPUT, Operand.dense("dram", 0, DType.F32, (1,))),),
        constants=np.zeros(0, np.uint8),
        issued=(Issued(0, parse_instruction(Scanner(text))),),
        dram_bytes=4,
    )
    messages = [finding.message for finding in verify(program)]
    return [message for message in messages if " is u8" in message or "no rate" in message]


def gemm(x: str, weight: str, out: str, more: str = "") -> str:
    return f"gemm oram+0x0 {out}[4,8] <- fram+0x0 {x}[4,16], weight=wram+0x0 {weight}[16,8]{more}"


def test_factors_have_the_types_of_the_table() -> None:
    assert found_in(gemm("u8", "u8", "u8")) == []
    assert found_in(gemm("f32", "f32", "f32")) == []
    (signed,) = found_in(gemm("u8", "i8", "u8"))
    assert signed == "wram+0x0 i8[16,8]: a weight of gemm is u8 or f32"
    assert len(found_in(gemm("i8", "i8", "i8"))) == 2


def test_bias_and_scale_have_types_of_their_own() -> None:
    assert found_in(gemm("u8", "u8", "u8", ", bias=wram+0x100 i32[8], scale=wram+0x200 f32[8]")) == []


def test_types_without_a_rate() -> None:
    """A program that is not verified is refused when it is priced."""
    text = gemm("f16", "f16", "f16")
    assert "the MAC array of the chip has no rate for f16" in found_in(text)
    with pytest.raises(ProgramInvalidError, match="no rate for f16"):
        cycles(parse_instruction(Scanner(text)), load_chip("nna"))


def test_depthwise_without_a_rate_runs_on_the_array() -> None:
    """nna has no depthwise rate for f16, a chip with arrays for it may have none either."""
    text = (
        "conv oram+0x0 f16[1,4,4,8] <- fram+0x0 f16[1,4,4,8], weight=wram+0x0 f16[1,1,1,8], "
        "stride=1,1 dilation=1,1 pad_begin=0,0 groups=8"
    )
    chip = load_chip("nna")
    arrays = {**chip.compute.arrays, "f16": ("32x32",)}
    both = chip.model_copy(update={"compute": chip.compute.model_copy(update={"arrays": arrays})})
    conv = parse_instruction(Scanner(text))
    assert cycles(conv, both) == 32 + 8  # eight groups, one after the other
