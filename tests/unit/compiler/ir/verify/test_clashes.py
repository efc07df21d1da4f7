"""Blocks that share bytes and time are found, whichever of the two fewer of them share."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from nnc.compiler.ir.verify.subject import clashes

Ints = npt.NDArray[np.int64]


def ranges(rng: np.random.Generator, count: int, extent: int, longest: int) -> tuple[Ints, Ints]:
    """Ranges low ≤ x < high inside an extent."""
    low = rng.integers(0, extent, count)
    return low, low + rng.integers(1, longest + 1, count)


@pytest.mark.parametrize(("steps", "nbytes"), [(4, 200), (200, 4), (30, 30)])
def test_clashes_are_all_pairs_that_share_bytes_and_time(steps: int, nbytes: int) -> None:
    rng = np.random.default_rng(steps)
    for count in (0, 1, 2, 40):
        first, end = ranges(rng, count, steps, max(1, steps // 4))
        low, high = ranges(rng, count, nbytes, max(1, nbytes // 4))
        found = [*zip(*(side.tolist() for side in clashes(first, end - 1, low, high)), strict=True)]
        expected = {
            frozenset((a, b))
            for a in range(count)
            for b in range(a)
            if first[a] < end[b] and first[b] < end[a] and low[a] < high[b] and low[b] < high[a]
        }
        assert {frozenset(pair) for pair in found} == expected
        assert len(found) == len(expected)
        assert all(first[a] <= first[b] for a, b in found)
