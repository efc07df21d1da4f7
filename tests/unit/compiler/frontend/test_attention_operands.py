"""Attention of opsets 23 and 24, mode by mode beside onnxruntime; operands that contradict each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from bad_models import error_of
from frontend_evaluator import evaluate
from onnx import helper
from onnx.reference import ReferenceEvaluator

from nnc.compiler.frontend.errors import ModelInvalidError
from nnc.compiler.frontend.importer import import_model

RNG = np.random.default_rng(4)
NAMES = ("q", "k", "v", "mask", "past_key", "past_value", "lengths")
HEADS = {"q_num_heads": 4, "kv_num_heads": 2}
YES = np.tri(3, 5, 1, dtype=np.bool_)


def real(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


PAST = {"past_key": real(2, 2, 4, 8), "past_value": real(2, 2, 4, 6)}


def attention(
    opset: int = 24, *, flat: bool = False, outputs: int = 1, attributes: Any = None, **operands: Any
) -> tuple[onnx.ModelProto, dict[str, Any]]:
    """An Attention of 4 heads of queries and 2 of keys, 3 tokens and 5 keys, and its inputs."""
    shapes = ((2, 3, 32), (2, 5, 16), (2, 5, 12)) if flat else ((2, 4, 3, 8), (2, 2, 5, 8), (2, 2, 5, 6))
    feeds = dict(zip("qkv", (real(*shape) for shape in shapes), strict=True)) | operands
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in feeds.items()
    ]
    names = [name if name in feeds else "" for name in NAMES[: 6 if opset < 24 else 7]]
    results = [f"y{n}" for n in range(outputs)]
    stated = (HEADS if flat else {}) | (attributes or {})
    node = helper.make_node("Attention", names, results, name="node", **stated)
    infos = [onnx.ValueInfoProto(name=name) for name in results]
    graph = helper.make_graph([node], "attention", inputs, infos)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10), feeds


MODES: dict[str, dict[str, Any]] = {
    "causal": {"attributes": {"is_causal": 1}},
    "flat": {"flat": True, "attributes": {"scale": 0.3}},
    "softcap": {"flat": True, "attributes": {"softcap": 1.5}},
    "precision": {"attributes": {"softmax_precision": 1}},
    "mask of two axes": {"mask": YES},
    "mask of numbers": {"mask": real(3, 5)},
    "mask of three axes": {"mask": real(4, 3, 5)},
    "mask of three axes, for all heads": {"mask": YES[None], "flat": True},
    "mask of four axes": {"mask": real(2, 4, 3, 5)},
    "mask of four axes, for all": {"mask": YES[None, None], "attributes": {"is_causal": 1}},
    "past": PAST | {"outputs": 3},
    "past, causal": PAST | {"outputs": 3, "attributes": {"is_causal": 1}, "flat": True},
    "past, masked": PAST | {"outputs": 3, "mask": real(1, 4, 3, 9)},
    "present": {"outputs": 3, "flat": True},
    "lengths": {"lengths": np.array([5, 2])},
    "lengths, masked": {"lengths": np.array([3, 4]), "mask": YES},
    **{
        f"stage {mode}": PAST
        | {"outputs": 4, "mask": real(3, 9), "attributes": {"qk_matmul_output_mode": mode, "softcap": 2.0}}
        for mode in (0, 1, 3)
    },
}


@pytest.mark.parametrize("name", MODES)
@pytest.mark.parametrize("opset", [23, 24])
def test_modes(opset: int, name: str) -> None:
    if opset == 23 and "lengths" in MODES[name]:
        pytest.skip("opset 24 brought them")
    model, feeds = attention(opset, **MODES[name])
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, feeds)
    for have, want in zip(evaluate(import_model(model), feeds).values(), expected, strict=True):
        assert have.shape == want.shape
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-5)


def test_a_mask_that_is_shorter_hides_the_keys_behind_it() -> None:
    """onnxruntime does not take it."""
    for operands in ({"mask": real(3, 4)}, PAST | {"mask": YES, "outputs": 3}):
        model, feeds = attention(**operands)
        expected = ReferenceEvaluator(model).run(None, feeds)
        for have, want in zip(evaluate(import_model(model), feeds).values(), expected, strict=True):
            np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("operands", "text"),
    [
        ({"mask": real(3, 6)}, "longer than the keys"),
        (PAST | {"mask": real(3, 10), "outputs": 3}, "longer than the keys"),
        ({"mask": real(2, 5)}, "broadcast"),
        ({"mask": real(1, 3, 3, 5)}, "broadcast"),
        ({"lengths": np.array([1])}, "each sequence"),
        ({"lengths": np.array([1, 2, 3])}, "each sequence"),
        (PAST | {"lengths": np.array([1, 2]), "outputs": 3}, "exclude each other"),
        ({"k": real(2, 2, 5, 7)}, "broadcast"),
        ({"v": real(2, 2, 6, 6)}, "broadcast"),
        ({"k": real(2, 3, 5, 8), "v": real(2, 3, 5, 6)}, "fit"),
        (PAST | {"past_key": real(2, 2, 3, 8), "outputs": 3}, "broadcast"),
        ({"attributes": {"qk_matmul_output_mode": 4}, "outputs": 4}, "stage"),
    ],
)
def test_contradictions(operands: dict[str, Any], text: str) -> None:
    assert text in error_of(ModelInvalidError, attention(**operands)[0]).message
