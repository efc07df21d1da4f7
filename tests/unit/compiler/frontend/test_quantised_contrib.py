"""onnxruntime's own operators on quantised integers: its results, but for what it rounds otherwise.

The formulas are those of `docs/design/quantised.md`; where onnxruntime's arithmetic is another (ratios of
scales, sums in another order), elements near a half may be one step apart, and each case says how many of
how many.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnx import AttributeProto
from quantised_cases import MICROSOFT, Case, by_nnc, by_onnxruntime, steps_apart

from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.signatures import _OF_MICROSOFT
from nnc.compiler.frontend.table import IMPORTERS

U8, I8, F32 = np.uint8, np.int8, np.float32
Array = Any


def eights(*shape: int, dtype: Any = U8, seed: int = 0) -> Array:
    info = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(info.min, info.max + 1, shape, dtype)


def contrib(op: str, *operands: Array | None, run_time: tuple[int, ...] = (0,), **attributes: Any) -> Case:
    return Case(op, list(operands), run_time, attributes, MICROSOFT)


IMAGE = (2, 3, 7, 6)
X = (eights(*IMAGE), F32(0.043), U8(131))
S = (eights(*IMAGE, dtype=I8), F32(0.043), I8(-13))
PARAMETERS = (eights(*IMAGE, seed=1), F32(0.031), U8(119))
LAST = (eights(2, 7, 6, 3), *X[1:])
WEIGHT = (eights(4, 3, 3, 3, dtype=I8, seed=2) // 2, F32(0.02), I8(0))
CONV_BIAS = np.array([400, -300, 0, 7], np.int32)
BOTH = (0, 3)
CASES: dict[str, tuple[Case, int]] = {
    "add": (contrib("QLinearAdd", *X, *PARAMETERS, F32(0.05), U8(125), run_time=BOTH), 1),
    "add s8, broadcast": (
        contrib(
            "QLinearAdd", *S, eights(3, 1, 6, dtype=I8), F32(0.02), I8(5), F32(0.05), I8(-2), run_time=BOTH
        ),
        0,
    ),
    "add a constant": (
        contrib("QLinearAdd", *X, U8([[[9]], [[3]], [[250]]]), F32(0.02), U8(9), F32(0.05)),
        0,
    ),
    "multiply": (contrib("QLinearMul", *X, *PARAMETERS, F32(0.09), U8(125), run_time=BOTH), 0),
    "leaky relu": (contrib("QLinearLeakyRelu", *X, F32(0.031), U8(40), alpha=0.17), 0),
    "leaky relu of s8": (contrib("QLinearLeakyRelu", *S, F32(0.031), None), 0),
    "sigmoid": (contrib("QLinearSigmoid", *X, F32(1 / 256), U8(0)), 0),
    "sigmoid of s8": (contrib("QLinearSigmoid", *S, F32(1 / 256), I8(-128)), 0),
    "concat": (
        contrib("QLinearConcat", F32(0.043), U8(131), *X, *PARAMETERS, run_time=(2, 5), axis=1),
        0,
    ),
    "concat of one scale": (
        contrib("QLinearConcat", F32(0.043), I8(-13), *S, *S, run_time=(2, 5), axis=-2),
        0,
    ),
    "average": (
        contrib("QLinearAveragePool", *X, F32(0.03), U8(118), kernel_shape=[3, 3], strides=[2, 2]),
        0,
    ),
    "average of s8, padded": (
        contrib("QLinearAveragePool", *S, F32(0.03), I8(7), kernel_shape=[3, 2], pads=[1, 0, 1, 1]),
        1,
    ),
    "average, padding counted": (
        contrib(
            "QLinearAveragePool",
            *X,
            F32(0.03),
            U8(118),
            kernel_shape=[2, 3],
            pads=[1, 1, 0, 1],
            count_include_pad=1,
        ),
        0,
    ),
    "average, ceil": (
        contrib(
            "QLinearAveragePool", *X, F32(0.03), U8(118), kernel_shape=[2, 2], strides=[2, 4], ceil_mode=1
        ),
        0,
    ),
    "average, channels last": (
        contrib("QLinearAveragePool", *X, F32(0.03), U8(118), kernel_shape=[2, 3], channels_last=1),
        0,
    ),
    "global average": (contrib("QLinearGlobalAveragePool", *X, F32(0.02), U8(118)), 0),
    "global average, channels last": (
        contrib("QLinearGlobalAveragePool", *S, F32(0.02), I8(1), channels_last=1),
        0,
    ),
    "where": (
        contrib(
            "QLinearWhere",
            np.arange(6) % 2 > 0,
            *X,
            *(eights(7, 6, seed=1), F32(0.031), U8(119)),
            *(F32(0.05), U8(125)),
            run_time=(0, 1, 4),
        ),
        0,
    ),
    "where, of one scale": (
        contrib("QLinearWhere", np.arange(6) % 2 > 0, *S, *S, *S[1:], run_time=(0, 1, 4)),
        0,
    ),
    "largest, channels last": (
        contrib("NhwcMaxPool", X[0], kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1]),
        0,
    ),
    "convolution, channels last": (
        contrib("QLinearConv", *LAST, *WEIGHT, F32(0.6), U8(101), CONV_BIAS, channels_last=1, strides=[2, 1]),
        0,
    ),
    "convolution": (contrib("QLinearConv", *X, *WEIGHT, F32(0.6), U8(101), pads=[1, 1, 1, 1]), 0),
    "softmax": (contrib("QLinearSoftmax", *X, F32(1 / 256), U8(0), opset=13, axis=1), 0),
    "softmax of rows": (contrib("QLinearSoftmax", *S, F32(1 / 256), I8(-128), opset=12, axis=2), 0),
}
"""By name: the node, and how many elements of the result (252, or fewer of pools) may be one step apart."""


@pytest.mark.parametrize("name", CASES)
def test_operator(name: str) -> None:
    case, count = CASES[name]
    model, feeds = case.model(), case.feeds
    apart, most = steps_apart(by_nnc(model, feeds)[0], by_onnxruntime(model, feeds)[0])
    assert apart <= count
    assert most <= 1


def test_absent_zero_points_are_0() -> None:
    a, b = eights(3, 4), eights(3, 4, seed=1)
    absent = contrib("QLinearMul", a, F32(0.03), None, b, F32(0.01), None, F32(0.08), run_time=BOTH)
    zero = contrib("QLinearMul", a, F32(0.03), U8(0), b, F32(0.01), U8(0), F32(0.08), U8(0), run_time=BOTH)
    expected = by_onnxruntime(zero.model(), zero.feeds)[0]  # which cannot infer the type without
    np.testing.assert_array_equal(by_nnc(absent.model(), absent.feeds)[0], expected)


@pytest.mark.parametrize("keepdims", [0, 1])
def test_mean_over_axes(keepdims: int) -> None:
    """onnxruntime has only its definition, no kernel."""
    x, scale, zero = S
    case = contrib("QLinearReduceMean", x, scale, zero, F32(0.01), I8(-4), axes=[1, -1], keepdims=keepdims)
    real = (x.astype(np.float64) - zero) * float(scale)
    steps = np.rint(real.mean((1, 3), keepdims=bool(keepdims)) / 0.01) - 4
    (result,) = by_nnc(case.model(), case.feeds)
    np.testing.assert_array_equal(result, np.clip(steps, -128, 127).astype(I8))


def formula(case: Case) -> Array:
    """Add, Mul and averages over all as the design says them, in float32."""
    values = [np.zeros((), U8) if value is None else np.asarray(value) for value in case.operands]
    a, sa, za = values[0].astype(np.int64), values[1], values[2].astype(np.int64)
    if case.op == "QLinearGlobalAveragePool":
        y, zero = values[3], values[4]
        total = (a - za).sum((2, 3), keepdims=True).astype(F32)
        steps = total * F32(sa / F32(y * F32(a.shape[2] * a.shape[3])))
    else:
        b, sb, zb = values[3].astype(np.int64), values[4], values[5].astype(np.int64)
        y, zero = values[6], values[7]
        left, right = (a - za).astype(F32) * sa, (b - zb).astype(F32) * sb
        steps = (left + right if case.op == "QLinearAdd" else left * right) / y
    info = np.iinfo(values[0].dtype)
    return np.clip(np.rint(steps) + zero, info.min, info.max).astype(values[0].dtype)


@pytest.mark.parametrize("name", ["add", "add s8, broadcast", "multiply", "global average"])
def test_formula_of_the_design(name: str) -> None:
    case, _ = CASES[name]
    np.testing.assert_array_equal(by_nnc(case.model(), case.feeds)[0], formula(case))


@pytest.mark.parametrize(("x", "expected"), [([[255, 0]], [[255, 0]]), ([[7]], [[255]])])
def test_softmax_of_one(x: Any, expected: Any) -> None:
    """onnxruntime takes whole parts of 1 / scale, one too few for 1/255; an axis of one is 0 or 254."""
    case = contrib("QLinearSoftmax", np.array(x, U8), F32(0.5), U8(0), F32(1 / 255), U8(0), opset=13)
    np.testing.assert_array_equal(by_nnc(case.model(), case.feeds)[0], expected)
    assert by_onnxruntime(case.model(), case.feeds)[0].max() in (0, 254)


def test_arithmetic_is_one_layer() -> None:
    for name in ("add", "multiply", "leaky relu", "average", "global average"):
        assert len(import_model(CASES[name][0].model()).layers()) == 1


def test_operands_of_the_scale_of_the_result_are_joined_as_they_are() -> None:
    kinds = [layer.kind for layer in import_model(CASES["concat of one scale"][0].model()).layers()]
    assert kinds == ["concat"]
    kinds = [layer.kind for layer in import_model(CASES["concat"][0].model()).layers()]
    assert kinds == ["elementwise", "concat"]


# --- signatures --------------------------------------------------------------------------------------------

_TYPES = {f"tensor({kind}int{bits})": f"{kind or 'i'}{bits}" for kind in ("", "u") for bits in (8, 16, 32)}
_TYPES |= {"tensor(float)": "f32", "tensor(float16)": "f16", "tensor(int64)": "i64", "tensor(bool)": "bool"}
_TYPES |= {"tensor(int4)": "i8", "tensor(uint4)": "u8"}  # as nnc holds them


def test_signatures_are_those_of_onnxruntime() -> None:
    state = onnxruntime.capi.onnxruntime_pybind11_state
    every = state.get_all_operator_schema()
    schemas = {s.name: s for s in every if s.domain == "" and s.since_version == 1}
    schemas |= {s.name: s for s in every if s.domain == MICROSOFT}
    assert set(_OF_MICROSOFT) == {name for domain, name in IMPORTERS if domain == MICROSOFT}
    for name, signature in _OF_MICROSOFT.items():
        schema = schemas[name]
        allowed = {t.type_param_str: t.allowed_type_strs for t in schema.type_constraints}
        for own, parameter in zip(signature.inputs, schema.inputs, strict=True):
            optional = str(parameter.option).endswith("Optional")
            types = {
                _TYPES[text] for text in allowed.get(parameter.typeStr, [parameter.typeStr]) if text in _TYPES
            }
            assert (own.optional, own.types) == (optional, types), f"{name} {parameter.name}"
        kinds = {key: (str(a.type).rpartition(".")[2], a.required) for key, a in schema.attributes.items()}
        kind_of = AttributeProto.AttributeType.Name
        assert {
            key: (kind_of(kind), need) for key, (kind, need) in (signature.attributes or {}).items()
        } == kinds
