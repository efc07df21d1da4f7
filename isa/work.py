"""What a cost rule sees of an instruction, or of a layer that becomes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nnc.isa.chip.description import Chip
from nnc.isa.operand import Operand
from nnc.isa.record import record
from nnc.isa.types import DType


@record(frozen=True, slots=True)
class Work:
    """What a cost rule sees of operands: blocks with the axes of the instruction, wherever they lie.

    Attributes:
        dtype: the element type that decides the rate.
        dst: what is written: the result, or partial sums.
        srcs: what is read, in the order of the fields; None for an optional operand that is absent.
        port_bytes: of results and partial sums that are written, and of what is read to be added to them.
    """

    dtype: DType
    dst: Operand
    srcs: Sequence[Operand | None]
    port_bytes: int

    def source(self, number: int) -> Operand:
        """A source that every instruction of the class has."""
        operand = self.srcs[number]
        assert operand is not None
        return operand

    @property
    def src(self) -> Operand:
        """The first source."""
        return self.source(0)


CostRule = Callable[[Chip, Any, Work], int]
"""(chip, attributes, operands) → cycles, without the issue cost.

The attributes are the instruction itself, or a layer, whose attributes have the same names: so one rule
prices both.  The docstring is the formula.
"""
