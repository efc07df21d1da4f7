"""Verifier, part 1: every operand by itself: memory, bounds, alignment, placement, shape."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import get_args

import numpy as np
import numpy.typing as npt

from nnc.isa.alignment import unaligned
from nnc.isa.chip.description import Chip, RateClass
from nnc.isa.errors import ProgramInvalidError
from nnc.isa.instruction import Access, Engine, Instruction, Role
from nnc.isa.instructions import Broadcast, MacInstruction
from nnc.isa.operand import DRAM, Operand, form_problem, operand_problem, reach
from nnc.isa.program import Tensor, TensorRole
from nnc.isa.program_problems import note_problem
from nnc.isa.timing.cost import cycles
from nnc.runtime.shadow import by_element
from nnc.runtime.verifier.finding import Report, Rule


def check_table(report: Report) -> bool:
    """Check the tensor table; whether it is sound."""
    program = report.program
    before = len(report.findings)
    image = len(program.constants)
    if not image <= program.dram_bytes <= program.chip.dram.bytes:
        report.add_tensor(
            Rule.TABLE,
            "table",
            f"{program.dram_bytes} bytes of DRAM, {image} of them constants; {program.chip.dram.bytes} exist",
        )
    for tensor in program.tensors:
        ends = tensor.role in (TensorRole.INPUT, TensorRole.OUTPUT)
        error = operand_problem(tensor.block, least=0 if ends else 1)
        if tensor.block.memory != DRAM or error:
            report.add_tensor(Rule.TABLE, tensor.name, error or f"lies in {tensor.block.memory}")
            continue
        low, high = tensor.extent
        constant = tensor.role is TensorRole.CONSTANT
        start, stop = (0, image) if constant else (image, program.dram_bytes)
        if low < start or high > stop:
            part = "the constants" if constant else "the DRAM after the constants"
            report.add_tensor(Rule.TABLE, tensor.name, f"bytes {low} … {high} leave {part}, {start} … {stop}")
    return len(report.findings) == before


def check_padding(report: Report) -> bool:
    """Check what the tensors of a sound table say of padding; whether that is sound, too."""
    before = len(report.findings)
    extents = np.array([tensor.extent for tensor in report.program.tensors], dtype=np.int64).reshape(-1, 2)
    for tensor in report.program.tensors:
        low, high = tensor.extent
        if not tensor.padding:
            continue
        if np.count_nonzero((extents[:, 0] < high) & (extents[:, 1] > low)) > 1:
            report.add_tensor(
                Rule.TABLE, tensor.name, "has padding, and shares its place with another tensor"
            )
        elif error := _padding_error(tensor, report.program.constants):
            report.add_tensor(Rule.TABLE, tensor.name, error)
    return len(report.findings) == before


def _padding_error(tensor: Tensor, constants: npt.NDArray[np.uint8]) -> str:
    """What is not plausible about the padding of a tensor, empty if nothing."""
    if tensor.role in (TensorRole.INPUT, TensorRole.OUTPUT):
        return f"has padding, but all elements of an {tensor.role.value} are the network's"
    (low, high), size = tensor.block.hull, tensor.block.dtype.itemsize
    if tensor.block.nbytes > high - low:
        return "has padding, and elements that share their bytes"
    own, padded = np.zeros((2, (high - low) // size), dtype=np.bool_)
    by_element(own, tensor.block, size, low)[...] = True
    fills = set()
    for block in tensor.padding:
        if error := operand_problem(block) or _misaligned(block):
            return f"padding {block}: {error}"
        inside = low <= block.hull[0] and block.hull[1] <= high and block.elements <= tensor.block.elements
        if block.memory != DRAM or block.dtype != tensor.block.dtype or not inside:
            return f"padding {block}: is no part of {tensor.block}"
        before = np.count_nonzero(padded)
        by_element(padded, block, size, low)[...] = True
        if np.count_nonzero(padded) - before != block.elements:
            return f"padding {block}: elements are padding twice"
        if tensor.role is TensorRole.CONSTANT:
            values = by_element(constants, block, 1).reshape(-1, size)
            fills |= {values[0].tobytes()} if (values == values[0]).all() else {b"", b"several"}
    if (padded & ~own).any():
        return "has padding between its elements"
    if tensor.role is not TensorRole.CONSTANT and not (own & ~padded).any():  # a piece of a constant may be
        return "is nothing but padding"
    return "has padding of more than one value" if len(fills) > 1 else ""


class OperandChecker:
    """Checks the instructions of one program; `check` says whether the data check can use one."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._chip: Chip = report.program.chip
        extents = [tensor.extent for tensor in report.program.tensors]
        self._lows, self._highs = np.array(extents, dtype=np.int64).reshape(-1, 2).T.copy()
        self._placements: dict[tuple[str, Role], tuple[tuple[str, ...], tuple[str, ...] | None]] = {}
        compute = self._chip.compute
        self._lacks_rates = not {*compute.arrays} & {*compute.elementwise} >= {*get_args(RateClass)}

    def check(self, index: int) -> bool:
        """Check one instruction; True if its core and all its bytes exist."""
        item = self._report.program.issued[index]
        exists = self._core(index, item.core, item.instruction)
        for block, access, role in item.instruction.accesses():
            if error := form_problem(block.shape, block.strides):
                self._report.add(Rule.OPERAND, index, f"{block}: {error}")
                exists = False
            elif not self._memory(index, item.instruction, block, role):
                exists = False
            elif error := self._repeats(block, access):
                self._report.add(Rule.OPERAND, index, f"{block}: {error}")
                exists = False
            elif error := _misaligned(block):
                self._report.add(Rule.ALIGNMENT, index, f"{block}: {error}")
        if error := note_problem(item, len(self._report.program.groups)):
            self._report.add(Rule.CONTENTS, index, error)
            exists = False
        for block, error in unaligned(item.instruction, self._chip) if exists else ():
            self._report.add(Rule.ALIGNMENT, index, f"{block}: {error}")
        for error in item.instruction.type_errors() if exists else ():
            self._report.add(Rule.OPERAND, index, error)
        shape_errors = list(item.instruction.shape_errors()) if exists else []
        for error in shape_errors:
            self._report.add(Rule.SHAPE, index, error)
        for error in item.instruction.overlap_errors() if exists else ():
            self._report.add(Rule.OVERLAP, index, error)
        if (
            exists
            and not shape_errors
            and self._lacks_rates
            and (error := _rate_error(item.instruction, self._chip))
        ):
            self._report.add(Rule.OPERAND, index, error)
        return exists

    def _core(self, index: int, core: int, instruction: Instruction) -> bool:
        chip = self._chip
        if not 0 <= core < chip.cores:
            self._report.add(Rule.CORE, index, f"core {core}; the chip has {chip.cores}")
            return False
        if isinstance(instruction, Broadcast):
            if not chip.dma.broadcast:
                self._report.add(Rule.CORE, index, "the chip has no broadcast")
            if not 0 < instruction.cores < 1 << chip.cores:
                self._report.add(
                    Rule.CORE, index, f"core mask {instruction.cores:#x}; the chip has {chip.cores}"
                )
                return False
        return True

    def _memory(self, index: int, instruction: Instruction, block: Operand, role: Role) -> bool:
        """Does the operand lie in a memory, inside it, and in one where it may?"""
        low, high = block.hull
        if (block.memory == DRAM) != (role is Role.EXTERNAL):
            self._report.add(Rule.MEMORY, index, f"{block}: only the DRAM side of a transfer lies in DRAM")
            return False
        if block.memory == DRAM:
            if not bool(((self._lows <= low) & (high <= self._highs)).any()):
                self._report.add(
                    Rule.BOUNDS, index, f"{block}: bytes {low} … {high} lie in no tensor of the table"
                )
                return False
            return True
        memory = self._chip.memory.get(block.memory)
        if memory is None:
            self._report.add(Rule.MEMORY, index, f"{block}: the chip has only {', '.join(self._chip.memory)}")
            return False
        if low < 0 or high > memory.bytes:
            self._report.add(
                Rule.BOUNDS, index, f"{block}: bytes {low} … {high} leave its {memory.bytes} bytes"
            )
            return False
        if instruction.engine is Engine.COMPUTE or role.value in self._chip.operands.get("dma", {}):
            self._placement(index, instruction, block, role)
        return True

    def _repeats(self, block: Operand, access: Access) -> str:
        """Does it name an element twice that is written, or elements more often than there are bytes?"""
        if access.writes and _writes_twice(block.shape, block.strides, block.dtype.itemsize):
            return "elements of a written operand overlap each other"
        chip = self._chip
        size = chip.dram.bytes if block.memory == DRAM else chip.memory[block.memory].bytes
        if block.elements > size:
            return f"names {block.elements} elements, its memory has {size} bytes"
        return ""

    def _placement(self, index: int, instruction: Instruction, block: Operand, role: Role) -> None:
        """Does the operand lie where one of the families may have it, with such an element type?"""
        families, typed = instruction.families, _is_typed(instruction, block)
        wrong = [error for family in families if (error := self._misplaced(family, block, role, typed))]
        if len(wrong) == len(families):
            self._report.add(Rule.PLACEMENT, index, f"{block}: {wrong[0]}")

    def _misplaced(self, family: str, block: Operand, role: Role, typed: bool) -> str:
        allowed = self._placements.get((family, role))
        if allowed is None:
            placement = self._chip.placement(family, role.value)
            allowed = self._placements[family, role] = (placement.memories, placement.dtypes)
        memories, dtypes = allowed
        if block.memory not in memories:
            return f"a {role.value} of {family} lies in {' or '.join(memories)}"
        if typed and dtypes is not None and block.dtype.value not in dtypes:
            return f"a {role.value} of {family} is {' or '.join(dtypes)}"
        return ""


def _is_typed(instruction: Instruction, block: Operand) -> bool:
    """Whether the element types that the operand table allows are meant for an operand.

    What belongs to the epilogue of products (an i32 bias, f32 scales) has types of its own.
    """
    if not isinstance(instruction, MacInstruction):
        return True
    return not any(
        block is operand for operand in (instruction.bias, instruction.residual, instruction.scale)
    )


def _rate_error(instruction: Instruction, chip: Chip) -> str:
    """What the chip lacks to compute in the element types of an instruction, empty if nothing."""
    if instruction.engine is not Engine.COMPUTE:
        return ""
    try:
        cycles(instruction, chip)
    except ProgramInvalidError as error:
        return error.message
    return ""


@lru_cache(maxsize=65536)
def _writes_twice(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    span = itemsize
    for stride, extent in sorted((abs(s), e) for s, e in zip(strides, shape, strict=True) if e > 1):
        if stride < span:
            break
        span = stride * (extent - 1) + span
    else:
        return False  # every axis steps over all that the finer axes touch
    low, high = reach(shape, strides)
    if prod(shape) * itemsize > high - low + itemsize:
        return True
    offsets = np.zeros(1, dtype=np.int64)
    for stride, extent in zip(strides, shape, strict=True):
        offsets = np.add.outer(offsets, np.arange(extent, dtype=np.int64) * stride).ravel()
    return bool((np.diff(np.sort(offsets)) < itemsize).any())


def _misaligned(block: Operand) -> str:
    """Elements start at multiples of their size."""
    size = block.dtype.itemsize
    if block.address % size or any(
        s % size for s, e in zip(block.strides, block.shape, strict=True) if e > 1
    ):
        return f"elements of {size} bytes do not start at multiples of {size}"
    return ""


def check_operands(report: Report) -> list[bool]:
    """Check every instruction by itself; for each, whether the data check can use it."""
    checker = OperandChecker(report)
    return [checker.check(index) for index in range(len(report.program.issued))]
