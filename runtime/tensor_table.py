"""Look-up of DRAM accesses in a program's tensor table: what lies outside it must not be touched."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from nnc.isa.operand import Operand
from nnc.isa.program import Tensor
from nnc.runtime.errors import ExecutionError


class TensorTable:
    """The tensors of a program by address; ranges may overlap where one tensor takes another's place."""

    def __init__(self, tensors: tuple[Tensor, ...]) -> None:
        entries = sorted(((*tensor.extent, tensor) for tensor in tensors), key=lambda entry: entry[:2])
        self._entries = entries
        self._lows = [low for low, _, _ in entries]
        self._reach: list[int] = []  # the highest byte of this entry and all before it
        for _, high, _ in entries:
            self._reach.append(max(high, self._reach[-1]) if self._reach else high)

    def locate(self, operand: Operand) -> Tensor:
        """The tensor whose range holds the whole operand; of several, the one that starts last.

        Raises:
            ExecutionError: no tensor does.
        """
        for tensor in self.holders(operand):
            return tensor
        low, high = operand.hull
        raise ExecutionError(
            "DRAM access outside the tensor table",
            found=f"{operand}, bytes {low:#x} to {high:#x}",
            expected="a range within one tensor of the table",
            remedy="check the program with 'nnc verify'",
        )

    def holders(self, operand: Operand) -> Iterator[Tensor]:
        """The tensors whose ranges hold the whole operand; the one that starts last comes first."""
        low, high = operand.hull
        position = bisect_right(self._lows, low) - 1
        while position >= 0 and self._reach[position] >= high:
            if self._entries[position][1] >= high:
                yield self._entries[position][2]
            position -= 1
