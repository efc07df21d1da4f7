"""What the instructions of a program do: MACs, cycles by unit, energy by cause."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Engine
from nnc.isa.instructions import MacInstruction, Recurrence
from nnc.isa.program import Program
from nnc.isa.timing.cost import cycles
from nnc.isa.timing.energy import activities, energy
from nnc.runtime.measure.instruction_table import Column

UNITS = ("MAC", "vector", "issue")
"""Where the cycles of compute engines go: in the MAC array, in the vector unit (all else), and to issue."""


@dataclass(frozen=True)
class Work:
    """What instructions do: an entry per instruction, in the order of ``Program.issued``.

    Attributes:
        cycles: of the compute engine, a column per unit of `UNITS`.
        macs: multiply-accumulates of the array, those on padding included.
        mac_slots: those that the array could have done in the cycles of such an instruction.
        energy: picojoules by cause, without what is static; None for a chip that does not say.
        static: picojoules per cycle of a core.
    """

    cycles: Column
    macs: Column
    mac_slots: Column
    energy: dict[str, npt.NDArray[np.float64]] | None
    static: float


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
        if isinstance(instruction, Recurrence):
            parts = instruction.by_unit(chip)
            by_unit[index] += parts
            macs[index], slots[index] = instruction.macs, parts.array * _peak(chip, instruction)
        elif not isinstance(instruction, MacInstruction):
            by_unit[index, UNITS.index("vector")] = work
        else:
            by_unit[index, UNITS.index("MAC")] = work
            macs[index] = instruction.macs
            slots[index] = work * _peak(chip, instruction)
    static = 0.0 if chip.energy is None else chip.energy.static
    return Work(by_unit, macs, slots, _energy_of(program), static)


def _energy_of(program: Program) -> dict[str, npt.NDArray[np.float64]] | None:
    """Picojoules of every instruction by cause; None for a chip that does not say."""
    chip = program.chip
    by_cause: dict[str, npt.NDArray[np.float64]] = {}
    for index, activity in enumerate(activities((item.instruction for item in program.issued), chip)):
        causes = energy(activity, chip)
        if causes is None:
            return None
        for cause, picojoules in causes.items():
            if picojoules:
                by_cause.setdefault(cause, np.zeros(len(program.issued)))[index] = picojoules
    return by_cause


def _peak(chip: Chip, instruction: MacInstruction | Recurrence) -> int:
    """Most MACs per cycle of one core for what an instruction multiplies."""
    bits = instruction.on_array(chip).weight_bits if isinstance(instruction, MacInstruction) else 0
    return max(lanes * units for lanes, units in chip.compute.shapes_for(instruction.work.dtype, bits))
