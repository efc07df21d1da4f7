"""nnc/cli/report.py"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from cli_harness import DIGITS, nnc, ok

from nnc.cli import packages


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with program and report of a network."""
    folder = tmp_path_factory.mktemp("report")
    ok("compile", DIGITS, "--chip", "npu4", "-o", folder / "p.bin", "--report", folder / "r.json")
    return folder


def test_pages_of_model_program_and_report(made: Path, tmp_path: Path) -> None:
    for subject in (Path(DIGITS), made / "p.bin", made / "r.json"):
        page = tmp_path / f"{subject.name}.html"
        assert str(page) in ok("report", subject, "-o", page)
        assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_model_is_compiled_for_the_chip_that_is_asked_for(tmp_path: Path) -> None:
    ok("report", DIGITS, "--set", "memory.sram.bytes=64KiB", "-o", tmp_path / "p.html")
    assert "memory.sram.bytes=64KiB" in (tmp_path / "p.html").read_text("utf-8")


def test_what_is_no_report_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"chip": "npu"}')
    result = nnc("report", tmp_path / "r.json", "-o", tmp_path / "p.html")
    assert result.exit_code == 1 and "NNC-E033" in result.stderr
    assert not (tmp_path / "p.html").exists()


def test_without_bokeh_the_remedy_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(packages, "find_spec", lambda name: None if name == "bokeh" else found(name))
    result = nnc("report", DIGITS, "-o", tmp_path / "p.html")
    assert result.exit_code == 1
    assert "pip install 'nnc[report]'" in result.stderr


@pytest.mark.parametrize("name", ["p.bin", "r.json"])
def test_options_of_compiling_are_for_models(name: str, made: Path, tmp_path: Path) -> None:
    result = nnc("report", made / name, "--chip", "npu", "-o", tmp_path / "p.html")
    assert result.exit_code == 2 and "--chip is for models" in result.stderr
