"""nnc/viewers/overlay.py: node data as Model Explorer's own classes have it, for nodes that its graph has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_harness import DIGITS, ok
from dacite import Config, from_dict
from model_explorer.node_data_builder import GraphNodeData
from model_explorer_onnx.main import ONNXAdapter

from nnc.report.schema import Report
from nnc.viewers.overlay import overlay_files, write_overlay


def data_of(path: Path) -> GraphNodeData:
    """A file as the data class of Model Explorer; unknown fields are errors."""
    found: GraphNodeData = from_dict(GraphNodeData, json.loads(path.read_text()), Config(strict=True))
    return found


def test_files_are_what_the_classes_of_model_explorer_write(report: Report, tmp_path: Path) -> None:
    for path in write_overlay(report, tmp_path / "new"):
        data = data_of(path)
        theirs: dict[str, Any] = json.loads(data.to_json_string())
        ours = json.loads(path.read_text())
        assert {key: theirs[key] for key in ours} == ours
        assert {key for key, value in theirs.items() if value} == set(ours)


@pytest.mark.parametrize(
    ("figure", "total"),
    [
        ("cycles", lambda r: r.network.figures.compute.core_cycles),
        ("dram_bytes", lambda r: r.network.figures.dram.total_bytes),
        ("macs", lambda r: r.network.figures.macs),
        ("energy", lambda r: sum(layer.figures.microjoules for layer in r.layers)),
    ],
)
def test_figures_sum_to_those_of_the_network(
    report: Report, tmp_path: Path, figure: str, total: Callable[[Report], float]
) -> None:
    write_overlay(report, tmp_path)
    values = [result.value for result in data_of(overlay_files(tmp_path)[figure]).results.values()]
    assert sum(values) == pytest.approx(total(report), rel=1e-6)
    assert sum(values) > 0


def test_keys_are_nodes_of_the_graph_that_the_onnx_adapter_shows(report: Report, tmp_path: Path) -> None:
    (graph,) = ONNXAdapter().convert(str(DIGITS), {})["graphs"]
    shown = {node.id for node in graph.nodes}
    computing = {node.id for node in graph.nodes if not node.id.startswith("[value]")}
    write_overlay(report, tmp_path)
    files = overlay_files(tmp_path)
    for path in files.values():
        assert set(data_of(path).results) - computing == {"image"}  # a copy of the input, of no node
    assert "[value] image" in shown
    assert len(computing & set(data_of(files["group"]).results)) > len(report.layers)  # fused ones, too


def test_fused_nodes_are_of_their_layers_group(report: Report, tmp_path: Path) -> None:
    write_overlay(report, tmp_path)
    group = data_of(overlay_files(tmp_path)["group"]).results
    cycles = data_of(overlay_files(tmp_path)["cycles"]).results
    fused = [layer for layer in report.layers if len(layer.nodes) > 1]
    assert fused
    for layer in fused:
        assert {group[node].value for node in layer.nodes} == {layer.group}
        assert not set(layer.nodes[1:]) & set(cycles)


def test_the_command_writes_an_overlay_beside_the_page_or_alone(folder: Path, tmp_path: Path) -> None:
    said = ok("report", folder / "r.json", "--overlay", tmp_path / "o")
    assert all(str(path) in said for path in overlay_files(tmp_path / "o").values())
    ok("report", folder / "r.json", "--overlay", tmp_path / "p", "-o", tmp_path / "page.html")
    assert (tmp_path / "page.html").exists()
    for figure, path in overlay_files(tmp_path / "o").items():
        assert path.read_bytes() == overlay_files(tmp_path / "p")[figure].read_bytes()
