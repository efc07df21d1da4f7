"""What the instructions of a program do beside moving bytes: MACs, and cycles by unit."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from nnc.isa.chip.description import Chip, rate_class
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.instructions import ConvTranspose, MacInstruction
from nnc.isa.program import Program
from nnc.isa.timing.cost import cycles
from nnc.runtime.measure.instruction_table import Column

UNITS = ("MAC", "vector", "issue")
"""Where the cycles of compute engines go: in the MAC array, in the vector unit (all else), and to issue."""


@dataclass(frozen=True)
class Work:
    """What instructions do: an entry per instruction, in the order of ``Program.issued``.

    Attributes:
        cycles: of the compute engine, a column per unit of `UNITS`.
        macs: multiply-accumulates of the array.
        mac_slots: those that the array could have done in the cycles of such an instruction.
    """

    cycles: Column
    macs: Column
    mac_slots: Column


def work_of(program: Program) -> Work:
    """The work of all instructions of a program."""
    chip, count = program.chip, len(program.issued)
    by_unit = np.zeros((count, len(UNITS)), dtype=np.int64)
    macs, slots = (np.zeros(count, dtype=np.int64) for _ in range(2))
    for index, item in enumerate(program.issued):
        instruction = item.instruction
        if instruction.engine is not Engine.COMPUTE:
            continue
        work = cycles(instruction, chip) - chip.compute.issue
        by_unit[index, UNITS.index("issue")] = chip.compute.issue
        if not isinstance(instruction, MacInstruction):
            by_unit[index, UNITS.index("vector")] = work
        else:
            by_unit[index, UNITS.index("MAC")] = work
            macs[index] = macs_of(instruction)
            slots[index] = work * _peak(chip, instruction)
    return Work(by_unit, macs, slots)


def macs_of(instruction: Instruction) -> int:
    """Multiply-accumulates of an instruction, those on padding included; 0 if it is none of the array's."""
    if not isinstance(instruction, MacInstruction):
        return 0
    weight = instruction.weight.shape
    if isinstance(instruction, ConvTranspose):
        return instruction.src.elements * prod(weight[:-2]) * weight[-1]
    result = instruction.dst or instruction.accumulator
    assert result is not None
    depth = weight[-2] if instruction.mnemonic == "gemm" else prod(weight[:-1])
    return result.elements * depth


def _peak(chip: Chip, instruction: MacInstruction) -> int:
    """Most MACs per cycle of one core for the element type of an instruction."""
    shapes = chip.compute.array_shapes[rate_class(instruction.work.dtype)]
    return max(lanes * units for lanes, units in shapes)
