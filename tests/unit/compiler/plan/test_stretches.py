"""Sequences with the best stretches of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.plan.stretches import with_lean_stretches


@dataclass(frozen=True)
class Group:
    """A group from a prefix on, with its costs."""

    start: int
    dram_bytes: int
    cycles: int


def state_before(group: Any) -> Any:
    return group.start, NOTHING


FAST = [Group(0, 900, 10), Group(1, 900, 10), Group(2, 500, 10), Group(3, 100, 10)]
LEAN = [Group(0, 300, 12), Group(1, 800, 20), Group(3, 101, 5)]


@pytest.mark.parametrize(
    ("spare", "expected"),
    [
        (0, [*FAST[:1], LEAN[1], FAST[3]]),  # those from 1 to 3 are one of as many cycles
        (1, [*FAST[:1], LEAN[1], FAST[3]]),
        (2, [*LEAN[:2], FAST[3]]),
    ],
)
def test_stretches_that_save_traffic_are_taken_within_the_limit(spare: int, expected: list[Any]) -> None:
    found = with_lean_stretches(FAST, LEAN, spare, 16, state_before)  # type: ignore[arg-type]
    assert found == expected


def test_a_stretch_that_saves_little_is_not_worth_many_cycles() -> None:
    fast, lean = [Group(0, 1600, 10)], [Group(0, 1590, 19)]
    for spare in (8, 9, 1000):
        found = with_lean_stretches(fast, lean, spare, 16, state_before)  # type: ignore[arg-type]
        assert found == fast  # ten bytes take less than a cycle, and may cost ten times as many


def test_sequences_that_never_meet_stay_whole() -> None:
    fast, lean = [Group(0, 10, 10), Group(2, 10, 10)], [Group(0, 5, 10), Group(1, 5, 9)]
    found = with_lean_stretches(fast, lean, 0, 16, state_before)  # type: ignore[arg-type]
    assert found == lean
