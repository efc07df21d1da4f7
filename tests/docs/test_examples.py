"""The pages for users: their commands are run as written and must print what the pages show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from examples import PAGES, ROOT, examples, first_difference


def _read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_examples_print_what_the_page_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In order and in one process: later commands use the files, and the plans, of earlier ones."""
    monkeypatch.setenv("NNC_CACHE_DIR", str(tmp_path))
    for example in examples(_read(page)):
        if example.is_quick:
            found = first_difference(example.shown, example.run())
            assert found is None, f"{page}: {example.code}\n{found}\n'make docs' rewrites the outputs"


def test_readme_opens_with_the_demo() -> None:
    assert examples(_read("README.md"))[0].code == "make demo"


def test_targets_that_pages_name_exist() -> None:
    makefile = _read("Makefile")
    for page in PAGES:
        for target in re.findall(r"\bmake ([a-z][a-z-]*)(?= |`|\n)", "\n".join(_code(_read(page)))):
            assert f"\n{target}:" in makefile, f"{page} names make {target}"


def test_files_that_contributing_names_exist() -> None:
    """As paths from the top, or of tests; what lies in build/ is made first."""
    named = set(re.findall(r"\b(?:[a-z_0-9]+/)+(?:[a-z_0-9]+\.[a-z]+)?", _read("CONTRIBUTING.md")))
    assert len(named) > 20
    lasting = [name for name in named if not name.startswith("build/")]
    assert [name for name in lasting if not any((ROOT / top / name).exists() for top in ("", "tests"))] == []


def _code(page: str) -> list[str]:
    return re.findall(r"`+[^`]+`+", page)


def test_comparison_is_strict_where_it_matters() -> None:
    assert first_difference("1,024 B in 0.13 s\n", "1,024 B in 9.87 s\n") is None
    assert first_difference("[7] 0.9931\n", "[7] 0.9930\n") is None
    assert first_difference("[7] 0.9931\n", "[1] 0.9931\n") is not None
    assert first_difference("1,024 B\n", "1,025 B\n") is not None
    assert first_difference("read 12.5%\n", "read 13.5%\n") is not None
    assert first_difference("a\nb\n", "a\n") is not None


def test_blocks_are_split_into_examples() -> None:
    page = "```console\n$ a b\nx\ny\n$ c\n```\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n"
    found = examples(page)
    assert [(e.language, e.code, e.shown) for e in found] == [
        ("console", "a b", "x\ny\n"),
        ("console", "c", ""),
        ("python", "print(1)\n", "1\n"),
    ]
    assert [page[slice(*e.span)] for e in found] == [e.shown for e in found]
