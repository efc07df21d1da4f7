"""Questions about layers seen from the chip, answered from the records of their kinds (``layer_kinds``)."""

from __future__ import annotations

from collections.abc import Sequence

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.graph import Graph
from nnc.compiler.ir.regions.boxes import Ints
from nnc.compiler.ir.required import required
from nnc.compiler.target import layer_kinds
from nnc.compiler.target.layer_record import RECORDS, AxisOrder, record_of
from nnc.isa.chip.description import DEPTHWISE, Chip
from nnc.isa.instruction import operand_specs
from nnc.isa.types import DType

__all__ = ["AxisOrder", "layer_kinds"]


def slot_role(layer: ir.Layer, slot: int) -> str:
    """Role of an operand in the chip's operand table: that of the instruction's field that it becomes."""
    specs = operand_specs(record_of(type(layer)).instruction)
    name = layer.slots[min(slot, len(layer.slots) - 1)]
    field = name if name in specs else "srcs" if name.endswith("…") else "src"
    return specs[field].role.value


def family(graph: Graph, layer: ir.Layer) -> str:
    """Instruction family of a layer; the chip's operand table is by family."""
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        tensors = (required(graph.inputs_of(layer.name)[0]), graph.output_of(layer.name))
        if all(graph.types[tensor].shape[1] == layer.groups for tensor in tensors):
            return DEPTHWISE
    return record_of(type(layer)).instruction.family


def memory_for(chip: Chip, graph: Graph, layer: ir.Layer, role: str) -> str:
    """The memory that the chip prefers for an operand of this layer."""
    return chip.placement(family(graph, layer), role).memories[0]


def is_row_gather(layer: ir.Layer) -> bool:
    """Whether the layer is done by the DMA engine: rows of a table in DRAM, named by an index on chip."""
    return isinstance(layer, ir.Gather) and layer.axis == 0


def is_read_engine(layer: ir.Layer) -> bool:
    """Whether the read engine does the layer: gathers of rows, and fills."""
    return is_row_gather(layer) or isinstance(layer, ir.Fill)


def lane_axis(layer: ir.Layer, rank: int) -> int | None:
    """The output axis that runs along the lanes of the MAC array: output channels; None for others."""
    return record_of(type(layer)).lane_axis(rank)


def axis_names(layer: ir.Layer, rank: int) -> list[str]:
    """Names of the output axes for people: batch, channels, rows, columns for pictures; else numbers."""
    lane = lane_axis(layer, rank)
    if rank == 4 and lane != rank - 1:
        return ["batch", "channels", "rows", "columns"]
    names = [f"axis{axis}" for axis in range(rank)]
    if lane is not None:
        names[lane] = "channels"
    return names


def uncut_axes(layer: ir.Layer, shapes: Sequence[tuple[int, ...] | None]) -> tuple[int, ...]:
    """Output axes that a tile must hold whole."""
    return record_of(type(layer)).uncut_axes(layer, tuple(shapes))


def lane_step_allowed(layer: ir.Layer, channels: int, tile: int) -> bool:
    """Whether output channels may be cut into tiles of this many: whole channel groups, or inside one."""
    if not isinstance(layer, ir.SpatialMacLayer) or layer.groups == 1:
        return True
    per_group = channels // layer.groups
    return tile % per_group == 0 or per_group % tile == 0


def channels_per_group(layer: ir.Layer, channels: int) -> int:
    """Output channels of a group, of so many in all; 1 for a layer that has no groups."""
    if not isinstance(layer, ir.SpatialMacLayer) or layer.groups == 1:
        return 1
    return channels // layer.groups


def keep_groups(low: Ints, high: Ints, per_group: int) -> bool:
    """Whether ranges of output channels are whole channel groups, or lie inside one; empty ones do."""
    whole = (low % per_group == 0) & (high % per_group == 0)
    inside = low // per_group == (high - 1) // per_group
    return bool((whole | inside | (high <= low)).all())


def chunk_axes(layer: ir.Layer, shapes: Sequence[tuple[int, ...] | None]) -> dict[int, int]:
    """Operand slot → its axis that is summed over and may be cut into chunks; empty if there is none."""
    return record_of(type(layer)).chunk_axes(layer, tuple(shapes))


def sums_dtype(graph: Graph, layer: ir.Layer) -> DType:
    """Element type of a layer's partial sums, if it is cut into chunks."""
    source = graph.operand(layer.name, 0) or graph.output_of(layer.name)  # a fill reads nothing
    return layer.partial_type(graph.types[source].dtype)


def may_chunk(layer: ir.Layer, channels: int, lane_tile: int) -> bool:
    """Whether K-chunks are possible: a tile of a grouped convolution must lie inside one group."""
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        return (channels // layer.groups) % lane_tile == 0
    return True


def natural_order(layer: ir.Layer, slot: int, rank: int) -> tuple[int, ...]:
    """Order of axes in which a packed constant suits its layer."""
    return record_of(type(layer)).constant_order(slot, rank)


def axis_order(layer: ir.Layer) -> AxisOrder | None:
    """In which order of axes a layer likes its features; None for views, which compute nothing."""
    return RECORDS[type(layer)].axis_order if type(layer) in RECORDS else None
