"""What the verifier reports: findings, each breaking one rule at one instruction."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from nnc.isa.program import Program
from nnc.isa.timing.streams import Places


class Rule(Enum):
    """The rules that a program keeps."""

    TABLE = "table"  # tensors lie in the DRAM of the program; constants in its image, the others outside
    CORE = "core"  # the core exists, broadcasts only where the chip has them
    OPERAND = "operand"  # shape and strides are well formed, written elements are distinct
    MEMORY = "memory"  # the memory exists; the DRAM for transfers only
    BOUNDS = "bounds"  # inside the memory, in DRAM inside a tensor of the table
    ALIGNMENT = "alignment"  # elements at multiples of their size, DMA as the chip requires
    PLACEMENT = "placement"  # the chip's table of memories and element types per operand
    SHAPE = "shape"  # the operands of an instruction fit together
    OVERLAP = (
        "overlap"  # what an instruction writes lies over no operand that it reads, but where that is safe
    )
    INTERIOR = "interior"  # what a group hands to itself visits DRAM as spill or scratch only
    READ_ONLY = "read-only"  # inputs and constants are never written
    WAIT = "wait"  # a wait names an instruction that exists
    DEADLOCK = "deadlock"  # every instruction can issue in the end
    UNWRITTEN = "unwritten"  # no byte is read that nothing wrote
    RACE = "race"  # accesses to a byte, one of them a write, are ordered by waits
    CONTENTS = "contents"  # bytes hold the elements that the debug section says they are read as
    DIGEST = "digest"  # a group computes what the debug section has summed up
    OUTPUT = "output"  # every byte of every output is written exactly once


@dataclass(frozen=True, slots=True)
class Finding:
    """A broken rule.

    `index` is the position in ``Program.issued`` (None for a tensor of the table); `place` names the
    instruction by core, engine and position, such as ``k0.c5 conv``, or the tensor.
    """

    rule: Rule
    message: str
    place: str
    index: int | None = None

    def __str__(self) -> str:
        return f"{self.rule.value}: {self.place}: {self.message}"


@dataclass(slots=True)
class Report:
    """Collects the findings about one program."""

    program: Program
    places: Places
    findings: list[Finding] = field(default_factory=list)

    def add(self, rule: Rule, index: int, message: str) -> None:
        """Note a broken rule of instruction `index`."""
        item = self.program.issued[index]
        layer = f" ({item.note.layer})" if item.note.layer else ""
        place = f"{self.places.label(index)} {item.instruction.mnemonic}{layer}"
        self.findings.append(Finding(rule, message, place, index))

    def add_tensor(self, rule: Rule, name: str, message: str) -> None:
        """Note a broken rule of a tensor of the table."""
        self.add_place(rule, f"tensor {name}", message)

    def add_place(self, rule: Rule, place: str, message: str) -> None:
        """Note a broken rule of what is no instruction."""
        self.findings.append(Finding(rule, message, place))
