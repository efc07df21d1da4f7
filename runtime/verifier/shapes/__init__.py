"""Verifier, part 1b: do the operands of an instruction fit together, so that no kernel can index outside?

One generator per instruction class, found by a table that the decorator fills; it yields what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable

from nnc.isa.instruction import Instruction
from nnc.runtime.verifier.shapes import mac as mac  # these fill the table
from nnc.runtime.verifier.shapes import move as move
from nnc.runtime.verifier.shapes import transfers as transfers
from nnc.runtime.verifier.shapes import vector as vector
from nnc.runtime.verifier.shapes.rule import RULES as RULES


def shape_errors(instruction: Instruction) -> Iterable[str]:
    """What does not fit in the operands and attributes of an instruction (nothing for a sound one)."""
    return RULES[type(instruction)](instruction)
