"""Arrays of steps x parts are kept with each part once where most are like the one before them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.plan.fusion.buffer_rows import each_part_once

PARTS = st.lists(st.integers(0, 2), min_size=1, max_size=40)


@given(PARTS, st.integers(1, 3), st.booleans())
def test_the_most_of_all_parts_and_the_ends_are_kept(sorts: list[int], steps: int, in_order: bool) -> None:
    parts = np.array(sorted(sorts) if in_order else sorts, dtype=np.int64)
    live, other = np.arange(steps)[:, np.newaxis] + parts, parts[np.newaxis] // 2
    kept, (others, none) = each_part_once(live, {7: other}, {})
    assert not none
    assert (kept - others[7]).max(axis=1).tolist() == (live - other).max(axis=1).tolist()
    assert (kept[:, 0].tolist(), kept[:, -1].tolist()) == (live[:, 0].tolist(), live[:, -1].tolist())


def test_parts_that_differ_in_any_array_are_kept() -> None:
    live, other = np.full((2, 100), 5), np.repeat([[1, 2, 3]], [1, 98, 1], axis=1)
    kept, (others,) = each_part_once(live, {0: other})
    assert (kept.tolist(), others[0].tolist()) == ([[5, 5, 5]] * 2, [[1, 2, 3]])


def test_few_parts_and_parts_that_differ_stay_as_they_are() -> None:
    for live in (np.zeros((3, 4), dtype=np.int64), np.arange(200).reshape(2, 100)):
        kept, (others,) = each_part_once(live, {0: live})
        assert kept is live
        assert others[0] is live
