"""The digits network with fused groups: its report, and its program in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_harness import DIGITS, ok

from nnc.report.schema import Report


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("viewers")
    args = ["--set", "memory.sram.bytes=32KiB", "--report", found / "r.json", "-o", found / "digits.bin"]
    ok("compile", DIGITS, *args)
    return found


@pytest.fixture(scope="session")
def report(folder: Path) -> Report:
    return Report.model_validate(json.loads((folder / "r.json").read_text(encoding="utf-8")))
