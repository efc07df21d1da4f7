"""Small models from public bug reports (tests/cases): right, or refused by the error that the table says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from harness import effort_for

from nnc.check.outputs import HALF_TOLERANCE, TOLERANCE
from nnc.compilation import compile_model
from nnc.isa.errors import NncError
from nnc.runtime.session import Session

FOLDER = Path(__file__).resolve().parents[1] / "cases"
CASES = sorted(path.stem for path in FOLDER.glob("*.onnx"))
INVALID = frozenset({"ort-11828"})
"""A model that has no right outputs: a reflection of more than there is."""
ONE_STEP = frozenset({"own-qavg-pow2", "own-qavg-same"})
"""Averages that are ties: onnxruntime adds the zero point, an odd one, before it rounds to even."""
UNSUPPORTED = """
    onnx-tensorrt-458 openvino-16261 ort-11828 tvm-20263
"""
REFUSED = {
    **dict.fromkeys(UNSUPPORTED.split(), "NNC-E015"),
    "onnx-8207": "NNC-E011",  # onnx's inference knows no broadcast of dots in Einsum
}
"""Case → code of its error.  A case that compiles, or gets another code, leaves the table."""


def test_tables_name_cases() -> None:
    assert {*REFUSED, *ONE_STEP, *INVALID} <= {*CASES}
    assert {case for case in CASES if "out0" not in np.load(FOLDER / f"{case}.npz")} == INVALID
    assert REFUSED.keys() >= INVALID


@pytest.mark.parametrize("case", CASES)
def test_public_case(case: str) -> None:
    model, data = FOLDER / f"{case}.onnx", dict(np.load(FOLDER / f"{case}.npz"))
    loaded = onnx.load(model)
    constants = {tensor.name for tensor in loaded.graph.initializer}
    inputs = [info.name for info in loaded.graph.input if info.name not in constants]
    feeds = {name: data[f"in{number}"] for number, name in enumerate(inputs)}
    shapes = {name: array.shape for name, array in feeds.items()}
    effort = effort_for(loaded)
    if case in REFUSED:
        with pytest.raises(NncError) as caught:
            compile_model(model, "npu", shapes=shapes, effort=effort)
        assert caught.value.code == REFUSED[case]
        return
    session = Session(compile_model(model, "npu", shapes=shapes, effort=effort).program)
    names = [info.name for info in loaded.graph.output]
    for number, (name, found) in enumerate(zip(names, session.run(names, feeds), strict=True)):
        _assert_equal(found, data[f"out{number}"], name, steps=int(case in ONE_STEP))


def _assert_equal(
    found: npt.NDArray[np.generic], expected: npt.NDArray[np.generic], name: str, steps: int
) -> None:
    """Integers are the same, or within so many steps; floats within a share of the largest magnitude."""
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype), name
    if expected.dtype.kind != "f":
        difference = np.abs(found.astype(np.float64) - expected.astype(np.float64))
        assert difference.max(initial=0) <= steps, name
        return
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite], err_msg=name)
    share = HALF_TOLERANCE if expected.dtype.itemsize == 2 else TOLERANCE
    error = np.abs(found[finite].astype(np.float64) - expected[finite].astype(np.float64))
    scale = np.abs(expected[finite].astype(np.float64)).max(initial=0) or 1.0
    assert error.max(initial=0) <= share * scale, name
