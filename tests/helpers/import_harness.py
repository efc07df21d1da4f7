"""A model imported beside onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from frontend_evaluator import evaluate, session
from onnx import helper

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph


def assert_equal(model: onnx.ModelProto, **shapes: tuple[int, ...]) -> Graph:
    """Import a model, compare it with onnxruntime on random inputs, and return the graph."""
    rng, feeds = np.random.default_rng(0), dict[str, Any]()
    for info in model.graph.input:
        shape = shapes.get(info.name, [dim.dim_value for dim in info.type.tensor_type.shape.dim])
        dtype = helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
        value = rng.standard_normal(shape) if dtype.kind == "f" else rng.integers(0, 2, shape)
        feeds[info.name] = np.asarray(value).astype(dtype)
    graph = import_model(model, shapes={name: shapes[name] for name in shapes if name in feeds})
    results = evaluate(graph, feeds)
    for port, want in zip(graph.output_ports, session(model).run(None, feeds), strict=True):
        have = results.get(port.name, np.empty(port.type.shape, port.type.dtype.numpy))
        assert (want.shape, want.dtype) == (have.shape, have.dtype)
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6)
    return graph


def names(graph: Graph) -> list[str]:
    """The names of its layers."""
    return [layer.name for layer in graph.layers()]
