"""nnc/page/marks.py"""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from nnc.page.marks import Marks, make_marks
from nnc.page.memory_bands import memory_bands
from nnc.page.subject import Subject


@pytest.fixture
def marks(subject: Subject) -> Marks:
    return make_marks(subject.report, memory_bands(subject.report))


def test_timeline_and_memory_map_have_the_columns_of_the_report(subject: Subject, marks: Marks) -> None:
    details = subject.report.details
    assert details is not None
    for name, table in (("timeline", details.timeline), ("blocks", details.blocks)):
        for column, values in table:
            drawn = marks.columns[name][column]
            is_text = bool(values) and isinstance(values[0], str)
            assert (drawn if is_text else np.cumsum(drawn).tolist()) == values, column


def test_an_engine_has_a_lane_of_its_own(subject: Subject, marks: Marks) -> None:
    details = subject.report.details
    assert details is not None
    lanes = np.cumsum(marks.columns["timeline"]["lane"]).tolist()
    homes = zip(lanes, details.timeline.core, details.timeline.engine, strict=True)
    pairs = {
        lane: {(core, engine) for _, core, engine in rows}
        for lane, rows in groupby(sorted(homes), lambda row: row[0])
    }
    assert all(len(found) == 1 for found in pairs.values())
    assert len(set.union(*pairs.values())) == len(pairs)


def test_columns_of_bytes_are_as_high_as_the_bytes_of_groups(subject: Subject, marks: Marks) -> None:
    dram = marks.columns["dram"]
    rows = list(zip(dram["group"], dram["cause"], dram["bottom"], dram["top"], strict=True))
    for group in subject.report.groups:
        mine = {cause: top - bottom for number, cause, bottom, top in rows if number == group.id}
        assert mine == {cause: n for cause, n in group.figures.dram.by_cause.items() if n}
        assert max(top for number, _, _, top in rows if number == group.id) == group.figures.dram.total_bytes
    assert marks.limits["dram-y"][1] >= max(dram["top"])
    assert marks.columns["floors"]["y"] == [group.floor.dram_bytes for group in subject.report.groups]


def test_a_point_per_group_at_or_below_the_roof(subject: Subject, marks: Marks) -> None:
    points, roof = marks.columns["roofline"], marks.columns["roof"]
    assert points["group"] == [group.id for group in subject.report.groups]
    for name, ends in (("x", marks.limits["roof-x"]), ("y", marks.limits["roof-y"])):
        assert all(ends[0] < value < ends[1] for value in points[name])
    bandwidth = subject.report.chip.description["dram"]["bytes_per_cycle"]
    peak = max(roof["y"])
    points_of = zip(subject.report.groups, points["x"], points["y"], strict=True)
    for group, x, y in points_of:
        if group.figures.macs:
            assert y == group.figures.macs / group.cycles <= peak
            assert (
                not group.figures.dram.total_bytes or x == group.figures.macs / group.figures.dram.total_bytes
            )
    assert roof["y"][0] == pytest.approx(roof["x"][0] * bandwidth)


def test_the_graph_has_all_layers_groups_and_links(subject: Subject, marks: Marks) -> None:
    graph, links = marks.columns["graph"], marks.columns["links"]
    assert graph["layer"] == [layer.id for layer in subject.report.layers]
    assert graph["group"] == [layer.group for layer in subject.report.layers]
    assert marks.columns["graph-groups"]["group"] == [group.id for group in subject.report.groups]
    assert list(zip(links["source"], links["target"], strict=True)) == subject.report.links
    left, right = marks.limits["graph-x"]
    assert all(left < a < b < right for a, b in zip(graph["left"], graph["right"], strict=True))
