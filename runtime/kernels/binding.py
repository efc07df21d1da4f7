"""How an instruction becomes a callable: bound once to views of the memories, run many times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import Instruction
from nnc.isa.operand import Operand
from nnc.runtime.memory import Array, Memories, aligned_bytes

Kernel = Callable[[], object]
"""A bound instruction: all shapes are settled, calling it moves the data."""

_ALIGN = 64
_FIRST_ARENA = 2**20


class Arena:
    """Scratch memory that all kernels of a machine share: only one instruction executes at a time.

    Every instruction starts again at the first byte (`restart`).  The arena grows by doubling; views given
    out before keep the smaller buffer alive, so all buffers together stay under twice the largest need.
    """

    def __init__(self) -> None:
        self._buffer = aligned_bytes(_FIRST_ARENA)
        self._used = 0

    def restart(self) -> None:
        """Begin the scratch of another instruction."""
        self._used = 0

    def take(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        """A dense uninitialised array, distinct from the others taken since the restart."""
        kind = np.dtype(dtype)
        nbytes = prod(shape) * kind.itemsize
        if self._used + nbytes > len(self._buffer):
            self._buffer = aligned_bytes(max(2 * len(self._buffer), self._used + nbytes))
        start = self._used
        self._used = -(-(start + nbytes) // _ALIGN) * _ALIGN
        return np.ndarray(tuple(shape), kind, self._buffer.data, start)


class Binder:
    """What a kernel gets at bind time: views of its operands on its core, and scratch."""

    def __init__(self, memories: Memories, arena: Arena, core: int) -> None:
        self._memories = memories
        self._arena = arena
        self._core = core

    def view(self, operand: Operand, core: int | None = None) -> Array:
        """The operand's array, on the instruction's own core unless another is named."""
        return self._memories.view(operand, self._core if core is None else core)

    def optional(self, operand: Operand | None) -> Array | None:
        """The operand's array, or None if the instruction does not have it."""
        return None if operand is None else self.view(operand)

    def scratch(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        """A dense array whose content lasts until the end of the instruction."""
        return self._arena.take(shape, dtype)


BindRule = Callable[[Any, Binder], Kernel]
KERNELS: dict[type[Instruction], BindRule] = {}

_Rule = TypeVar("_Rule", bound=BindRule)


def kernel(*classes: type[Instruction]) -> Callable[[_Rule], _Rule]:
    """Enter a bind rule for instruction classes: rule(instruction, binder) gives the bound kernel."""

    def register(rule: _Rule) -> _Rule:
        for cls in classes:
            KERNELS[cls] = rule
        return rule

    return register


def bind(instruction: Instruction, memories: Memories, arena: Arena, core: int) -> Kernel:
    """Bind an instruction of `core` to the memories.

    Raises:
        ExecutionError: an operand leaves its memory.
        ProgramInvalidError: an operand names a memory that the chip lacks, or shapes do not fit.
    """
    arena.restart()
    return KERNELS[type(instruction)](instruction, Binder(memories, arena, core))


def sequence(steps: Sequence[Kernel]) -> Kernel:
    """One kernel that runs several in order."""
    if len(steps) == 1:
        return steps[0]
    fixed = tuple(steps)

    def run() -> None:
        for step in fixed:
            step()

    return run


def invalid(instruction: Instruction, message: str, *, found: object, expected: str) -> ProgramInvalidError:
    """The error for an instruction whose fields contradict each other."""
    return ProgramInvalidError(message, where=instruction.mnemonic, found=str(found), expected=expected)
