"""The interpreter: a program is bound to memories once and then runs many times."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np

from nnc.isa.alignment import unaligned
from nnc.isa.instruction import ENGINES
from nnc.isa.operand import Operand
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams, timing
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels import Arena, KeptWindows, Kernel, bind
from nnc.runtime.memory import Array, Memories


class Machine:
    """A simulated chip with a program loaded.

    Instructions execute one after the other in the order of their issue times (ties: core, engine, position),
    which is one of the orders that the waits allow; each moves its bytes at once.
    """

    def __init__(self, program: Program, *, poison: bool = False) -> None:
        """Lay out the memories and bind every instruction.

        Args:
            program: stays unchanged and shares its constants.
            poison: fill memories with 0xFF instead of 0, so that a read of bytes nobody wrote gives NaN.

        Raises:
            ProgramInvalidError: the program deadlocks, or an instruction contradicts itself or the chip.
            ExecutionError: an access outside a memory or outside the tensor table, or a transfer that is not
                aligned as the chip demands.
        """
        self.program = program
        self._memories = Memories(program, poison=poison)
        self._arena = Arena()
        self._windows: defaultdict[int, KeptWindows] = defaultdict(KeptWindows)
        self._kernels = [self._bind(index) for index in self.order]

    @cached_property
    def timing(self) -> tuple[Streams, Timeline]:
        """The streams of the program and when each of their instructions issues and completes, cycles."""
        return timing(self.program)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices into ``program.issued`` in the order of execution."""
        streams, timeline = self.timing
        issued = self.program.issued

        def key(index: int) -> tuple[int, int, int, int]:
            stream, position = streams.places[index]
            item = issued[index]
            return (
                timeline.start[stream][position],
                item.core,
                ENGINES.index(item.instruction.engine),
                position,
            )

        return tuple(sorted(range(len(issued)), key=key))

    def _bind(self, index: int) -> Kernel:
        item = self.program.issued[index]
        try:
            for block, reason in unaligned(item.instruction, self.program.chip):
                remedy = "check the program with 'nnc verify'"
                raise ExecutionError("unaligned transfer", found=str(block), expected=reason, remedy=remedy)
            return bind(item.instruction, self._memories, self._arena, item.core, self._windows)
        except ExecutionError as error:
            raise self._located(error, index) from error

    def _located(self, error: ExecutionError, index: int) -> ExecutionError:
        """The error with the place of the instruction: its name in program text and its layer."""
        item = self.program.issued[index]
        layer = f" ({item.note.layer})" if item.note.layer else ""
        return ExecutionError(
            error.message,
            where=f"{self.timing[0].label(index)} {item.instruction.mnemonic}{layer}",
            found=error.found,
            expected=error.expected,
            remedy=error.remedy,
        )

    def view(self, operand: Operand, core: int = 0) -> Array:
        """The array that an operand names; DRAM is the same for all cores."""
        return self._memories.view(operand, core)

    def run(self) -> None:
        """Execute the program once on what the memories hold.

        Raises:
            ExecutionError: an index read from memory is out of range.
        """
        with np.errstate(all="ignore"):
            for index, kernel in zip(self.order, self._kernels, strict=True):
                try:
                    kernel()
                except ExecutionError as error:
                    raise self._located(error, index) from error
