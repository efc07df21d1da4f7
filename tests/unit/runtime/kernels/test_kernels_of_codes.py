"""Softmax and normalisations of codes: as onnxruntime between conversions, a step off at most in few bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_harness import execute
from test_kernels_quantised import codes, rounded
from test_kernels_reduce import onnx_node

from nnc.isa.errors import ProgramInvalidError
from nnc.isa.functions import Arithmetic, NormaliseFunction
from nnc.isa.instructions import Normalise, Softmax
from nnc.isa.instructions.along_axis import MOST_SUMMED

Array = np.ndarray[Any, Any]
F32 = np.float32


def real(q: Array, scale: float, zero: int) -> Array:
    return (q.astype(np.int64) - zero).astype(F32) * F32(scale)


def softmax(q: Array, axis: int, arithmetic: Arithmetic, fields: dict[str, Any], dst: Any) -> Array:
    result: Array = execute(
        lambda op: Softmax(**op, axis=axis, arithmetic=arithmetic, **fields),
        {"src": q},
        {"dst": (q.shape, dst)},
    )["dst"]
    return result


def steps_off(got: Array, expected: Array, arithmetic: Arithmetic) -> None:
    """In f32, sums of onnxruntime may end in other bits; in others, an element may be a step off."""
    steps = np.abs(got.astype(int) - expected.astype(int))
    assert steps.max() <= 1
    assert np.mean(steps > 0) <= (0.001 if arithmetic is Arithmetic.F32 else 0.05)
    assert len(np.unique(got)) > 20


@pytest.mark.parametrize("arithmetic", Arithmetic)
@pytest.mark.parametrize(("src", "dst"), [(np.int8, np.uint8), (np.uint8, np.int8)])
@pytest.mark.parametrize(("shape", "axis"), [((40, 30), 1), ((6, 50, 7), -2)])
@pytest.mark.parametrize("scale", [0.02, 0.7])
def test_softmax_of_codes(
    shape: tuple[int, ...], axis: int, src: Any, dst: Any, arithmetic: Arithmetic, scale: float
) -> None:
    """Shares of a narrow range show the last bits; scores of ±90 are no problem."""
    q = codes(np.random.default_rng(len(shape)), src, shape)
    shares = onnx_node("Softmax", [real(q, scale, 5)], axis=axis)
    step, zero = float(F32(shares.max() / 255)), int(np.iinfo(dst).min)
    fields = {"src_scale": float(F32(scale)), "src_zero": 5, "dst_scale": step, "dst_zero": zero}
    got = softmax(q, axis, arithmetic, fields, dst)
    steps_off(got, rounded(shares, step, zero, dst), arithmetic)


def test_the_longest_sum_by_table_is_half_a_step_off_before_it_is_rounded() -> None:
    """All but one of the entries are rounded by nearly a half of the least bit, in the same direction."""
    bits = 30 - (MOST_SUMMED - 1).bit_length()
    scale = float(F32(-np.log(100.499 / 2**bits)))
    q = np.zeros((1, MOST_SUMMED), np.uint8)
    q[0, 0] = 1
    fields = {"src_scale": scale, "dst_scale": float(F32(1 / 255))}
    exact = 1 / (1 + (MOST_SUMMED - 1) * np.exp(-scale))
    got = softmax(q, 1, Arithmetic.I8, fields, np.uint8)
    assert abs(got[0, 0] - exact * 255) < 1


def test_longer_sums_by_table_are_refused() -> None:
    q = np.zeros((1, MOST_SUMMED + 1), np.uint8)
    with pytest.raises(ProgramInvalidError, match="2048 elements at most, not 2049"):
        softmax(q, 1, Arithmetic.I8, {"src_scale": 0.1, "dst_scale": 0.1}, np.uint8)


@pytest.mark.parametrize("arithmetic", Arithmetic)
@pytest.mark.parametrize("function", NormaliseFunction)
@pytest.mark.parametrize(("src", "dst"), [(np.int8, np.uint8), (np.uint8, np.int8)])
def test_normalise_of_codes(function: NormaliseFunction, src: Any, dst: Any, arithmetic: Arithmetic) -> None:
    rng = np.random.default_rng(3)
    q, scale = codes(rng, src, (30, 40)), (rng.random(40) + 0.5).astype(F32)
    bias, x = rng.standard_normal(40).astype(F32), real(q, 0.03, 7).astype(np.float64)
    if function is NormaliseFunction.MEAN_VARIANCE:
        x = x - x.mean(1, keepdims=True)
    exact = x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-3) * scale + bias
    step, zero = float(F32(np.abs(exact).max() / 127)), 3 if dst is np.int8 else 131
    got = execute(
        lambda op: Normalise(
            **op, function=function, axes=(1,), epsilon=1e-3, arithmetic=arithmetic,
            src_scale=float(F32(0.03)), src_zero=7, dst_scale=step, dst_zero=zero,
        ),
        {"src": q, "scale": scale, "bias": bias},
        {"dst": (q.shape, dst)},
    )["dst"]  # fmt: skip
    steps_off(got, rounded(exact.astype(F32), step, zero, dst), arithmetic)


@pytest.mark.parametrize("arithmetic", Arithmetic)
def test_equal_codes_are_normalised_to_the_bias(arithmetic: Arithmetic) -> None:
    q = np.full((2, 9), 200, np.uint8)
    got = execute(
        lambda op: Normalise(
            **op, function=NormaliseFunction.MEAN_VARIANCE, axes=(1,), epsilon=1e-5, arithmetic=arithmetic,
            src_scale=0.5, dst_scale=0.25,
        ),
        {"src": q, "bias": np.full(9, 3, F32)},
        {"dst": (q.shape, np.uint8)},
    )["dst"]  # fmt: skip
    assert (got == 12).all()


@pytest.mark.parametrize(
    ("fields", "dst", "said"),
    [
        ({"src_scale": 0.1, "dst_scale": 0.1, "log": True}, np.uint8, "logarithm has no src_scale"),
        ({"src_scale": 0.1}, np.float32, "expected 8-bit integers"),
        ({"arithmetic": Arithmetic.F16}, np.uint8, "needs a src_scale"),
        ({"src_scale": 0.1}, np.uint8, "expected a positive finite number"),
    ],
)
def test_what_fits_no_codes_is_refused(fields: dict[str, Any], dst: Any, said: str) -> None:
    with pytest.raises(ProgramInvalidError, match=said):
        execute(
            lambda op: Softmax(**op, axis=0, **fields), {"src": np.zeros(4, np.uint8)}, {"dst": ((4,), dst)}
        )
