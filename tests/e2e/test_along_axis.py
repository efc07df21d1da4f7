"""Layers along one axis on small memories: tiled, verified, equal to onnxruntime."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from harness import check_model, chip_of
from onnx import helper, numpy_helper

SHAPE = (2, 6, 11, 7)


def model_of(op: str, axis: int, **attributes: int) -> onnx.ModelProto:
    """Relu, then the operator."""
    kind = onnx.TensorProto.FLOAT
    consts = [numpy_helper.from_array(np.array(axis), "axis")] if op == "CumSum" else []
    attributes |= {} if consts else {"axis": axis}
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node(op, ["r", *(c.name for c in consts)], ["y"], **attributes),
    ]
    x, y = helper.make_tensor_value_info("x", kind, SHAPE), onnx.ValueInfoProto(name="y")
    graph = helper.make_graph(nodes, "g", [x], [y], consts)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return onnx.shape_inference.infer_shapes(model)


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize(("exclusive", "reverse"), [(0, 0), (1, 1)])
def test_running_sums(axis: int, chip: str, exclusive: int, reverse: int) -> None:
    model = model_of("CumSum", axis, exclusive=exclusive, reverse=reverse)
    check_model(model, chip_of(chip, sram="2KiB"))


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize(("op", "last"), [("ArgMax", 0), ("ArgMin", 1)])
def test_positions_of_extremes(axis: int, op: str, last: int) -> None:
    """Relu makes many zeros, so that the least element is there several times."""
    for keep in (0, 1):
        model = model_of(op, axis, keepdims=keep, select_last_index=last)
        check_model(model, chip_of("npu", sram="2KiB"))


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("chip", ["npu", "npu4"])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_single_elements(axis: int, chip: str, dtype: type) -> None:
    """By constant indices, some negative and fewer than the elements, and by the positions of extremes."""
    shape = tuple(9 if a == axis else n - 1 for a, n in enumerate(SHAPE))
    index = np.random.default_rng(axis).integers(-SHAPE[axis], SHAPE[axis], shape).astype(dtype)
    code = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes = [
        helper.make_node("Relu", ["x"], ["r"]),
        helper.make_node("GatherElements", ["r", "i"], ["y"], axis=axis),
        helper.make_node("ArgMax", ["r"], ["wide"], axis=axis),
        helper.make_node("Cast", ["wide"], ["most"], to=code),
        helper.make_node("GatherElements", ["r", "most"], ["z"], axis=axis),
    ]
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, SHAPE)
    results = [onnx.ValueInfoProto(name=name) for name in "yz"]
    graph = helper.make_graph(nodes, "g", [x], results, [numpy_helper.from_array(index, "i")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    check_model(onnx.shape_inference.infer_shapes(model), chip_of(chip, sram="2KiB"))
