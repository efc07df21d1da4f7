"""nnc.report.links and the edges of a report."""

from __future__ import annotations

import pytest

import nnc
from nnc.compilation import Result
from nnc.models.digits import MODEL
from nnc.report.links import layer_links
from nnc.report.schema import Report


@pytest.fixture(scope="module", params=["npu", "npu4"])
def compiled(request: pytest.FixtureRequest) -> Result:
    return nnc.compile_model(MODEL, request.param, overrides=["memory.sram.bytes=32KiB"])


def test_a_report_has_the_links_when_it_is_read_again(compiled: Result) -> None:
    report = Report.model_validate_json(compiled.report.model_dump_json(by_alias=True))
    names = {layer.id: (layer.group, layer.name) for layer in report.layers}
    assert {(names[a], names[b]) for a, b in report.links} == set(layer_links(compiled.program))


def test_links_are_those_of_the_network(compiled: Result) -> None:
    """Every layer reads what another one made, or an input; the first is read by somebody."""
    names = {item.note.layer for item in compiled.program.issued if item.note.layer}
    links = layer_links(compiled.program)
    assert {name for link in links for _, name in link} <= names
    assert len(links) == len(set(links)) and all(a != b for a, b in links)
    graph = compiled.graphs["canonical"]
    readers = [layer.name for layer in graph.layers() if layer.name in names]
    wanted = {(maker, name) for name in readers for maker in graph.predecessors(name) if maker in names}
    assert wanted and wanted <= {(a, b) for (_, a), (_, b) in links}


def test_no_group_reads_what_a_later_one_makes(compiled: Result) -> None:
    links = layer_links(compiled.program)
    assert all(maker[0] <= reader[0] for maker, reader in links)
    assert any(maker[0] < reader[0] for maker, reader in links)
