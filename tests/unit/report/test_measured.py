"""nnc.report.measured: tables of a program, by the order in which the chip executes it."""

from __future__ import annotations

import numpy as np

from nnc.isa.chip.load import load_chip
from nnc.isa.instruction import Engine
from nnc.isa.instructions import Load
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Note, Program, Tensor, TensorRole, Wait
from nnc.isa.types import DType
from nnc.report.measured import Measured


def test_who_reads_first_on_the_chip_has_the_first_touch() -> None:
    """The second core reads half of the input before the first one, which waits for its weights, does."""
    weight, image = (Operand.dense("dram", at, DType.F32, (64,)) for at in (0, 256))
    tensors = (Tensor("w", TensorRole.CONSTANT, weight), Tensor("x", TensorRole.INPUT, image))

    def load(core: int, block: Operand, group: int, count: int = 64, waits: tuple[Wait, ...] = ()) -> Issued:
        source = Operand.dense("dram", block.address, DType.F32, (count,))
        moved = Load(dst=Operand.dense("sram", 0, DType.F32, (count,)), src=source)
        return Issued(core, moved, waits, Note(group=group))

    first = Wait(0, Engine.READ, 0)
    issued = (load(0, weight, 0), load(0, image, 0, waits=(first,)), load(1, image, 1, 32))
    program = Program(load_chip("npu4"), tensors, np.zeros(256, np.uint8), issued, 512)
    groups = Measured.of(program).ledger.groups
    assert (groups[1]["input"], groups[0]["input"], groups[0]["overlap"]) == (128, 128, 128)
