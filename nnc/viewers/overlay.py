"""Figures of a report as node data for Model Explorer: colours and numbers on the nodes of an ONNX model.

Nodes have the names that the ONNX adapter shows, which are those in the model.  The figures of a layer belong
to the node that it comes from, and nodes that were fused into it have none, so that all sum to the
network's; each of them shows the layer's group.  A layer that copies an input or an output comes from no
node: it has the name of the tensor, and no place in the viewer.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nnc.io.outputs import make_folder
from nnc.isa.files import write_whole
from nnc.report.schema import LayerReport, Report

_GRADIENT = [{"stop": 0, "bgColor": "#ffffff"}, {"stop": 1, "bgColor": "#e4572e"}]
"""From the least value to the largest."""
_COLOURS = ("#8ecae6", "#ffd166", "#b7e4c7", "#f4acb7", "#cdb4db", "#ffb38a", "#a8dadc", "#d9d9d9")
"""Of groups, in turn."""
NAMES = {
    "cycles": "core cycles",
    "dram_bytes": "DRAM bytes",
    "macs": "MACs",
    "energy": "energy, µJ",
    "group": "group",
}
"""What the viewer calls the figures, by the name of the file."""


def overlay_files(folder: Path) -> dict[str, Path]:
    """The files of an overlay, by figure."""
    return {figure: folder / f"{figure}.json" for figure in NAMES}


def write_overlay(report: Report, folder: Path) -> list[Path]:
    """Write a file of node data for each figure.

    Args:
        report: of a compilation; that of a program alone has names of layers for those of nodes.
        folder: is made if it is not there.

    Returns:
        The files.

    Raises:
        OutputFileError: the folder cannot be made, or a file cannot be written.
    """
    results: dict[str, dict[str, float]] = {figure: {} for figure in NAMES if figure != "group"}
    groups: dict[str, int] = {}
    for layer in report.layers:
        node, *fused = layer.nodes or (layer.name,)
        for figure, value in _figures(layer).items():
            results[figure][node] = results[figure].get(node, 0) + value
        for name in (node, *fused):
            groups.setdefault(name, layer.group)
    make_folder(folder)
    data: dict[str, Any] = {
        figure: {
            "name": NAMES[figure],
            "results": {node: {"value": value} for node, value in values.items()},
            "gradient": _GRADIENT,
        }
        for figure, values in results.items()
    }
    data["group"] = {
        "name": NAMES["group"],
        "results": {
            node: {"value": group, "bgColor": _COLOURS[group % len(_COLOURS)]}
            for node, group in groups.items()
        },
    }
    files = overlay_files(folder)
    for figure, path in files.items():
        write_whole(path, [json.dumps(data[figure], indent=1).encode()])
    return list(files.values())


def _figures(layer: LayerReport) -> dict[str, float]:
    """Of a chip without figures of energy, no node has any."""
    figures = layer.figures
    energy = {} if figures.microjoules is None else {"energy": figures.microjoules}
    return {
        **energy,
        "cycles": figures.compute.core_cycles,
        "dram_bytes": figures.dram.total_bytes,
        "macs": figures.macs,
    }
