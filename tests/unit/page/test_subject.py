"""nnc/page/subject.py"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nnc.compilation import Result
from nnc.errors import ReportFileError
from nnc.page.subject import Subject, of_program, of_report_file


def test_a_program_alone_has_the_same_instructions_and_links(compiled: Result, subject: Subject) -> None:
    alone = of_program(compiled.program, Path("p.bin"))
    assert alone.text == subject.text
    assert alone.report.details is not None and subject.report.details is not None
    assert alone.report.details.timeline == subject.report.details.timeline
    assert alone.report.links == subject.report.links


def test_a_report_comes_back_from_its_file(subject: Subject, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(subject.report.model_dump_json(by_alias=True))
    assert of_report_file(path).report == subject.report


def _no_details(data: dict[str, Any]) -> None:
    data["details"] = None


def _short_column(data: dict[str, Any]) -> None:
    data["details"]["timeline"]["end"].pop()


def _far_index(data: dict[str, Any]) -> None:
    data["details"]["blocks"]["tensor"][0] = 10**6


def _no_bandwidth(data: dict[str, Any]) -> None:
    data["chip"]["description"]["dram"] = {}


def _unknown_memory(data: dict[str, Any]) -> None:
    data["details"]["blocks"]["memories"][0] = "attic"


def _other_field(data: dict[str, Any]) -> None:
    data["weather"] = "fine"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_no_details, "no details"),
        (_short_column, "columns of the timeline"),
        (_far_index, "blocks.tensor"),
        (_no_bandwidth, "dram.bytes_per_cycle"),
        (_unknown_memory, "attic"),
        (_other_field, "weather"),
    ],
)
def test_damaged_reports_are_refused(
    damage: Callable[[dict[str, Any]], None], words: str, subject: Subject, tmp_path: Path
) -> None:
    data = json.loads(subject.report.model_dump_json(by_alias=True))
    damage(data)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ReportFileError, match=words):
        of_report_file(path)
