"""Small graphs from ONNX's text syntax, and what the tests of passes ask of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import onnx
from frontend_evaluator import evaluate
from onnx import numpy_helper, parser

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.verify.levels import verify_graph
from nnc.compiler.passes.base import Pass
from nnc.compiler.target.target import Target

Shapes = dict[str, tuple[int, ...]]


def model_of(text: str, weights: Shapes | None = None, **values: Any) -> onnx.ModelProto:
    """A model from its text; random weights by shape, other constants by value."""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["": 20]> g {text}')
    for node in model.graph.node:
        node.name = node.output[0]
    rng = np.random.default_rng(1)
    arrays = {n: rng.uniform(0.5, 1.5, s).astype(np.float32) for n, s in (weights or {}).items()}
    arrays.update({name: np.asarray(value) for name, value in values.items()})
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in arrays.items())
    return model


def graph_of(text: str, weights: Shapes | None = None, **values: Any) -> Graph:
    """The model of a text, imported."""
    return import_model(model_of(text, weights, **values))


def graph_naming(text: str, weights: Shapes, values: dict[str, Any], header: str = "") -> Graph:
    """The model of a text, imported, with those constants that it names.

    Args:
        header: what stands before the text, which is in brackets then.
    """
    words = set(re.findall(r"\w+", text))
    shapes = {name: shape for name, shape in weights.items() if name in words}
    used = {name: value for name, value in values.items() if name in words}
    return graph_of(f"{header} {{ {text} }}" if header else text, shapes, **used)


def after(step: Pass, graph: Graph, **facts: Any) -> Graph:
    """The graph after a pass for a target of which some facts are known; it is well formed."""
    result = graph.copy()
    step.apply(result, Target(**facts))
    verify_graph(result)
    return result


def kinds(graph: Graph) -> list[str]:
    return [layer.kind for layer in graph.layers()]


def feeds_of(graph: Graph) -> dict[str, Any]:
    rng = np.random.default_rng(2)
    return {t: rng.standard_normal(graph.types[t].shape).astype(np.float32) for t in graph.inputs}


def same_values(before: Graph, result: Graph) -> None:
    """Both graphs compute the same."""
    feeds = feeds_of(before)
    expected, found = evaluate(before, feeds), evaluate(result, feeds)
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-4, atol=1e-4 * np.abs(value).max())
