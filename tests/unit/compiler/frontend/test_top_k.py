"""TopK on the chip: ties, elements that cannot be negated, none at all, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize(("axis", "count"), [(-1, 5), (0, 3), (1, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.int32])
def test_ties_are_in_order(dtype: Any, axis: int, count: int, largest: int) -> None:
    x = RNG.integers(-3, 4, (3, 4, 9)).astype(dtype)
    fields = {"axis": axis, "largest": largest}
    case = Case("TopK", [x, np.array([count])], attributes=fields, opset=11, outputs=2)
    exact = Case("TopK", [x.astype(np.float32), np.array([count])], attributes=fields, opset=11, outputs=2)
    for have, want in zip(by_nnc(case.model(), case.feeds), by_onnx(exact.model(), exact.feeds), strict=True):
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint64])
def test_the_least_of_their_type(dtype: Any) -> None:
    info = np.iinfo(dtype)
    x = np.array([[info.min, info.max, info.min, 5, info.max]], dtype)
    case = Case("TopK", [x, np.array([5])], opset=11, outputs=2)
    assert by_nnc(case.model(), case.feeds)[1].tolist() == [[1, 4, 3, 0, 2]]
    case = Case("TopK", [x, np.array([5])], attributes={"largest": 0}, opset=11, outputs=2)
    assert by_nnc(case.model(), case.feeds)[1].tolist() == [[0, 2, 3, 1, 4]]


def test_any_order_may_be_that_of_the_elements() -> None:
    case = Case("TopK", [RNG.random((2, 30)), np.array([7])], attributes={"sorted": 0}, opset=11, outputs=2)
    have, want = by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds)
    np.testing.assert_array_equal(have[0], np.sort(want[0], axis=1)[:, ::-1])


@pytest.mark.parametrize("count", [[5], [-1]])
def test_refusals(count: Any) -> None:
    case = Case("TopK", [np.zeros((2, 4), np.float32), np.array(count)], opset=11, outputs=2)
    assert error_of(ModelInvalidError, case.model())


def test_a_count_of_run_time_is_refused() -> None:
    case = Case("TopK", [np.zeros((2, 4), np.float32), np.array([2])], (0, 1), opset=11, outputs=2)
    assert "k must be known" in str(error_of(UnsupportedError, case.model()))
