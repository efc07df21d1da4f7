"""OneHot: element types that onnxruntime has no kernel for, indices outside, values of run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from onnx.reference import ReferenceEvaluator
from quantised_cases import Case, by_nnc

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

INDICES = [[0, 4, -1], [5, -5, -6]]


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.float16, np.int64])
@pytest.mark.parametrize("values", [np.array([3, 7], np.int8), np.array([-1.5, 2.5], np.float32)])
def test_as_onnx_defines_it(axis: int, dtype: Any, values: Any) -> None:
    indices = np.array(INDICES).astype(dtype)
    case = Case("OneHot", [indices, np.array(5), values], (0, 2), {"axis": axis}, opset=11)
    (have,) = by_nnc(case.model(), case.feeds)
    (want,) = ReferenceEvaluator(case.model()).run(None, case.feeds)
    outside = (indices.astype(int) >= 5) | (indices.astype(int) < -5)
    want = np.where(np.expand_dims(outside, axis), values[0], want)  # the evaluator takes them modulo depth
    assert have.dtype == values.dtype
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize(
    ("depth", "values", "text"),
    [(0, [0, 1], "no positive number"), ([2, 3], [0, 1], "one element"), (3, [0, 1, 2], "two elements")],
)
def test_refusals(depth: Any, values: list[int], text: str) -> None:
    case = Case("OneHot", [np.array(INDICES), np.array(depth), np.array(values)], opset=11)
    assert text in str(error_of(ModelInvalidError, case.model()))


def test_a_depth_of_run_time_is_refused() -> None:
    case = Case("OneHot", [np.array(INDICES), np.array(5), np.array([0, 1])], (0, 1), opset=11)
    assert "depth must be known" in str(error_of(UnsupportedError, case.model()))


def test_negative_indices_of_old_opsets_lie_outside() -> None:
    case = Case("OneHot", [np.array([1, -1]), np.array(3), np.array([0, 1])], opset=9)
    (have,) = by_nnc(case.model(), case.feeds)
    np.testing.assert_array_equal(have, [[0, 1, 0], [0, 0, 0]])
