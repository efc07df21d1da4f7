"""A box without another one: every element of the rest in just one box, none of the hole."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nnc.compiler.ir.regions.boxes import Box, cropped_box, meets, without

SIDE = 6


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """A box with one to SIDE elements along each of three axes."""
    low = tuple(draw(st.integers(0, SIDE - 1)) for _ in range(3))
    return low, tuple(draw(st.integers(1, SIDE - first)) for first in low)


def marked(*found: Box) -> np.ndarray:
    """How many of the boxes hold each element."""
    count = np.zeros((SIDE,) * 3, dtype=int)
    for low, shape in found:
        count[tuple(slice(a, a + n) for a, n in zip(low, shape, strict=True))] += 1
    return count


@given(boxes(), boxes())
def test_difference_covers_the_rest_once(box: Box, hole: Box) -> None:
    rest = marked(*without(box, hole))
    assert np.array_equal(rest, marked(box) * (1 - marked(hole)))
    shared = marked(box) * marked(hole)
    assert meets(*box, *hole) == bool(shared.any())
    if shared.any():
        assert np.array_equal(marked(cropped_box(*box, *hole)), shared)
