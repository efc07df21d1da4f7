"""Values of every element type come out whole, however small the memories: sums are cut into chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import check_compiled, chip_of
from onnx import helper, numpy_helper

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.isa.chip.description import Chip

Array = npt.NDArray[Any]
RNG = np.random.default_rng(2)
CHIPS = {
    "npu": chip_of("npu"),
    "npu 4K": chip_of("npu", sram="4KiB"),
    "vdsp12 4K": chip_of("vdsp12", sm="4KiB", am="16KiB"),
}


def model_of(node: onnx.NodeProto, x: Array, y: Array, **constants: Array) -> onnx.ModelProto:
    """A network of one node, from x to y."""
    code = helper.np_dtype_to_tensor_dtype
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", code(x.dtype), x.shape)],
        [helper.make_tensor_value_info("y", code(y.dtype), y.shape)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def check(model: onnx.ModelProto, chip: Chip, x: Array, y: Array) -> set[str]:
    """Compile, verify, run; integers are equal to the last bit.  Where its result was put together."""
    compilation = run_pipeline(import_model(model), chip, verify_each=True)
    done = check_compiled(compilation, {"x": x}, {"y": y})
    (found,) = done.session.run(["y"], {"x": x})
    if y.dtype.kind in "iu":
        np.testing.assert_array_equal(found, y)
    return done.cuts()


LARGE = RNG.integers(2**40, 2**41, (3, 3000)) * RNG.choice([-1, 1], (3, 3000))
HALVES = RNG.integers(2**20, 2**21, (3, 3000)).astype(np.int32)
REDUCTIONS: dict[str, tuple[Array, Array]] = {
    "ReduceSum": (LARGE, LARGE.sum(1)),
    "ReduceMax": (LARGE, LARGE.max(1)),
    "ReduceMin": (LARGE, LARGE.min(1)),
    "ReduceL1": (LARGE, np.abs(LARGE).sum(1)),
    "ReduceSumSquare": (LARGE >> 18, np.square(LARGE >> 18).sum(1)),
    "ReduceProd": (
        twos := np.where(RNG.random((3, 3000)) < 0.01, 2, 1),
        twos.prod(1),
    ),
    "ReduceMean": (HALVES, (HALVES.sum(1, dtype=np.int64) // 3000).astype(np.int32)),
    "ReduceL2": (
        HALVES >> 8,
        np.sqrt(np.square((HALVES >> 8).astype(np.int64)).sum(1)).astype(np.int32),
    ),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("op", REDUCTIONS)
def test_reductions_of_integers_are_exact_in_chunks(op: str, chip: str) -> None:
    x, y = REDUCTIONS[op]
    inputs, axes = ["x", "axes"], {"axes": np.array([1])}
    node = helper.make_node(op, inputs, ["y"], keepdims=0)
    cuts = check(model_of(node, x, y, **axes), CHIPS[chip], x, y)
    assert ("k" in cuts) >= (chip == "npu 4K")


PRODUCTS: dict[str, tuple[Array, Array]] = {
    "u32": (RNG.integers(0, 2**31, (5, 900), np.uint32), RNG.integers(0, 2**31, (900, 20), np.uint32)),
    "i32": (RNG.integers(-999, 999, (5, 900), np.int32), RNG.integers(-999, 999, (900, 20), np.int32)),
    "u64": (RNG.integers(0, 2**63, (5, 900), np.uint64), RNG.integers(0, 2**63, (900, 20), np.uint64)),
    "i64": (RNG.integers(-(2**20), 2**20, (5, 900)), RNG.integers(-(2**31), 2**31, (900, 20))),
    "f64": (RNG.standard_normal((5, 900)), RNG.standard_normal((900, 20))),
}


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("dtype", PRODUCTS)
def test_products_of_wide_types_in_chunks(dtype: str, chip: str) -> None:
    """Sums of unsigned integers wrap, as those of onnxruntime."""
    x, weight = PRODUCTS[dtype]
    model = model_of(helper.make_node("MatMul", ["x", "w"], ["y"]), x, x @ weight, w=weight)
    cuts = check(model, CHIPS[chip], x, x @ weight)
    assert ("k" in cuts) >= (chip == "npu 4K")


def test_what_follows_a_product_of_integers_keeps_every_bit() -> None:
    """An activation or an addition stays a layer of its own: an epilogue would compute it in f32."""
    x, weight = (value[..., :8] for value in (PRODUCTS["i64"][0], PRODUCTS["i64"][1][:8]))
    y = np.maximum(x @ weight, 0) + x
    code = onnx.TensorProto.INT64
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"]),
        helper.make_node("Relu", ["p"], ["r"]),
        helper.make_node("MatMul", ["r", "one"], ["s"]),
        helper.make_node("Add", ["s", "x"], ["y"]),
    ]
    info = [helper.make_tensor_value_info(name, code, (5, 8)) for name in "xy"]
    consts = [numpy_helper.from_array(weight, "w"), numpy_helper.from_array(np.eye(8, dtype=np.int64), "one")]
    graph = helper.make_graph(nodes, "g", info[:1], info[1:], consts)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    check(model, CHIPS["npu"], x, y)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_convolution_of_doubles_in_chunks(chip: str) -> None:
    x, weight = RNG.standard_normal((1, 60, 9, 9)), RNG.standard_normal((6, 60, 3, 3))
    windows = np.lib.stride_tricks.sliding_window_view(x[0], (3, 3), axis=(1, 2))
    y = np.einsum("chwij,ocij->ohw", windows, weight)[np.newaxis]
    model = model_of(helper.make_node("Conv", ["x", "w"], ["y"]), x, y, w=weight)
    check(model, CHIPS[chip], x, y)
