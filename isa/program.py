"""A program: tensor table, constants, instructions with their waits, and the debug section.

This is the in-memory form; ``nnc.isa.program_file`` gives its file, ``nnc.isa.assembly`` its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.notebook import html_table
from nnc.isa.operand import DRAM, Operand, form_problem
from nnc.isa.record import record

FORMAT_VERSION = 5
CONSTANT_ALIGN = 64
MAX_DRAM_BYTES = 2**40
MAX_INDEX = 2**31 - 1


class TensorRole(Enum):
    """What a range of DRAM is for; the ledger finds the cause of every byte from it."""

    INPUT = "input"
    CONSTANT = "constant"
    OUTPUT = "output"
    BOUNDARY = "boundary"
    SPILL = "spill"
    SCRATCH = "scratch"


@record(frozen=True, slots=True)
class Tensor:
    """A DRAM range with its meaning.  Shape and axis order are the network's, layout is strides.

    Inputs and outputs may have no elements.  An output may have the name of an input; no two other tensors
    have one name.

    Attributes:
        reserved: bytes from the start of the block that belong to the tensor, elements or not, so that DMA
            may move whole aligned runs; 0 if there is no more than the block.  Of these, bytes that are no
            elements count as written, with zeros.
        padding: blocks of elements that are none of the network's: they fill up what the chip takes as a
            whole.  Transfers move them like others; the ledger counts their bytes as `align`.
    """

    name: str
    role: TensorRole
    block: Operand
    reserved: int = 0
    padding: tuple[Operand, ...] = ()

    @property
    def extent(self) -> tuple[int, int]:
        """First byte, and one past the last, of what the tensor reserves in DRAM."""
        low, high = self.block.hull
        return low, max(high, low + self.reserved)


@record(frozen=True, slots=True)
class State:
    """An input that keeps its elements from run to run, and the output that holds those which follow.

    Without an axis, the output takes the place of the input: the host swaps the two base addresses.  With
    one, the output is as many rows along it as a run adds.  They lie as rows of the input do, and their place
    in it is the position, the number of rows that came before: the host sets the base address of the output
    to it, so that the stores of a run write the rows into the input, and nothing else of it.

    Attributes:
        input, output: names in the tensor table.
        axis: of the rows; -1: there is none.
        position: the output whose elements all are the position by the other inputs, or the input that takes
            it; empty without an axis.
    """

    input: str
    output: str
    axis: int = -1
    position: str = ""

    @property
    def tensors(self) -> tuple[tuple[TensorRole, str], ...]:
        """Role and name of both."""
        return (TensorRole.INPUT, self.input), (TensorRole.OUTPUT, self.output)


@record(frozen=True, slots=True)
class Wait:
    """Instructions 0 … index of one engine of one core must have completed."""

    core: int
    engine: Engine
    index: int


@record(frozen=True, slots=True)
class Content:
    """Debug annotation of an operand: its element (i, j, …) is element offset + i·strides[0] + … of `buffer`.

    A buffer is named by the tensor that it holds; its elements are numbered as they lie in DRAM, or would lie
    there.  Strides are None where they are those of the operand itself, in elements.

    Attributes:
        shape: of the elements, if the operand is a vector that holds them one after another, the last axis
            fastest, and reserved ones behind them (a packed constant of no whole unit); else None.
    """

    buffer: str
    offset: int
    strides: tuple[int, ...] | None = None
    shape: tuple[int, ...] | None = None


@record(frozen=True, slots=True)
class Note:
    """Debug annotation of an instruction: the group (index into ``Program.groups``), part and layer.

    `contents` has an entry per operand, in the order of ``Instruction.accesses``, or none at all.
    """

    group: int = -1
    part: int = 0
    layer: str = ""
    contents: tuple[Content | None, ...] = ()


@record(frozen=True, slots=True)
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


@dataclass(frozen=True, repr=False)
class Program:
    """A complete program.  The order of `issued` is the order of the text; each engine keeps its own.

    `constants` is the image of DRAM from address 0 on (uint8, a multiple of 64 bytes); `dram_bytes` is all
    the DRAM that the program uses; `states` are pairs of its inputs and outputs; `host_tensors` are names of
    inputs that a host makes and outputs that it reads, which does a part of the network's work.  `facts` are
    figures of the compiler for reports (floor bytes, predicted cycles …), part of the debug section.
    """

    chip: Chip
    tensors: tuple[Tensor, ...]
    constants: npt.NDArray[np.uint8]
    issued: tuple[Issued, ...]
    dram_bytes: int
    groups: tuple[GroupInfo, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)
    states: tuple[State, ...] = ()
    host_tensors: tuple[str, ...] = ()

    def summary(self) -> list[tuple[str, str]]:
        """Names and figures for people: ports, instructions, groups, bytes."""
        ports = {"inputs": self.given_inputs, "outputs": self.given_outputs}
        return [
            *((kind, ", ".join(map(_port, tensors)) or "none") for kind, tensors in ports.items()),
            *([("states", f"{len(self.states):,} of {self.state_bytes:,} bytes")] if self.states else []),
            ("instructions", f"{len(self.issued):,}"),
            ("groups", f"{len(self.groups):,}"),
            ("constant bytes", f"{self.constants.size:,}"),
            ("DRAM bytes in use", f"{self.dram_bytes:,}"),
        ]

    def __repr__(self) -> str:
        figures = "; ".join(f"{name} {value}" for name, value in self.summary())
        return f"<Program for {self.chip.name}: {figures}>"

    def _repr_html_(self) -> str:
        return html_table(f"program for {self.chip.name}", self.summary())

    def by_role(self, role: TensorRole) -> Iterator[Tensor]:
        """The tensors of one role, in table order."""
        return (tensor for tensor in self.tensors if tensor.role is role)

    @cached_property
    def given_inputs(self) -> tuple[Tensor, ...]:
        """The inputs that the user gives: all but states and their position."""
        own = {name for state in self.states for name in (state.input, state.position)}
        return tuple(tensor for tensor in self.by_role(TensorRole.INPUT) if tensor.name not in own)

    @cached_property
    def given_outputs(self) -> tuple[Tensor, ...]:
        """The outputs that the user receives: all but states and their position."""
        own = {name for state in self.states for name in (state.output, state.position)}
        return tuple(tensor for tensor in self.by_role(TensorRole.OUTPUT) if tensor.name not in own)

    @property
    def state_bytes(self) -> int:
        """Bytes that all states hold."""
        kept = {state.input for state in self.states}
        return sum(tensor.block.nbytes for tensor in self.by_role(TensorRole.INPUT) if tensor.name in kept)

    @cached_property
    def blocks(self) -> frozenset[Operand]:
        """All different operands of the instructions."""
        return frozenset(block for item in self.issued for block, _, _ in item.instruction.accesses())

    @cached_property
    def reach(self) -> dict[str, int]:
        """Bytes of each memory of a core, up to the last that an operand inside the memory has."""
        ends = dict.fromkeys(self.chip.memory, 0)
        for block in self.blocks:
            if block.memory in ends and _lies_inside(block, self.chip.memory[block.memory].bytes):
                ends[block.memory] = max(ends[block.memory], block.hull[1])
        return ends

    @cached_property
    def largest_operand(self) -> int:
        """Elements of the largest operand that lies inside its memory, repeated ones counted each time."""
        sizes = {name: memory.bytes for name, memory in self.chip.memory.items()}
        sizes[DRAM] = self.chip.dram.bytes
        blocks = (b for b in self.blocks if b.memory in sizes and _lies_inside(b, sizes[b.memory]))
        return max((block.elements for block in blocks), default=0)


def _port(tensor: Tensor) -> str:
    """An input or output for people: name, type and shape."""
    block = tensor.block
    return f"{tensor.name} {block.dtype.value}[{','.join(map(str, block.shape))}]"


def _lies_inside(block: Operand, nbytes: int) -> bool:
    """Whether a memory of so many bytes has all that a block names, and no fewer bytes than its elements."""
    if form_problem(block.shape, block.strides):
        return False
    low, high = block.hull
    return low >= 0 and high <= nbytes and block.elements <= nbytes


def fact_of_group(name: str, group: int) -> str:
    """The name of a fact about one layer group."""
    return f"group_{group}_{name}"


def element_shape(block: Operand, content: Content) -> tuple[int, ...]:
    """Extents of the elements of an operand, without reserved ones."""
    return block.shape if content.shape is None else content.shape


def element_strides(block: Operand, content: Content) -> tuple[int, ...]:
    """Distances in the buffer of the elements of an operand, per axis."""
    if content.strides is not None:
        return content.strides
    return tuple(stride // block.dtype.itemsize for stride in block.strides)
