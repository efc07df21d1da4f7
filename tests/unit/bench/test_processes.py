"""bench/processes.py: a copy of a process answers, fails with words, or is ended in time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from processes import TooSlow, commit, in_a_copy


def fail() -> None:
    raise KeyError("x")


def work_forever() -> None:
    while True:
        pass


def test_a_copy_answers() -> None:
    assert in_a_copy(lambda: 6 * 7, seconds=60) == 42
    assert in_a_copy(os.getpid, seconds=60) != os.getpid()


def test_a_copy_that_fails_says_why() -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'x'"):
        in_a_copy(fail, seconds=60)
    with pytest.raises(RuntimeError, match="no answer, status 3"):
        in_a_copy(lambda: os._exit(3), seconds=60)


def test_a_copy_that_takes_too_long_is_ended() -> None:
    with pytest.raises(TooSlow, match="over 1 s"):
        in_a_copy(work_forever, seconds=1)


def test_a_folder_without_commits_has_none(tmp_path: Path) -> None:
    assert commit(tmp_path) == "unknown"
