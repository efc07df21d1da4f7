"""Sequences with the cheaper stretches of two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from nnc.compiler.plan.network.residents import NOTHING
from nnc.compiler.plan.options import GroupPrice, Objective
from nnc.compiler.plan.search.stretches import with_cheaper_stretches


@dataclass(frozen=True)
class Group:
    """A group from a prefix on, with its costs."""

    start: int
    dram_bytes: int
    cycles: int


def state_before(group: Any) -> Any:
    return group.start, NOTHING


PRICE = GroupPrice(Objective(1.0, 0.5), 16)
FAST = [Group(0, 900, 10), Group(1, 900, 10), Group(2, 500, 10), Group(3, 100, 10)]
LEAN = [Group(0, 300, 12), Group(1, 800, 20), Group(3, 130, 10)]


def test_stretches_that_cost_less_are_taken() -> None:
    mixed = with_cheaper_stretches(FAST, LEAN, PRICE, state_before)  # type: ignore[arg-type]
    assert mixed == [*LEAN[:2], FAST[3]], "from 1 to 3, one group of as many cycles and fewer bytes"
    assert mixed == with_cheaper_stretches(LEAN, FAST, PRICE, state_before)  # type: ignore[arg-type]


@pytest.mark.parametrize("slower", [19, 21, 1000])
def test_a_stretch_may_take_two_cycles_for_one_of_the_dram(slower: int) -> None:
    fast, lean = [Group(0, 1600, 100)], [Group(0, 1440, 100 + slower)]  # 160 bytes are 10 cycles of the DRAM
    mixed = with_cheaper_stretches(fast, lean, PRICE, state_before)  # type: ignore[arg-type]
    assert mixed == (lean if slower < 20 else fast)


def test_sequences_that_never_meet_stay_whole() -> None:
    fast, lean = [Group(0, 10, 10), Group(2, 10, 10)], [Group(0, 5, 10), Group(1, 5, 9)]
    mixed = with_cheaper_stretches(fast, lean, PRICE, state_before)  # type: ignore[arg-type]
    assert mixed == lean
