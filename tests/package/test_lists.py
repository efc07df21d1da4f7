"""The lists in pyproject.toml against what is on disk."""

from __future__ import annotations

from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

from installing import FOLDERS, ROOT, expected_files, project


def test_every_folder_of_sources_is_a_package() -> None:
    files = expected_files()
    homes = {file.rsplit("/", 1)[0] for file in files if file.endswith(".py")}
    assert homes
    assert {home for home in homes if f"{home}/__init__.py" not in files} == set()


def test_nnc_alone_is_packaged() -> None:
    assert project()["tool"]["setuptools"]["packages"] == {"find": {"include": ["nnc", "nnc.*"]}}


def test_the_other_folders_are_links_inside_nnc() -> None:
    links = {path.name: path.readlink() for path in (ROOT / "nnc").iterdir() if path.is_symlink()}
    assert links == {name: Path("..", name) for name in FOLDERS if name != "nnc"}


def test_every_data_file_is_matched_by_a_pattern() -> None:
    patterns = project()["tool"]["setuptools"]["package-data"]
    for file in sorted(expected_files()):
        home, name = file.rsplit("/", 1)
        if not name.endswith(".py"):
            assert any(fnmatch(name, p) for p in patterns.get(home.replace("/", "."), [])), file


def test_dependencies_have_lower_bounds() -> None:
    listed = project()["project"]
    everything = [*listed["dependencies"], *chain(*listed["optional-dependencies"].values())]
    assert [d for d in everything if ">=" not in d] == ["nnc[check,llm,quantize,report,search,sweep]"]
