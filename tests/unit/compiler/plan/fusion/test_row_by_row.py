"""Last rows that move row by row: in which groups, and beside which others."""

from __future__ import annotations

import sys

import pytest

from nnc.compiler.plan.fusion.sliding import least_parts_beside, moves_by_rows
from nnc.compiler.plan.network.residents import NOTHING, Resident, Residents


@pytest.mark.parametrize(
    ("passes", "chunks", "is_sliced", "expected"),
    [(1, 0, False, True), (2, 0, False, False), (1, 1, False, False), (1, 0, True, False)],
)
def test_they_move_so_in_one_part(passes: int, chunks: int, is_sliced: bool, expected: bool) -> None:
    assert moves_by_rows(passes, chunks, is_sliced=is_sliced) is expected


def test_as_many_rows_before_and_after_are_looked_at_in_one_part() -> None:
    whole, two, three = (Residents([Resident("a", rows)]) for rows in (None, 2, 3))
    other = Residents([Resident("b", 2)])
    assert least_parts_beside(two, other) == sys.maxsize
    assert least_parts_beside(three, other) is None
    for found, left in ((NOTHING, two), (two, NOTHING), (whole, two), (two, whole)):
        assert least_parts_beside(found, left) == 1
