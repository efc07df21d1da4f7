"""A browser for all tests here, and pages of a network on one core and on several."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import chromium
from cli_harness import DIGITS, ok
from selenium.webdriver import Chrome

CHIPS = {
    "npu": ["--set", "memory.sram.bytes=32KiB"],
    "vdsp12": ["--chip", "vdsp12"],
}


@pytest.fixture(scope="session")
def driver() -> Iterator[Chrome]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="session", params=CHIPS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the digits network; beside it, as r.json, the report that it is made of."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NNC_CACHE_DIR", str(folder))  # the report finds the plan that compiling has made
        ok("compile", DIGITS, *CHIPS[request.param], "--report", folder / "r.json")
        ok("report", DIGITS, *CHIPS[request.param], "-o", folder / "page.html")
    return folder / "page.html"
