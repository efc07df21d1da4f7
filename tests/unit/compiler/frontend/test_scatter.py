"""ScatterND and ScatterElements at places that are known, and that are computed at run time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.runtime.errors import ExecutionError

RNG = np.random.default_rng(7)
FORMS: list[tuple[str, tuple[int, ...], Any, tuple[int, ...], dict[str, Any]]] = [
    ("ScatterND", (4, 3, 5), [[2], [-4]], (2, 3, 5), {}),
    ("ScatterND", (4, 3, 5), [[3, -1], [0, 2], [1, 0]], (3, 5), {}),
    ("ScatterND", (4, 3, 5), [[[3, 2, -1]], [[0, 2, 1]]], (2, 1), {}),
    ("ScatterND", (4, 5), [2, 3], (), {}),
    ("ScatterElements", (4, 3, 5), [[[1], [-1], [2]], [[0], [3], [-2]]], (2, 3, 1), {"axis": 0}),
    ("ScatterElements", (2, 5), [[-1, 0, 3], [2, 4, -5]], (2, 3), {"axis": -1}),
    ("ScatterElements", (5,), [4, -5], (2,), {}),
]


def scattered(form: Any, run_time: tuple[int, ...], dtype: Any = np.float32, reduction: str = "none") -> Case:
    op, shape, indices, updates, attributes = form
    data, values = (np.asarray(RNG.standard_normal(s) * 9).astype(dtype) for s in (shape, updates))
    fields = {**attributes, "reduction": reduction}
    return Case(op, [data, np.asarray(indices, np.int64), values], run_time, fields, opset=18)


def check(case: Case) -> None:
    (have,), (want,) = by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds)
    assert have.dtype == want.dtype
    np.testing.assert_allclose(have, want, rtol=1e-6)


@pytest.mark.parametrize("run_time", [(0,), (0, 1, 2), (1,), (2,)])
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_places(form: Any, run_time: tuple[int, ...]) -> None:
    check(scattered(form, run_time))


@pytest.mark.parametrize("dtype", [np.float16, np.int8, np.bool_, np.int64])
def test_element_types(dtype: Any) -> None:
    check(scattered(FORMS[1], (0, 1, 2), dtype))


@pytest.mark.parametrize("reduction", ["add", "mul", "max", "min"])
@pytest.mark.parametrize("run_time", [(0, 2), (0, 1, 2)])
def test_equal_places_are_reduced_one_after_the_other(reduction: str, run_time: tuple[int, ...]) -> None:
    tuples = ("ScatterND", (4, 3), [[1], [3], [-3], [1]], (4, 3), {})
    check(scattered(tuples, run_time, reduction=reduction))
    lines = ("ScatterElements", (4, 3), [[1, -3, 1, 0]] * 4, (4, 4), {"axis": 1})
    check(scattered(lines, run_time, np.int32, reduction=reduction))


def test_indices_of_run_time_outside_are_refused_then() -> None:
    for form in (FORMS[1], FORMS[5]):
        case = scattered(form, (0, 1))
        case.feeds["x1"][(0,) * case.feeds["x1"].ndim] = 9
        with pytest.raises(ExecutionError, match="index 9"):
            by_nnc(case.model(), case.feeds)


@pytest.mark.parametrize(
    ("op", "indices", "updates", "attributes", "text"),
    [
        ("ScatterND", [[3, 0, 0]], (1,), {}, "shapes of indices"),
        ("ScatterND", [[4]], (1, 3), {}, "outside the axis"),
        ("ScatterND", [[1]], (1, 3), {"reduction": "xor"}, "unknown reduction"),
        ("ScatterElements", [[4]], (1, 1), {}, "outside the axis"),
        ("ScatterElements", [[0]], (1, 2), {}, "operand 2 does not fit"),
        ("ScatterElements", [[0, 0, 0, 0]], (1, 4), {"axis": 0}, "shape of the indices"),
    ],
)
def test_refusals(op: str, indices: Any, updates: tuple[int, ...], attributes: Any, text: str) -> None:
    values = [np.zeros((4, 3), np.float32), np.array(indices), np.zeros(updates, np.float32)]
    case = Case(op, values, (0,), attributes, opset=18)
    assert text in error_of(ModelInvalidError, case.model()).message


def test_booleans_are_not_reduced() -> None:
    case = scattered(FORMS[1], (0, 1, 2), np.bool_, "max")
    assert "booleans" in str(error_of(UnsupportedError, case.model()))
