"""What things cost: cycles of compute instructions, bytes of transfers.

Every class of instructions that computes says its rule over operands (``Instruction.cost``).  ``cycles``
prices finished instructions with it; the planner, which knows tiles but no instructions yet, applies it to
these.  Integers only.
"""

from __future__ import annotations

from nnc.isa.chip.description import Chip
from nnc.isa.chip.rates import move_cycles
from nnc.isa.instruction import Instruction


def is_transfer(instruction: Instruction) -> bool:
    """Whether the instruction moves data to or from DRAM."""
    return type(instruction).cost is None


def cycles(instruction: Instruction, chip: Chip) -> int:
    """Cycles that a compute instruction occupies its engine, issue cost included; fills likewise.

    Of a DRAM transfer, whose time the scheduler finds: the least that its on-chip side takes.
    """
    rule = type(instruction).cost
    if rule is None:
        return move_cycles(chip, instruction.on_chip_bytes)
    return chip.compute.issue + rule(chip, instruction, instruction.work)


def dram_bytes(instruction: Instruction, chip: Chip) -> int:
    """Bytes that a transfer moves over the DRAM bus; 0 for other instructions."""
    return instruction.dram_bytes(chip.dram.burst)
