"""The table of operators, from which ``nnc ops`` prints."""

from __future__ import annotations

import onnx
import pytest

from nnc.compiler.frontend import importer  # noqa: F401  it fills the table
from nnc.compiler.frontend.domains import MICROSOFT, ONNX
from nnc.compiler.frontend.function_operators import function_operators
from nnc.compiler.frontend.table import OperatorDoc, supported_operators

DOCS, FUNCTIONS = supported_operators(), function_operators()


def test_ordered_and_unique() -> None:
    names = [(doc.domain, doc.name) for doc in DOCS]
    assert not {(doc.domain, doc.name) for doc in FUNCTIONS} & {*names}
    assert names == sorted(set(names))
    assert len(names) > 90


@pytest.mark.parametrize("doc", [*DOCS, *FUNCTIONS], ids=lambda doc: f"{doc.domain}.{doc.name}")
def test_documented(doc: OperatorDoc) -> None:
    assert doc.domain in (ONNX, MICROSOFT)
    assert doc.domain == MICROSOFT or onnx.defs.has(doc.name), "not an operator of the standard"
    for sentence in (doc.summary, *doc.constraints):
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 110


@pytest.mark.parametrize("doc", FUNCTIONS, ids=lambda doc: doc.name)
def test_function_says_what_it_consists_of(doc: OperatorDoc) -> None:
    """Operators of onnx's definition have an importer, are computed at compile time, or are missing."""
    function = doc.function
    assert function is not None and function.operators and function.opsets == sorted(function.opsets)
    names = {known.name for known in (*DOCS, *FUNCTIONS)}
    lacking = {*function.missing, *function.constant}
    assert lacking == {*function.operators} - names
    assert all(any(name in sentence for sentence in doc.constraints) for name in lacking)
