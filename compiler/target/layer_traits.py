"""Facts about layers seen from the chip: families, roles, memories, axes, chunks, orders."""

from __future__ import annotations

from nnc.compiler.ir import layers as ir
from nnc.compiler.ir.required import required
from nnc.compiler.ir.storage import channels_last
from nnc.isa.chip.description import Chip
from nnc.isa.types import DType

FAMILY: dict[type[ir.Layer], str] = {
    ir.Conv: "conv",
    ir.ConvTranspose: "conv",
    ir.MatMul: "gemm",
    ir.Pool: "pool",
    ir.Elementwise: "elementwise",
    ir.Reduce: "reduce",
    ir.Softmax: "softmax",
    ir.Normalise: "normalise",
    ir.LocalResponseNorm: "normalise",
    ir.Resize: "resize",
    ir.Pad: "copy",
    ir.Copy: "copy",
    ir.Gather: "gather",
}
"""Instruction family of every kind that computes; the chip's operand table is by family."""

_ROLE_OF_SLOT = {"weight": "weight", "bias": "weight", "scale": "weight", "residual": "result"}


def slot_role(layer: ir.Layer, slot: int) -> str:
    """Role of an operand in the chip's operand table: feature, weight, result or accumulator."""
    name = layer.slots[slot] if slot < len(layer.slots) else "x"
    return "accumulator" if name == "accumulator" else _ROLE_OF_SLOT.get(name, "feature")


def memory_for(chip: Chip, layer: ir.Layer, role: str) -> str:
    """The memory that the chip prefers for an operand of this layer."""
    return chip.placement(FAMILY[type(layer)], role).memories[0]


def is_row_gather(layer: ir.Layer) -> bool:
    """Whether the layer is done by the DMA engine: rows of a table in DRAM, named by an index on chip."""
    return isinstance(layer, ir.Gather) and layer.axis == 0


def lane_axis(layer: ir.Layer, rank: int) -> int | None:
    """The output axis that runs along the lanes of the MAC array: output channels; None for others."""
    if isinstance(layer, ir.SpatialMacLayer):
        return 1
    return rank - 1 if isinstance(layer, ir.MatMul) else None


def axis_names(layer: ir.Layer, rank: int) -> list[str]:
    """Names of the output axes for people: batch, channels, rows, columns for pictures; else numbers."""
    lane = lane_axis(layer, rank)
    if rank == 4 and lane != rank - 1:
        return ["batch", "channels", "rows", "columns"]
    names = [f"axis{axis}" for axis in range(rank)]
    if lane is not None:
        names[lane] = "channels"
    return names


def uncut_axes(layer: ir.Layer, shapes: list[tuple[int, ...] | None]) -> tuple[int, ...]:
    """Output axes that a tile must hold whole."""
    match layer:
        case ir.Gather() if is_row_gather(layer):
            data, index = map(required, shapes)
            return tuple(range(len(index), len(index) + len(data) - 1))
        case ir.Softmax():
            return (layer.axis,)
        case ir.Normalise():
            return layer.axes
        case ir.LocalResponseNorm():
            return (1,)
        case _:
            return ()


def lane_step_allowed(layer: ir.Layer, channels: int, tile: int) -> bool:
    """Whether output channels may be cut into tiles of this many: whole channel groups, or inside one."""
    if not isinstance(layer, ir.SpatialMacLayer) or layer.groups == 1:
        return True
    per_group = channels // layer.groups
    return tile % per_group == 0 or per_group % tile == 0


def chunk_axes(layer: ir.Layer, shapes: list[tuple[int, ...] | None]) -> dict[int, int]:
    """Operand slot → its axis that is summed over and may be cut into chunks; empty if there is none."""
    match layer:
        case ir.Conv():
            return {0: 1, 1: 1}
        case ir.ConvTranspose():
            return {0: 1, 1: 0}
        case ir.MatMul():
            x, weight = required(shapes[0]), required(shapes[1])
            return {0: len(x) - 1, 1: len(weight) - 2}
        case ir.Reduce() if layer.function.value not in ("log_sum_exp", "log_sum"):
            shape = required(shapes[0])
            order = channels_last(len(shape))
            return {0: min(layer.axes, key=lambda axis: (shape[axis] == 1, order.index(axis)))}
        case _:
            return {}


def may_chunk(layer: ir.Layer, channels: int, lane_tile: int) -> bool:
    """Whether K-chunks are possible: a tile of a grouped convolution must lie inside one group."""
    if isinstance(layer, ir.SpatialMacLayer) and layer.groups > 1:
        return (channels // layer.groups) % lane_tile == 0
    return True


def accumulator_dtype(dtype: DType) -> DType:
    """Type of partial sums: f32 for floats (f64 stays), i32 for integers."""
    if dtype is DType.F64:
        return dtype
    return DType.F32 if dtype.is_float else DType.I32


def natural_order(layer: ir.Layer, slot: int, rank: int) -> tuple[int, ...]:
    """Order of axes in which a packed constant suits its layer.

    Weights of convolutions nest K…, IC, OC (M3: one row is the vector over the output channels).
    """
    if slot == 1 and isinstance(layer, ir.Conv):
        return (*range(2, rank), 1, 0)
    if slot == 1 and isinstance(layer, ir.ConvTranspose):
        return (*range(2, rank), 0, 1)
    if isinstance(layer, ir.Elementwise | ir.Normalise):
        return channels_last(rank)
    return tuple(range(rank))
