"""Fourier transforms: lengths that are not those of the spectrum, windows of run time, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bad_models import error_of
from quantised_cases import Case, by_nnc, by_onnx

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError

RNG = np.random.default_rng(3)


def normal(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("length", [9, 11, 16])
def test_half_spectra_of_other_lengths_are_cut_or_padded(length: int) -> None:
    """As numpy does it; onnxruntime completes the elements that are there."""
    x = normal(2, 7, 2)
    case = Case("DFT", [x, np.array(length)], attributes={"onesided": 1, "inverse": 1}, opset=20)
    case = Case(case.op, [*case.operands, np.array(1)], attributes=case.attributes, opset=20)
    (have,) = by_nnc(case.model(), case.feeds)
    want = np.fft.irfft(x[..., 0] + 1j * x[..., 1], n=length, axis=1)
    np.testing.assert_allclose(have[..., 0], want, atol=1e-6)


def test_a_window_of_run_time() -> None:
    case = Case("STFT", [normal(1, 20, 1), np.array(4), normal(8)], (0, 2), {"onesided": 1}, opset=17)
    (have,), (want,) = by_nnc(case.model(), case.feeds), by_onnx(case.model(), case.feeds)
    np.testing.assert_allclose(have, want, atol=1e-5)


def test_a_short_transform_says_one_side_by_default() -> None:
    """onnx's inference takes the absent attribute for 0."""
    case = Case("STFT", [normal(1, 20, 1), np.array(4), None, np.array(8)], opset=17)
    (have,) = by_nnc(case.model(), case.feeds)
    assert have.shape == (1, 4, 5, 2)


@pytest.mark.parametrize(
    ("op", "operands", "attributes", "text"),
    [
        ("DFT", [(2, 5, 3)], {}, "real and imaginary parts"),
        ("DFT", [(2, 5, 2)], {"onesided": 1}, "requires real input"),
        ("DFT", [(2, 5, 1)], {"axis": 2}, "axis"),
        ("DFT", [(2, 5, 1), np.array(0)], {}, "positive"),
        ("DFT", [(2, 5, 1), np.array([3, 4])], {}, "must be a scalar"),
        ("STFT", [(1, 9, 1), np.array(0)], {"onesided": 1}, "positive"),
        ("STFT", [(1, 9, 2), np.array(2)], {"onesided": 1}, "one side"),
        ("STFT", [(1, 9, 1), np.array(2), None, np.array(12)], {"onesided": 1}, "longer than the signal"),
        ("STFT", [(1, 9, 1), np.array(2), np.ones(4, np.float32), np.array(3)], {}, "operand 2 does not fit"),
    ],
)
def test_refusals(op: str, operands: list[Any], attributes: Any, text: str) -> None:
    case = Case(op, [normal(*operands[0]), *operands[1:]], attributes=attributes, opset=17)
    assert text in str(error_of(ModelInvalidError, case.model()))


def test_a_length_of_run_time_is_refused() -> None:
    case = Case("DFT", [normal(2, 5, 1), np.array(4)], (0, 1), opset=17)
    assert "dft_length must be known" in str(error_of(UnsupportedError, case.model()))
