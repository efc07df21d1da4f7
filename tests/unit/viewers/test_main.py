"""nnc/viewers/main.py: Model Explorer loads the extension and opens programs with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from model_explorer.extension_manager import ExtensionManager

from nnc.report.schema import Report


@pytest.fixture(scope="module")
def graph(folder: Path) -> Any:
    """A program, opened as the server of Model Explorer does it."""
    manager = ExtensionManager(["nnc.viewers"])
    manager.load_extensions()
    (extension,) = [e for e in manager.get_extensions_metadata() if "bin" in e["fileExts"]]
    answer = manager.run_cmd(
        {
            "cmdId": "convert",
            "extensionId": extension["id"],
            "modelPath": str(folder / "digits.bin"),
            "settings": {},
            "deleteAfterConversion": False,
        }
    )
    (graph,) = answer["graphs"]
    return graph


def test_nodes_are_the_layers_in_their_groups(graph: Any, report: Report) -> None:
    found = {(node["namespace"], node["label"]) for node in graph["nodes"]}
    kinds = {group.id: group.kind for group in report.groups}
    assert found == {(f"group {x.group} ({kinds[x.group]})", x.name) for x in report.layers}
    ids = [node["id"] for node in graph["nodes"]]
    assert len(set(ids)) == len(ids) == len(report.layers)


def test_edges_lead_along_the_network(graph: Any) -> None:
    ids = [node["id"] for node in graph["nodes"]]
    edges = [(edge["sourceNodeId"], node["id"]) for node in graph["nodes"] for edge in node["incomingEdges"]]
    assert edges
    assert {name for edge in edges for name in edge} <= set(ids)
    first = {name for name in ids if name.startswith("0:")}
    assert set(ids) - {target for _, target in edges} < first  # what reads the input


def test_nodes_and_groups_carry_what_they_cost_and_why(graph: Any, report: Report) -> None:
    nodes = {node["id"]: {a["key"]: a["value"] for a in node["attrs"]} for node in graph["nodes"]}
    for layer in report.layers:
        attributes = nodes[f"{layer.group}:{layer.name}"]
        assert attributes["core cycles"] == f"{layer.figures.compute.core_cycles:,}"
        assert attributes.get("DRAM bytes", "0") == f"{layer.figures.dram.total_bytes:,}"
    for group in report.groups:
        attributes = graph["groupNodeAttributes"][f"group {group.id} ({group.kind})"]
        assert attributes["reason"] == group.reason
        assert attributes["parts"] == str(group.parts)
        assert attributes["cycles"] == f"{group.cycles:,}"
