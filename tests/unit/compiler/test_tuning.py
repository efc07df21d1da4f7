"""Tuned numbers: shares are exact, themes are replaced as a whole, and their readers see that."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pass_harness import after, graph_naming

from nnc.compiler.ir.layers import Elementwise
from nnc.compiler.passes.split_sums import SPLIT_SUMS
from nnc.compiler.tuning import TUNING
from nnc.compiler.tuning.share import Share


@given(st.integers(0, 9), st.integers(1, 9), st.integers(-(2**60), 2**60), st.integers(-(2**60), 2**60))
def test_a_share_is_exact_in_integers(parts: int, whole: int, amount: int, other: int) -> None:
    share = Share(parts, whole)
    assert share.of(amount) == floor(Fraction(parts, whole) * amount)
    assert (other <= share.of(amount)) == (other * whole <= amount * parts)


def test_themes_are_frozen() -> None:
    for theme in fields(TUNING):
        record = getattr(TUNING, theme.name)
        with pytest.raises(FrozenInstanceError):
            setattr(record, fields(record)[0].name, 1)


def test_readers_see_a_theme_in_the_place_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = graph_naming(
        "y = Sum (a, b, c, d)", {}, {}, "(float[4] a, float[4] b, float[4] c, float[4] d) => (y)"
    )
    monkeypatch.setattr(TUNING, "passes", replace(TUNING.passes, max_sum_operands=2))
    layers = [layer for layer in after(SPLIT_SUMS, graph).layers() if isinstance(layer, Elementwise)]
    assert len(layers) == 3
