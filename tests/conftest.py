"""What all tests share: golden files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from golden_files import check_golden


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the expected texts in tests/golden"
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is that of the golden file."""
    return partial(check_golden, update=request.config.getoption("--update-golden"))
