"""Helpers of the packaging tests: a clean copy of the sources, fresh environments, commands in them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "nnc": "nnc",
    "compiler": "nnc/compiler",
    "isa": "nnc/isa",
    "models": "nnc/models",
    "runtime": "nnc/runtime",
}
UV = str(Path(sys.executable).with_name("uv"))
"""It belongs to what `pip install '.[dev]'` brings."""
FILES = ("pyproject.toml", "README.md", "LICENSE")


def project() -> dict[str, Any]:
    """The parsed pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def copy_sources(target: Path) -> Path:
    """Copy what a build needs, so that nothing left in the working tree's build/ can slip into it."""
    for folder in FOLDERS:
        skipped = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, target / folder, symlinks=True, ignore=skipped)
    for file in FILES:
        shutil.copy(ROOT / file, target / file)
    return target


def expected_files() -> set[str]:
    """Every source and data file as the path under site-packages where it belongs."""
    found = set()
    for folder, home in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                found.add(f"{home}/{path.relative_to(ROOT / folder).as_posix()}")
    return found


def build(kind: str, sources: Path, folder: Path) -> Path:
    """Build a "wheel" or an "sdist" of a folder of sources, or of an archive of them, into a folder."""
    subprocess.run([UV, "build", "--quiet", f"--{kind}", "--out-dir", str(folder), str(sources)], check=True)
    (built,) = (path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))
    return built


@dataclass(frozen=True)
class Environment:
    """A virtual environment and the folder in which its commands run."""

    path: Path
    work: Path

    @staticmethod
    def create(path: Path) -> Environment:
        """Make it; it holds pip and nothing else."""
        subprocess.run([UV, "venv", "--quiet", "--seed", "--python", sys.executable, str(path)], check=True)
        work = path.parent / f"{path.name}-work"
        work.mkdir()
        return Environment(path, work)

    @property
    def site_packages(self) -> Path:
        return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(self.path)}))

    def run(self, name: str, *arguments: str | Path) -> str:
        """Run a command of the environment in a folder that has nothing to do with the sources."""
        return self._run([str(self._scripts / name), *map(str, arguments)], {})

    def run_shell(self, script: str, variables: Mapping[str, str]) -> str:
        """Run a script as GitHub runs those of `shell: bash`, the environment's commands before all others.

        Args:
            script: lines of bash.
            variables: of the environment, beside those that there are.
        """
        path = f"{self._scripts}{os.pathsep}{os.environ['PATH']}"
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return self._run(command, {**variables, "PATH": path})

    @property
    def _scripts(self) -> Path:
        return Path(sysconfig.get_path("scripts", "venv", vars={"base": str(self.path)}))

    def _run(self, command: list[str], variables: Mapping[str, str]) -> str:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        done = subprocess.run(
            command, cwd=self.work, env={**environment, **variables}, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def install(self, *arguments: str | Path) -> None:
        """Install packages: with uv, which keeps what it has downloaded for the other environments."""
        self._run([UV, "pip", "install", "--quiet", "--python", str(self.path), *map(str, arguments)], {})
