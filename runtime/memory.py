"""The memories of the simulated chip as byte arrays, and operands as numpy views into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.operand import DRAM, Operand, reach
from nnc.isa.program import Program, TensorRole
from nnc.isa.program_problems import problem_of
from nnc.runtime.demand import check_simulation
from nnc.runtime.errors import ExecutionError
from nnc.runtime.shadow import end_of_tensors
from nnc.runtime.tensor_table import TensorTable

Array = npt.NDArray[Any]
_ALIGN = 64
_MOST_STRIDE = 2**63
"""What numpy has for strides, even for those of axes of one element."""
_POISON = 0xFF
"""Every float read from poisoned bytes is NaN, every signed integer -1."""


def aligned_bytes(nbytes: int, fill: int = 0) -> npt.NDArray[np.uint8]:
    """A byte array that starts at a multiple of 64 (BLAS and vector units like it), filled with one value.

    Raises:
        ExecutionError: the host has not as much memory.
    """
    try:
        raw = np.full(nbytes + _ALIGN, fill, np.uint8) if fill else np.zeros(nbytes + _ALIGN, np.uint8)
    except MemoryError as error:
        raise ExecutionError(
            "this computer has too little memory to simulate the chip",
            found=f"{nbytes} bytes in one piece",
            remedy="use a smaller network or chip, or a larger computer",
        ) from error
    start = -raw.ctypes.data % _ALIGN
    return raw[start : start + nbytes]


def strided(array: Array, shape: Sequence[int], strides: Sequence[int]) -> Array:
    """A read-only view of other shape and strides (bytes) from the first element of an array on.

    Raises:
        ExecutionError: it leaves the bytes of the array.
    """
    low, high = reach(tuple(shape), tuple(strides))
    first, last = reach(array.shape, array.strides)
    if low < first or high > last or max(map(abs, strides), default=0) >= _MOST_STRIDE:
        raise ExecutionError(
            "a view leaves its operand",
            found=f"bytes {low} … {high} from the first element on",
            expected=f"bytes within {first} … {last}",
        )
    return np.lib.stride_tricks.as_strided(array, shape, strides, writeable=False)


def _check_table(program: Program) -> None:
    """Insist that the DRAM of a program exists and that all its tensors lie inside, none over constants."""
    available, taken = program.chip.dram.bytes, program.dram_bytes
    problem = problem_of(program)
    if problem or taken > available:
        raise ProgramInvalidError(
            "the program contradicts itself" if problem else "the program takes more DRAM than the chip has",
            where=program.chip.name,
            found=problem or f"{taken} bytes",
            expected="" if problem else f"at most {available} bytes",
        )
    constants = len(program.constants)
    for tensor in program.tensors:
        low, high = tensor.extent
        first = 0 if tensor.role is TensorRole.CONSTANT else constants
        if low < first or high > taken:
            raise ExecutionError(
                "a tensor leaves the DRAM of the program, or lies over its constants",
                where=tensor.name,
                found=f"bytes {low:#x} to {high:#x}",
                expected=f"bytes within {first:#x} to {taken:#x}",
                remedy="check the program with 'nnc verify'",
            )


class Memories:
    """DRAM and the memories of every core.

    The constants of the program are mapped read-only and never copied.  A core's memory ends behind the last
    byte that some instruction uses.  The DRAM after the constants and the cores' memories are zero at first,
    or 0xFF with `poison` (floats are then NaN: a read of bytes that nothing wrote shows in the result), but
    for bytes that tensors reserve beside their elements.

    Raises:
        ProgramInvalidError: the program contradicts itself, or takes more DRAM than the chip has.
        ProgramTooLargeError: the memories, or an operand, would be too large.
        ExecutionError: a tensor leaves the DRAM of the program or lies over its constants; the host has too
            little memory.
    """

    def __init__(self, program: Program, *, poison: bool = False) -> None:
        fill = _POISON if poison else 0
        _check_table(program)
        check_simulation(program)
        self._chip = program.chip
        self._dram_bytes = program.dram_bytes
        self._table = TensorTable(program.tensors)
        self._constants = program.constants.view()
        self._constants.setflags(write=False)
        self._data = aligned_bytes(end_of_tensors(program) - len(self._constants), fill)
        if fill:
            self._clear_reserved(program, fill)
        self._cores = [
            {name: aligned_bytes(used, fill) for name, used in program.reach.items()}
            for _ in range(self._chip.cores)
        ]

    def _clear_reserved(self, program: Program, fill: int) -> None:
        """Zeros in the bytes that tensors reserve beside their elements: they count as written."""
        origin = len(self._constants)
        tensors = [t for t in program.tensors if t.reserved and t.role is not TensorRole.CONSTANT]
        for tensor in tensors:
            low, high = tensor.extent
            self._data[low - origin : high - origin] = 0
        for tensor in tensors:
            block, size = tensor.block, tensor.block.dtype.itemsize
            shape, strides = (*block.shape, size), (*block.strides, 1)
            elements: Array = np.ndarray(shape, np.uint8, self._data.data, block.address - origin, strides)
            elements[...] = fill

    def view(self, operand: Operand, core: int) -> Array:
        """The array that an operand of an instruction of `core` names; it shares the memory's bytes.

        Args:
            operand: well-formed (`form_problem`), but for extents of 0.

        Raises:
            ProgramInvalidError: the chip has no such memory or core.
            ExecutionError: the operand leaves its memory, or the tensor table of DRAM.
        """
        buffer, origin = self._buffer(operand, core)
        low, high = operand.hull
        if low < origin or high > origin + len(buffer):
            raise ExecutionError(
                "access outside the memory",
                where=f"core {core}",
                found=f"{operand}, bytes {low:#x} to {high:#x}",
                expected=f"bytes within {origin:#x} to {self._end(operand):#x} of {operand.memory}",
                remedy="check the program with 'nnc verify'",
            )
        most = self._chip.dram.bytes if operand.memory == DRAM else self._end(operand)
        if operand.elements > most:
            raise ExecutionError(
                "an operand repeats its elements more often than its memory has bytes",
                where=f"core {core}",
                found=f"{operand}, {operand.elements} elements",
                expected=f"at most {most} elements in {operand.memory}",
            )
        return np.ndarray(
            operand.shape, operand.dtype.numpy, buffer.data, operand.address - origin, operand.strides
        )

    def _end(self, operand: Operand) -> int:
        """Bytes of the memory of an operand that exist on the chip, or in the DRAM of the program."""
        on_chip = self._chip.memory.get(operand.memory)
        return self._dram_bytes if on_chip is None else on_chip.bytes

    def _buffer(self, operand: Operand, core: int) -> tuple[npt.NDArray[np.uint8], int]:
        """The bytes that hold the operand, and the address of the first of them."""
        if operand.memory == DRAM:
            self._table.locate(operand)
            if operand.address < len(self._constants):
                return self._constants, 0
            return self._data, len(self._constants)
        if not 0 <= core < len(self._cores) or operand.memory not in self._cores[core]:
            raise ProgramInvalidError(
                "the chip has no such memory",
                where=self._chip.name,
                found=f"memory {operand.memory!r} of core {core}",
                expected=f"{', '.join(self._chip.memory)} of core 0 … {len(self._cores) - 1}",
            )
        return self._cores[core][operand.memory], 0
