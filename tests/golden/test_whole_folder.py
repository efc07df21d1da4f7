"""The golden files themselves: none is stale, and a difference is reported so that one can act on it."""

from __future__ import annotations

from pathlib import Path

import pytest
import test_pass_texts
import test_stages
import test_worked_examples
from golden_files import FOLDER, check_golden


def test_every_file_belongs_to_a_test() -> None:
    found = {path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".json", ".dot", ".asm")}
    tests = (test_stages, test_pass_texts, test_worked_examples)
    assert found == {name for test in tests for name in test.GOLDEN_FILES}


def test_difference_is_shown(tmp_path: Path) -> None:
    check_golden("a.txt", "one\ntwo\n", update=True, folder=tmp_path)
    check_golden("a.txt", "one\ntwo\n", folder=tmp_path)
    with pytest.raises(AssertionError, match=r"(?s)make golden.*-two\n\+2"):
        check_golden("a.txt", "one\n2\n", folder=tmp_path)


def test_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="does not exist: `make golden`"):
        check_golden("b.txt", "", folder=tmp_path)
