"""Parameters that are no ordinary numbers: onnxruntime's values, or a refusal in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import pytest
from harness import LITTLE_EFFORT, chip_of
from operator_cases import CASES, Case, build, feeds_of, floats, weight

from nnc.compiler.frontend.errors import ModelInvalidError, UnsupportedError
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.pipeline import run_pipeline
from nnc.runtime.session import Session

ODD = (np.nan, np.inf, -np.inf, 1e38, -0.7, 0.0)
CHANNELS = weight(4)
MORE = [
    Case("Shrink", attrs={"lambd": 0.5, "bias": 0.2}, opsets=(20,)),
    Case("Gemm", inputs=[(3, 4), (4, 5), (3, 5)], opsets=(20,)),
    Case("Gemm", inputs=[(3, 4)], consts=[weight(4, 5), weight(5)], opsets=(20,)),
]


def float_attributes(case: Case) -> list[str]:
    attributes = onnx.defs.get_schema(case.op, case.opsets[-1], "").attributes
    return [name for name, a in attributes.items() if a.type == onnx.defs.OpSchema.AttrType.FLOAT]


def odd_cases() -> Iterator[Any]:
    """The first case of each operator with parameters, one of which has another value."""
    first: dict[str, Case] = {}
    for case in [*MORE, *CASES]:
        first.setdefault(case.op + str(len(case.inputs)), case)
    first["cubic"] = next(case for case in CASES if case.attrs.get("mode") == "cubic")
    for case in first.values():
        for name in float_attributes(case):
            for value in ODD:
                yield pytest.param(
                    replace(case, attrs={**case.attrs, name: value}), id=f"{case.op}-{name}-{value}"
                )


def outcome(case: Case) -> list[Any] | str:
    """The outputs on the simulated chip, or why the model is refused."""
    model = build(case, case.opsets[-1])
    try:
        program = run_pipeline(import_model(model), chip_of(), options=LITTLE_EFFORT).program
    except (ModelInvalidError, UnsupportedError) as error:
        return str(error)
    return Session(program, poison=True).run(None, feeds_of(case, model))


def expected(case: Case) -> list[Any] | None:
    """onnxruntime's outputs; None if it refuses the model."""
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    model = build(case, case.opsets[-1])
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        return list(session.run(None, feeds_of(case, model)))
    except Exception as error:
        assert "ONNXRuntimeError" in str(error), error
        return None


@pytest.mark.parametrize("case", list(odd_cases()))
def test_an_odd_attribute_is_refused_or_means_what_it_does_in_onnxruntime(case: Case) -> None:
    found, right = outcome(case), expected(case)
    if isinstance(found, str):
        assert any(word in found for word in ("parameter", "variance", "cubic_coeff_a", "scores")), found
    elif right is not None:
        for own, other in zip(found, right, strict=True):
            np.testing.assert_allclose(own, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("case", "name"),
    [
        (Case("LeakyRelu", attrs={"alpha": np.inf}), "alpha is inf"),
        (Case("Elu", attrs={"alpha": np.nan}), "alpha is nan"),
        (Case("Celu", attrs={"alpha": -np.inf}, opsets=(20,)), "alpha is -inf"),
        (Case("Gemm", inputs=[(3, 4), (4, 5)], attrs={"alpha": np.inf}), "alpha is inf"),
        (Case("PRelu", consts=[floats(np.inf)]), "slope is inf"),
        (Case("PRelu", consts=[np.full((4, 1, 1), np.nan, np.float32)]), "slope is nan"),
        (Case("Clip", consts=[floats(np.nan).reshape(())], opsets=(20,)), "min is nan"),
        (Case("Resize", consts=[None, floats(1, 1, np.inf, 2)], opsets=(18,)), "scales is inf"),
        (Case("Resize", consts=[None, floats(1, 1, 1e38, 2)], opsets=(18,)), "extents"),
        (Case("Upsample", consts=[floats(1, 1, np.nan, 2)], opsets=(9,)), "scales is nan"),
        (Case("InstanceNormalization", consts=[CHANNELS, CHANNELS * np.inf]), "bias is"),
        (Case("BatchNormalization", consts=[CHANNELS] * 3 + [-np.abs(CHANNELS)]), "variance + epsilon is -"),
        (
            Case(
                "BatchNormalization",
                consts=[CHANNELS * np.float32(1e37), *[CHANNELS] * 2, CHANNELS * 0],
            ),
            "a shift that f32 cannot hold",
        ),
    ],
    ids=str,
)
def test_parameters_that_are_refused(case: Case, name: str) -> None:
    found = outcome(case)
    assert isinstance(found, str), found
    assert name in found


@pytest.mark.parametrize(
    "case",
    [
        Case("Clip", consts=[floats(-np.inf).reshape(()), floats(np.inf).reshape(())], opsets=(20,)),
        Case("Clip", attrs={"min": 0.0, "max": np.inf}, opsets=(7,)),
        Case("Pad", attrs={"pads": [0, 0, 1, 1, 0, 0, 1, 1], "value": -np.inf}, opsets=(7,)),
        Case("Add", consts=[np.where(weight(6, 5) > 0, 0, -np.inf).astype(np.float32)]),
        Case("Mul", consts=[floats(np.inf)]),
        Case("Where", inputs=[(2, 4, 6, 5)], consts=[floats(-np.inf)], dtype="where", opsets=(20,)),
        Case("PRelu", inputs=[(2, 4, 6, 5), (5,)]),
        Case("Gemm", inputs=[(3, 4)], consts=[weight(4, 5)], attrs={"alpha": 1e38}),
        Case(
            "Gemm", inputs=[(3, 4)], consts=[weight(4, 5), floats(1, -np.inf, 2, 3, 4)], attrs={"beta": 0.5}
        ),
    ],
    ids=str,
)
def test_infinity_that_has_a_meaning(case: Case) -> None:
    found, right = outcome(case), expected(case)
    assert not isinstance(found, str), found
    assert right is not None
    for own, other in zip(found, right, strict=True):
        np.testing.assert_allclose(own, other, rtol=1e-5)
