"""Every operator, in every form it had from opset 7 to the newest, imports to what onnxruntime computes."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.reference
import pytest
from frontend_evaluator import evaluate, session
from operator_cases import CASES, Case, build, feeds_of

from nnc.compiler.frontend.domains import ONNX
from nnc.compiler.frontend.function_operators import function_operators
from nnc.compiler.frontend.importer import import_model
from nnc.compiler.frontend.operators.registry import IMPORTERS
from nnc.compiler.frontend.table import supported_operators

NEWEST_OF_ORT = 23
"""Opset that every onnxruntime of the supported range runs; newer ones are compared with onnx's evaluator."""
QUANTISED = {
    *("DynamicQuantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger"),
}
"""Operators on quantised integers: `test_quantised_*.py` are their tests."""
SEQUENCES = {
    *(
        "SequenceEmpty",
        "SequenceConstruct",
        "SequenceInsert",
        "SequenceErase",
        "SequenceAt",
        "SequenceLength",
    ),
    *("SplitToSequence", "ConcatFromSequence", "SequenceMap", "Optional", "OptionalHasElement"),
    "OptionalGetElement",
}
"""Operators of which operand or result is no tensor: `test_sequences.py` are their tests."""


@pytest.mark.parametrize(
    ("case", "opset"), [pytest.param(c, v, id=f"{c}-{v}") for c in CASES for v in c.opsets]
)
def test_form_of_operator(case: Case, opset: int) -> None:
    model = build(case, opset)
    onnx.checker.check_model(model)
    feeds = feeds_of(case, model)
    if opset <= NEWEST_OF_ORT:
        expected = session(model).run(None, feeds)
    else:
        expected = onnx.reference.ReferenceEvaluator(model).run(None, feeds)
    graph = import_model(model)
    assert graph.inputs == tuple(feeds)
    results = evaluate(graph, feeds)
    assert list(results) == [f"y{i}" for i in range(case.outputs)]
    for want, have in zip(expected, results.values(), strict=True):
        assert want.dtype == have.dtype
        assert want.shape == have.shape
        np.testing.assert_allclose(have, want, rtol=1e-4, atol=1e-5)


def test_every_importer_has_a_case() -> None:
    folded = {"Constant", "ConstantOfShape", "Shape", "Size"}  # tested with the folding
    own = {name for domain, name in IMPORTERS if domain == ONNX}
    assert own - {case.op for case in CASES} == folded | QUANTISED | SEQUENCES
    assert {(doc.domain, doc.name) for doc in supported_operators()} == set(IMPORTERS)


def test_every_function_that_compiles_has_a_case() -> None:
    """In the first opset that has it: so `nnc ops` says when it compiles."""
    cases = {(case.op, opset) for case in CASES for opset in case.opsets}
    compiled = [doc for doc in function_operators() if doc.function and not doc.function.missing]
    assert {(doc.name, doc.function.opsets[0]) for doc in compiled if doc.function} <= cases
