"""nnc.isa.notebook: what notebooks and consoles show of a result, program, session and report."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import nnc
from nnc.isa.notebook import html_table
from nnc.models import digits


def test_a_table_escapes_what_it_shows() -> None:
    table = html_table("a & b", [("<name>", "<script>x</script>")])
    assert "<script>" not in table
    root = ElementTree.fromstring(table)
    assert [cell.text for cell in root.iter("td")] == ["<script>x</script>"]
    assert [cell.text for cell in root.iter("th")] == ["<name>"]


@pytest.fixture(scope="module")
def result() -> nnc.Result:
    return nnc.compile_model(digits.MODEL)


@pytest.mark.parametrize("what", ["result", "program", "session", "report"])
def test_representations_are_short_and_say_what_it_is(what: str, result: nnc.Result) -> None:
    shown = {
        "result": result,
        "program": result.program,
        "session": nnc.Session(result.program),
        "report": result.report,
    }[what]
    assert len(repr(shown)) < 400
    assert "npu" in repr(shown) and f"{len(result.program.issued)}" in repr(shown)
    cells = [cell.text for cell in ElementTree.fromstring(shown._repr_html_()).iter("td")]
    assert f"{len(result.program.issued)}" in cells
