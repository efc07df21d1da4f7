"""nnc/page/tables.py"""

from __future__ import annotations

import pytest

from nnc.page.subject import Subject
from nnc.page.tables import amount, group_table, layer_table, summary_tables


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (182_781_824, "183 MB"), (10**13, "10,000 GB")],
)
def test_amounts(count: int, text: str) -> None:
    assert amount(count) == text


def test_a_row_per_layer_and_group_with_a_cell_per_head(subject: Subject) -> None:
    report = subject.report
    layers, groups = layer_table(report), group_table(report)
    assert [(row.group, row.layer) for row in layers.rows] == [(it.group, it.id) for it in report.layers]
    assert [(row.group, row.layer) for row in groups.rows] == [(it.id, None) for it in report.groups]
    for table in (layers, groups):
        for row in table.rows:
            assert [head.number for head in table.heads] == [cell.value is not None for cell in row.cells]


def test_the_summary_has_totals_beside_floors(subject: Subject) -> None:
    report = subject.report
    found = dict(pair for table in summary_tables(report) for pair in table)
    assert f"{report.network.cycles:,}" in found["cycles"] and "× floor" in found["cycles"]
    assert f"{report.network.figures.dram.total_bytes:,} B" in found["DRAM"]
    assert report.network.figures.microjoules is not None  # presets have figures of energy
    assert found["energy"] == f"{report.network.figures.microjoules:,.4g} µJ"
    shares = [float(text.split("%")[0]) for text in found.values() if text.endswith("of the cores' cycles")]
    assert sum(shares) == pytest.approx(100, abs=0.3)
