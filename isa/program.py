"""A program: tensor table, constants, instructions with their waits, and the debug section.

This is the in-memory form; ``nnc.isa.binary`` and ``nnc.isa.text`` give its two files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
import numpy.typing as npt

from nnc.isa.chip import Chip
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.operand import DRAM, Operand

FORMAT_VERSION = 1
CONSTANT_ALIGN = 64


class TensorRole(Enum):
    """What a range of DRAM is for; the ledger finds the cause of every byte from it."""

    INPUT = "input"
    CONSTANT = "constant"
    OUTPUT = "output"
    BOUNDARY = "boundary"
    SPILL = "spill"
    SCRATCH = "scratch"


@dataclass(frozen=True, slots=True)
class Tensor:
    """A DRAM range with its meaning.  Shape and axis order are the network's, layout is strides."""

    name: str
    role: TensorRole
    block: Operand


@dataclass(frozen=True, slots=True)
class Wait:
    """Instructions 0 … index of one engine of one core must have completed."""

    core: int
    engine: Engine
    index: int


@dataclass(frozen=True, slots=True)
class Note:
    """Debug annotation of an instruction: the group (index into ``Program.groups``), part and layer."""

    group: int = -1
    part: int = 0
    layer: str = ""


@dataclass(frozen=True, slots=True)
class Issued:
    """An instruction in the stream of one core, with its waits."""

    core: int
    instruction: Instruction
    waits: tuple[Wait, ...] = ()
    note: Note = Note()


@dataclass(frozen=True, slots=True)
class GroupInfo:
    """Debug annotation of a layer group (M1)."""

    kind: str
    layers: tuple[str, ...]
    parts: int
    reason: str = ""


@dataclass(frozen=True)
class Program:
    """A complete program.  The order of `issued` is the order of the text; each engine keeps its own.

    `constants` is the image of DRAM from address 0 on (uint8, a multiple of 64 bytes); `dram_bytes` is all
    the DRAM that the program uses.  `facts` are figures of the compiler for reports (floor bytes, predicted
    cycles …), part of the debug section.
    """

    chip: Chip
    tensors: tuple[Tensor, ...]
    constants: npt.NDArray[np.uint8]
    issued: tuple[Issued, ...]
    dram_bytes: int
    groups: tuple[GroupInfo, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)

    def streams(self) -> dict[tuple[int, Engine], list[Issued]]:
        """The in-order instruction stream of every engine that has one, by (core, engine)."""
        streams: dict[tuple[int, Engine], list[Issued]] = {}
        for item in self.issued:
            streams.setdefault((item.core, item.instruction.engine), []).append(item)
        return streams

    def by_role(self, role: TensorRole) -> Iterator[Tensor]:
        """The tensors of one role, in table order."""
        return (tensor for tensor in self.tensors if tensor.role is role)


def memory_of(operand: Operand, core: int) -> tuple[str, int]:
    """Key of the physical memory that an operand of an instruction of `core` names (DRAM is shared)."""
    return (operand.memory, -1 if operand.memory == DRAM else core)
