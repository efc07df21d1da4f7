"""Running the nnc command in tests, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from nnc.cli.commands import commands
from nnc.models.digits import MODEL, sample_pngs

DIGITS = str(MODEL)
PICTURE = str(sample_pngs()[3])
PIXELS = ("--scale", "0.00390625")


def nnc(*arguments: str | Path) -> Result:
    """Call the command in this process."""
    return CliRunner().invoke(commands, [str(argument) for argument in arguments], prog_name="nnc")


def ok(*arguments: str | Path) -> str:
    """Call the command, which must succeed and say nothing on stderr; gives its stdout."""
    result = nnc(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def data_of(*arguments: str | Path) -> Any:
    """The JSON that a command prints, and nothing else."""
    return json.loads(ok(*arguments, "--json"))


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder with their contents."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fails(code: str, folder: Path, *arguments: str | Path) -> str:
    """Call the command, which must fail with one clear error and leave the folder alone; gives the error."""
    before = files_of(folder)
    result = nnc(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.startswith(f"{code}: "), result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.count("NNC-E") == 1
    assert "\n  remedy: " in result.stderr, result.stderr
    assert files_of(folder) == before
    return result.stderr


def process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Call the command as ``python -m nnc`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "nnc", *map(str, arguments)],
        encoding="utf-8",
        timeout=120,
        check=False,
        **{
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "env": {**os.environ, "PYTHONIOENCODING": "utf-8"},
            **options,
        },
    )
