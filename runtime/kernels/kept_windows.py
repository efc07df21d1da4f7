"""Gathered windows of a convolution, kept for the next one: tiles may differ in their weights only."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from nnc.isa.operand import Operand
from nnc.runtime.kernels.arena import Arena
from nnc.runtime.memory import Array

MOST_BYTES = 2**22
"""Window matrices up to this size are kept: larger ones would be read from beyond the cache of the host."""


class KeptWindows:
    """The windows that the latest convolution of a core gathered, while nothing writes to their source.

    Kernels are bound in the order in which they run, so what holds when a kernel is bound holds when it runs.
    """

    def __init__(self) -> None:
        self._arena = Arena(2 * MOST_BYTES)
        self._key: Hashable = None
        self._source: Operand | None = None
        self._matrices: list[Array] = []

    def matrices(
        self, key: Hashable, source: Operand, take: Callable[[Arena], list[Array]]
    ) -> tuple[list[Array], bool]:
        """The matrices for a key, and whether they are new: taken from the arena, to be filled."""
        if self._source is not None and key == self._key:
            return self._matrices, False
        self._arena.restart()
        self._matrices = take(self._arena)
        self._key, self._source = key, source
        return self._matrices, True

    def forget(self) -> None:
        """Gather anew for whatever comes next."""
        self._source = None

    def note_write(self, block: Operand) -> None:
        """Forget windows whose source is overwritten."""
        if self._source is not None and block.overlaps(self._source):
            self.forget()
