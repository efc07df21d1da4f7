"""Integers at the ends of their types, as constants and at run time: onnxruntime's values or a refusal.

onnxruntime wraps sums and products, makes powers and reductions in double, and saturates reductions.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import reference
from onnx import helper, numpy_helper

import nnc
from nnc.compiler.frontend.errors import UnsupportedError
from nnc.runtime.errors import ExecutionError

Array = npt.NDArray[Any]
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def network(op: str, arrays: list[Array], constant: int, **attributes: Any) -> tuple[onnx.ModelProto, Any]:
    """One node and its inputs; the operands from a number on are constants."""
    names = [f"x{i}" for i in range(len(arrays))]
    code = helper.np_dtype_to_tensor_dtype
    feeds = dict(zip(names[:constant], arrays, strict=False))
    inputs = [helper.make_tensor_value_info(name, code(a.dtype), a.shape) for name, a in feeds.items()]
    held = [numpy_helper.from_array(arrays[i], names[i]) for i in range(constant, len(arrays))]
    graph = helper.make_graph(
        [helper.make_node(op, names, ["y"], **attributes)], "g", inputs, [onnx.ValueInfoProto(name="y")], held
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return onnx.shape_inference.infer_shapes(model), feeds


def run(model: onnx.ModelProto, feeds: dict[str, Array]) -> Array:
    (result,) = nnc.Session(nnc.compile(model, "npu"), poison=True).run(["y"], feeds)
    return result


def check(op: str, *arrays: Array, inputs: tuple[int, ...] = (0, 1, 2), **attributes: Any) -> None:
    """The values with the first so many operands given at run time, the others constant."""
    for constant in inputs[: len(arrays) + 1]:
        model, feeds = network(op, list(arrays), constant, **attributes)
        expected = reference(model, feeds, optimise=False)["y"]
        result = run(model, feeds)
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected, err_msg=f"{op}, {constant} at run time")


def ends(dtype: Any) -> Array:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([low, low + 1, high, high - 1, high // 2 + 1, 0, 1, 2, 7], dtype)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_sums_and_products_wrap(dtype: Any) -> None:
    a, b = np.meshgrid(ends(dtype), ends(dtype))
    for op in ("Add", "Sub", "Mul"):
        check(op, a, b)
    check("Abs", ends(dtype))
    if dtype(0).dtype.kind == "i":
        check("Neg", ends(dtype))
    else:
        shifts = np.array([0, 1, 7, 8, 31, 32, 63, 64, 200], np.uint8).astype(dtype)
        check("BitShift", a, np.broadcast_to(shifts, a.shape).copy(), direction="LEFT")
        check("BitShift", a, np.broadcast_to(shifts, a.shape).copy(), direction="RIGHT")


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("kind", [None, np.int64, np.float32])
def test_powers(dtype: Any, kind: Any) -> None:
    exponents = np.array([0, 1, 2, 3, 4, 10, 31, 62, 63]).astype(kind or dtype)
    a, e = np.meshgrid(ends(dtype), exponents)
    check("Pow", a, e)
    for exponent in (2, 3, 4):
        check("Pow", a, np.array(exponent, kind or dtype), inputs=(0, 1))


REDUCTIONS = ["ReduceSum", "ReduceMean", "ReduceProd", "ReduceL1", "ReduceL2"]


@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions_saturate(op: str) -> None:
    high = np.iinfo(np.int32).max
    x = np.array([[high, high, 1], [-high, -high, 1], [3, -4, 5], [high, -high, 2]], np.int32)
    check(op, x, np.array([1]), inputs=(1,))
    check(op, x.astype(np.int64) // (1 if op != "ReduceProd" else 2**10), np.array([1]), inputs=(0, 1))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("op", REDUCTIONS)
def test_constants_whose_reduction_overflows(op: str, dtype: Any) -> None:
    x = np.full((2, 4), np.iinfo(dtype).max // 2 + 5, dtype)
    with pytest.raises(UnsupportedError, match=f"overflows {np.dtype(dtype).name}"):
        nnc.compile(network(op, [x, np.array([1])], 0)[0])


@pytest.mark.parametrize("source", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("target", [*INTEGERS, np.bool_])
def test_casts_of_floats_out_of_range(source: Any, target: Any) -> None:
    numbers = [0.5, -0.5, 1.5, 127.9, 128, -129, 256, 300, -1, 65536, 2147483648, -2147483904, 4294967296]
    with np.errstate(all="ignore"):
        x = np.array([*numbers, 9.3e18, -9.3e18, 1.9e19, 1e30, -1e30, np.inf, -np.inf, np.nan], source)
    check("Cast", x, to=helper.np_dtype_to_tensor_dtype(np.dtype(target)))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["Div", "Mod"])
def test_division_by_zero(op: str, dtype: Any) -> None:
    """onnxruntime stops at it; a constant divisor is refused, another stops the chip."""
    a, b = np.array([6, 7, 8], dtype), np.array([3, 0, 2], dtype)
    for constant in (0, 1):
        with pytest.raises(UnsupportedError, match="divides integers by zero"):
            nnc.compile(network(op, [a, b], constant)[0])
    model, feeds = network(op, [a, b], 2)
    session = nnc.Session(nnc.compile(model))
    with pytest.raises(ExecutionError, match="divided by zero"):
        session.run(None, feeds)
    feeds["x1"] = np.array([3, 4, 2], dtype)
    np.testing.assert_array_equal(session.run(["y"], feeds)[0], {"Div": [2, 1, 4], "Mod": [0, 3, 0]}[op])


NOISY = """<ir_version: 9, opset_import: ["": 18]> g (float[4] x, int32[4] i) => (y, z)
    <float zero = {0}, float large = {1e38}, int32[1] most = {2147483647}, float[4] w = {1, -1, 0, 2}> {
        a = Div (x, zero)  b = Log (a)  c = Mul (b, large)  d = Exp (x)
        e = Div (w, zero)  f = Sqrt (w)  g = Log (w)  h = Sum (c, d, e, f, g)
        k = Mul (most, most)  l = Cast <to = 1> (k)  y = Add (h, l)
        n = Cast <to = 6> (h)  z = Mul (i, n)
    }"""


@pytest.fixture
def noisy(tmp_path: Path) -> Path:
    """A network that overflows, divides by zero and takes roots of negative numbers."""
    model = onnx.shape_inference.infer_shapes(onnx.parser.parse_model(NOISY))
    onnx.save(model, tmp_path / "noisy.onnx")
    return tmp_path / "noisy.onnx"


def test_numpy_never_warns(noisy: Path) -> None:
    feeds = {"x": np.array([0, 1e3, -1, np.nan], np.float32), "i": np.full(4, 2**31 - 1, np.int32)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for chip in ("npu", "vdsp12", "pixel-dsp"):
            session = nnc.Session(nnc.compile(str(noisy), chip))
            found = session.run(["y", "z"], feeds)
    assert np.isnan(found[0]).all()


def test_commands_print_no_warning(noisy: Path) -> None:
    program = noisy.with_suffix(".bin")
    for command in (
        ["compile", str(noisy), "-o", str(program)],
        ["run", str(program), "--check", str(noisy)],
        ["verify", str(program)],
    ):
        done = subprocess.run(
            [sys.executable, "-W", "always", "-m", "nnc", *command],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Warning" not in done.stderr + done.stdout and "numpy" not in done.stderr
        assert done.returncode == 0, done.stderr
