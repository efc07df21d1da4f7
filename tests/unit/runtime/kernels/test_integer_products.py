"""Products of bytes by onnxruntime: those of BLAS bit for bit, and only where they are exact and pay."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import prod
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_harness import execute, roomy_chip

from nnc.isa.instruction import Phase
from nnc.isa.instructions import Conv, Gemm, Load
from nnc.isa.operand import DRAM, Operand
from nnc.isa.program import Issued, Program, Tensor, TensorRole
from nnc.isa.types import DType
from nnc.runtime import machine
from nnc.runtime.kernels import integer_products, products
from nnc.runtime.kernels.integer_products import IntegerProducts
from nnc.runtime.machine import Machine

Array = np.ndarray[Any, Any]
_ALL = {kind: IntegerProducts(np.dtype(kind)) for kind in ("int8", "uint8")}
WEIGHTS = {kind: found for kind, found in _ALL.items() if found.is_exact()}
"""By the type of weights, what is exact on this machine."""
BYTES = (np.uint8, np.int8)


def codes(rng: np.random.Generator, dtype: Any, shape: tuple[int, ...], extreme: bool) -> Array:
    """Random bytes; with `extreme`, almost all of one sign and as large as there are."""
    info = np.iinfo(dtype)
    if extreme:
        return np.where(rng.random(shape) < 0.98, info.max, info.min).astype(dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def both(run: Callable[[bool], dict[str, Array]], weights: str) -> list[dict[str, Array]]:
    """Results with BLAS alone, and with products of integers however small they are."""
    asked = mock.Mock(return_value=WEIGHTS[weights])
    with mock.patch.object(products, "LEAST_MACS", 0), mock.patch.object(machine, "integer_products", asked):
        plain = run(True)
        assert not asked.called
        fast = run(False)
        assert asked.called
    return [plain, fast]


@st.composite
def operands(draw: st.DrawFn) -> dict[str, Any]:
    src, weight = draw(st.sampled_from(BYTES)), draw(st.sampled_from(BYTES))
    zeros = [draw(st.integers(int(np.iinfo(kind).min), int(np.iinfo(kind).max))) for kind in (src, weight)]
    return {
        "types": (src, weight), "zeros": dict(zip(("src_zero", "weight_zero"), zeros, strict=True)),
        "extreme": draw(st.booleans()), "seed": draw(st.integers(0, 99)),
        "gap": draw(st.sampled_from([0, 3])), "by": draw(st.sampled_from(sorted(WEIGHTS))),
    }  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    case=operands(),
    shape=st.tuples(st.integers(1, 70), st.sampled_from([1, 3, 64, 515, 2100]), st.integers(1, 40)),
    phase=st.sampled_from(Phase),
    batch=st.sampled_from([(), (1,), (2,)]),
)
def test_products_are_those_of_blas(
    case: dict[str, Any], shape: tuple[int, int, int], phase: Phase, batch: tuple[int, ...]
) -> None:
    """Any bytes and zero points, depths that BLAS takes in slices, sums that begin elsewhere."""
    rng = np.random.default_rng(case["seed"])
    m, k, n = shape
    src, weight = (
        codes(rng, dtype, size, case["extreme"])
        for dtype, size in zip(case["types"], ((*batch, m, k), (*batch, k, n)), strict=True)
    )
    inputs = {"src": src, "weight": weight}
    if phase in (Phase.ADD, Phase.FINISH):
        inputs["accumulator"] = rng.integers(-(2**31), 2**31, (*batch, m, n)).astype(np.int32)
    result = "accumulator" if phase in (Phase.START, Phase.ADD) else "dst"

    def run(blas_only: bool) -> dict[str, Array]:
        def gemm(op: dict[str, Operand]) -> Gemm:
            return Gemm(**op, **case["zeros"], phase=phase)

        wanted = {result: ((*batch, m, n), np.int32)}
        return execute(gemm, inputs, wanted, gap=case["gap"], blas_only=blas_only)

    results = [each[result] for each in both(run, case["by"])]
    zeros = case["zeros"]
    expected = (src.astype(np.int64) - zeros["src_zero"]) @ (weight.astype(np.int64) - zeros["weight_zero"])
    if "accumulator" in inputs:
        expected = expected + inputs["accumulator"]
    for each in results:
        np.testing.assert_array_equal(each, expected.astype(np.int32))


@settings(max_examples=50, deadline=None)
@given(
    case=operands(), groups=st.sampled_from([1, 1, 2]), kernel=st.sampled_from([(1, 1), (3, 3), (2, 5)]),
    stride=st.sampled_from([(1, 1), (2, 1)]), pad=st.integers(0, 2), dst=st.sampled_from([*BYTES, np.int32]),
    channels=st.sampled_from([1, 5, 32]),
)  # fmt: skip
def test_convolutions_are_those_of_blas(
    case: dict[str, Any], groups: int, kernel: tuple[int, int], stride: tuple[int, int], pad: int, dst: Any,
    channels: int,
) -> None:  # fmt: skip
    """Padding counts as the zero point; results are rounded the same."""
    rng = np.random.default_rng(case["seed"])
    extents = tuple(max(k, 6 + pad) for k in kernel)
    src = codes(rng, case["types"][0], (1, *extents, 2 * channels * groups), case["extreme"])
    weight = codes(rng, case["types"][1], (*kernel, 2 * channels, 7 * groups), case["extreme"])
    out = [(x + 2 * pad - k) // s + 1 for x, k, s in zip(extents, kernel, stride, strict=True)]
    inputs = {"src": src, "weight": weight}
    if dst is not np.int32:
        inputs |= {
            "bias": rng.integers(-(2**20), 2**20, 7 * groups).astype(np.int32),
            "scale": (rng.random(7 * groups) * 40 / prod(weight.shape[:-1]) / 128).astype(np.float32),
        }

    def run(blas_only: bool) -> dict[str, Array]:
        def conv(op: dict[str, Operand]) -> Conv:
            fields = {"stride": stride, "dilation": (1, 1), "pad_begin": (pad, pad), "groups": groups}
            return Conv(**op, **case["zeros"], **fields)

        wanted = {"dst": ((1, *out, 7 * groups), dst)}
        return execute(conv, inputs, wanted, gap=case["gap"], blas_only=blas_only)

    plain, fast = both(run, case["by"])
    np.testing.assert_array_equal(plain["dst"], fast["dst"])


@pytest.mark.parametrize("bias", [7, 2**31 - 1, -(2**31)])
def test_known_biases_are_added_before_the_sum_is_rounded(bias: int) -> None:
    """In 32 bits where they hold every such sum, else in more."""
    src = Operand.dense("sram", 0, DType.U8, (3, 600))
    weight = Operand.dense("sram", 2048, DType.I8, (600, 16))
    here, there = (
        Operand.dense(memory, address, DType.I32, (16,)) for memory, address in (("sram", 16384), (DRAM, 0))
    )
    dst = Operand.dense("sram", 32768, DType.F32, (3, 16))
    issued = (
        Issued(0, Load(dst=here, src=there)),
        Issued(0, Gemm(src=src, weight=weight, bias=here, dst=dst)),
    )
    constants = np.full(16, bias, np.int32)
    table = (Tensor("b", TensorRole.CONSTANT, there),)
    program = Program(roomy_chip(), table, constants.view(np.uint8), issued, 64)
    rng = np.random.default_rng(0)
    x, w = codes(rng, np.uint8, (3, 600), False), codes(rng, np.int8, (600, 16), False)
    w[:, 1] = 127
    expected = (x.astype(np.int64) @ w.astype(np.int64) + bias).astype(np.float32)

    def run(blas_only: bool) -> dict[str, Array]:
        bound = Machine(program, poison=True, race_free=True, blas_only=blas_only)
        bound.view(src)[...], bound.view(weight)[...] = x, w
        bound.run()
        return {"dst": bound.view(dst).copy()}

    for each in both(run, "uint8"):
        np.testing.assert_array_equal(each["dst"], expected)


def test_small_products_and_other_types_stay_with_blas() -> None:
    rng = np.random.default_rng(0)
    asked = mock.Mock(return_value=None)
    for count, dtype, is_asked in ((63, np.uint8, False), (64, np.float32, False), (64, np.uint8, True)):
        inputs = {"src": codes(rng, np.uint8, (64, 64), False).astype(dtype)}
        inputs["weight"] = codes(rng, np.uint8, (64, count), False).astype(dtype)
        kind = np.dtype(np.float32 if dtype is np.float32 else np.int32)
        with mock.patch.object(machine, "integer_products", asked):
            got = execute(lambda op: Gemm(**op), inputs, {"dst": ((64, count), kind)})["dst"]
        np.testing.assert_array_equal(got, inputs["src"].astype(kind) @ inputs["weight"].astype(kind))
        assert asked.called is is_asked


class _Saturating(IntegerProducts):
    """Sums of pairs of products of u8 and s8 saturate in 16 bits, as without VNNI."""

    def bind(self, a: Array, a_zero: int, b: Array, b_zero: int, out: Array) -> Callable[[], object]:
        if self.weight_type == np.uint8:
            return super().bind(a, a_zero, b, b_zero, out)

        def run() -> None:
            even, odd = (
                np.einsum("mk,kn->mkn", a[:, start::2].astype(int), b[start::2].astype(int))
                for start in (0, 1)
            )
            even[:, : odd.shape[1]] += odd
            out[...] = np.clip(even, -(2**15), 2**15 - 1).sum(1)
            out[...] -= a.astype(np.int32).sum(1, keepdims=True) * b_zero
            out[...] -= (b.astype(np.int32) - b_zero).sum(0) * a_zero

        return run


def test_what_saturates_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "uint8" in WEIGHTS
    assert not _Saturating(np.dtype(np.int8)).is_exact()
    monkeypatch.setattr(integer_products, "IntegerProducts", _Saturating)
    found = integer_products.integer_products.__wrapped__()
    assert found is not None and found.weight_type == np.uint8
    monkeypatch.setattr(_Saturating, "is_exact", lambda _: False)
    assert integer_products.integer_products.__wrapped__() is None


def test_without_onnxruntime_there_is_blas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert integer_products.integer_products.__wrapped__() is None
