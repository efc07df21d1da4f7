"""GridSample, RoiAlign and DeformConv on the chip: points of run time, element types, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

RNG = np.random.default_rng(8)
BOXES = np.array([[0.5, 1, 4, 3.5], [2, 0, 2.2, 5], [-1.5, -2, 7, 9], [9, 9, 12, 14]], np.float32)
BINS = {"output_height": 2, "output_width": 3, "sampling_ratio": 2}


def normal(*shape: int, scale: float = 1) -> Any:
    return (RNG.standard_normal(shape) * scale).astype(np.float32)


def check(case: Case, tolerance: float = 1e-5) -> None:
    (have,), (want,) = by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds)
    assert have.dtype == want.dtype
    np.testing.assert_allclose(have, want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("run_time", [(0,), (0, 1), (1,)])
@pytest.mark.parametrize(
    ("mode", "padding"), [("linear", "zeros"), ("cubic", "reflection"), ("nearest", "border")]
)
def test_grids(run_time: tuple[int, ...], mode: str, padding: str) -> None:
    operands = [normal(2, 3, 5, 4), normal(2, 4, 3, 2, scale=1.5)]
    case = Case("GridSample", operands, run_time, {"mode": mode, "padding_mode": padding}, opset=20)
    check(case)


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_pictures_of_one_row_and_points_far_away(padding: str) -> None:
    points = np.array([0, 1, -1, 1.5, -3.25, 7, 1e6, -1e9], np.float32)
    grid = np.stack(np.meshgrid(points, [0.0, 0.5, -2]), -1).astype(np.float32)[None]
    fields = {"padding_mode": padding}
    check(Case("GridSample", [normal(1, 2, 1, 6), grid[:, :, :6]], (0, 1), fields, opset=20))
    if padding != "reflection":  # so far away nothing is left of the place inside
        check(Case("GridSample", [normal(1, 2, 1, 6), grid], (0, 1), fields, opset=20))


def test_a_border_that_is_infinite_is_not_read_by_points_outside() -> None:
    x = np.full((1, 1, 2, 2), np.inf, np.float32)
    case = Case("GridSample", [x, np.full((1, 1, 1, 2), 5, np.float32)], (0, 1), opset=20)
    np.testing.assert_array_equal(by_nnc(case.model(), case.feeds)[0], np.zeros((1, 1, 1, 1)))


def test_halves_at_points_in_single_precision() -> None:
    x, grid = normal(1, 3, 5, 4), normal(1, 4, 3, 2)
    case = Case("GridSample", [x.astype(np.float16), grid], (0, 1), opset=20)
    exact = Case("GridSample", [x.astype(np.float16).astype(np.float32), grid], (0, 1), opset=20)
    (have,), (want,) = by_nnc(case.model(), case.feeds), by_onnx(exact.model(), exact.feeds)
    assert have.dtype == np.float16
    np.testing.assert_allclose(have, want, atol=4e-3)


def test_integers_are_sampled_where_they_lie() -> None:
    x, grid = RNG.integers(-9, 9, (1, 2, 4, 5)), normal(1, 3, 2, 2)
    case = Case("GridSample", [x, grid], (0, 1), {"mode": "nearest"}, opset=20)
    exact = Case("GridSample", [x.astype(np.float32), grid], (0, 1), {"mode": "nearest"}, opset=20)
    np.testing.assert_array_equal(by_nnc(case.model(), case.feeds)[0], by_onnx(exact.model(), exact.feeds)[0])
    wrong = Case("GridSample", [x, grid], (0, 1), opset=20)
    assert "integers" in str(error_of(UnsupportedError, wrong.model()))


@pytest.mark.parametrize("run_time", [(0,), (0, 1, 2)])
@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize("transformation", ["half_pixel", "output_half_pixel"])
def test_boxes(run_time: tuple[int, ...], mode: str, transformation: str) -> None:
    fields = {**BINS, "mode": mode, "coordinate_transformation_mode": transformation, "spatial_scale": 0.7}
    operands = [normal(2, 3, 6, 5), BOXES, np.array([1, 0, 1, 0])]
    check(Case("RoiAlign", operands, run_time, fields, opset=16))


@pytest.mark.parametrize("run_time", [(0,), (0, 2), (0, 2, 4), (0, 1, 2, 3, 4)])
def test_offsets_and_masks(run_time: tuple[int, ...]) -> None:
    fields = {"group": 2, "offset_group": 4, "strides": [2, 1], "dilations": [1, 2], "pads": [1, 0, 0, 1]}
    operands = [
        normal(2, 4, 6, 5),
        normal(6, 2, 3, 2),
        normal(2, 4 * 6 * 2, 3, 4),
        normal(6),
        normal(2, 24, 3, 4),
    ]
    check(Case("DeformConv", operands, run_time, fields, opset=19), 1e-4)


@pytest.mark.parametrize(
    ("op", "operands", "attributes", "text"),
    [
        ("GridSample", [(1, 2, 3, 4), (1, 2, 3, 2)], {"mode": "else"}, "unknown mode"),
        ("GridSample", [(1, 2, 3, 4), (1, 2, 3, 2)], {"padding_mode": "wrap"}, "unknown mode"),
        ("GridSample", [(1, 2, 3, 4), (1, 2, 3, 3)], {}, "last dimension of the grid"),
        ("RoiAlign", [(1, 2, 3, 4), (2, 4), np.zeros(3, int)], BINS, "between 3 and 2"),
        ("RoiAlign", [(1, 2, 3, 4), (2, 4), np.zeros(2, int)], {**BINS, "mode": "sum"}, "unknown mode"),
        ("DeformConv", [(1, 4, 5, 5), (2, 4, 3, 3), (1, 9, 3, 3)], {}, "operand 2"),
        ("DeformConv", [(1, 4, 5, 5), (2, 3, 3, 3), (1, 18, 3, 3)], {}, "groups and weight"),
    ],
)
def test_refusals(op: str, operands: list[Any], attributes: Any, text: str) -> None:
    values = [normal(*value) if isinstance(value, tuple) else value for value in operands]
    assert text in str(error_of(ModelInvalidError, Case(op, values, (0,), attributes, opset=20).model()))


def test_bins_of_as_many_points_as_their_box_are_refused() -> None:
    case = Case("RoiAlign", [normal(1, 2, 5, 5), BOXES, np.zeros(4, int)], (0, 1), opset=16)
    assert "sampling_ratio" in str(error_of(UnsupportedError, case.model()))
