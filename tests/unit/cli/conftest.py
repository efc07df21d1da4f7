"""Fixtures of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_harness import DIGITS, ok


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled digits network."""
    path = tmp_path_factory.mktemp("program") / "digits.bin"
    ok("compile", DIGITS, "-o", path)
    return path
