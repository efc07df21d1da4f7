"""LSTM, GRU and RNN in all forms beside onnxruntime, and what of them is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from frontend_evaluator import evaluate, session
from onnx import helper, numpy_helper
from random_recurrent import RandomRecurrent

from nnc.compilation import compile_model
from nnc.compiler.frontend.errors import ModelInvalidError, ModelTooLargeError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.ir.layers import MatMul, Recurrence
from nnc.compiler.passes.matching import layers_of, result_type
from nnc.isa.errors import NncError
from nnc.isa.limits import RECURRENT_STEPS
from nnc.runtime.session import Session

CHIPS = ("npu", "npu4", "vdsp12", "nna", "pixel-dsp")


def assert_like_reference(network: RandomRecurrent, results: list[Any]) -> None:
    """Results are those of onnxruntime in float32, up to the rounding of their type."""
    expected = session(network.reference_model()).run(None, network.reference_feeds())
    tolerance = 2e-2 if network.dtype == np.float16 else 1e-4
    for want, have in zip(expected, results, strict=True):
        assert have.dtype == network.dtype
        np.testing.assert_allclose(have, network.in_layout(want), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("number", range(80))
def test_form(number: int) -> None:
    network = RandomRecurrent(number)
    graph = import_model(network.model())
    assert_like_reference(network, [*evaluate(graph, network.feeds()).values()])


@pytest.mark.parametrize("number", range(100, 115))
def test_form_on_a_chip(number: int) -> None:
    network, chip = RandomRecurrent(number), CHIPS[number % len(CHIPS)]
    if chip == "nna" and network.dtype == np.float16:
        chip = "npu"  # nna's array has no half precision
    compilation = compile_model(network.model(), chip, effort=1, verify_each=True)
    results = Session(compilation.program, poison=True).run(None, network.feeds())
    assert_like_reference(network, results)


def recurrent(op: str = "LSTM", steps: int = 3, lengths: Any = None, **attributes: Any) -> Any:
    """A network of 4 features and 5 hidden ones on a batch of 2."""
    gates, random = {"LSTM": 4, "GRU": 3, "RNN": 1}[op], np.random.default_rng(0)
    shapes = {"w": (1, 5 * gates, 4), "r": (1, 5 * gates, 5), "b": (1, 10 * gates)}
    values = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    operands = ["x", *shapes]
    if lengths is not None:
        values["lengths"] = np.array(lengths, np.int32)
        operands.append("lengths")
    node = helper.make_node(op, operands, ["y"], name="node", **attributes)
    x = helper.make_tensor_value_info("x", 1, [steps, 2, 4])
    constants = [numpy_helper.from_array(value, name) for name, value in values.items()]
    y = helper.make_tensor_value_info("y", 1, None)
    graph = helper.make_graph([node], "recurrent", [x], [y], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)


REFUSED: list[tuple[type[NncError], str, dict[str, Any]]] = [
    (ModelInvalidError, "unknown direction", {"direction": "sideways"}),
    (ModelInvalidError, "operand 1 does not fit", {"hidden_size": 6}),
    (ModelInvalidError, "attribute layout is a flag", {"layout": 2}),
    (ModelInvalidError, "number of activations", {"activations": ["Tanh"]}),
    (ModelInvalidError, "unknown activation", {"activations": ["Tanh", "Tanh", "Cosh"]}),
    (ModelInvalidError, "bound of activations", {"clip": 0.0}),
    (ModelInvalidError, "length is no number of steps", {"lengths": [4, 1]}),
    (ModelInvalidError, "operand 4 does not fit", {"lengths": [3]}),
    (UnsupportedError, "ONNX has no defaults", {"op": "RNN", "activations": ["Affine"]}),
    (UnsupportedError, "without steps", {"steps": 0}),
    (ModelTooLargeError, "too many steps", {"steps": RECURRENT_STEPS.most + 1, "clip": 1.0}),
]


@pytest.mark.parametrize(("kind", "words", "form"), REFUSED, ids=[words for _, words, _ in REFUSED])
def test_refused_form(kind: type[NncError], words: str, form: dict[str, Any]) -> None:
    error = error_of(kind, recurrent(**form))
    assert words in f"{error.message} {error.found}"


def test_full_lengths_add_no_layers() -> None:
    plain, full = (import_model(recurrent(lengths=lengths)) for lengths in (None, [3, 3]))
    assert len(plain.layers()) == len(full.layers())


def test_inputs_are_multiplied_once() -> None:
    """However many steps there are, in one layer or several."""
    graph = import_model(recurrent(steps=7, clip=9.0))
    of_inputs = [layer for layer in layers_of(graph, MatMul) if result_type(graph, layer).shape[0] == 14]
    assert [result_type(graph, layer).shape for layer in of_inputs] == [(14, 20)]
    graph = import_model(recurrent(steps=7))
    assert [result_type(graph, layer).shape for layer in layers_of(graph, MatMul)] == [(7, 2, 20)]


@pytest.mark.parametrize(
    ("form", "whole"),
    [
        ({}, 1),
        ({"op": "GRU", "linear_before_reset": 1}, 1),
        ({"op": "RNN", "activations": ["Relu"]}, 1),
        ({"steps": RECURRENT_STEPS.most + 1}, 1),
        ({"steps": 1}, 0),
        ({"clip": 1.0}, 0),
        ({"input_forget": 1}, 0),
        ({"lengths": [3, 2]}, 0),
        ({"op": "RNN", "activations": ["Softsign"]}, 0),
    ],
    ids=str,
)
def test_usual_forms_are_one_layer(form: dict[str, Any], whole: int) -> None:
    assert len(list(layers_of(import_model(recurrent(**form)), Recurrence))) == whole
