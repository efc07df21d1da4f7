"""How an instruction becomes a callable: bound once to views of the memories, run many times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import Instruction
from nnc.isa.operand import Operand, form_problem
from nnc.isa.rule_table import RuleTable
from nnc.runtime.kernels.arena import Arena
from nnc.runtime.kernels.core_state import CoreState, note_writes
from nnc.runtime.kernels.integer_products import IntegerProducts
from nnc.runtime.memory import Array, Memories

Kernel = Callable[[], object]
"""A bound instruction: all shapes are settled, calling it moves the data."""
IntegerProvider = Callable[[], IntegerProducts | None]
"""What multiplies bytes faster than BLAS, if there is anything."""


class Binder:
    """What a kernel gets at bind time: views of its operands on its core, and scratch."""

    def __init__(
        self, memories: Memories, arena: Arena, core: int, state: CoreState, integers: IntegerProvider
    ) -> None:
        self.integer_products = integers
        self.windows = state.windows
        self._constants = state.constants
        self._memories = memories
        self._arena = arena
        self._core = core

    def view(self, operand: Operand, core: int | None = None) -> Array:
        """The operand's array, on the instruction's own core unless another is named."""
        return self._memories.view(operand, self._core if core is None else core)

    def optional(self, operand: Operand | None) -> Array | None:
        """The operand's array, or None if the instruction does not have it."""
        return None if operand is None else self.view(operand)

    def constant(self, operand: Operand) -> Array | None:
        """The values of an operand that holds loaded constants, None if they are not known at bind time."""
        return self._constants.value(operand)

    def scratch(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        """A dense array whose content lasts until the end of the instruction."""
        return self._arena.take(shape, dtype)


BindRule = Callable[[Any, Binder], Kernel]
KERNELS = RuleTable[Instruction, BindRule]()
"""What binds each class: rule(instruction, binder) gives the bound kernel."""
kernel = KERNELS.rule


def check_form(instruction: Instruction, memories: Memories, core: int) -> None:
    """Insist that an instruction of `core` can be bound and priced: operands in memories, shapes that fit.

    Raises:
        ExecutionError: an operand leaves its memory.
        ProgramInvalidError: an operand is malformed or names a memory that the chip lacks, or shapes and
            attributes do not fit together.
    """
    for block, _, _ in instruction.accesses():
        if problem := form_problem(block.shape, block.strides):
            raise ProgramInvalidError("an operand is malformed", found=f"{block}: {problem}")
        memories.view(block, core)
    for problem in (*instruction.type_errors(), *instruction.shape_errors()):
        raise ProgramInvalidError("an instruction contradicts itself", found=problem)


def bind(
    instruction: Instruction,
    memories: Memories,
    arena: Arena,
    core: int,
    states: defaultdict[int, CoreState],
    integers: IntegerProvider,
) -> Kernel:
    """Bind an instruction of `core` to the memories; `states` say what is known about those of every core.

    The instruction has passed `check_form`.
    """
    arena.restart()
    kernel = KERNELS[type(instruction)](instruction, Binder(memories, arena, core, states[core], integers))
    note_writes(instruction, core, memories, states)
    return kernel


def sequence(steps: Sequence[Kernel]) -> Kernel:
    """One kernel that runs several in order."""
    if len(steps) == 1:
        return steps[0]
    fixed = tuple(steps)

    def run() -> None:
        for step in fixed:
            step()

    return run
