"""Outputs in figures: exact for integers, of what is finite for floats, and nothing of nothing."""

from __future__ import annotations

import json
import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from nnc.io.outputs import output_figures

NAN, INFINITY = float("nan"), float("inf")
HUGE = float(np.finfo(np.float64).max)


@pytest.mark.parametrize(
    ("array", "low", "high", "mean", "not_finite"),
    [
        (np.array([[1.5, -2.5, 4.0]], np.float32), -2.5, 4.0, 1.0, 0),
        (np.array([60000, 60000, 60000], np.float16), 60000.0, 60000.0, 60000.0, 0),
        (np.array(3.0, np.float32), 3.0, 3.0, 3.0, 0),
        (np.array([NAN, 1.0, INFINITY, 3.0, -INFINITY], np.float32), 1.0, 3.0, 2.0, 3),
        (np.array([NAN, INFINITY], np.float64), None, None, None, 2),
        (np.zeros((1, 0, 4), np.float32), None, None, None, 0),
        (np.zeros((0,), np.int64), None, None, None, 0),
        (np.array([HUGE, HUGE, -HUGE, HUGE]), -HUGE, HUGE, HUGE / 2, 0),
        (np.array([2**63 - 1, -(2**63)], np.int64), -(2**63), 2**63 - 1, -0.5, 0),
        (np.array([2**64 - 1, 1], np.uint64), 1, 2**64 - 1, 2.0**63, 0),
        (np.array([-128, 127], np.int8), -128, 127, -0.5, 0),
        (np.array([-8, 7], ml_dtypes.int4), -8, 7, -0.5, 0),
        (np.array([1.5, NAN, 3.5], ml_dtypes.bfloat16), 1.5, 3.5, 2.5, 1),
        (np.array([True, False, True, True]), 0, 1, 0.75, 0),
    ],
)
def test_figures(
    array: Any, low: float | None, high: float | None, mean: float | None, not_finite: int
) -> None:
    found = output_figures(array, "y.npy")
    assert (found.minimum, found.maximum, found.not_finite) == (low, high, not_finite)
    assert type(found.minimum) is type(low) and type(found.maximum) is type(high)
    assert found.mean is None if mean is None else math.isclose(found.mean or 0.0, mean, abs_tol=1.0)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (data["file"], data["dtype"], data["shape"]) == ("y.npy", array.dtype.name, list(array.shape))


def test_the_mean_lies_between_the_ends() -> None:
    """Whatever rounding does."""
    for seed in range(20):
        generator = np.random.default_rng(seed)
        values = np.full(1000, generator.standard_normal(), np.float32)
        found = output_figures(values)
        assert found.minimum is not None and found.mean is not None and found.maximum is not None
        assert found.minimum <= found.mean <= found.maximum
