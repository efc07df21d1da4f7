"""What is known about a core's memories while kernels are bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nnc.isa.instruction import Instruction
from nnc.isa.instructions import Broadcast, Load
from nnc.isa.operand import DRAM
from nnc.runtime.kernels.kept_windows import KeptWindows
from nnc.runtime.kernels.loaded_constants import LoadedConstants
from nnc.runtime.memory import Memories


@dataclass(frozen=True, slots=True)
class CoreState:
    """Kernels are bound in the order in which they run: what is known then holds when they run."""

    windows: KeptWindows = field(default_factory=KeptWindows)
    constants: LoadedConstants = field(default_factory=LoadedConstants)

    def forget(self) -> None:
        """Rely on nothing that came before."""
        self.windows.forget()
        self.constants.forget()


def note_writes(
    instruction: Instruction, core: int, memories: Memories, states: Mapping[int, CoreState]
) -> None:
    """Enter what an instruction of a core writes to the cores' memories."""
    receivers = instruction.receivers if isinstance(instruction, Broadcast) else (core,)
    for block, access, _ in instruction.accesses():
        if access.writes and block.memory != DRAM:
            for receiver in receivers:
                states[receiver].windows.note_write(block)
                states[receiver].constants.note_write(block)
    if isinstance(instruction, Load | Broadcast) and not instruction.src.dtype.is_float:
        source = memories.view(instruction.src, core)
        if not source.flags.writeable:  # constants of the program
            for receiver in receivers:
                states[receiver].constants.note_load(instruction.dst, source)
