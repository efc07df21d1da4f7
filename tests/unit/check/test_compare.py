"""Distances between outputs: magnitudes, infinities, quantisation steps."""

from __future__ import annotations

import numpy as np
import pytest

from nnc.check.compare import Rounded, compare, compare_steps


def test_errors_are_relative_to_the_largest_magnitude() -> None:
    expected = np.array([1000.0, 0.001], np.float32)
    error = compare("y", expected + np.float32(0.5), expected)
    assert error.max_abs == pytest.approx(0.5)
    assert error.max_rel == pytest.approx(0.0005)
    assert compare("y", np.zeros(3), np.zeros(3)).max_rel == 0
    assert compare("y", np.zeros(0), np.zeros(0)).max_rel == 0


@pytest.mark.parametrize(
    ("found", "expected", "agree"),
    [
        ([1.0, np.nan], [1.0, np.nan], True),
        ([1.0, np.inf], [1.0, np.inf], True),
        ([1.0, np.inf], [1.0, -np.inf], False),
        ([np.nan, 1.0], [1.0, 1.0], False),
        ([1.0, 1.0], [1.0, np.nan], False),
        ([np.inf, 1.0], [1.0, 1.0], False),
    ],
)
def test_infinities_must_stand_at_the_same_places(
    found: list[float], expected: list[float], agree: bool
) -> None:
    error = compare("y", np.array(found), np.array(expected))
    assert (error.problem == "") is agree
    assert (error.max_rel == 0) is agree


def test_other_shapes_and_types_never_agree() -> None:
    assert "[2, 1]" in compare("y", np.zeros((2, 1)), np.zeros(2)).problem
    assert "int64" in compare("y", np.zeros(2, np.int64), np.zeros(2)).problem


def test_steps_are_counted() -> None:
    expected = np.arange(20_000, dtype=np.int32).astype(np.uint8)
    actual = expected.copy()
    actual[:2] += 1
    error = compare_steps("y", actual, expected, 1.0, exact=False)
    assert error.steps is not None and error.steps.counts == {1: 2}
    assert error.agrees(0)
    assert str(error) == "y: 2 of 20,000 elements differ (2 by 1 step)"
    actual[2] += 1
    assert not compare_steps("y", actual, expected, 1.0, exact=False).agrees(0)
    actual[2:] = expected[2:]
    actual[1] += 1
    two = compare_steps("y", actual, expected, 1.0, exact=False)
    assert not two.agrees(1)
    assert two.expectation(0) == "y: at most 2 elements off, by at most 1 step"
    assert not compare_steps("y", actual, expected, 1.0, exact=True).agrees(1)
    assert compare_steps("y", expected, expected, 1.0, exact=True).agrees(0)


def test_elements_are_off_only_near_a_half() -> None:
    numbers = np.full(10, 7.3)
    numbers[4] = 7.5 + 1e-5
    expected, found = np.rint(numbers).astype(np.int8), np.full(10, 7, np.int8)
    tie = compare_steps("y", found, expected, 1.0, exact=False, rounded=Rounded(numbers))
    assert tie.agrees(0)
    assert str(tie) == "y: 1 of 10 elements differ (1 by 1 step, within 1.0e-05 of a half)"
    found[4], found[5] = 8, 8  # 7.3 is not 8, however few elements are
    wrong = compare_steps("y", found, expected, 1.0, exact=False, rounded=Rounded(numbers))
    assert not wrong.agrees(1)
    assert (
        wrong.expectation(1) == "y: at most 1 elements off, by at most 1 step, closer than 9.8e-04 to a half"
    )


def test_steps_of_floats_are_their_scale() -> None:
    scale = np.float32(0.037)
    expected = (np.arange(-128, 128) * scale).astype(np.float32)
    found = expected.copy()
    found[7] = np.float32(np.float64(found[7]) + scale)
    error = compare_steps("y", found, expected, float(scale), exact=False)
    assert error.steps is not None and error.steps.counts == {1: 1}
    found[9] += scale / 2  # between two steps: no quantised value at all
    error = compare_steps("y", found, expected, float(scale), exact=False)
    assert error.steps is not None and error.steps.counts == {1: 2}
    assert not error.agrees(1)
