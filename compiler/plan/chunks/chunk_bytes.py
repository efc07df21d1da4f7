"""Bytes on chip of runs whose hidden channels come in chunks, while a sweep takes in layers upstream."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nnc.compiler.plan.chunks.hidden_runs import HiddenRun
from nnc.compiler.plan.views.buffer_rows import BufferRows, Bytes


class ChunkBytes:
    """What the layers of runs hold: a chunk of hidden channels, beside it partial sums."""

    def __init__(self, runs: Mapping[int, HiddenRun], parts: int) -> None:
        """Args:
        runs: of the layers that are in one, by position; parts: of the group.
        """
        self.runs = runs
        self._sums: Bytes = np.zeros(parts, dtype=np.int64)  # of the latest run that was begun

    def share(self, position: int, rows: BufferRows) -> float:
        """Share of a result that is on chip at a time, of these rows."""
        run = self._hidden(position)
        return 1.0 if run is None else run.share(int(rows.held(1).max()))

    def sums_beside(self, position: int) -> Bytes | int:
        """Bytes of partial sums while a layer makes hidden channels, by part."""
        return 0 if self._hidden(position) is None else self._sums

    def sums_at(self, position: int, rows: BufferRows, result: Bytes) -> Bytes | int:
        """Bytes of partial sums beside the result of the last layer of a run, by part.

        Args:
            rows, result: of the result of a layer that is taken in, and their bytes by part.
        """
        run = self.runs.get(position)
        if run is None or run.is_hidden(position):
            return 0
        apart = rows.held(run.sums_bytes)
        self._sums = apart if run.sums_bytes else result
        return apart

    def released(self, last: int, begun: int) -> int:
        """When a buffer is no longer needed that a layer is the last to use: every chunk reads it again.

        Args:
            begun: position of the layer that makes it; less than any if that is before the group.
        """
        run = self.runs.get(last)
        return last if run is None or begun >= run.first else run.last

    def begun(self, position: int, first: int) -> int:
        """When the result of a layer takes its place, which is first written at `first`."""
        run = self.runs.get(position)
        return first if run is None or run.is_hidden(position) or run.sums_bytes else run.first

    def weights(self, position: int) -> int | None:
        """Bytes of weights that are on chip while a layer of a run works: two chunks of all of its layers."""
        run = self.runs.get(position)
        return None if run is None else min(run.weight_bytes, 2 * run.chunk_bytes)

    def _hidden(self, position: int) -> HiddenRun | None:
        run = self.runs.get(position)
        return run if run is not None and run.is_hidden(position) else None
