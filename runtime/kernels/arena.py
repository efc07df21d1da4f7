"""Scratch memory of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from nnc.isa.integers import round_up
from nnc.runtime.errors import ExecutionError
from nnc.runtime.memory import Array, aligned_bytes

_ALIGN = 64
_FIRST_ARENA = 2**20


class Arena:
    """Scratch memory that all kernels of a machine share: only one instruction executes at a time.

    Every instruction starts again at the first byte (`restart`).  The arena grows by doubling; views given
    out before keep the smaller buffer alive, so all buffers together stay under twice the largest need.
    """

    def __init__(self, limit: int) -> None:
        """`limit`: the most bytes of scratch that an instruction may take."""
        self._limit = limit
        self._buffer = aligned_bytes(min(limit, _FIRST_ARENA))
        self._used = 0

    def restart(self) -> None:
        """Begin the scratch of another instruction."""
        self._used = 0

    def take(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        """A dense uninitialised array, distinct from the others taken since the restart.

        Raises:
            ExecutionError: the instruction takes more than the limit.
        """
        kind = np.dtype(dtype)
        nbytes = prod(shape) * kind.itemsize
        if self._used + nbytes > self._limit:
            raise ExecutionError(
                "an instruction works on far more than its memories hold",
                found=f"{self._used + nbytes} bytes of scratch",
                expected=f"at most {self._limit} bytes",
                remedy="check the program with 'nnc verify'",
            )
        if self._used + nbytes > len(self._buffer):
            self._buffer = aligned_bytes(max(2 * len(self._buffer), self._used + nbytes))
        start = self._used
        self._used = round_up(start + nbytes, _ALIGN)
        return np.ndarray(tuple(shape), kind, self._buffer.data, start)
