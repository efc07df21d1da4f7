"""MaxPool's positions, MaxUnpool and Col2Im on the chip: padding, channels of others, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from onnx import parser
from quantised_cases import Case, by_nnc, by_onnx, by_onnxruntime

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.runtime.errors import ExecutionError

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("dtype", [np.float32, np.uint8, np.int8])
@pytest.mark.parametrize("order", [0, 1])
def test_padding_has_no_position(dtype: Any, order: int) -> None:
    """Many elements are the least of their type, as padding is."""
    least = -np.inf if dtype is np.float32 else np.iinfo(dtype).min
    x = np.where(RNG.random((2, 3, 7, 6)) < 0.7, least, RNG.integers(0, 9, (2, 3, 7, 6))).astype(dtype)
    if dtype is np.float32:
        x = np.maximum(x, -9)
    fields = {"kernel_shape": [3, 3], "pads": [1, 2, 1, 1], "strides": [2, 1], "storage_order": order}
    case = Case("MaxPool", [x], attributes=fields, opset=12, outputs=2)
    for have, want in zip(by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds), strict=True):
        assert have.dtype == want.dtype
        np.testing.assert_array_equal(have, want)


def test_elements_go_back_where_they_came_from() -> None:
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        unpooled (float[2,4,6,8] x) => (float[2,4,6,8] y) {
            p, i = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x)  q = Neg (p)
            y = MaxUnpool <kernel_shape = [2,2], strides = [2,2]> (q, i) }""")
    feeds = {"x": RNG.standard_normal((2, 4, 6, 8)).astype(np.float32)}
    np.testing.assert_array_equal(by_nnc(model, feeds)[0], by_onnx(model, feeds)[0])


def test_rows_that_no_window_read_are_counted() -> None:
    """Windows of two leave the last of five rows and of seven columns: output_shape brings them back."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        unpooled (float[2,3,5,7] x) => (float[2,3,5,7] y) <int64[4] shape = {2,3,5,7}> {
            p, i = MaxPool <kernel_shape = [2,2], strides = [2,2]> (x)  j = Identity (i)
            y = MaxUnpool <kernel_shape = [2,2], strides = [2,2]> (p, j, shape) }""")
    feeds = {"x": RNG.standard_normal((2, 3, 5, 7)).astype(np.float32)}
    np.testing.assert_array_equal(by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0])


@pytest.mark.parametrize("index", [3, 16, 31, -1])
def test_positions_in_other_channels_are_refused_at_run_time(index: int) -> None:
    """The second channel has the positions 16 … 31."""
    places = np.array([0, 2, 8, 10, 16, 18, 24, index if index != 16 else 32]).reshape(1, 2, 2, 2)
    fields = {"kernel_shape": [2, 2], "strides": [2, 2]}
    case = Case("MaxUnpool", [np.ones((1, 2, 2, 2), np.float32), places], (0, 1), fields, opset=11)
    if index == 31:
        np.testing.assert_array_equal(
            by_nnc(case.model(), case.feeds)[0], by_onnx(case.model(), case.feeds)[0]
        )
        return
    with pytest.raises(ExecutionError, match="out of range"):
        by_nnc(case.model(), case.feeds)


@pytest.mark.parametrize(
    ("op", "operands", "attributes", "text"),
    [
        ("MaxUnpool", [(1, 2, 2), np.zeros((1, 2, 2), int)], {"kernel_shape": [2, 2]}, "kernel_shape"),
        ("MaxUnpool", [(1, 2, 2), np.zeros((1, 2, 1), int)], {"kernel_shape": [2]}, "operand 1"),
        (
            "MaxUnpool",
            [(1, 2, 2), np.zeros((1, 2, 2), int), np.array([1, 2, 1])],
            {"kernel_shape": [2]},
            "output_shape does not fit",
        ),
        ("Col2Im", [(1, 5, 4), np.array([3, 3]), np.array([2, 2])], {}, "do not fit"),
        ("Col2Im", [(1, 4, 5), np.array([3, 3]), np.array([2, 2])], {}, "do not fit"),
    ],
)
def test_refusals(op: str, operands: list[Any], attributes: Any, text: str) -> None:
    values = [np.zeros(operands[0], np.float32), *operands[1:]]
    assert text in str(error_of(ModelInvalidError, Case(op, values, (0,), attributes, opset=18).model()))


def test_windows_without_an_element_have_no_position() -> None:
    fields = {"kernel_shape": [2], "dilations": [2], "pads": [1, 1]}
    case = Case("MaxPool", [np.zeros((1, 1, 1), np.float32)], attributes=fields, opset=12, outputs=2)
    assert "no element" in str(error_of(UnsupportedError, case.model()))


def test_positions_that_other_nodes_change_are_refused() -> None:
    """A row more than the windows read, and no telling whether the positions count it."""
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 18]>
        unpooled (float[1,1,5] x) => (float[1,1,5] y) <int64[3] shape = {1,1,5}> {
            p, i = MaxPool <kernel_shape = [2], strides = [2]> (x)  j = Abs (i)
            y = MaxUnpool <kernel_shape = [2], strides = [2]> (p, j, shape) }""")
    assert "which shape they count" in str(error_of(UnsupportedError, model))
