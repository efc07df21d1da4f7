"""Constants of the program that lie in a core's memory: known before it runs, so kernels may rely on them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from nnc.isa.operand import Operand
from nnc.runtime.memory import Array


@dataclass(frozen=True, slots=True)
class _Block:
    low: int
    high: int
    target: Operand
    source: Array

    def image(self) -> npt.NDArray[np.uint8]:
        """The bytes from the first to the last of the block; those between its elements are zero."""
        data = np.zeros(self.high - self.low, np.uint8)
        target = self.target
        view: Array = np.ndarray(
            target.shape, target.dtype.numpy, data.data, target.address - self.low, target.strides
        )
        view[...] = self.source
        return data


_LOW = attrgetter("low")


@dataclass(frozen=True, slots=True)
class LoadedConstants:
    """What the latest loads of constants have left in the memories of one core.

    Kernels are bound in the order in which they run, so what is known when a kernel is bound holds when it
    runs: constants never change, and what overwrites them on chip has been seen.
    """

    _blocks: defaultdict[str, list[_Block]] = field(default_factory=lambda: defaultdict(list))
    """By memory, in the order of their addresses; no two of them interleave."""

    def value(self, operand: Operand) -> Array | None:
        """The values of an operand, None if they are not known before the program runs."""
        low, high = operand.hull
        blocks = self._blocks[operand.memory]
        index = bisect_right(blocks, low, key=_LOW) - 1
        if index < 0 or high > blocks[index].high:
            return None
        data, offset = blocks[index].image().data, operand.address - blocks[index].low
        return np.ndarray(operand.shape, operand.dtype.numpy, data, offset, operand.strides)

    def note_load(self, target: Operand, source: Array) -> None:
        """A constant has been loaded; `note_write` has been told before."""
        low, high = target.hull
        insort(self._blocks[target.memory], _Block(low, high, target, source), key=_LOW)

    def note_write(self, target: Operand) -> None:
        """A block has been overwritten."""
        low, high = target.hull
        blocks = self._blocks[target.memory]
        end = bisect_left(blocks, high, key=_LOW)
        begin = end
        while begin > 0 and blocks[begin - 1].high > low:
            begin -= 1
        del blocks[begin:end]

    def forget(self) -> None:
        """Nothing is known any more."""
        self._blocks.clear()
