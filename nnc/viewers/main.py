"""Programs in Model Explorer: an adapter by its extension mechanism, ``--extensions=nnc.viewers``.

Model Explorer imports the module ``main`` of each extension, and finds the adapters that it defines.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from model_explorer import Adapter, AdapterMetadata, ModelExplorerGraphs
from model_explorer.graph_builder import Graph, GraphNode, IncomingEdge, KeyValue

from nnc.isa.program_file.binary import load_program
from nnc.report.build import make_report
from nnc.report.entries import Figures
from nnc.report.measured import Measured
from nnc.report.schema import GroupReport, LayerReport, Report


class ProgramAdapter(Adapter):  # type: ignore[misc]
    """Opens programs: layers, in their groups, with what they cost."""

    metadata = AdapterMetadata(
        id="nnc_program",
        name="nnc programs",
        description="Programs of nnc: layers in their groups, with cycles, DRAM bytes and why they are one",
        source_repo="",
        fileExts=["bin"],
    )

    def convert(self, model_path: str, settings: dict[str, Any]) -> ModelExplorerGraphs:
        """The graph of a program.

        Raises:
            ProgramFileError: the file holds no program.
            ProgramInvalidError: it deadlocks.
        """
        return {"graphs": [graph_of(make_report(Measured.of(load_program(Path(model_path)))))]}


def graph_of(report: Report) -> Graph:
    """Layers as nodes, groups as namespaces."""
    groups = {group.id: group for group in report.groups}
    nodes = {
        layer.id: GraphNode(
            id=_id(layer.group, layer.name),
            label=layer.name,
            namespace=_namespace(groups[layer.group]) if layer.group in groups else "",
            attrs=[KeyValue(key, value) for key, value in _of_layer(layer).items()],
        )
        for layer in report.layers
    }
    for source, target in report.links:
        nodes[target].incomingEdges.append(IncomingEdge(sourceNodeId=nodes[source].id))
    return Graph(
        id="program",
        nodes=list(nodes.values()),
        groupNodeAttributes={
            "": {"chip": report.chip.title, "cycles": f"{report.network.cycles:,}"},
            **{_namespace(group): _of_group(group) for group in report.groups},
        },
    )


def _id(group: int, layer: str) -> str:
    """A layer that several groups work on is a node in each of them."""
    return f"{group}:{layer}"


def _namespace(group: GroupReport) -> str:
    return f"group {group.id} ({group.kind})"


def _of_layer(layer: LayerReport) -> dict[str, str]:
    return {"bound by": layer.bound_by, "next limit": layer.next_limit, **_costs(layer.figures)}


def _of_group(group: GroupReport) -> dict[str, str]:
    return {
        "reason": group.reason,
        "parts": str(group.parts),
        "cores": ", ".join(map(str, group.cores)),
        "cycles": f"{group.cycles:,}",
        "bound by": group.bound_by,
        "next limit": group.next_limit,
        **_costs(group.figures),
    }


def _costs(figures: Figures) -> dict[str, str]:
    waits = {
        f"core cycles waiting for {reason}": cycles
        for reason, cycles in figures.compute.waiting_cycles.items()
    }
    causes = {f"DRAM bytes, {cause}": nbytes for cause, nbytes in figures.dram.by_cause.items()}
    counts = {
        "instructions": figures.instructions,
        "core cycles": figures.compute.core_cycles,
        "core cycles busy": figures.compute.busy_cycles,
        **waits,
        "DRAM bytes": figures.dram.total_bytes,
        **causes,
        "MACs": figures.macs,
    }
    return {key: f"{value:,}" for key, value in counts.items() if value}
