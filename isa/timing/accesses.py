"""Which bytes an instruction touches."""

from __future__ import annotations

from nnc.isa.instruction import Access, Role
from nnc.isa.instructions import Broadcast, LoadRows
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Program


def touched(program: Program, index: int) -> list[tuple[str, int, Operand, Access, bool]]:
    """What an instruction touches: (memory, core, block, access, whether already at issue).

    The core is -1 for DRAM.  A broadcast writes the same block in every core of its mask.  The index list of
    a row load is read when the load issues, everything else when the instruction is served.
    """
    item = program.issued[index]
    instruction = item.instruction
    accesses = []
    for block, access, role in instruction.accesses():
        if role is Role.EXTERNAL:
            accesses.append((DRAM, -1, block, access, False))
        elif isinstance(instruction, Broadcast):
            accesses += [
                (block.memory, core, block, access, False)
                for core in instruction.receivers
                if core < program.chip.cores
            ]
        else:
            at_issue = isinstance(instruction, LoadRows) and not access.writes
            accesses.append((block.memory, item.core, block, access, at_issue))
    return accesses
