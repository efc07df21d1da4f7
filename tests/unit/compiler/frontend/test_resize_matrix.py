"""Resize by matrices: crops of the extents that the source has, constants, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from onnx.reference import ReferenceEvaluator
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

RNG = np.random.default_rng(4)
X = RNG.standard_normal((1, 2, 6, 5)).astype(np.float32)
ROI = np.array([0.2, -0.1, 0.7, 0.9], np.float32)
CROP = {"coordinate_transformation_mode": "tf_crop_and_resize", "axes": [2, 3]}


def resized(x: Any, roi: Any, sizes: list[int], run_time: tuple[int, ...] = (0,), **attributes: Any) -> Case:
    return Case("Resize", [x, roi, None, np.array(sizes)], run_time, attributes, opset=18)


@pytest.mark.parametrize("mode", ["linear", "nearest"])
def test_a_crop_of_as_many_elements_is_no_copy(mode: str) -> None:
    """As the specification has it; onnxruntime (1.31) gives back the source."""
    case = resized(X, ROI, [6, 5], mode=mode, extrapolation_value=3.0, **CROP)
    (have,), (want,) = (
        by_nnc(case.model(), case.feeds),
        ReferenceEvaluator(case.model()).run(None, case.feeds),
    )
    np.testing.assert_allclose(have, want, atol=1e-5)


@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_halves_and_constants(mode: str) -> None:
    for attributes in ({"antialias": 1, "axes": [2, 3]}, CROP):
        case = resized(X, ROI, [3, 4], mode=mode, **attributes)
        (want,) = by_onnx(case.model(), case.feeds)
        constant = resized(X, ROI, [3, 4], (), mode=mode, **attributes)
        np.testing.assert_allclose(by_nnc(constant.model(), {})[0], want, atol=1e-5)
        half = resized(X.astype(np.float16), ROI.astype(np.float16), [3, 4], mode=mode, **attributes)
        np.testing.assert_allclose(by_nnc(half.model(), half.feeds)[0], want, atol=2e-2)


def test_integers_are_cropped_to_the_nearest() -> None:
    x = RNG.integers(0, 255, (1, 2, 6, 5)).astype(np.uint8)
    case = resized(x, ROI, [4, 4], mode="nearest", extrapolation_value=7.0, **CROP)
    np.testing.assert_array_equal(by_nnc(case.model(), case.feeds)[0], by_onnx(case.model(), case.feeds)[0])
    wrong = resized(x, ROI, [4, 4], mode="linear", **CROP)
    assert "real numbers only" in str(error_of(UnsupportedError, wrong.model()))


@pytest.mark.parametrize(
    ("roi", "attributes", "text"),
    [
        (ROI[:3], CROP, "roi does not fit"),
        (None, CROP, "roi does not fit"),
        (ROI, {**CROP, "coordinate_transformation_mode": "else"}, "unknown coordinate"),
        (ROI, {**CROP, "antialias": 2}, "is a flag"),
    ],
)
def test_refusals(roi: Any, attributes: dict[str, Any], text: str) -> None:
    case = resized(X, roi, [4, 4], mode="linear", **attributes)
    assert text in str(error_of(ModelInvalidError, case.model()))


def test_a_crop_of_run_time_is_refused() -> None:
    case = resized(X, ROI, [4, 4], (0, 1), mode="linear", **CROP)
    assert "roi must be known" in str(error_of(UnsupportedError, case.model()))
