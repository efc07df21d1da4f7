"""Division that rounds up, beside exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from nnc.isa.integers import ceil_div, round_up


@given(st.integers(), st.integers(1))
def test_division_rounds_up(a: int, b: int) -> None:
    assert ceil_div(a, b) == ceil(Fraction(a, b))


@given(st.integers(), st.integers(1))
def test_multiples(a: int, b: int) -> None:
    found = round_up(a, b)
    assert found % b == 0 and a <= found < a + b
