"""TensorScatter: updates of each sequence of a cache, from known indices and those of run time."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from bad_models import error_of
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError

RNG = np.random.default_rng(6)


def scattered(past: Any, update: Any, indices: Any, run_time: tuple[int, ...], **attributes: Any) -> Case:
    return Case(
        "TensorScatter", [past, update, np.asarray(indices, np.int64)], run_time, attributes, opset=24
    )


@pytest.mark.parametrize(
    "run_time", [(0, 1), (0, 1, 2), (1,), ()], ids=["cache", "all", "update", "constant"]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.bool_, ml_dtypes.bfloat16])
@pytest.mark.parametrize(
    ("shape", "count", "indices", "attributes"),
    [
        ((2, 3, 5, 4), 2, [3, 0], {}),
        ((2, 3, 5, 4), 1, [2, 2], {"mode": "linear"}),
        ((2, 3, 5, 4), 5, [0, 0], {}),
        ((2, 5, 4), 3, [4, 11], {"mode": "circular", "axis": 1}),
        ((1, 2, 3, 5), 2, [-1], {"mode": "circular", "axis": -1}),
    ],
)
def test_places(
    shape: tuple[int, ...], count: int, indices: list[int], attributes: Any, dtype: Any, run_time: Any
) -> None:
    axis = attributes.get("axis", -2) % len(shape)
    past, update = (
        (RNG.standard_normal((*shape[:axis], extent, *shape[axis + 1 :])) * 9).astype(dtype)
        for extent in (shape[axis], count)
    )
    case = scattered(past, update, indices, run_time, **attributes)
    (have,), (want,) = by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds)
    assert have.dtype == want.dtype
    np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize(
    ("update", "indices", "attributes", "text"),
    [
        ((2, 6, 4), [0, 0], {}, "update does not fit"),
        ((2, 2, 3), [0, 0], {}, "between 3 and 4"),
        ((2, 5, 4), [0, 0], {"axis": 0}, "axis 0"),
        ((2, 2, 4), [0, 4], {}, "outside of the cache"),
        ((2, 2, 4), [-1, 0], {}, "outside of the cache"),
        ((2, 2, 4), [0], {}, "between 1 and 2"),
        ((2, 2, 4), [0, 0], {"mode": "else"}, "unknown mode"),
        ((2, 2, 4), [0, 0], {"axis": 3}, "axis 3"),
    ],
)
def test_refusals(update: tuple[int, ...], indices: list[int], attributes: Any, text: str) -> None:
    case = scattered(np.zeros((2, 5, 4)), np.ones(update), indices, (0, 1), **attributes)
    assert text in error_of(ModelInvalidError, case.model()).message
