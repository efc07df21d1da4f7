"""Which element each position of a nearest Resize reads: many extents and scales, against onnxruntime."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

from nnc.isa.functions import Coordinates, Nearest, ResizeMode
from nnc.isa.resample import resize_taps

LENGTHS = (*range(1, 25), 101, 341, 1023)
SIZES = (*range(1, 36), 41, 48, 113, 700)
SCALES = (0.3, 1 / 3, 0.55, 0.6, 0.99, 1.3, 1.75, 2.5, 2.6, 3.7)


class OneAxis(NamedTuple):
    """A nearest Resize along one axis: what `resize_taps` asks for."""

    coordinates: Coordinates
    nearest: Nearest
    scales: tuple[float]
    extent: tuple[int]
    src_extent: tuple[int]
    mode: ResizeMode = ResizeMode.NEAREST


def resizes(length: int, targets: list[Any], **attributes: Any) -> onnx.ModelProto:
    """A row of `length` elements resized to each size (a number) or by each scale (a float)."""
    nodes, constants = [], []
    for k, target in enumerate(targets):
        exact = isinstance(target, int)
        constants.append(
            numpy_helper.from_array(np.array([1, target], np.int64 if exact else np.float32), f"t{k}")
        )
        inputs = ["x", "", "", f"t{k}"] if exact else ["x", "", f"t{k}"]
        nodes.append(helper.make_node("Resize", inputs, [f"y{k}"], **attributes))
    outputs = [
        helper.make_tensor_value_info(f"y{k}", TensorProto.FLOAT, [1, None]) for k in range(len(targets))
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, length])
    graph = helper.make_graph(nodes, "resizes", [x], outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


def positions_of_onnxruntime(model: onnx.ModelProto, length: int) -> list[list[int]]:
    """What its outputs read of a row that counts from 0."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    found = session.run(None, {"x": np.arange(length, dtype=np.float32)[None]})
    return [row[0].astype(int).tolist() for row in found]


@pytest.mark.parametrize("nearest", Nearest, ids=lambda nearest: nearest.value)
@pytest.mark.parametrize("coordinates", Coordinates, ids=lambda coordinates: coordinates.value)
def test_every_position_reads_what_onnxruntime_reads(coordinates: Coordinates, nearest: Nearest) -> None:
    """Where the extent stays as it is, onnxruntime copies, whatever the mode, and so does the importer."""
    attributes = {
        "mode": "nearest", "coordinate_transformation_mode": coordinates.value, "nearest_mode": nearest.value,
    }  # fmt: skip
    wrong = []
    for length in LENGTHS:
        scales = [s for s in SCALES if int(np.float32(length) * np.float32(s)) not in (0, length)]
        targets = [size for size in SIZES if size != length] + scales
        expected = positions_of_onnxruntime(resizes(length, targets, **attributes), length)
        for target, positions in zip(targets, expected, strict=True):
            scale = target / length if isinstance(target, int) else target
            fields = OneAxis(coordinates, nearest, (scale,), (len(positions),), (length,))
            if resize_taps(fields, 0, np.arange(len(positions)))[0].tolist() != positions:
                wrong.append((length, target))
    assert not wrong
