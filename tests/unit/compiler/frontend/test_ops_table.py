"""The table of operators, from which ``nnc ops`` prints."""

from __future__ import annotations

import onnx
import pytest

from nnc.compiler.frontend import importer  # noqa: F401  it fills the table
from nnc.compiler.frontend.domains import MICROSOFT, ONNX
from nnc.compiler.frontend.table import OperatorDoc, supported_operators

DOCS = supported_operators()


def test_ordered_and_unique() -> None:
    names = [(doc.domain, doc.name) for doc in DOCS]
    assert names == sorted(set(names))
    assert len(names) > 90


@pytest.mark.parametrize("doc", DOCS, ids=lambda doc: f"{doc.domain}.{doc.name}")
def test_documented(doc: OperatorDoc) -> None:
    assert doc.domain in (ONNX, MICROSOFT)
    assert doc.domain == MICROSOFT or onnx.defs.has(doc.name), "not an operator of the standard"
    for sentence in (doc.summary, *doc.constraints):
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert len(sentence) < 110
