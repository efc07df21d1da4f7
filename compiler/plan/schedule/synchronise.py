"""What every step waits for: hazards between the bytes that steps touch, on chip and in DRAM.

in:   the steps of all cores in the order of issue, and their operands
out:  the same steps, each with its waits (`IssuedStep`)

    load x.0 -> sram+0        waits for nothing
    compute y.0 = f(x.0)      waits for the load
    load x.2 -> sram+0        waits for the computation, which reads the bytes that it overwrites
"""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.plan.schedule.transfers import Operands
from nnc.compiler.plan.step import ENGINE_OF, Compute, Fill, IssuedStep, Load, LoadRows, Step, Store, View
from nnc.isa.chip.description import Chip
from nnc.isa.instruction import ENGINES
from nnc.isa.operand import DRAM
from nnc.isa.program import Wait
from nnc.isa.timing.hazards import ByteAccess, Synchroniser

_DRAM = (DRAM, -1)


def with_waits(
    chip: Chip, constant_bytes: int, order: Sequence[Step], operands: Sequence[Operands]
) -> list[IssuedStep]:
    """The steps with what they wait for; waits that others or the order of an engine imply are left out.

    Args:
        constant_bytes: DRAM below this address is never written.
        order: the steps of all groups and cores in the order of issue.
        operands: of each step, see `operands_of`.
    """
    keys = [(core, engine) for core in range(chip.cores) for engine in ENGINES]
    index = {key: number for number, key in enumerate(keys)}
    synchroniser = Synchroniser(keys, constant_bytes)
    issued: list[IssuedStep] = []
    for step, blocks in zip(order, operands, strict=True):
        if isinstance(step, View):
            issued.append(IssuedStep(step, ()))
            continue
        stream = index[step.core, ENGINE_OF[type(step)]]
        found = synchroniser.issue(stream, step_accesses(step, blocks))
        issued.append(IssuedStep(step, tuple(Wait(*keys[other], position) for other, position in found)))
    return issued


def step_accesses(step: Step, operands: Operands) -> list[ByteAccess]:
    """The bytes that a step touches."""
    core = step.core
    match step:
        case Load():
            there, here = operands
            written = [((here.memory, at), here, True, False) for at in step.receivers or (core,)]
            return [(_DRAM, there, False, False), *written]
        case LoadRows():
            there, listed, here = operands
            index = (listed.memory, core), listed, False, True
            return [(_DRAM, there, False, False), index, ((here.memory, core), here, True, False)]
        case Fill() | Compute():
            *sources, out = operands
            read = [((source.memory, core), source, False, False) for source in sources]
            return [*read, ((out.memory, core), out, True, False)]
        case Store():
            there, here = operands
            return [((here.memory, core), here, False, False), (_DRAM, there, True, False)]
        case View():
            return []
