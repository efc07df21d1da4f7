"""The chapters of docs/design can be read, and what all pages name exists: files, links, headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from examples import ROOT

CHAPTERS = sorted((ROOT / "docs" / "design").glob("*.md"))
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
MOST_LINES, MOST_LINES_OF_A_PICTURE = 8, 12
"""Of a paragraph or an item of a list; of a picture in a code block."""
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
_LINK = re.compile(r"\]\(([^)\s#:]*)(#[^)\s]*)?\)")
_PATH = re.compile(r"`((?:[\w.-]+/)+(?:[\w-]+\.[a-z]+)?)`|`((?:[a-z_]+/)+[a-z_]+)`")
"""Files, and folders with a slash at the end or without."""


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _prose(page: Path) -> str:
    """A page without its code blocks."""
    return _FENCE.sub("", _text(page))


def _paragraphs(text: str) -> Iterator[list[str]]:
    """The paragraphs and items of lists of a page; rows of tables are none."""
    for is_filled, lines in groupby(text.splitlines(), key=lambda line: bool(line.strip())):
        paragraph = list[str]()
        for line in lines if is_filled else ():
            if _ITEM.match(line) and paragraph:
                yield paragraph
                paragraph = []
            if not line.startswith("|"):
                paragraph.append(line)
        if paragraph:
            yield paragraph


def _anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    seen, anchors = Counter[str](), set[str]()
    for heading in re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchors.add(f"#{slug}-{seen[slug]}" if seen[slug] else f"#{slug}")
        seen[slug] += 1
    return anchors


def _broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    broken = []
    for file, anchor in _LINK.findall(_prose(page)):
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(file + anchor)
    return broken


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda page: page.stem)
def test_paragraphs_and_pictures_are_short(chapter: Path) -> None:
    long = [lines[0] for lines in _paragraphs(_prose(chapter)) if len(lines) > MOST_LINES]
    assert not long, f"paragraphs of more than {MOST_LINES} lines"
    pictures = [body for language, body in _FENCE.findall(_text(chapter)) if language in ("", "text")]
    assert [body for body in pictures if body.count("\n") > MOST_LINES_OF_A_PICTURE] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files_and_headings(page: Path) -> None:
    assert _broken_links(page) == []


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda page: page.stem)
def test_files_that_chapters_name_exist(chapter: Path) -> None:
    """As paths from the top."""
    named = {file or folder for file, folder in _PATH.findall(_prose(chapter))}
    assert sorted(name for name in named if not (ROOT / name).exists()) == []


def test_the_overview_lists_all_chapters() -> None:
    listed = set(
        re.findall(r"^\| \[[\w-]+\]\((\w[\w-]*\.md)\)", _text(CHAPTERS[0].parent / "overview.md"), re.M)
    )
    assert listed == {chapter.name for chapter in CHAPTERS} - {"overview.md"}


def test_paragraphs_links_and_anchors_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A `b`: c\n\none\ntwo\n- three\n  four\n- five\n\n| t |\n\n```text\n[x](y)\n```\n## A b c\n"
    )
    assert [len(lines) for lines in _paragraphs(_prose(page))] == [1, 2, 2, 1, 1]
    assert _anchors(page) == {"#a-b-c", "#a-b-c-1"}
    page.write_text("# One\n[a](#one) [b](#two) [c](page.md#one) [d](none.md) [e](https://x.y/z)\n")
    assert _broken_links(page) == ["#two", "none.md"]
    assert _PATH.findall("`a/b.py` `a/b/` `a/b` `--x` `b.py` `f(x/y)`") == [
        ("a/b.py", ""),
        ("a/b/", ""),
        ("", "a/b"),
    ]
