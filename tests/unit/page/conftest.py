"""Reports that pages are made of: a network on one core with little memory, and on four."""

from __future__ import annotations

import pytest

import nnc
from nnc.compilation import Result
from nnc.models.digits import MODEL
from nnc.page.subject import Subject, of_compilation


@pytest.fixture(scope="session", params=["npu", "npu4"])
def compiled(request: pytest.FixtureRequest) -> Result:
    return nnc.compile_model(MODEL, request.param, overrides=["memory.sram.bytes=32KiB"])


@pytest.fixture(scope="session")
def subject(compiled: Result) -> Subject:
    return of_compilation(compiled)
