"""Where the sums of conv, transposed conv and gemm go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from nnc.isa.instruction import Phase
from nnc.isa.instructions import MacInstruction
from nnc.runtime.kernels.binding import Binder, Kernel
from nnc.runtime.kernels.epilogue import Epilogue
from nnc.runtime.memory import Array

Index = tuple[slice, ...]
DType = np.dtype[Any]


def rows(array: Array, leading: int) -> Array | None:
    """A view with the first `leading` axes merged into one, or None if strides do not allow it."""
    merged = array.reshape(prod(array.shape[:leading]), *array.shape[leading:])
    return merged if np.may_share_memory(merged, array) else None


class MacOutput:
    """Where the sums of a MAC instruction go: accumulator, epilogue and dst, by blocks of leading axes.

    Attributes:
        stage: steps before the first block.
    """

    def __init__(self, i: MacInstruction, binder: Binder, sums: DType) -> None:
        """`sums`: the type in which they come."""
        self.instruction = i
        self.binder = binder
        self.dst = binder.optional(i.dst)
        self.accumulator = binder.optional(i.accumulator)
        result = self.accumulator if i.phase in (Phase.START, Phase.ADD) else self.dst
        assert result is not None
        self.shape = result.shape
        self.sum_type = sums
        self.epilogue = Epilogue(i, binder, self.shape, self.scratch)
        self.stage = self.epilogue.stage
        # Done in place, dst keeps the residual, or the sums so far, until the epilogue reads them.
        kept = (i.residual, i.accumulator)
        self._in_place = i.dst is not None and any(b is not None and i.dst.overlaps(b) for b in kept)
        self._spare: dict[str, Array] = {}

    def scratch(self, purpose: str, shape: Sequence[int], dtype: DType) -> Array:
        """Scratch that all blocks of the result share for one purpose (and one type)."""
        have = self._spare.get(purpose)
        if have is None or have.size < prod(shape):
            have = self._spare[purpose] = self.binder.scratch((prod(shape),), dtype)
        return have[: prod(shape)].reshape(shape)

    def target(self, index: Index, merge: int = 0) -> Array:
        """Where to write the sums of a block of the result.

        With merge > 0 the first `merge` axes of the block must merge into one without a copy; scratch is
        given where memory itself is not of the sum type or does not allow it.
        """
        phase = self.instruction.phase
        home = self.accumulator if phase is Phase.START else self.dst
        shape = self._block_shape(index)
        typed = home is not None and home.dtype == self.sum_type
        if home is not None and typed and phase is not Phase.ADD and not self._in_place:
            block = home[index]
            if not merge or rows(block, merge) is not None:
                return block
        return self.scratch("sum", shape, self.sum_type)

    def _block_shape(self, index: Index) -> tuple[int, ...]:
        return tuple(
            len(range(extent)[index[axis]]) if axis < len(index) else extent
            for axis, extent in enumerate(self.shape)
        )

    def finish(self, sums: Array, index: Index) -> list[Kernel]:
        """What remains to do once the sums of a block lie in `sums` (which `target` gave)."""
        phase = self.instruction.phase
        accumulator = None if self.accumulator is None else self.accumulator[index]
        if phase in (Phase.START, Phase.ADD):
            assert accumulator is not None
            if phase is Phase.ADD:
                sums, steps = self._held(sums, accumulator.dtype)
                return [*steps, partial(np.add, accumulator, sums, accumulator)]
            same = np.may_share_memory(sums, accumulator)
            return [] if same else [partial(np.copyto, accumulator, sums, casting="unsafe")]
        steps = []
        if phase is Phase.FINISH:
            assert accumulator is not None
            sums, steps = self._held(sums, accumulator.dtype)
            steps.append(partial(np.add, sums, accumulator, sums))
        assert self.dst is not None
        return steps + self.epilogue.steps(sums, self.dst[index], index)

    def _held(self, sums: Array, held: DType) -> tuple[Array, list[Kernel]]:
        """Sums in the type of partial sums, and how they become that."""
        if sums.dtype == held:
            return sums, []
        wide = self.scratch("held", sums.shape, held)
        return wide, [partial(np.copyto, wide, sums, casting="unsafe")]
