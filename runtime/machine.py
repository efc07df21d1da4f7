"""The interpreter: a program is bound to memories once and then runs many times."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np

from nnc.isa.alignment import unaligned
from nnc.isa.errors import NncError, ProgramInvalidError
from nnc.isa.limits import PROGRAM_MEMORY
from nnc.isa.operand import Operand
from nnc.isa.program import Program
from nnc.isa.timing.streams import Streams, places_of, timing
from nnc.isa.timing.timeline import Timeline
from nnc.runtime.effects import Act, Timed, issue_order, order_of_effects
from nnc.runtime.errors import ExecutionError
from nnc.runtime.kernels import Arena, CoreState, Kernel, bind, check_form
from nnc.runtime.kernels.integer_products import integer_products, no_products
from nnc.runtime.memory import Array, Memories

_LEAST_SCRATCH, _SCRATCH_PER_BYTE = 2**26, 64
"""The most scratch of an instruction: bytes, and bytes per byte of a core's memories.  That is several times
what kernels take for operands that fill a memory, each widened from bytes to f64."""


class Machine:
    """A simulated chip with a program loaded.

    Instructions act on the memories in the order of the timeline: each reads when its service begins and
    writes when it completes (`effects`), so that a missing wait is felt.  Of a program that is free of races
    under any timing, the values are the same if each instruction moves its bytes at once, in the order of
    issue: that is faster.
    """

    def __init__(
        self,
        program: Program,
        *,
        poison: bool = False,
        race_free: bool = False,
        jitter: int | None = None,
        blas_only: bool = False,
    ) -> None:
        """Lay out the memories and bind every instruction.

        Args:
            program: stays unchanged and shares its constants.
            poison: fill memories with 0xFF instead of 0, so that a read of bytes nobody wrote gives NaN.
            race_free: the verifier has found no fault in the program; instructions then move their bytes at
                once.
            jitter: seed of a random timing of the transfers (see `nnc.isa.timing.jitter`).
            blas_only: multiply bytes by BLAS, whatever else is installed.

        Raises:
            ProgramTooLargeError: that would take too much memory.
            ProgramInvalidError: the program deadlocks, or an instruction contradicts itself or the chip.
            ExecutionError: an access outside a memory or outside the tensor table, or a transfer that is not
                aligned as the chip demands.
        """
        self.program = program
        self._jitter = jitter
        self._memories = Memories(program, poison=poison)
        for index in range(len(program.issued)):
            self._check(index)
        bytes_on_chip = sum(memory.bytes for memory in program.chip.memory.values())
        self._arena = Arena(min(_LEAST_SCRATCH + _SCRATCH_PER_BYTE * bytes_on_chip, PROGRAM_MEMORY.most))
        self._integers = no_products if blas_only else integer_products
        self._states: defaultdict[int, CoreState] = defaultdict(CoreState)
        self._steps = self._at_once() if race_free else self._in_time()

    @cached_property
    def timing(self) -> tuple[Streams, Timeline]:
        """The streams of the program and when each of their instructions issues and completes, cycles."""
        return timing(self.program, self._jitter)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices into ``program.issued`` in the order of issue."""
        return tuple(issue_order(*self.timing))

    def _at_once(self) -> list[tuple[int, Kernel]]:
        """Every instruction in the order of issue."""
        return [(index, self._bind(index)) for index in self.order]

    def _in_time(self) -> list[tuple[int, Kernel]]:
        """What every instruction does at its issue, begin and completion, in the order of the timeline."""
        timed: list[Timed] = []
        for index in range(len(self.program.issued)):
            self._states[self.program.issued[index].core].forget()  # they may be those of another time
            timed.append(Timed(self.program, index, self._memories, self._bind(index)))
        steps: list[tuple[int, Kernel]] = []
        for act, index in order_of_effects(*self.timing):
            instruction = timed[index]
            if act is Act.ISSUE and instruction.reads_at_issue:
                steps.append((index, instruction.issue))
            elif act is not Act.ISSUE:
                steps.append((index, instruction.begin if act is Act.BEGIN else instruction.complete))
        return steps

    def _check(self, index: int) -> None:
        """Insist that an instruction is one of this chip, before anything asks for its time or its kernel."""
        item = self.program.issued[index]
        try:
            check_form(item.instruction, self._memories, item.core)
            for block, reason in unaligned(item.instruction, self.program.chip):
                remedy = "check the program with 'nnc verify'"
                raise ExecutionError("unaligned transfer", found=str(block), expected=reason, remedy=remedy)
        except (ExecutionError, ProgramInvalidError) as error:
            raise self._located(error, index) from error

    def _bind(self, index: int) -> Kernel:
        item = self.program.issued[index]
        try:
            return bind(
                item.instruction, self._memories, self._arena, item.core, self._states, self._integers
            )
        except (ExecutionError, ProgramInvalidError) as error:
            raise self._located(error, index) from error
        except TypeError as error:
            raise self._untyped(error, index) from error

    def _untyped(self, error: TypeError, index: int) -> NncError:
        """What numpy says of element types that it has no function for, or none with the result's type."""
        wrong = ProgramInvalidError("no kernel for these element types", found=" ".join(str(error).split()))
        return self._located(wrong, index)

    def _located(self, error: NncError, index: int) -> NncError:
        """The error with the place of the instruction: its name in program text and its layer."""
        item = self.program.issued[index]
        layer = f" ({item.note.layer})" if item.note.layer else ""
        return type(error)(
            error.message,
            where=f"{places_of(self.program).label(index)} {item.instruction.mnemonic}{layer}",
            found=error.found,
            expected=error.expected,
            remedy=error.remedy,
        )

    def view(self, operand: Operand, core: int = 0) -> Array:
        """The array that an operand names; DRAM is the same for all cores."""
        return self._memories.view(operand, core)

    @np.errstate(all="ignore")  # the chip computes on, as onnxruntime does
    def run(self) -> None:
        """Execute the program once on what the memories hold.

        Raises:
            ExecutionError: an index read from memory is out of range.
            ProgramInvalidError: an instruction cannot compute on its element types.
        """
        for index, step in self._steps:
            try:
                step()
            except ExecutionError as error:
                raise self._located(error, index) from error
            except TypeError as error:
                raise self._untyped(error, index) from error
