"""nnc/page/document.py, views.py and the files beside them"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from nnc.page.document import page_html
from nnc.page.packing import unpacked
from nnc.page.subject import Subject


@pytest.fixture(scope="module")
def page(subject: Subject) -> str:
    return page_html(subject.report, text=subject.text)


def data_of(page: str) -> Any:
    (text,) = re.findall(r'<script id="data" type="text/plain">(.*?)</script>', page)
    return unpacked(text)


def test_the_page_is_one_file_that_may_ask_for_nothing(page: str) -> None:
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert re.findall(r"(?:src|href)\s*=\s*[\"'](?!#|data:)", markup) == []
    assert "<script src" not in page and "@import" not in page
    assert "default-src 'none'" in markup


def test_the_page_holds_the_report(page: str, subject: Subject) -> None:
    data = data_of(page)
    assert data["report"] == subject.report.model_dump(mode="json", by_alias=True, exclude={"details"})
    assert data["text"] == subject.text
    assert sorted(data["order"]) == list(range(len(subject.text or ())))
    (item,) = data["bokeh"]["items"]
    assert all(f'id="{element}"' in page for element in item["roots"].values())
    assert len(item["roots"]) == page.count('class="drawing"')


def test_names_mean_nothing_in_html(subject: Subject) -> None:
    evil = '</script><img src=x onerror="alert(1)">'
    layers = tuple(layer.model_copy(update={"name": evil}) for layer in subject.report.layers)
    report = subject.report.model_copy(update={"layers": layers, "program": evil, "model": None})
    page = page_html(replace(subject, report=report).report)
    assert "<img" not in page
    assert data_of(page)["report"]["layers"][0]["name"] == evil


def test_a_report_alone_has_no_text(subject: Subject) -> None:
    data = data_of(page_html(subject.report))
    assert data["text"] is None
    assert len(data["marks"]["links"]["x0"]) == len(subject.report.links) > 0
