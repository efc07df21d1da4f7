"""What a compilation knows and a program does not say: options, layers with their nodes, groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nnc.compiler.floors import LayerFloor, layer_floors
from nnc.compiler.ir.annotations import GroupEnd
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.required import required
from nnc.compiler.pipeline import Compilation
from nnc.compiler.precision import precision
from nnc.report.identity import options_of
from nnc.report.origins import nodes_of_layers
from nnc.report.schema import Options

if TYPE_CHECKING:
    from nnc.compiler.plan.plan import GroupPlan


@dataclass(frozen=True)
class KnownLayer:
    """A layer of the canonical network."""

    kind: str
    op: str
    nodes: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: str
    floor: LayerFloor


@dataclass(frozen=True)
class KnownGroup:
    """A group of the plan."""

    axis: str
    cores: tuple[int, ...]
    ends: GroupEnd
    finds: tuple[str, ...]
    leaves: tuple[str, ...]
    memory_peak: Mapping[str, int]


@dataclass(frozen=True)
class Known:
    """What a compilation knows beside its program."""

    options: Options
    layers: Mapping[str, KnownLayer]
    groups: tuple[KnownGroup, ...]
    memory: Mapping[str, dict[str, Any]]
    buffers: tuple[dict[str, Any], ...]
    fc_groups: tuple[dict[str, Any], ...]
    stitch: dict[str, Any] | None
    quantised: dict[str, Any] | None

    @classmethod
    def of(cls, compilation: Compilation) -> Known:
        """What a compilation knows."""
        plan, chip = compilation.plan, compilation.program.chip
        return cls(
            options=options_of(compilation.options),
            layers=_layers(compilation),
            groups=tuple(
                KnownGroup(
                    group.axis,
                    group.cores,
                    required(group.ends),
                    group.finds,
                    group.leaves,
                    memory_peak=dict(peak),
                )
                for group, peak in zip((p.group for p in plan.groups), plan.memory_peak, strict=True)
            ),
            memory={
                name: {
                    "bytes": chip.memory[name].bytes,
                    "peak_bytes": use.peak,
                    "live_bytes": use.live,
                    "fragmentation": round(use.fragmentation, 4),
                }
                for name, use in plan.memory_use.items()
            },
            buffers=tuple(
                {**_named(planned), **asdict(planned.group.buffers)}
                for planned in plan.groups
                if planned.group.buffers is not None
            ),
            fc_groups=tuple(
                {**_named(planned), **planned.pixels.to_json()}
                for planned in plan.groups
                if planned.pixels is not None
            ),
            stitch=stitch_figures(compilation),
            quantised=quantised_figures(compilation.network),
        )


def _named(planned: GroupPlan) -> dict[str, Any]:
    return {"group": planned.group.index, "layer": planned.group.layers[0]}


def _layers(compilation: Compilation) -> dict[str, KnownLayer]:
    """The layers that are executed."""
    graph, chip = compilation.canonical, compilation.program.chip
    nodes, limits = nodes_of_layers(compilation.imported, graph), layer_floors(graph, chip)
    layers = {}
    for layer in graph.layers():
        result = graph.types[graph.output_of(layer.name)]
        layers[layer.name] = KnownLayer(
            layer.kind, layer.loc.op, nodes[layer.name], result.shape, result.dtype.value, limits[layer.name]
        )
    return layers


def quantised_figures(network: Graph) -> dict[str, Any] | None:
    """How many layers work on 8-bit integers, and why others do not; None for a network without such."""
    network_precision = precision(network)
    if network_precision is None:
        return None
    return {
        "int8_layers": len(network_precision.of_integers),
        "float_layers": len(network_precision.of_reals),
        "conversions": len(network_precision.conversions),
        "float": dict(network_precision.of_reals),
    }


def stitch_figures(compilation: Compilation) -> dict[str, Any] | None:
    """How pictures of the batch are stitched (method M4), layer by layer; None: they are not.

    `utilisation` is the share of the lanes that compute outputs of pictures, of all convolutions together.
    """
    stitch = compilation.canonical.notes.stitch
    if not stitch.layers:
        return None
    lane_macs = sum(layer.macs / layer.utilisation for layer in stitch.layers)
    return {
        "asked": compilation.options.stitch,
        "pictures": stitch.pictures,
        "utilisation": round(sum(layer.macs for layer in stitch.layers) / lane_macs, 4)
        if lane_macs
        else None,
        "layers": [{**asdict(layer), "utilisation": round(layer.utilisation, 4)} for layer in stitch.layers],
    }
