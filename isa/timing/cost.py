"""What things cost: cycles of compute instructions, bytes of transfers.

Every class of instructions that computes says its rule over shapes (``Instruction.cost``).  ``cycles`` prices
finished instructions with it; the planner, which knows tiles but no instructions yet, asks ``work_cycles``.
Integers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Access, Instruction, Shape
from nnc.isa.types import DType


def is_transfer(instruction: Instruction) -> bool:
    """Whether the instruction moves data to or from DRAM."""
    return type(instruction).cost is None


def work_cycles(
    chip: Chip,
    cls: type[Instruction],
    attributes: Any,
    dtype: DType,
    dst: Shape,
    srcs: Sequence[Shape | None],
) -> int:
    """Cycles of an instruction of a class without the issue cost, from what a cost rule sees of it.

    Raises:
        TypeError: the class is a DRAM transfer, whose time the scheduler finds.
    """
    rule = cls.cost
    if rule is None:
        raise TypeError(f"{cls.mnemonic} is a DRAM transfer")
    return rule(chip, attributes, dtype, dst, srcs)


def cycles(instruction: Instruction, chip: Chip) -> int:
    """Cycles that a compute instruction occupies its engine, issue cost included; fills likewise.

    Raises:
        TypeError: as `work_cycles`.
    """
    cls = type(instruction)
    touched = list(instruction.accesses())
    srcs = [op for op, access, _ in touched if access is Access.READ]
    dst = next(op for op, access, _ in touched if access.writes)
    dtype = cls.rate_dtype(dst.dtype, [op.dtype for op in srcs])
    shapes = [op.shape for op in srcs]
    return chip.compute.issue + work_cycles(chip, cls, instruction, dtype, dst.shape, shapes)


def dram_bytes(instruction: Instruction, chip: Chip) -> int:
    """Bytes that a transfer moves over the DRAM bus; 0 for other instructions."""
    return instruction.dram_bytes(chip.dram.burst)
