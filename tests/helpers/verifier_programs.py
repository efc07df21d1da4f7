"""Small programs by hand for tests of the verifier, and ways to break them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from nnc.isa.chip.description import Chip
from nnc.isa.chip.load import load_chip
from nnc.isa.functions import Function
from nnc.isa.instruction import ENGINES, Instruction
from nnc.isa.instructions import (
    Elementwise,
    Gemm,
    Load,
    Store,
)
from nnc.isa.operand import Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole, Wait
from nnc.isa.types import DType
from nnc.runtime.verifier.verify import Finding, Rule

READ, COMPUTE, WRITE = ENGINES
F32 = DType.F32


def block(memory: str, address: int, shape: tuple[int, ...] = (4, 16), dtype: DType = F32) -> Operand:
    return Operand.dense(memory, address, dtype, shape)


def rules(findings: Iterable[Finding]) -> list[Rule]:
    return sorted({finding.rule for finding in findings}, key=lambda rule: rule.value)


def at(core: int, engine: str, index: int) -> Wait:
    return Wait(core, {"r": READ, "c": COMPUTE, "w": WRITE}[engine], index)


def program_of(
    issued: Iterable[tuple[Instruction, tuple[Wait, ...]] | Issued],
    tensors: dict[str, tuple[TensorRole, Operand]],
    chip: Chip | None = None,
    constants: int = 0,
) -> Program:
    items = tuple(item if isinstance(item, Issued) else Issued(0, *item) for item in issued)
    table = tuple(Tensor(name, role, where) for name, (role, where) in tensors.items())
    end = max(tensor.block.hull[1] for tensor in table)
    return Program(chip or load_chip("npu"), table, np.zeros(constants, np.uint8), items, end)


W, X, Y = block("dram", 0, (16, 16)), block("dram", 1024), block("dram", 1280)
SX, SW, SY = block("sram", 0), block("sram", 256, (16, 16)), block("sram", 1280)
TABLE = {"w": (TensorRole.CONSTANT, W), "x": (TensorRole.INPUT, X), "y": (TensorRole.OUTPUT, Y)}


def two_layers(chip: Chip | None = None) -> Program:
    """y = relu(x · w): two loads, gemm, element-wise in place, store."""
    return program_of(
        [
            (Load(dst=SX, src=X), ()),
            (Load(dst=SW, src=W), ()),
            (Gemm(src=SX, weight=SW, dst=SY), (at(0, "r", 1),)),
            (Elementwise(dst=SY, srcs=(SY,), function=Function.RELU), ()),
            (Store(dst=Y, src=SY), (at(0, "c", 1),)),
        ],
        TABLE,
        chip,
        constants=1024,
    )


def change(program: Program, index: int, waits: tuple[Wait, ...] | None = None, **fields: object) -> Program:
    """The program with other fields or waits of one instruction."""
    items = list(program.issued)
    item = items[index]
    changed = replace(item.instruction, **fields)  # type: ignore[arg-type]
    items[index] = replace(item, instruction=changed, waits=item.waits if waits is None else waits)
    return replace(program, issued=tuple(items))


def drop(program: Program, index: int) -> Program:
    items = program.issued[:index] + program.issued[index + 1 :]
    return replace(program, issued=items)
