"""A program: tensor table, constants, instructions with their waits, and the debug section.

This is the in-memory form; ``nnc.isa.program_file`` gives its file, ``nnc.isa.assembly`` its text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.isa.chip.description import Chip
from nnc.isa.instruction import Engine, Instruction
from nnc.isa.operand import DRAM, Operand, form_problem, operand_problem, reach
from nnc.isa.record import record

FORMAT_VERSION = 4
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

    def by_role(self, role: TensorRole) -> Iterator[Tensor]:
        """The tensors of one role, in table order."""
        return (tensor for tensor in self.tensors if tensor.role is role)

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


def _lies_inside(block: Operand, nbytes: int) -> bool:
    """Whether a memory of so many bytes has all that a block names, and no fewer bytes than its elements."""
    if form_problem(block.shape, block.strides):
        return False
    low, high = block.hull
    return low >= 0 and high <= nbytes and block.elements <= nbytes


def fact_of_group(name: str, group: int) -> str:
    """The name of a fact about one layer group."""
    return f"group_{group}_{name}"


def problem_of(program: Program) -> str:
    """What contradicts the chip or the program's own tables, so that no file can hold it; empty if nothing.

    This covers numbers of cores and groups, the tensor table and the constants, not what the instructions do:
    that is the verifier's business.
    """
    size = program.constants.size
    if program.constants.dtype != np.uint8 or program.constants.ndim != 1 or size % CONSTANT_ALIGN:
        return f"the constants are not a vector of uint8 with a multiple of {CONSTANT_ALIGN} elements"
    if not size <= program.dram_bytes <= MAX_DRAM_BYTES:
        return f"{program.dram_bytes} bytes of DRAM, expected {size} (the constants) … {MAX_DRAM_BYTES}"
    names = set()
    for tensor in program.tensors:
        if tensor.block.memory != DRAM:
            return f"tensor {tensor.name!r} lies in {tensor.block.memory}, not in DRAM"
        if problem := operand_problem(tensor.block, least=0):
            return f"tensor {tensor.name!r}: {problem}"
        if problem := next(filter(None, map(operand_problem, tensor.padding)), ""):
            return f"padding of tensor {tensor.name!r}: {problem}"
        if (tensor.name, tensor.role is TensorRole.OUTPUT) in names:
            return f"tensor {tensor.name!r} is in the table twice"
        if tensor.reserved and not _block_bytes(tensor) <= tensor.reserved <= MAX_DRAM_BYTES:
            return (
                f"tensor {tensor.name!r} reserves {tensor.reserved} B, its block has {_block_bytes(tensor)}"
            )
        if any(block.memory != DRAM for block in tensor.padding):
            return f"padding of tensor {tensor.name!r} does not lie in DRAM"
        names.add((tensor.name, tensor.role is TensorRole.OUTPUT))
    if not all(0 <= group.parts <= MAX_INDEX for group in program.groups):
        return f"a group has less than 0 or more than {MAX_INDEX} parts"
    return next(filter(None, (_issue_problem(program, i) for i in range(len(program.issued)))), "")


def _block_bytes(tensor: Tensor) -> int:
    low, high = tensor.block.hull
    return high - low


def _issue_problem(program: Program, index: int) -> str:
    item, cores = program.issued[index], program.chip.cores
    place = f"instruction {index} ({item.instruction.mnemonic})"
    if not 0 <= item.core < cores:
        return f"{place} is for core {item.core}, the chip has {cores}"
    for wait in item.waits:
        if not (0 <= wait.core < cores and 0 <= wait.index <= MAX_INDEX):
            return (
                f"{place} waits for instruction {wait.index} of core {wait.core}, the chip has {cores} cores"
            )
    problem = note_problem(item, len(program.groups))
    return f"{place}: {problem}" if problem else ""


def note_problem(item: Issued, groups: int) -> str:
    """Why an instruction of a program of so many groups cannot have its note; empty if it can."""
    group, part = item.note.group, item.note.part
    if not (-1 <= group < groups and 0 <= part <= MAX_INDEX):
        return f"it is noted as part {part} of group {group}, there are {groups} groups"
    contents = item.note.contents
    if not contents:
        return ""
    blocks = [block for block, _, _ in item.instruction.accesses()]
    if len(contents) != len(blocks):
        return f"it has {len(blocks)} operands, and the contents of {len(contents)} are noted"
    for block, content in zip(blocks, contents, strict=True):
        if content is None:
            continue
        found = _elements(block.shape, block.strides, block.dtype.itemsize, content.shape, content.strides)
        if isinstance(found, str):
            return found
        low, high = content.offset + found[0], content.offset + found[1]
        if low < 0 or high >= MAX_DRAM_BYTES:
            return f"elements {low} … {high} of {content.buffer} are not all in 0 … {MAX_DRAM_BYTES}"
    return ""


@lru_cache(maxsize=65536)
def _elements(
    block: tuple[int, ...],
    steps: tuple[int, ...],
    itemsize: int,
    shape: tuple[int, ...] | None,
    strides: tuple[int, ...] | None,
) -> tuple[int, int] | str:
    """First and last element that contents touch, from their offset on, or why there are no such contents.

    Args:
        block, steps: shape and strides of the operand; shape, strides: of its contents.
    """
    mine = block if shape is None else shape
    distances = tuple(step // itemsize for step in steps) if strides is None else strides
    if len(distances) != len(mine):
        return f"{len(distances)} strides of contents for an operand of rank {len(mine)}"
    is_packed = len(block) == 1 and min(mine, default=1) > 0 and prod(mine) <= prod(block)
    if shape is not None and not is_packed:
        return f"contents of shape {shape} in an operand of shape {block}"
    return reach(mine, distances)


def element_shape(block: Operand, content: Content) -> tuple[int, ...]:
    """Extents of the elements of an operand, without reserved ones."""
    return block.shape if content.shape is None else content.shape


def element_strides(block: Operand, content: Content) -> tuple[int, ...]:
    """Distances in the buffer of the elements of an operand, per axis."""
    if content.strides is not None:
        return content.strides
    return tuple(stride // block.dtype.itemsize for stride in block.strides)
