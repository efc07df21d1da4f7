"""Recurrences in chunks of steps, and as steps that are layers, where no memory holds all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper, numpy_helper
from pass_harness import after, kinds, same_values

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.passes.for_memory.hold_weights import HOLD_WEIGHTS
from nnc.compiler.passes.for_memory.split_recurrences import SPLIT_RECURRENCES

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "lstm": ("LSTM", {}),
    "gru": ("GRU", {}),
    "gru, linear": ("GRU", {"linear_before_reset": 1}),
    "rnn": ("RNN", {}),
    "rnn, relu": ("RNN", {"activations": ["Relu"]}),
}


def network(op: str, results: list[str], *, steps: int = 100, batch: int = 2, **attributes: Any) -> Graph:
    """4 features, 4 hidden elements; weights and bias are constants, states are inputs."""
    gates, rng = GATES[op], np.random.default_rng(0)
    shapes = {"w": (1, 4 * gates, 4), "r": (1, 4 * gates, 4), "b": (1, 8 * gates)}
    constants = [
        numpy_helper.from_array(rng.uniform(-1, 1, shape).astype(np.float32), name)
        for name, shape in shapes.items()
    ]
    states = ["h", "c"] if op == "LSTM" else ["h"]
    inputs = [helper.make_tensor_value_info("x", 1, [steps, batch, 4])]
    inputs += [helper.make_tensor_value_info(name, 1, [1, batch, 4]) for name in states]
    node = helper.make_node(op, ["x", "w", "r", "b", "", *states], results, hidden_size=4, **attributes)
    outputs = [helper.make_tensor_value_info(name, 1, None) for name in results if name]
    graph = helper.make_graph([node], "g", inputs, outputs, constants)
    return import_model(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8))


def split(graph: Graph, memory: int, weights: int | None = None) -> Graph:
    return after(SPLIT_RECURRENCES, graph, memory_bytes=memory, weight_bytes=weights or memory)


@pytest.mark.parametrize("results", [["y"], ["", "h1"], ["y", "h1"]], ids=str)
@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_chunks_give_the_same(form: tuple[str, dict[str, Any]], direction: str, results: list[str]) -> None:
    op, attributes = form
    results = [results[0], results[1] if len(results) > 1 else "", "c1"] if op == "LSTM" else results
    graph = network(op, results, direction=direction, **attributes)
    for memory, has_products in (({4: 9000, 3: 8000, 1: 4500}[GATES[op]], True), (1600, False)):
        result = split(graph, memory)
        chunks = kinds(result).count("recurrence")
        assert chunks > 1 or (has_products and op != "LSTM" and "y" not in results)  # that fits
        assert kinds(result).count("matmul") == (chunks if has_products else 1)
        same_values(graph, result)


@pytest.mark.parametrize("direction", ["forward", "reverse"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_steps_give_the_same(form: tuple[str, dict[str, Any]], direction: str) -> None:
    op, attributes = form
    results = ["y", "h1", "c1"] if op == "LSTM" else ["y", "h1"]
    graph = network(op, results, steps=5, direction=direction, **attributes)
    result = split(graph, 1 << 20, 32)
    assert "recurrence" not in kinds(result)
    same_values(graph, result)


def test_what_fits_is_left() -> None:
    graph = network("LSTM", ["y"])
    assert kinds(split(graph, 1 << 20)) == kinds(graph)


def test_weights_are_held_from_chunk_to_chunk() -> None:
    chunks = split(network("LSTM", ["y"]), 9000)
    held = after(HOLD_WEIGHTS, chunks, memory_bytes=9000)
    assert kinds(held).count("copy") == kinds(chunks).count("copy") + 3  # with the bias
    same_values(chunks, held)
