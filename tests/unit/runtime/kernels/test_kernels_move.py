"""Gather, copy and fill against onnxruntime and numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_harness import execute, onnx_node, values

from nnc.isa.errors import NncError, ProgramInvalidError
from nnc.isa.functions import Function
from nnc.isa.instructions import (
    Copy,
    Fill,
    Gather,
    GatherElements,
    Scatter,
)
from nnc.runtime.errors import ExecutionError


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("shape", [(4,), (2, 3), ()])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_equals_onnxruntime(axis: int, shape: tuple[int, ...], dtype: Any) -> None:
    src = values(5, 6, 7)
    index = np.random.default_rng(0).integers(-5, 5, shape).astype(dtype)
    expected = onnx_node("Gather", [src, index], axis=axis)
    got = execute(
        lambda op: Gather(**op, axis=axis, extent=src.shape[axis]),
        {"src": src, "index": index},
        {"dst": (expected.shape, np.float32)},
        gap=1,
    )["dst"]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("bad", [5, -6, 2**40])
def test_gather_out_of_range_tells_index_and_bound(bad: int) -> None:
    with pytest.raises(ExecutionError, match=rf"k0\.c0 gather.*[\s\S]*index {bad}[\s\S]*0 … 4 or -5 … -1"):
        execute(
            lambda op: Gather(**op, axis=0, extent=5),
            {"src": values(5, 2), "index": np.array([1, bad], np.int64)},
            {"dst": ((2, 2), np.float32)},
        )


def test_gather_from_a_part_of_the_axis() -> None:
    src = values(10, 2)
    got = execute(
        lambda op: Gather(**op, axis=0, extent=10, src_origin=4),
        {"src": src[4:8], "index": np.array([4, -3], np.int64)},
        {"dst": ((2, 2), np.float32)},
    )["dst"]
    np.testing.assert_array_equal(got, src[[4, 7]])
    with pytest.raises(ExecutionError, match="4 … 7"):
        execute(
            lambda op: Gather(**op, axis=0, extent=10, src_origin=4),
            {"src": src[4:8], "index": np.array([3, 4], np.int64)},
            {"dst": ((2, 2), np.float32)},
        )


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("shape", [(5, 6, 7), (2, 4, 3)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gather_elements_equals_onnxruntime(axis: int, shape: tuple[int, ...], dtype: Any) -> None:
    src = values(5, 6, 7)
    index = np.random.default_rng(0).integers(-src.shape[axis], src.shape[axis], shape).astype(dtype)
    expected = onnx_node("GatherElements", [src, index], axis=axis)
    got = execute(
        lambda op: GatherElements(**op, axis=axis),
        {"src": src, "index": index},
        {"dst": (shape, np.float32)},
        gap=1,
    )["dst"]
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("index", "message"),
    [([[1, 5]], "index 5"), ([[-6, 0]], "index -6"), ([[1, 1, 1]], "reaches beyond")],
)
def test_gather_elements_checks(index: list[list[int]], message: str) -> None:
    with pytest.raises(NncError, match=message):
        execute(
            lambda op: GatherElements(**op, axis=0),
            {"src": values(5, 2), "index": np.array(index, np.int64)},
            {"dst": (np.shape(index), np.float32)},
        )


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
@pytest.mark.parametrize("alike", [False, True])
def test_scatter_equals_onnxruntime(axis: int, reduction: str, alike: bool) -> None:
    src, rng = values(5, 6, 7), np.random.default_rng(0)
    shape = [4 if a == axis % 3 else extent for a, extent in enumerate(src.shape)]
    index_shape = [4 if a == axis % 3 else 1 for a in range(3)] if alike else shape
    index = rng.integers(-src.shape[axis], src.shape[axis], index_shape)
    updates = values(*shape)[::-1]
    whole = np.broadcast_to(index, shape)
    expected = onnx_node("ScatterElements", [src, whole, updates], axis=axis, reduction=reduction)
    function = Function.IDENTITY if reduction == "none" else Function(reduction)
    got = execute(
        lambda op: Scatter(**op, axis=axis, function=function),
        {"src": src, "index": index, "updates": updates},
        {"dst": (src.shape, np.float32)},
        gap=1,
    )["dst"]
    np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_scatter_takes_the_last_update_and_checks_indices() -> None:
    operands = {"src": values(3, 2), "index": np.array([[1, 2], [-2, 0]]), "updates": values(2, 2) + 9}
    result = {"dst": ((3, 2), np.float32)}
    got = execute(lambda op: Scatter(**op, axis=0), operands, result)["dst"]
    np.testing.assert_array_equal(got[1, 0], operands["updates"][1, 0])
    with pytest.raises(ExecutionError, match="index 3"):
        execute(lambda op: Scatter(**op, axis=0), operands | {"index": np.array([[3, 0], [0, 0]])}, result)


def test_copy_fill_and_their_checks() -> None:
    src = values(3, 4)
    got = execute(lambda op: Copy(**op), {"src": src}, {"dst": ((3, 4), np.float32)}, gap=3)["dst"]
    np.testing.assert_array_equal(got, src)
    filled = execute(lambda op: Fill(**op, value=-7.0), {}, {"dst": ((3, 4), np.int8)}, gap=3)["dst"]
    np.testing.assert_array_equal(filled, -7)
    with pytest.raises(ProgramInvalidError, match="dst shape is"):
        execute(lambda op: Copy(**op), {"src": src}, {"dst": ((4, 3), np.float32)})
