"""Operands: where the bytes of an N-D block lie in a memory, and exact questions about those bytes."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.isa.limits import RANK
from nnc.isa.record import record
from nnc.isa.types import DType

DRAM = "dram"
MAX_RANK = RANK.most
MAX_ADDRESS = 2**48
"""One past the last address of any memory; strides are less, either way."""
_MOST_KEPT = 2**20
"""Elements of a block up to which its runs are kept for the next block like it."""


def dense_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Byte strides of a row-major block without gaps."""
    strides = []
    step = itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


@lru_cache(maxsize=65536)
def reach(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, int]:
    """Where the first and the last element of a block lie, from element 0, in the unit of the strides."""
    steps = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
    return sum([step for step in steps if step < 0]), sum([step for step in steps if step > 0])


_Form = tuple[tuple[int, ...], tuple[int, ...], int]
"""Shape, strides and bytes of an element."""


@record(frozen=True, slots=True)
class Operand:
    """An N-D block of elements in one memory.

    ``address`` and ``strides`` are bytes; the logical order of an activation is N, spatial…, C and any
    layout is nothing but strides (0 repeats an element, as for a bias).
    """

    memory: str
    address: int
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @staticmethod
    def dense(memory: str, address: int, dtype: DType, shape: tuple[int, ...]) -> Operand:
        """A row-major block without gaps."""
        return Operand(memory, address, dtype, shape, dense_strides(shape, dtype.itemsize))

    @property
    def elements(self) -> int:
        """Number of elements (repeated ones counted each time)."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        """Elements times element size, in bytes."""
        return prod(self.shape) * self.dtype.itemsize

    @property
    def distinct_bytes(self) -> int:
        """Bytes of the elements, those that are repeated counted once."""
        own = (n for n, stride in zip(self.shape, self.strides, strict=True) if stride)
        return prod(own) * self.dtype.itemsize

    @property
    def is_dense(self) -> bool:
        """Whether the block is row-major without gaps."""
        return self.strides == dense_strides(self.shape, self.dtype.itemsize)

    @property
    def hull(self) -> tuple[int, int]:
        """First byte address and one past the last byte address that the block touches."""
        if 0 in self.shape:
            return self.address, self.address
        low, high = reach(self.shape, self.strides)
        return self.address + low, self.address + high + self.dtype.itemsize

    def runs(self) -> tuple[npt.NDArray[np.int64], int]:
        """The contiguous runs of the block: start addresses (sorted, unique) and the common length, bytes.

        Runs overlap only where the strides of the block interleave, which no tensor layout does.
        """
        offsets, length = _runs_of(*self._form)
        return offsets + self.address, length

    @property
    def is_one_run(self) -> bool:
        """Whether its bytes lie side by side."""
        return len(_runs_of(*self._form)[0]) == 1

    @property
    def _form(self) -> _Form:
        return self.shape, self.strides, self.dtype.itemsize

    def overlaps(self, other: Operand) -> bool:
        """Whether the two blocks share at least one byte (exact, not by hulls)."""
        if self.memory != other.memory:
            return False
        low, high = self.hull
        other_low, other_high = other.hull
        if high <= other_low or other_high <= low:
            return False
        return _overlap(other.address - self.address, self._form, other._form)

    def coincides(self, other: Operand) -> bool:
        """Whether element (i, j, …) of both blocks has the very same bytes, for all of them."""
        return self == other or (
            (self.memory, self.address, self.shape, self.dtype.itemsize)
            == (other.memory, other.address, other.shape, other.dtype.itemsize)
            and all(a == b for a, b, n in zip(self.strides, other.strides, self.shape, strict=True) if n > 1)
        )

    def __str__(self) -> str:
        shape = ",".join(map(str, self.shape))
        text = f"{self.memory}+{self.address:#x} {self.dtype.value}[{shape}]"
        if not self.is_dense:
            text += "{" + ",".join(map(str, self.strides)) + "}"
        return text


def operand_problem(op: Operand, least: int = 1) -> str:
    """Why a block of bytes is impossible on any chip; empty if it is not.

    Args:
        least: the smallest extent that it may have.
    """
    if problem := form_problem(op.shape, op.strides, least):
        return problem
    low, high = op.hull
    if low < 0 or high > MAX_ADDRESS:
        return f"bytes {low} … {high - 1} are not all in 0 … 2^48 - 1"
    return ""


@lru_cache(maxsize=65536)
def form_problem(shape: tuple[int, ...], strides: tuple[int, ...], least: int = 1) -> str:
    """Why no block has this shape and these strides (bytes); empty if one may.

    Of an operand without such a problem, `hull` may be asked for; `runs` only if that lies in a memory.
    """
    if len(shape) > MAX_RANK or len(shape) != len(strides):
        return f"rank {len(shape)} with {len(strides)} strides, at most {MAX_RANK} are possible"
    if not all(least <= extent < 2**32 for extent in shape):
        return f"extents {list(shape)} are not all in {least} … 2^32 - 1"
    if not all(-MAX_ADDRESS < stride < MAX_ADDRESS for stride in strides):
        return f"strides {list(strides)} are not all within ±2^48"
    return ""


@lru_cache(maxsize=65536)  # programs repeat themselves: of a hundred questions, two differ
def _overlap(apart: int, form: _Form, other: _Form) -> bool:
    """Whether two blocks share a byte, the address of the other `apart` bytes behind that of the first."""
    (starts, length), (other_starts, other_length) = _runs_of(*form), _runs_of(*other)
    if len(starts) > len(other_starts):
        return _overlap(-apart, other, form)
    # The first run of `other` that ends after each run of the first starts; it must start before that ends.
    first = other_starts.searchsorted(starts - (apart + other_length), side="right")
    first = first[: first.searchsorted(len(other_starts))]  # later ones lie behind all of `other`
    return bool((other_starts[first] + apart < starts[: len(first)] + length).any())


def _runs_of(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int
) -> tuple[npt.NDArray[np.int64], int]:
    """Those of a block from its address on; of large blocks they are not kept."""
    runs = _runs if prod(shape) <= _MOST_KEPT else _runs.__wrapped__
    return runs(shape, strides, itemsize)


@lru_cache(maxsize=65536)
def _runs(
    shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int
) -> tuple[npt.NDArray[np.int64], int]:
    """Start offsets (relative to the address) and byte length of the contiguous runs of a block."""
    if 0 in shape:
        return np.zeros(0, dtype=np.int64), 0
    base = 0
    axes = []
    for extent, stride in zip(shape, strides, strict=True):
        if extent == 1 or stride == 0:
            continue
        if stride < 0:
            base += (extent - 1) * stride
        axes.append((abs(stride), extent))
    axes.sort()
    length = itemsize
    while axes and axes[0][0] <= length:  # the copies touch or overlap: one longer run
        stride, extent = axes.pop(0)
        length += stride * (extent - 1)
    starts = np.array([base], dtype=np.int64)
    for stride, extent in axes:
        starts = _repeat(starts, stride, extent)
    starts.setflags(write=False)
    return starts, length


def _repeat(starts: npt.NDArray[np.int64], stride: int, extent: int) -> npt.NDArray[np.int64]:
    """`extent` copies of sorted offsets at distance `stride`, sorted and without duplicates."""
    if stride > starts[-1] - starts[0]:  # the copies follow each other
        return np.add.outer(np.arange(extent, dtype=np.int64) * stride, starts).ravel()
    copies = 1  # they interleave: double their number, so that no array outgrows the hull of the result
    while copies < extent:
        step = min(copies, extent - copies)
        starts = np.union1d(starts, starts + step * stride)
        copies += step
    return starts


@lru_cache(maxsize=65536)
def _burst_bytes(
    phase: int, shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, burst: int
) -> int:
    starts, length = _runs_of(shape, strides, itemsize)
    return int(run_bytes(starts + phase, np.int64(length), burst).sum())


def run_bytes(
    starts: npt.NDArray[np.int64] | np.int64, lengths: npt.NDArray[np.int64] | np.int64, burst: int
) -> npt.NDArray[np.int64]:
    """Bytes that a transfer of each run moves, from where it starts and its bytes: whole bursts.

    The one place that says so: instructions, steps and estimates all ask it.
    """
    return np.asarray(((starts + lengths + burst - 1) // burst - starts // burst) * burst)


def burst_bytes(operand: Operand, burst: int) -> int:
    """Bytes that a DRAM transfer of the block moves: whole bursts for every contiguous run."""
    return _burst_bytes(
        operand.address % burst, operand.shape, operand.strides, operand.dtype.itemsize, burst
    )
