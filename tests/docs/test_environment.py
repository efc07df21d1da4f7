"""Running the pages' commands changes no environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from examples import ROOT


def test_an_environment_that_is_given_is_left_as_it_is(tmp_path: Path) -> None:
    """In a copy of the Makefile without .venv: `make BIN=…` installs nothing; without BIN it would."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "pyproject.toml").touch()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    said = []
    for flags in ({"MAKEFLAGS": f"BIN={Path(sys.executable).parent}"}, {}):
        done = subprocess.run(
            ["make", "--dry-run", "demo"],
            cwd=tmp_path,
            env={**environment, **flags},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append("pip install" in done.stdout)
    assert said == [False, True]
