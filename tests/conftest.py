"""What all tests share: golden files, and which cases are slow."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from golden_files import check_golden

SLOW = Path(__file__).with_name("slow.txt")


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


@pytest.hookimpl(tryfirst=True)  # before -m and -k choose
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the cases of slow.txt.

    Raises:
        pytest.UsageError: it names a case that a file which is collected whole does not have.
    """
    listed = {
        line for line in SLOW.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    }
    for item in items:
        if item.nodeid in listed:
            item.add_marker(pytest.mark.slow)
    names = {item.nodeid for item in items}
    files = {name.partition("::")[0] for name in names}
    missing = sorted(name for name in listed - names if name.partition("::")[0] in files)
    if missing and not any("::" in argument for argument in config.args):
        raise pytest.UsageError(f"{SLOW.name} names cases that are not there: {', '.join(missing)}")


def pytest_collection_finish() -> None:
    """What has been imported and collected stays: the garbage collector need not look at it again."""
    gc.freeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden(name, text): the text is that of the golden file."""
    return partial(check_golden, update=request.config.getoption("--update-golden"))
