"""What all tests share: golden files."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import pytest
from golden_files import check_golden


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the expected texts in tests/golden"
    )
    parser.addoption("--examples", type=int, help="how many random networks each test of them tries")


def pytest_configure(config: pytest.Config) -> None:
    """Before the tests are imported; processes of pytest-xdist, and commands that tests start, inherit it."""
    os.environ["NNC_CACHE_DIR"] = "off"  # what a user has compiled is no test's, nor the other way round
    if config.getoption("--examples") is not None:
        os.environ["NNC_EXAMPLES"] = str(config.getoption("--examples"))


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is that of the golden file."""
    return partial(check_golden, update=request.config.getoption("--update-golden"))
