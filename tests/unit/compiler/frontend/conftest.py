"""Fixtures of the frontend."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture
def weighted() -> onnx.ModelProto:
    """y = x + w with a weight of 4096 elements."""
    weight = numpy_helper.from_array(np.arange(4096, dtype=np.float32), "w")
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [4096]) for n in "xy")
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g", [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
