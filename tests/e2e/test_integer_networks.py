"""Random networks of QLinear operators: on every chip the bits that the definitions of the layers give."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import onnx
import pytest
from frontend_evaluator import evaluate
from harness import assert_predicted, chip_of
from integer_networks import integer_network
from onnx import helper
from quantised_cases import by_onnxruntime, model_of, steps_apart

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.runtime.session import Session

CHIPS: list[tuple[str, dict[str, str]]] = [
    ("npu", {"sram": "512KiB"}),
    ("npu", {"sram": "4KiB"}),
    ("npu-banked", {"bank1": "4KiB", "bank2": "4KiB"}),
    ("npu4", {"sram": "3KiB"}),
    ("vdsp12", {"sm": "3KiB", "am": "8KiB"}),
    ("nna", {"oram": "16KiB", "fram": "3KiB", "wram": "4KiB"}),
]
ROUNDS_OTHERWISE = {"QLinearAdd", "QLinearMul", "QLinearAveragePool", "QLinearGlobalAveragePool"}
"""Where onnxruntime has another expression: near a half, an element may be a step apart."""


def integers_for(model: onnx.ModelProto, seed: int) -> dict[str, Any]:
    """Random integers for the input of a network."""
    (info,) = model.graph.input
    dtype = helper.tensor_dtype_to_np_dtype(info.type.tensor_type.elem_type)
    shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
    bounds = np.iinfo(dtype)
    return {info.name: np.random.default_rng(seed).integers(bounds.min, bounds.max + 1, shape, dtype)}


@pytest.mark.parametrize("seed", range(24))
def test_network(seed: int) -> None:
    model = integer_network(seed)
    graph, feeds = import_model(model), integers_for(model, seed)
    chip, memories = CHIPS[seed % len(CHIPS)]
    compilation = run_pipeline(graph, chip_of(chip, **memories))
    session = Session(compilation.program, poison=True, blas_only=True)
    found = session.run(list(graph.outputs), feeds)
    assert_predicted(compilation, session)
    for have, want in zip(found, evaluate(graph, feeds).values(), strict=True):
        assert steps_apart(have, want) == (0, 0)


def test_layers_by_themselves_are_those_of_onnxruntime() -> None:
    """Every node on onnxruntime's own operands: equal, or (at most one element in 500) one step apart."""
    apart: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for seed in range(100, 140):
        model = integer_network(seed)
        kind = model.graph.input[0].type.tensor_type.elem_type
        values = integers_for(model, seed)
        names = [node.output[0] for node in model.graph.node]
        whole = onnx.ModelProto()
        whole.CopyFrom(model)
        del whole.graph.output[:]
        whole.graph.output.extend(helper.make_tensor_value_info(name, kind, None) for name in names)
        values |= zip(names, by_onnxruntime(whole, values), strict=True)
        for node in model.graph.node:
            name, feeds = node.output[0], {name: values[name] for name in node.input if name in values}
            inputs = [helper.make_tensor_value_info(n, kind, v.shape) for n, v in feeds.items()]
            outputs = [helper.make_tensor_value_info(name, kind, None)]
            constants = [tensor for tensor in model.graph.initializer if tensor.name in node.input]
            one = model_of(helper.make_graph([node], "one", inputs, outputs, constants))
            count, most = steps_apart(evaluate(import_model(one), feeds)[name], values[name])
            assert most <= int(node.op_type in ROUNDS_OTHERWISE)
            apart[node.op_type] += count
            counted[node.op_type] += values[name].size
    assert all(apart[op] * 500 <= counted[op] for op in apart), apart
