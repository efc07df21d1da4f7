"""Quantised nodes that are right but for what a test changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from quantised_cases import MICROSOFT, Case

from nnc.compiler.frontend.importer import import_model
from nnc.isa.errors import NncError

U8, I8, I32, F32 = np.uint8, np.int8, np.int32, np.float32
IMAGE, WEIGHT = np.ones((1, 3, 5, 5), U8), np.ones((4, 3, 2, 2), I8)
MATRIX = np.ones((3, 4), U8)
REAL = np.ones((2, 3, 4), F32)


def error_of(kind: type[NncError], model: onnx.ModelProto) -> NncError:
    """The error that the import raises: its head is one line, and it says what to do."""
    with pytest.raises(kind) as caught:
        import_model(model)
    assert type(caught.value) is kind
    assert "\n" not in caught.value.message
    assert caught.value.remedy
    return caught.value


def quantize(scale: Any, zero: Any = None, x: Any = REAL, **attributes: Any) -> Case:
    return Case("QuantizeLinear", [x, scale, *([] if zero is None else [zero])], attributes=attributes)


def dequantize(scale: Any, zero: Any = None, **attributes: Any) -> Case:
    operands = [np.ones((2, 3, 4), U8), scale, *([] if zero is None else [zero])]
    return Case("DequantizeLinear", operands, attributes=attributes)


def conv(**changed: Any) -> Case:
    """A QLinearConv with some operands changed."""
    names = ("x", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b")
    values = (IMAGE, F32(0.1), U8(3), WEIGHT, F32(0.1), I8(0), F32(0.1), U8(3), np.ones(4, I32))
    return Case("QLinearConv", list((dict(zip(names, values, strict=True)) | changed).values()))


def matmul(**changed: Any) -> Case:
    """A QLinearMatMul with some operands changed."""
    names = ("a", "as_", "az", "b", "bs", "bz", "ys", "yz")
    values = (MATRIX, F32(0.1), U8(3), MATRIX.T.copy(), F32(0.1), U8(0), F32(0.1), U8(3))
    return Case("QLinearMatMul", list((dict(zip(names, values, strict=True)) | changed).values()))


def contrib(op: str, *operands: Any, run_time: tuple[int, ...] = (0,), **attributes: Any) -> Case:
    return Case(op, list(operands), run_time, attributes, MICROSOFT)


def add(**changed: Any) -> Case:
    """A QLinearAdd with some operands changed."""
    names = ("a", "as_", "az", "b", "bs", "bz", "ys", "yz")
    values = (MATRIX, F32(0.1), U8(3), MATRIX, F32(0.1), U8(0), F32(0.1), U8(3))
    return contrib("QLinearAdd", *(dict(zip(names, values, strict=True)) | changed).values())


def pool(*rest: Any, **attributes: Any) -> Case:
    return contrib("QLinearAveragePool", IMAGE, F32(0.1), U8(3), F32(0.1), *rest, **attributes)
