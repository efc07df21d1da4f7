"""The lists in pyproject.toml against what is on disk."""

from __future__ import annotations

from fnmatch import fnmatch
from itertools import chain

from installing import FOLDERS, expected_files, project


def test_every_package_is_listed() -> None:
    homes = {file.rsplit("/", 1)[0] for file in expected_files() if file.endswith(".py")}
    assert project()["tool"]["setuptools"]["packages"] == sorted(home.replace("/", ".") for home in homes)


def test_every_package_has_an_init_file() -> None:
    files = expected_files()
    for package in project()["tool"]["setuptools"]["packages"]:
        assert f"{package.replace('.', '/')}/__init__.py" in files


def test_folders_map_to_packages() -> None:
    mapped = project()["tool"]["setuptools"]["package-dir"]
    for folder, home in FOLDERS.items():
        assert mapped[home.replace("/", ".")] == folder


def test_every_data_file_is_matched_by_a_pattern() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]
    for file in sorted(expected_files()):
        home, name = file.rsplit("/", 1)
        if not name.endswith(".py"):
            assert any(fnmatch(name, p) for p in patterns.get(home.replace("/", "."), [])), file


def test_dependencies_have_lower_bounds() -> None:
    listed = project()["project"]
    everything = [*listed["dependencies"], *chain(*listed["optional-dependencies"].values())]
    assert [d for d in everything if ">=" not in d] == ["nnc[check]"]
